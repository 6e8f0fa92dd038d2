"""Files that cannot be found, read or written, and documents in them that cannot be used."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable

from textbayes.errors.base import TextbayesError, did_you_mean, shown

_DOCUMENTS = "a file of documents, a folder of class folders, or '-' for standard input"


class FileMissingError(TextbayesError, FileNotFoundError):
    """There is no file or folder at a path."""

    code = "file-missing"

    def __init__(self, path: str, siblings: Iterable[str] = (), expected: str = _DOCUMENTS) -> None:
        super().__init__(
            f"There is nothing at {path!r}.{did_you_mean(os.path.basename(path), siblings)}",
            f"Expected {expected}.",
            f"Check the spelling; relative paths start from {os.getcwd()!r}.",
        )
        # OSError's own constructor would take the facts for errno and strerror.
        self.errno, self.strerror, self.filename = errno.ENOENT, self.what, path


class FileReadError(TextbayesError, OSError):
    """A file cannot be opened, or its bytes cannot be unpacked.

    Parameters
    ----------
    path : str
        The file.
    number : int, optional
        The error number of the system; None if the file was opened but its contents are damaged.
    reason : str
        The reason that the system or the reader gave.
    """

    code = "file-read"

    def __init__(self, path: str, number: int | None, reason: str) -> None:
        super().__init__(
            f"{path} cannot be read ({reason}).",
            "Reading only a part of it would give other results.",
            "Copy or download it again; if it is complete, check that its name ends as its format does."
            if number is None
            else "Check that it is the right file and that you may read it.",
        )
        self.errno, self.strerror, self.filename = number or errno.EIO, self.what, path


_WRITE_ADVICE = {
    errno.EEXIST: "Choose another name, or delete the file first.",
    errno.EINVAL: "Choose the name of a regular file.",
    errno.EISDIR: "Choose the name of a file.",
}


class FileWriteError(TextbayesError, OSError):
    """A file cannot be written, or would replace a file of another kind.

    Parameters
    ----------
    path : str
        The file.
    number : int, optional
        The error number of the system; ``errno.EEXIST`` for a file of another format and
        ``errno.EINVAL`` for a device and the like, which are not replaced.
    reason : str
        The reason.
    setting : str
        The setting that names the folder of a corpus, if a corpus was being stored.
    """

    code = "file-write"

    def __init__(self, path: str, number: int | None, reason: str, setting: str = "") -> None:
        chosen = f" with {setting}" if setting else ""
        super().__init__(
            f"{path!r} cannot be written ({reason}).",
            "A corpus is used only after all of it was stored."
            if setting
            else "Nothing was changed: a file that was there before is still there.",
            _WRITE_ADVICE.get(
                number or 0, f"Choose a folder{chosen} that you may write to and that has room for the file."
            ),
        )
        self.errno, self.strerror, self.filename = number or errno.EIO, self.what, path


class ColumnError(TextbayesError, ValueError):
    """A file has no such column, or several columns could be the one that is needed.

    Parameters
    ----------
    path : str
        The file.
    role : str
        What the column is for, such as ``"text"``.
    wanted : str or None
        The column that the user named.
    found : iterable of str
        The columns of the file; none if it has no columns.
    candidates : iterable of str, optional
        Columns that could be the one.
    hint : str, optional
        What else to do, without a period.
    layout : str, optional
        What a file without columns is.
    """

    code = "column-choice"

    def __init__(
        self,
        path: str,
        role: str,
        wanted: str | None,
        found: Iterable[str],
        candidates: Iterable[str] = (),
        hint: str = "",
        layout: str = "a folder of class folders",
    ) -> None:
        found, candidates = list(found), list(candidates)
        if candidates:
            what = f"{path} has several columns that could be the {role}: {_quoted(candidates)}."
        elif wanted:
            what = f"{path} has no column {wanted!r}.{did_you_mean(wanted, found)}"
        elif found:
            what = f"{path} has no column that is clearly the {role}."
        else:
            what = f"{path} has no {role}s."
        if candidates:
            todo = f"Pass {role}= the one that you mean."
        else:
            todo = f"Pass {role}= one of them." if found else f"Leave {role}= out."
        super().__init__(
            what,
            f"Its columns are: {_quoted(found)}." if found else f"It is {layout}, which has no columns.",
            todo if not hint else f"{todo} {hint}." if found or wanted else f"{hint}.",
        )
        self.role, self.wanted, self.candidates = role, wanted, candidates


# For each format: why a broken line matters, and what to do.
_FORMATS = {
    "jsonl": (
        'JSON Lines has one JSON object on each line: {"text": "…", "label": "…"}.',
        "Correct the line, or leave it out with on_error='skip'; for another format, pass format= its name.",
    ),
    "json": (
        'A JSON file has an array of objects: [{"text": "…", "label": "…"}, …].',
        "Correct it, or leave it out with on_error='skip'; for another format, pass format= its name.",
    ),
    "fasttext": (
        "A line has its labels, then the text: __label__spam __label__prize You have won.",
        "Write the name of the label behind __label__, without a space, or leave it out by on_error='skip'.",
    ),
    "csv": (
        "A field cut in two, or a quote that is never closed, would mix up texts and labels.",
        'Quote fields that hold the delimiter or a line break, and double the quotes ("") in them; '
        "or leave the row out with on_error='skip'.",
    ),
    "length": (
        "It has to be in memory as a whole, and a small compressed file can hold a huge line.",
        "If the file is right, pass max_record= a larger number; or leave it out with on_error='skip'.",
    ),
    "labelled lines": (
        "The label ends at the first tab.",
        "Write label<TAB>text; an empty text still needs the tab.",
    ),
    "costs": (
        "The header has the labels that may be decided; each row has a true label, then the costs.",
        "Write one row and one column for each label, such as: ,ham,spam, then ham,0,20, then spam,1,0.",
    ),
    "weights": (
        "Class weights are one JSON object of labels and numbers.",
        'Write {"label": weight}, such as {"spam": 10}; other labels have weight 1.',
    ),
    "options": (
        "Options are lines of a TOML file, each with a name and a value.",
        'Write the names of options without dashes in front, such as: model = "complement".',
    ),
    "sgml": (
        "Every document of Reuters-21578 is a closed <REUTERS> element with its attributes.",
        "Download the file again: it was cut or edited.",
    ),
}


class RecordError(TextbayesError, ValueError):
    """A line or a row of a file does not have the file's format."""

    code = "record-format"

    def __init__(self, path: str, line: int, problem: str, format: str, unit: str = "line") -> None:
        why, todo = _FORMATS.get(format, _FORMATS["jsonl"])
        super().__init__(f"{path}, {unit} {line}: {problem}.", why, todo)


