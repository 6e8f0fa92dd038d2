"""Files of documents that cannot be read."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable

from textbayes.errors.base import TextbayesError, did_you_mean, shown


class FileNotReplacedError(TextbayesError, FileExistsError):
    """A file that is there already is of another kind than the one to be written."""

    code = "file-not-replaced"

    def __init__(self, path: str, kind: str) -> None:
        super().__init__(
            f"{path!r} is there already, and is no {kind}.",
            "Writing would destroy what it holds.",
            "Choose another name, or delete the file first.",
        )
        self.filename = path


class PathMissingError(TextbayesError, FileNotFoundError):
    """A path that was to be read does not exist."""

    code = "path-missing"

    def __init__(self, path: str, siblings: Iterable[str] = ()) -> None:
        super().__init__(
            f"There is nothing at {path!r}.{did_you_mean(os.path.basename(path), siblings)}",
            "Documents are read from a file, a folder of class folders, or '-' for standard input.",
            f"Check the spelling; relative paths start from {os.getcwd()!r}.",
        )
        # OSError's own constructor would take the facts for errno and strerror.
        self.errno, self.strerror, self.filename = errno.ENOENT, self.what, path


class ColumnMissingError(TextbayesError, ValueError):
    """A column is not in the file, or none looks like the one that is needed."""

    code = "column-missing"

    def __init__(self, path: str, role: str, wanted: str | None, found: Iterable[str]) -> None:
        found = list(found)
        hint = did_you_mean(wanted, found) if wanted else ""
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
            f"{place} has no {field!r}.{did_you_mean(field, found)}",
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
            f"{place} has {shown(value)} as {field!r}, a value of type {type(value).__name__}.",
            f"That field has to be {wanted}.",
            "Correct the record, or name another column.",
        )


class DocumentUnlabelledError(TextbayesError, ValueError):
    """A document to learn from, or to measure with, has no label."""

    code = "document-unlabelled"

    def __init__(self, path: str, id: str) -> None:
        super().__init__(
            f"{path}: the document {shown(id)} has no label.",
            "Others have one each, so this one would teach or measure nothing.",
            "Label it or leave it out; if texts may have no label or several, train with --multilabel.",
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
            f"{path}, line {line}: {shown(value)} is not a JSON object.",
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
            f"{path}, line {line}: {shown(text)} is not a label, a tab and a text.",
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
