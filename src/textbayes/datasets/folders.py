"""A folder of class folders → documents."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path

from textbayes.datasets.archives import is_clutter, list_files, open_inside, readable_name
from textbayes.datasets.columns import Columns
from textbayes.datasets.corpus import Document
from textbayes.datasets.reading import Reading
from textbayes.datasets.streams import TextStream
from textbayes.errors import EncodingError, FileReadError, NoDocumentsError, RecordError


def read_folder(path: str, reading: Reading) -> Iterator[Document]:
    """Read one document per file; its label is the name of its subfolder of ``path``.

    Files in nested folders belong to the class too. Files directly in ``path`` are ignored, and so are hidden
    files and files left behind by operating systems. A link may lead to another file of the folder. One that
    leads out of it or to a folder is a record that cannot be used, and so is a FIFO, a socket or a device.
    """
    reading.check_no_columns(Columns.without(path, "a folder of class folders"))
    root = Path(path)
    folders = sorted(folder for folder in root.iterdir() if folder.is_dir() and not is_clutter(folder.name))
    if not folders:
        raise NoDocumentsError(path, "a folder for each class, with a file for each of its documents")
    for folder in folders:
        yield from _read_class(root, folder, reading)


def _read_class(root: Path, folder: Path, reading: Reading) -> Iterator[Document]:
    label = readable_name(folder.name)
    if folder.is_symlink():
        error = FileReadError(str(folder), errno.ELOOP, "it is a link to a folder, which is not followed")
        yield from reading.reject(str(root), str(folder), label, error)
        return
    empty = True
    for file in list_files(folder):
        empty = False
        id = readable_name((file if reading.several else file.relative_to(root)).as_posix())
        try:
            with open_inside(file, root) as stream:
                text = TextStream(stream, str(file), reading.encoding, most=reading.most).whole()
        except (EncodingError, RecordError, FileReadError) as error:
            yield from reading.reject(str(root), str(file), id, error)
        else:
            yield Document(text, (label,), None, id, str(file))
    if empty:
        expected = "a file or more for each class; remove the folder of a class without documents"
        raise NoDocumentsError(f"The class folder {str(folder)!r}", expected)
