"""Every error a user can meet.

One class per situation. A class takes facts, not sentences, and says what happened, why it matters and
what to do; its ``code`` is stable. The command line, the HTTP body and docs/errors.md are made from here.
"""

from __future__ import annotations

import difflib
import errno
import os
from collections.abc import Iterable
from typing import Any, ClassVar, Self

from sklearn.exceptions import NotFittedError


class TextbayesError(Exception):
    """The base of every error that textbayes raises on purpose.

    Attributes
    ----------
    code : str
        A stable name of the situation, such as ``"text-type"``.
    what, why, todo : str
        What happened; why it matters; what to do about it.
    """

    code: ClassVar[str] = "textbayes"

    def __new__(cls, *facts: Any, **named: Any) -> Self:
        """Keep the facts, so that the error survives pickling between processes."""
        error = super().__new__(cls, *facts)
        error._facts = (facts, named)  # type: ignore[attr-defined]
        return error

    def __init__(self, what: str, why: str, todo: str) -> None:
        super().__init__(what)
        self.what = what
        self.why = why
        self.todo = todo

    def __str__(self) -> str:
        return f"{self.what}\n  {self.why}\n  {self.todo}    [{self.code}]"

    def __reduce__(self) -> tuple[Any, ...]:
        facts, named = self._facts  # type: ignore[attr-defined]
        return _rebuild, (type(self), facts, named)


def _rebuild(kind: type[TextbayesError], facts: tuple[Any, ...], named: dict[str, Any]) -> TextbayesError:
    return kind(*facts, **named)


def _did_you_mean(value: object, options: Iterable[str]) -> str:
    close = difflib.get_close_matches(str(value), list(options), n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def _shown(value: object, width: int = 60) -> str:
    text = repr(value)
    return text if len(text) <= width else text[: width - 1] + "…"


class UnknownOptionError(TextbayesError, ValueError):
    """A setting was given a value it does not have."""

    code = "option-unknown"

    def __init__(self, name: str, value: object, options: Iterable[str]) -> None:
        options = list(options)
        super().__init__(
            f"{name}={_shown(value)} is not an option.{_did_you_mean(value, options)}",
            f"{name} decides how the work is done, so a guess would give another result silently.",
            f"Pass one of: {', '.join(options)}.",
        )


# --- datasets: files and corpora -----------------------------------------------------------------------


class SettingConflictError(TextbayesError, ValueError):
    """Two settings ask for things that cannot both be had."""

    code = "settings-conflict"

    def __init__(self, name: str, value: object, other: str, other_value: object, reason: str) -> None:
        super().__init__(
            f"{name}={_shown(value)} does not go with {other}={_shown(other_value)}.",
            f"{name} is about {reason}, so it would be silently without effect.",
            f"Leave {name} at its default, or change {other}.",
        )


class NgramRangeError(TextbayesError, ValueError):
    """A range of n-gram lengths is no range."""

    code = "settings-ngrams"

    def __init__(self, value: object) -> None:
        super().__init__(
            f"ngram_range={_shown(value)} is not a pair (shortest, longest) with 1 <= shortest <= longest.",
            "It says how many neighbouring words or characters make a term.",
            "Pass (1, 1) for single words, (1, 2) for words and pairs of words.",
        )


class StopWordsError(TextbayesError, TypeError):
    """Stop words are no strings."""

    code = "settings-stop-words"

    def __init__(self, value: object) -> None:
        super().__init__(
            f"stop_words holds {_shown(value)} of type {type(value).__name__}.",
            "A stop word is compared with tokens, which are strings.",
            'Pass None, "english", or a list or set of strings (not a generator: it can be read only once).',
        )


class TokenPatternError(TextbayesError, ValueError):
    """A regular expression for tokens cannot be used."""

    code = "settings-pattern"

    def __init__(self, pattern: str, reason: str) -> None:
        reason = " ".join(reason.split())
        super().__init__(
            f"tokens={_shown(pattern)} cannot be used: {reason}.",
            "Patterns run in Rust in linear time, which rules out look-around and back-references.",
            "Rewrite the pattern with at most one group, or use one of the rules: words, letters, unicode.",
        )


class BareStringError(TextbayesError, TypeError, ValueError):
    """One string where a collection of texts is wanted."""

    code = "texts-bare-string"

    def __init__(self, value: str | bytes | bytearray) -> None:
        super().__init__(
            f"texts is one {type(value).__name__}, {_shown(value)}, not a collection of texts.",
            "It would be read as a collection of single characters.",
            "Put it in a list: [text].",
        )


class TextsShapeError(TextbayesError, TypeError, ValueError):
    """A table where one column is wanted."""

    code = "texts-shape"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"texts is a {what}, not one column of texts.",
            "Which of its columns holds the texts cannot be guessed.",
            'Pass the column itself, such as table["text"].',
        )


