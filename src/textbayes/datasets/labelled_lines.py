"""Lines of ``label<TAB>text``, the format of R8, R52 and similar corpora → documents."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from textbayes.datasets.archives import missing_path
from textbayes.datasets.corpus import Corpus, Document
from textbayes.datasets.streams import (
    MAX_RECORD,
    STANDARD_INPUT,
    known_encoding,
    open_stream,
    read_lines,
    shown_path,
)
from textbayes.errors import NoDocumentsError, RecordError
from textbayes.errors.base import shown
from textbayes.errors.checks import check_whole

PathLike = str | os.PathLike[str]


def load_labelled_lines(
    path: PathLike | Mapping[str, PathLike],
    split: str | None = None,
    *,
    name: str | None = None,
    encoding: str = "utf-8",
    max_record: int = MAX_RECORD,
) -> Corpus:
    r"""Load a file, or a file per split, with a label, a tab and a text on each line.

    Parameters
    ----------
    path : path or dict of paths
        A file (plain or compressed, or ``"-"`` for standard input), or a dict of files by split:
        ``{"train": "r8-train.txt", "test": "r8-test.txt"}``.
    split : str, optional
        The split of the documents of a single file.
    name : str, optional
        The name of the corpus; by default the name of the (first) file up to its first dot.
    encoding : str, default="utf-8"
        The encoding of the files.
    max_record : int, default=67108864
        The most characters of a line.

    Returns
    -------
    Corpus
        In the order of the files. Ids are line numbers, with a prefix such as ``train/`` if there is a split.

    Notes
    -----
    The text may be empty or contain tabs. White space around the label and blank lines are dropped.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from textbayes.datasets import load_labelled_lines
    >>> folder = tempfile.TemporaryDirectory()
    >>> train = pathlib.Path(folder.name, "r2.train.txt")
    >>> _ = train.write_text("earn\tprofit up\nacq\tto buy shares\n")
    >>> load_labelled_lines({"train": train})
    Corpus('r2': 2 documents, 2 classes, 2 train)
    >>> folder.cleanup()
    """
    files = dict(path) if isinstance(path, Mapping) else {split: path}
    if not files:
        raise NoDocumentsError("{}", "the path of a file for each split")
    codec, most = known_encoding(encoding), check_whole("max_record", max_record)
    documents = [
        document for part, file in files.items() for document in _read(os.fspath(file), part, codec, most)
    ]
    first = shown_path(os.fspath(next(iter(files.values()))))
    return Corpus(name or Path(first).name.partition(".")[0] or first, documents)


def _read(path: str, split: str | None, encoding: str, most: int) -> Iterator[Document]:
    if path != STANDARD_INPUT and not Path(path).exists():
        raise missing_path(Path(path))
    place = shown_path(path)
    empty = True
    with open_stream(path) as stream:
        for number, line in enumerate(read_lines(stream, place, encoding, most), start=1):
            if line.isspace():
                continue
            label, tab, text = line.rstrip("\r\n").partition("\t")
            if not tab or not label.strip():
                problem = f"{shown(line.rstrip())} is not a label, a tab and a text"
                raise RecordError(place, number, problem, "labelled lines")
            empty = False
            yield Document(text, (label.strip(),), split, f"{split}/{number}" if split else str(number))
    if empty:
        raise NoDocumentsError(place, "a label, a tab and a text on each line")
