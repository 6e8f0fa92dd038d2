"""Industry Sector: company web pages in a folder per industry → documents."""

from __future__ import annotations

import os

from textbayes.datasets.archives import Parts, read_files
from textbayes.datasets.corpus import Corpus, Document
from textbayes.datasets.location import locate_corpus
from textbayes.datasets.markup import strip_http_header, strip_tags
from textbayes.errors import NoDocumentsError


def load_sector(path: str | os.PathLike[str] | None = None, *, html: bool = True) -> Corpus:
    """Load Industry Sector.

    Parameters
    ----------
    path : path, optional
        The folder or tar with the pages; by default the one in ``data_home()``.
    html : bool, default=True
        Whether to keep the HTTP header and the tags, or only the text.

    Returns
    -------
    Corpus
        Sorted by id, which is the path of the page below the folders that all pages share. There is no split.

    Notes
    -----
    The label is the path of the folder that holds the page, below the folders that all pages share:
    ``coal`` if the archive has a flat list of industries, ``energy/coal`` if it groups them by sector. Bytes
    are decoded as Latin-1. Papers report 105 classes and between 9,619 and 9,649 pages.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from textbayes.datasets import load_sector
    >>> folder = tempfile.TemporaryDirectory()
    >>> for sector, industry in [("energy", "coal"), ("energy", "oil"), ("transport", "air")]:
    ...     pages = pathlib.Path(folder.name, "sector", sector, industry)
    ...     pages.mkdir(parents=True)
    ...     _ = (pages / "index.html").write_text("<p>Welcome!")
    >>> load_sector(folder.name, html=False).classes
    ['energy/coal', 'energy/oil', 'transport/air']
    >>> folder.cleanup()
    """
    place = locate_corpus("sector", path)
    pages = sorted(read_files(place, lambda parts: len(parts) > 1), key=lambda page: page[0])
    if not pages:
        raise NoDocumentsError(str(place), "a folder for each class, with a file for each of its pages")
    shared = _shared_folders([parts for parts, _ in pages])
    return Corpus("Industry Sector", [_document(parts[shared:], data, html) for parts, data in pages])


def _shared_folders(pages: list[Parts]) -> int:
    # At most all folders but the last, so that a single class keeps its name.
    most = min(len(parts) for parts in pages) - 2
    return next((at for at in range(most) if len({parts[at] for parts in pages}) > 1), most)


def _document(parts: Parts, data: bytes, html: bool) -> Document:
    text = data.decode("latin-1")
    if not html:
        text = strip_tags(strip_http_header(text))
    return Document(text, ("/".join(parts[:-1]),), None, "/".join(parts))