class TextsTypeError(TextbayesError, TypeError, ValueError):
    """Something that holds no texts."""

    code = "texts-type"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"texts is a {what}.",
            "Texts come as a list, a generator, an array, or a pandas, polars or pyarrow column of strings.",
            "Convert it to one of these.",
        )


class NotTextError(TextbayesError, TypeError, ValueError):
    """A value among the texts is no string."""

    code = "text-type"

    def __init__(self, position: int, value: object) -> None:
        kind = type(value).__name__
        missing = value is None or (isinstance(value, float) and value != value)
        if missing:
            todo = f'Drop the missing texts, or put "" in their place (position {position} is the first).'
        elif isinstance(value, bytes | bytearray):
            todo = 'Decode the bytes first: value.decode("utf-8"), with errors="replace" if some are broken.'
        else:
            todo = "Convert it with str(), or drop it."
        super().__init__(
            f"texts[{position}] is {_shown(value)} of type {kind}.",
            "A text is a str; counting anything else would hide a mistake in the data.",
            todo,
        )


class NotUtf8Error(TextbayesError, ValueError):
    """A text in Arrow's memory is not UTF-8."""

    code = "text-utf8"

    def __init__(self, position: int) -> None:
        super().__init__(
            f"texts[{position}] is not valid UTF-8, though its column says it is a string.",
            "Whatever wrote the column did not check it; its tokens would be noise.",
            "Read the column as binary and decode it, with errors=\"replace\" if some bytes are broken.",
        )


class CutRangeError(TextbayesError, ValueError):
    """A cut of the vocabulary is out of range."""

    code = "settings-cut"

    def __init__(self, name: str, value: object, reason: str) -> None:
        super().__init__(
            f"{name}={_shown(value)} is {reason}.",
            "It decides which terms get a column.",
            "Pass a whole number; min_df and max_df also take a share of the documents, such as 0.5.",
        )


class NoTermsLeftError(TextbayesError, ValueError):
    """The cuts leave no term."""

    code = "counts-no-terms"

    def __init__(self, documents: int, terms: int) -> None:
        super().__init__(
            f"No term is left of {terms} in {documents} documents.",
            "A vocabulary without terms cannot tell any two texts apart.",
            "Lower min_df or min_count, raise max_df, or check that the texts hold more than stop words.",
        )


class DimensionsError(TextbayesError, ValueError):
    """A number of hashed columns is out of range."""

    code = "settings-dimensions"

    def __init__(self, value: object) -> None:
        super().__init__(
            f"dimensions={_shown(value)} is not a whole number from 1 to 2147483647.",
            "It is the number of columns that terms are hashed to.",
            "Pass a number well above the terms expected, such as 2**20, or None to keep a vocabulary.",
        )


class ThreadsError(TextbayesError, ValueError):
    """A number of threads is out of range."""

    code = "settings-threads"

    def __init__(self, value: object) -> None:
        super().__init__(
            f"n_jobs={_shown(value)} is not a number of threads.",
            "It says how many cores may work at once.",
            "Pass None or -1 for all cores, or a whole number from 1 up.",
        )


class NotCountedError(TextbayesError, NotFittedError):  # type: ignore[misc]
    """A counter has no vocabulary yet."""

    code = "counts-not-fitted"

    def __init__(self, method: str) -> None:
        super().__init__(
            f"{method} needs a vocabulary, and this TextCounter has none.",
            "A vocabulary says which column a term has.",
            "Call fit, fit_transform or partial_fit first, or set dimensions for hashed columns.",
        )