class FieldError(TextbayesError, ValueError, TypeError):
    """A field of a document is missing, null or of the wrong type."""

    code = "field-value"

    def __init__(
        self, place: str, field: str, value: object, wanted: str, found: Iterable[str] | None = None
    ) -> None:
        if found is not None:
            found = list(found)
            what = f"{place} has no {field!r}.{did_you_mean(field, found)}"
            why = f"It has: {_quoted(found) or 'nothing'}."
        elif value == ():
            what, why = f"{place} has no {field}.", f"It has to be {wanted}."
        elif value is None:
            what, why = f"{place} has null as its {field!r}.", f"It has to be {wanted}."
        else:
            what = f"{place} has {shown(value)} as its {field!r}, of type {type(value).__name__}."
            why = f"It has to be {wanted}."
        super().__init__(
            what, why, f"Write {wanted}, leave the document out (on_error='skip'), or name another column."
        )


class EncodingError(TextbayesError, ValueError):
    """A file has bytes that are not text in the encoding in use."""

    code = "file-encoding"

    def __init__(self, path: str, line: int, offset: int, byte: int, encoding: str) -> None:
        others = "'cp1252' (Windows) or 'latin-1' (accepts any byte)"
        if encoding in ("utf-16", "utf-32"):
            others = f"'{encoding}-le' or '{encoding}-be' (without a byte-order mark), or 'utf-8'"
        elif offset == 0 and byte in (0xFE, 0xFF):
            others = "'utf-16'"
        super().__init__(
            f"{path}, line {line}: the byte 0x{byte:02x} at offset {offset} is not {encoding}.",
            "A wrong encoding turns letters into others and makes terms that no document has.",
            f"Pass encoding= the encoding that the file was written in, perhaps {others}.",
        )


class NoDocumentsError(TextbayesError, ValueError):
    """There are no documents, or none that can be used."""

    code = "documents-none"

    def __init__(self, place: str, expected: str, missing: str = "documents") -> None:
        super().__init__(
            f"{place} holds no {missing}.",
            "Without them there is nothing to learn from or to measure.",
            f"Check that it is the right one and complete. Expected: {expected}.",
        )


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names))
