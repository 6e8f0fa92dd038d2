"""20 Newsgroups, in its three versions: message files → documents."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from textbayes.datasets.archives import Parts, read_files
from textbayes.datasets.corpus import Corpus, Document
from textbayes.datasets.files import read_documents
from textbayes.datasets.jsonl import is_jsonl
from textbayes.datasets.location import locate_corpus
from textbayes.errors import NoDocumentsError, ParameterError


class _Version(NamedTuple):
    corpus: str
    headers: bool
    folders: str
    by_date: bool = False


_VERSIONS = {
    "bydate": _Version("newsgroups", True, "20news-bydate-train/GROUP/NUMBER and …-test/…", by_date=True),
    # "Newsgroups:", "Path:" and "Xref:" name the class.
    "19997": _Version("newsgroups-19997", False, "20_newsgroups/GROUP/NUMBER"),
    "18828": _Version("newsgroups-18828", True, "20news-18828/GROUP/NUMBER"),
}
_QUOTE = re.compile(r"^[>|]|^In article|^Quoted from|writes in|writes:|wrote:|says:|said:")


def load_newsgroups(
    path: str | os.PathLike[str] | None = None,
    version: str = "bydate",
    *,
    headers: bool | None = None,
    quotes: bool = True,
    footers: bool = True,
) -> Corpus:
    r"""Load 20 Newsgroups.

    Parameters
    ----------
    path : path, optional
        The folder, tar or JSON Lines file with the messages; by default the one in ``data_home()``.
    version : {"bydate", "19997", "18828"}, default="bydate"
        ``"bydate"`` has 11,314 training and 7,532 test messages, ``"19997"`` all messages with all headers
        and cross-posts, ``"18828"`` no duplicates and only two headers. The last two have no split.
    headers : bool, optional
        Whether to keep the headers. By default they are kept except in ``"19997"``, whose headers name the
        group.
    quotes : bool, default=True
        Whether to keep lines that quote another message.
    footers : bool, default=True
        Whether to keep signatures.

    Returns
    -------
    Corpus
        Sorted by split, group and number. Ids are ``train/sci.space/59848``, or ``sci.space/59848``
        without a split.

    Notes
    -----
    Bytes are decoded as Latin-1 and line ends are kept. Headers, footers and quotes are removed in the order
    and by the rules of scikit-learn's ``fetch_20newsgroups(remove=...)``; tests compare the two.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from textbayes.datasets import load_newsgroups
    >>> folder = tempfile.TemporaryDirectory()
    >>> group = pathlib.Path(folder.name, "20news-bydate-train", "sci.space")
    >>> group.mkdir(parents=True)
    >>> _ = (group / "59848").write_text("Subject: Moon\n\nJo wrote:\n> Go there!\nWhen?\n--\nAl")
    >>> load_newsgroups(folder.name, headers=False, quotes=False, footers=False)[0]
    Document(text='When?', labels=('sci.space',), split='train', id='train/sci.space/59848')
    >>> folder.cleanup()
    """
    if version not in _VERSIONS:
        raise ParameterError("version", version, _VERSIONS)
    chosen = _VERSIONS[version]
    place = locate_corpus(chosen.corpus, path)
    messages = sorted(_read(place, chosen), key=_order)
    if not messages:
        raise NoDocumentsError(str(place), f"messages in {chosen.folders}")
    keep_headers = chosen.headers if headers is None else headers
    return Corpus(
        f"20 Newsgroups {version}",
        [_stripped(message, keep_headers, quotes, footers) for message in messages],
    )


def strip_headers(text: str) -> str:
    r"""Return the text after the first blank line of a message, or nothing if there is none.

    Examples
    --------
    >>> from textbayes.datasets.newsgroups import strip_headers
    >>> strip_headers("From: jo\nSubject: moon\n\nHello.")
    'Hello.'
    """
    return text.partition("\n\n")[2]


def strip_quotes(text: str) -> str:
    r"""Drop the lines that quote another message, and the lines that introduce a quote.

    Examples
    --------
    >>> from textbayes.datasets.newsgroups import strip_quotes
    >>> strip_quotes("In article <1@x> Jo wrote:\n> Go there!\nWhen?")
    'When?'
    """
    return "\n".join(line for line in text.split("\n") if not _QUOTE.search(line))


def strip_footer(text: str) -> str:
    r"""Cut a message at its last line that is blank or all hyphens, if there is one.

    Examples
    --------
    >>> from textbayes.datasets.newsgroups import strip_footer
    >>> strip_footer("Hello.\n--\nJo, sci.space")
    'Hello.'
    """
    lines = text.strip().split("\n")
    for number in range(len(lines) - 1, 0, -1):
        if not lines[number].strip().strip("-"):
            return "\n".join(lines[:number])
    return text


def _stripped(message: Document, headers: bool, quotes: bool, footers: bool) -> Document:
    text = message.text
    if not headers:
        text = strip_headers(text)
    if not footers:
        text = strip_footer(text)
    if not quotes:
        text = strip_quotes(text)
    return dataclasses.replace(message, text=text)


def _read(place: Path, version: _Version) -> Iterator[Document]:
    if is_jsonl(place):
        yield from read_documents(place)
        return
    depth = 3 if version.by_date else 2
    for parts, data in read_files(place, lambda parts: _is_message(parts, version)):
        *above, group, number = parts[-depth:]
        split = above[0].rpartition("-")[2] if above else None
        name = "/".join(filter(None, (split, group, number)))
        yield Document(data.decode("latin-1"), (group,), split, name)


def _is_message(parts: Parts, version: _Version) -> bool:
    if len(parts) < 2 or not parts[-1].isdecimal():
        return False
    return not version.by_date or (len(parts) > 2 and parts[-3].rpartition("-")[2] in {"train", "test"})


def _order(message: Document) -> tuple[bool, str]:
    return message.split == "test", message.id