class PathMissingError(TextbayesError, FileNotFoundError):
    """A path that was to be read does not exist."""

    code = "path-missing"

    def __init__(self, path: str, siblings: Iterable[str] = ()) -> None:
        super().__init__(
            f"There is nothing at {path!r}.{_did_you_mean(os.path.basename(path), siblings)}",
            "Documents are read from a file, a folder of class folders, or '-' for standard input.",
            f"Check the spelling; relative paths start from {os.getcwd()!r}.",
        )
        # OSError's own constructor would take the facts for errno and strerror.
        self.errno, self.strerror, self.filename = errno.ENOENT, self.what, path


class CorpusMissingError(TextbayesError, FileNotFoundError):
    """A known corpus is not on this machine."""

    code = "corpus-missing"

    def __init__(self, name: str, looked: Iterable[str]) -> None:
        looked = list(looked)
        super().__init__(
            f"The corpus {name!r} is not on this machine.",
            f"Looked for: {', '.join(looked)}.",
            f"Run `textbayes data fetch {name}`, pass path=…, or set TEXTBAYES_DATA to the folder it is in.",
        )
        self.errno, self.strerror, self.filename = errno.ENOENT, self.what, looked[0] if looked else None


class FormatUnknownError(TextbayesError, ValueError):
    """A file's name does not say how to read it."""

    code = "format-unknown"

    def __init__(self, path: str, endings: Iterable[str], formats: Iterable[str]) -> None:
        super().__init__(
            f"The name {path!r} does not say what format the file has.",
            f"These endings do: {', '.join(endings)}; .gz and .zst may follow those of the text formats.",
            f"Rename the file, or pass format= one of: {', '.join(formats)}.",
        )


class ColumnMissingError(TextbayesError, ValueError):
    """A column is not in the file, or none looks like the one that is needed."""

    code = "column-missing"

    def __init__(self, path: str, role: str, wanted: str | None, found: Iterable[str]) -> None:
        found = list(found)
        hint = _did_you_mean(wanted, found) if wanted else ""
        super().__init__(
            f"{path} has no column {wanted!r}.{hint}"
            if wanted
            else f"{path} has no column that is plainly the {role}.",
            f"Its columns are: {', '.join(map(repr, found))}."
            if found
            else "It is a folder of class folders, which has no columns.",
            f"Pass {role}= one of them." if found else f"Leave {role}= out.",
        )


class ColumnUnclearError(TextbayesError, ValueError):
    """Several columns could be the one that is needed."""

    code = "column-unclear"

    def __init__(self, path: str, role: str, candidates: Iterable[str]) -> None:
        names = ", ".join(map(repr, candidates))
        super().__init__(
            f"{path} has several columns that could be the {role}: {names}.",
            "A wrong guess would train on the wrong column without a word.",
            f"Pass {role}= the one that you mean; rename columns that share a name.",
        )


class FieldMissingError(TextbayesError, ValueError):
    """One record lacks a key that the others have."""

    code = "field-missing"

    def __init__(self, place: str, field: str, found: Iterable[str]) -> None:
        found = list(found)
        super().__init__(
            f"{place} has no {field!r}.{_did_you_mean(field, found)}",
            f"It has: {', '.join(map(repr, found)) or 'nothing'}.",
            "Every record needs the key; write null (or an empty list) for a document without labels.",
        )


class TextNullError(TextbayesError, ValueError):
    """A document's text is null."""

    code = "text-null"

    def __init__(self, place: str, field: str) -> None:
        super().__init__(
            f"{place} has null as its text ({field!r}).",
            "Null says that the text is not known; an empty document is an empty string.",
            'Drop the record, or write "" if the document is empty.',
        )


class FieldTypeError(TextbayesError, TypeError):
    """A field holds a value of a kind that it cannot have."""

    code = "field-type"

    def __init__(self, place: str, field: str, value: object, wanted: str) -> None:
        super().__init__(
            f"{place} has {_shown(value)} as {field!r}, a value of type {type(value).__name__}.",
            f"That field has to be {wanted}.",
            "Correct the record, or name another column.",
        )


