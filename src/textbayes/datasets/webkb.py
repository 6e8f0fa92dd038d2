"""WebKB (4 Universities): web pages of computer science departments → documents."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from textbayes.datasets.archives import Parts, read_files
from textbayes.datasets.corpus import Corpus, Document
from textbayes.datasets.files import read_documents
from textbayes.datasets.jsonl import is_jsonl
from textbayes.datasets.location import locate_corpus
from textbayes.datasets.markup import strip_http_header, strip_tags
from textbayes.errors import NoDocumentsError, ParameterError

_COMMON = ("course", "faculty", "project", "student")
_CLASSES = {"common4": _COMMON, "all": (*_COMMON, "department", "other", "staff")}
_UNIVERSITIES = ("cornell", "misc", "texas", "washington", "wisconsin")


def load_webkb(
    path: str | os.PathLike[str] | None = None,
    *,
    classes: str = "common4",
    html: bool = True,
    test_university: str | None = None,
) -> Corpus:
    r"""Load WebKB.

    Parameters
    ----------
    path : path, optional
        The folder or tar with the pages (CLASS/UNIVERSITY/URL), or a JSON Lines file of them; by default the
        one in ``data_home()``.
    classes : {"common4", "all"}, default="common4"
        The four classes that most papers use (course, faculty, project, student: 4,199 pages) or all
        seven (8,282 pages).
    html : bool, default=True
        Whether to keep the HTTP header and the tags, or only the text.
    test_university : {"cornell", "misc", "texas", "washington", "wisconsin"}, optional
        The university whose pages are the test split; all others are for training. By default no split.

    Returns
    -------
    Corpus
        Sorted by id, which is ``class/university/url`` with ``^`` for the slashes of the URL.

    Notes
    -----
    Bytes are decoded as Latin-1. Pages of one university resemble each other, so a random split is too
    optimistic; the corpus was designed for ``test_university``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from textbayes.datasets import load_webkb
    >>> folder = tempfile.TemporaryDirectory()
    >>> pages = pathlib.Path(folder.name, "course", "cornell")
    >>> pages.mkdir(parents=True)
    >>> _ = (pages / "cs414.html").write_text("Server: NCSA/1.5\n\n<h1>CS414</h1>Operating systems")
    >>> load_webkb(folder.name, html=False, test_university="cornell")[0]
    Document(text='CS414 Operating systems', labels=('course',), split='test', id='course/cornell/cs414.html')
    >>> folder.cleanup()
    """
    if classes not in _CLASSES:
        raise ParameterError("classes", classes, _CLASSES)
    if test_university is not None and test_university not in _UNIVERSITIES:
        raise ParameterError("test_university", test_university, _UNIVERSITIES)
    place = locate_corpus("webkb", path)
    pages = sorted(_read(place, _CLASSES[classes]), key=lambda page: page.id)
    if not pages:
        raise NoDocumentsError(str(place), "pages in folders CLASS/UNIVERSITY/URL")
    return Corpus(
        "WebKB" if classes == "all" else "WebKB 4", [_finished(page, html, test_university) for page in pages]
    )


def _read(place: Path, classes: tuple[str, ...]) -> Iterator[Document]:
    if is_jsonl(place):
        yield from (page for page in read_documents(place) if page.label in classes)
        return
    for parts, data in read_files(place, lambda parts: _is_page(parts, classes)):
        yield Document(data.decode("latin-1"), (parts[-3],), None, "/".join(parts[-3:]))


def _is_page(parts: Parts, classes: tuple[str, ...]) -> bool:
    return len(parts) > 2 and parts[-3] in classes and parts[-2] in _UNIVERSITIES


def _finished(page: Document, html: bool, test_university: str | None) -> Document:
    split = None
    if test_university is not None:
        split = "test" if page.id.split("/")[1] == test_university else "train"
    return replace(page, text=page.text if html else strip_tags(strip_http_header(page.text)), split=split)