class EncodingWrongError(TextbayesError, ValueError):
    """Bytes that are not text in the encoding in use."""

    code = "encoding-wrong"

    def __init__(self, path: str, line: int, offset: int, byte: int, encoding: str) -> None:
        utf16 = offset == 0 and byte in (0xFE, 0xFF)
        others = "'utf-16'" if utf16 else "'cp1252' (Windows) or 'latin-1' (accepts any byte)"
        super().__init__(
            f"{path}, line {line}: the byte 0x{byte:02x} at offset {offset} is not {encoding}.",
            "Guessing would turn letters into others and make terms that no document has.",
            f"Pass encoding= the one that the file was written in, perhaps {others}.",
        )


class JsonBrokenError(TextbayesError, ValueError):
    """A line of a JSON Lines file is not JSON."""

    code = "json-broken"

    def __init__(self, path: str, line: int, column: int, problem: str) -> None:
        super().__init__(
            f"{path}, line {line}, column {column}: this is not JSON ({problem}).",
            "JSON Lines has one whole JSON object on every line.",
            "Correct the line; if the file is not JSON Lines, pass format= what it is.",
        )


class JsonNotObjectError(TextbayesError, ValueError):
    """A line of a JSON Lines file is JSON, though not an object."""

    code = "json-not-object"

    def __init__(self, path: str, line: int, value: object) -> None:
        super().__init__(
            f"{path}, line {line}: {_shown(value)} is not a JSON object.",
            'Documents are told apart by line and fields by name: {"text": "…", "label": "…"}.',
            "Write one object per line, without an array around them.",
        )


class CsvColumnsError(TextbayesError, ValueError):
    """A row of a CSV or TSV file has too few or too many fields."""

    code = "csv-columns"

    def __init__(self, path: str, line: int, expected: int, got: int) -> None:
        super().__init__(
            f"{path}, line {line}: this row has {got} fields, the header has {expected}.",
            "A field that is cut in two would shift the text into the label.",
            'Quote fields that hold the delimiter or a line break, and double the quotes ("") in them.',
        )


class CsvBrokenError(TextbayesError, ValueError):
    """A row of a CSV or TSV file has stray quotes."""

    code = "csv-broken"

    def __init__(self, path: str, line: int, problem: str) -> None:
        super().__init__(
            f"{path}, line {line}: the row that starts here cannot be read ({problem}).",
            "A quote that is never closed would swallow the rest of the file.",
            'Close every quoted field, and double the quotes ("") in it.',
        )


class DocumentsNoneError(TextbayesError, ValueError):
    """Something was read to its end and held no document."""

    code = "documents-none"

    def __init__(self, path: str, expected: str) -> None:
        super().__init__(
            f"{path} holds no documents.",
            f"Expected {expected}.",
            "Check that the path is the one that you mean and that writing it had finished.",
        )


class ClassFolderEmptyError(TextbayesError, ValueError):
    """A class folder holds no file."""

    code = "class-folder-empty"

    def __init__(self, folder: str) -> None:
        super().__init__(
            f"The class folder {folder!r} holds no files.",
            "A class without documents cannot be learnt and would vanish silently.",
            "Put its documents there, or remove the folder.",
        )


class FileDamagedError(TextbayesError, OSError):
    """A compressed, archived or binary file cannot be unpacked."""

    code = "file-damaged"

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(
            f"{path} is damaged, or not the kind of file that its name says ({problem}).",
            "Part of it may be readable, though a part of a corpus is another corpus.",
            "Copy or download it again.",
        )
        self.errno, self.strerror, self.filename = errno.EIO, self.what, path


class LabelledLineError(TextbayesError, ValueError):
    """A line is not a label, a tab and a text."""

    code = "labelled-line"

    def __init__(self, path: str, line: int, text: str) -> None:
        super().__init__(
            f"{path}, line {line}: {_shown(text)} is not a label, a tab and a text.",
            "The label ends at the first tab; without one there is no telling which word is the label.",
            "Write label<TAB>text; an empty text still needs the tab.",
        )


class SgmlBrokenError(TextbayesError, ValueError):
    """A Reuters SGML file does not have the structure of the distribution."""

    code = "sgml-broken"

    def __init__(self, path: str, line: int, problem: str) -> None:
        super().__init__(
            f"{path}, line {line}: {problem}.",
            "Every document of Reuters-21578 is a closed <REUTERS> element with its attributes.",
            "Fetch the file again: it was cut or edited.",
        )


# --- datasets: fetching corpora ------------------------------------------------------------------------


class CorpusUnknownError(TextbayesError, LookupError):
    """A name that is not in the table of corpora."""

    code = "corpus-unknown"

    def __init__(self, name: str, options: Iterable[str]) -> None:
        options = list(options)
        super().__init__(
            f"There is no corpus called {_shown(name)}.{_did_you_mean(name, options)}",
            "Only the corpora in the table have a known home and known contents.",
            f"Choose one of: {', '.join(options)}. Files of your own need no fetching: pass their path.",
        )


class FetchUrlError(TextbayesError, ValueError):
    """An address that is not a web address."""

    code = "fetch-url"

    def __init__(self, url: str) -> None:
        super().__init__(
            f"{_shown(url)} is not an http:// or https:// address.",
            "Corpora are downloaded over HTTP only.",
            "Write the whole address; for a file on this machine use --from FILE (source= in Python).",
        )


class FetchNetworkError(TextbayesError, ConnectionError):
    """A download failed: no connection, a refusal, or a line that went dead."""

    code = "fetch-network"

    def __init__(self, name: str, failures: Iterable[str], kept: int = 0) -> None:
        failures = list(failures)
        super().__init__(
            f"The corpus {name!r} could not be downloaded: {'; '.join(failures)}.",
            f"Kept {kept:,} bytes: the next run goes on from there." if kept else "Nothing was written.",
            "Try again later; or download it another way and pass it with --from FILE (source= in Python).",
        )
        # OSError's own constructor would take the facts for errno and strerror.
        self.errno, self.strerror, self.filename = None, self.what, None


class FetchChecksumError(TextbayesError, ValueError):
    """A file's bytes are not those of the corpus."""

    code = "fetch-checksum"

    def __init__(self, name: str, origin: str, actual: str, expected: Iterable[str]) -> None:
        wanted = " or ".join(expected)
        super().__init__(
            f"{origin} is not the corpus {name!r}: its SHA-256 is {actual}, expected {wanted}.",
            "A file that was cut, edited or swapped would change every number measured on it.",
            "Nothing was kept. Fetch it again, from another place if this happens twice.",
        )


class FetchContentError(TextbayesError, ValueError):
    """An archive without a published checksum does not hold what the corpus holds."""

    code = "fetch-content"

    def __init__(self, name: str, origin: str, found: str, expected: str, sha256: str) -> None:
        super().__init__(
            f"{origin} is not the corpus {name!r}: it holds {found}, expected {expected} (SHA-256 {sha256}).",
            "No checksum of this corpus is published, so the archive is judged by what is in it.",
            "Nothing was kept. Fetch it again, from another place if this happens twice.",
        )


class FetchStorageError(TextbayesError, OSError):
    """The folder of corpora cannot be written."""

    code = "fetch-storage"

    def __init__(self, path: str, number: int | None, reason: str) -> None:
        super().__init__(
            f"{path} cannot be written: {reason}.",
            "Corpora are kept on disk, so that they are downloaded once.",
            "Free some space or choose another folder with --home DIR or the variable TEXTBAYES_DATA.",
        )
        self.errno, self.strerror, self.filename = number, self.what, path


class FetchSourceError(TextbayesError, OSError):
    """A copy named by the user cannot be read."""

    code = "fetch-source"

    def __init__(self, path: str, number: int | None, reason: str) -> None:
        super().__init__(
            f"{path} cannot be read: {reason}.",
            "It was named as the copy to take the corpus from.",
            "Name the archive itself, not a folder, and check that you may read it.",
        )
        self.errno, self.strerror, self.filename = number, self.what, path


class FetchBusyError(TextbayesError, TimeoutError):
    """Another process has been fetching the same corpus for too long."""

    code = "fetch-busy"

    def __init__(self, name: str, seconds: float, lock: str) -> None:
        super().__init__(
            f"Another process is fetching {name!r}; waited {seconds:g} seconds for it.",
            "Two downloads into one file would mix their bytes.",
            f"Let it finish, or end it; the lock {lock} is released when it ends.",
        )
        self.errno, self.strerror, self.filename = None, self.what, lock
