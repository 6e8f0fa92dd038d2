"""The table of the corpora that can be fetched."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from textbayes.datasets.home import data_home
from textbayes.errors import ParameterError

_NEWSGROUP_TERMS = "No licence is stated; for research and teaching, with attribution."
_RESEARCH_TERMS = "No licence is stated; distributed for research."


@dataclass(frozen=True, slots=True)
class Archive:
    """A file that contains a corpus.

    Parameters
    ----------
    file : str
        The file name.
    size : int or None
        The size in bytes, if known.
    sha256 : str or None
        The published digest, or None if there is none.

    Examples
    --------
    >>> from textbayes.datasets.registry import Archive
    >>> Archive("sector.tar.gz").sha256 is None
    True
    """

    file: str
    size: int | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    r"""The expected contents of an archive, to check a corpus without a published checksum.

    Parameters
    ----------
    pattern : str
        A regular expression that the path of every document file matches.
    fewest, most : int
        The smallest and the largest number of such files.

    Examples
    --------
    >>> from textbayes.datasets.registry import Layout
    >>> Layout(r"reut2-\d{3}\.sgm$", 22, 22).matches("reuters21578/reut2-000.sgm")
    True
    """

    pattern: str
    fewest: int
    most: int

    def matches(self, path: str) -> bool:
        """Return whether a member of an archive is a document file."""
        return re.search(self.pattern, path) is not None

    def accepts(self, count: int) -> bool:
        """Return whether an archive with this many document files can be the corpus."""
        return self.fewest <= count <= self.most


@dataclass(frozen=True, slots=True)
class CorpusEntry:
    """The facts about a corpus.

    Parameters
    ----------
    name, title, about : str
        The name on the command line, the full name, and a description.
    homepage : str
        The page that describes it.
    urls : tuple of str
        The addresses to download from, in order of preference: http after https, and only if the digest is
        known, which shows whether the file was changed on its way.
    archives : tuple of Archive
        The file as distributed, then repackaged copies with the same documents.
    documents, classes : int
        The number of documents and classes.
    layout : Layout
        The contents of its archive.
    terms : str
        The terms of use.
    loader : str
        The function of ``textbayes.datasets`` that reads it.

    Examples
    --------
    >>> from textbayes.datasets.registry import CORPORA
    >>> CORPORA["newsgroups"].archive.file
    '20news-bydate.tar.gz'
    """

    name: str
    title: str
    about: str
    homepage: str
    urls: tuple[str, ...]
    archives: tuple[Archive, ...]
    documents: int
    classes: int
    layout: Layout
    terms: str
    loader: str

    @property
    def archive(self) -> Archive:
        """The file as distributed."""
        return self.archives[0]

    @property
    def digests(self) -> dict[str, Archive]:
        """The archives with a known digest, by digest."""
        return {archive.sha256: archive for archive in self.archives if archive.sha256}


_ENTRIES = (
    CorpusEntry(
        name="reuters21578",
        title="Reuters-21578, Distribution 1.0",
        about="Newswire stories of 1987 with any number of topics each.",
        homepage="https://kdd.ics.uci.edu/databases/reuters21578/reuters21578.html",
        urls=(
            "https://kdd.ics.uci.edu/databases/reuters21578/reuters21578.tar.gz",
            "https://archive.ics.uci.edu/ml/machine-learning-databases/reuters21578-mld/reuters21578.tar.gz",
            "https://www.daviddlewis.com/resources/testcollections/reuters21578/reuters21578.tar.gz",
            "http://www.daviddlewis.com/resources/testcollections/reuters21578/reuters21578.tar.gz",
        ),
        archives=(
            Archive(
                "reuters21578.tar.gz",
                8_150_596,
                "3bae43c9b14e387f76a61b6d82bf98a4fb5d3ef99ef7e7075ff2ccbcf59f9d30",
            ),
            Archive(
                "reuters21578-sgml.tar.xz",
                4_864_136,
                "23bbbd4b542215e5879cb74b8104756ef92f57ec332e69c04a8c3992501a10ef",
            ),
        ),
        documents=21_578,
        classes=120,
        layout=Layout(r"(^|/)reut2-0\d\d\.sgm$", 22, 22),
        terms="Copyright Reuters Ltd.; free for research only; cite as Reuters-21578, Distribution 1.0.",
        loader="load_reuters21578",
    ),
    CorpusEntry(
        name="newsgroups",
        title="20 Newsgroups, by date",
        about="Usenet messages of 1993, split by date, without duplicates and headers that name the class.",
        homepage="https://qwone.com/~jason/20Newsgroups/",
        urls=(
            "https://qwone.com/~jason/20Newsgroups/20news-bydate.tar.gz",
            "https://ndownloader.figshare.com/files/5975967",
            "http://qwone.com/~jason/20Newsgroups/20news-bydate.tar.gz",
        ),
        archives=(
            Archive(
                "20news-bydate.tar.gz",
                14_464_277,
                "8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610",
            ),
            Archive(
                "20news-bydate.tar.xz",
                8_672_132,
                "8d6258e16cc9ffa719ad48ceabcfc35cd806e9c219714f8b2394d291f6ef5456",
            ),
        ),
        documents=18_846,
        classes=20,
        layout=Layout(r"20news-bydate-(train|test)/[a-z.-]+/\d+$", 18_846, 18_846),
        terms=_NEWSGROUP_TERMS,
        loader="load_newsgroups",
    ),
    CorpusEntry(
        name="newsgroups-19997",
        title="20 Newsgroups, original",
        about="Usenet messages of 1993 with all headers and cross-posts; a header names the class.",
        homepage="https://qwone.com/~jason/20Newsgroups/",
        urls=(
            "https://qwone.com/~jason/20Newsgroups/20news-19997.tar.gz",
            "http://qwone.com/~jason/20Newsgroups/20news-19997.tar.gz",
        ),
        archives=(
            Archive(
                "20news-19997.tar.gz",
                17_332_201,
                "ab7bbf82b7831f7dbb1a09d9312f66fa78565c8de25526999b0d66f69d37e414",
            ),
            Archive(
                "20news-19997.tar.xz",
                9_518_916,
                "0ea11273f33fdfb90d8ef689cdf94eb03aa2409510f9a3a631d8ba43a3d712cc",
            ),
        ),
        documents=19_997,
        classes=20,
        layout=Layout(r"20_newsgroups/[a-z.-]+/\d+$", 19_997, 19_997),
        terms=_NEWSGROUP_TERMS,
        loader="load_newsgroups",
    ),
    CorpusEntry(
        name="newsgroups-18828",
        title="20 Newsgroups, without duplicates",
        about="Usenet messages of 1993 with only the From and Subject headers.",
        homepage="https://qwone.com/~jason/20Newsgroups/",
        urls=(
            "https://qwone.com/~jason/20Newsgroups/20news-18828.tar.gz",
            "http://qwone.com/~jason/20Newsgroups/20news-18828.tar.gz",
        ),
        archives=(
            Archive(
                "20news-18828.tar.gz",
                14_666_916,
                "380962ab5174e64eb8fee393d539d0793e03eb2b59a69df2318398935f4a48e2",
            ),
        ),
        documents=18_828,
        classes=20,
        layout=Layout(r"20news-18828/[a-z.-]+/\d+$", 18_828, 18_828),
        terms=_NEWSGROUP_TERMS,
        loader="load_newsgroups",
    ),
    CorpusEntry(
        name="webkb",
        title="WebKB, 4 Universities",
        about="Web pages of computer science departments, January 1997, as HTML with HTTP headers.",
        homepage="https://www.cs.cmu.edu/afs/cs.cmu.edu/project/theo-20/www/data/",
        urls=("https://www.cs.cmu.edu/afs/cs.cmu.edu/project/theo-20/www/data/webkb-data.gtar.gz",),
        archives=(
            Archive("webkb-data.gtar.gz"),
            Archive(
                "webkb.tar.xz",
                7_481_540,
                "06bfe032b948366e395ee7da61ea7718313cb2d5d44ce197eb2015271b1b6f86",
            ),
        ),
        documents=8_282,
        classes=7,
        layout=Layout(
            r"(^|/)(course|department|faculty|other|project|staff|student)"
            r"/(cornell|misc|texas|washington|wisconsin)/[^/]+$",
            8_282,
            8_282,
        ),
        terms=_RESEARCH_TERMS,
        loader="load_webkb",
    ),
    # Papers report between 9,619 and 9,649 documents, each after its own clean-up of the archive.
    CorpusEntry(
        name="sector",
        title="Industry Sector",
        about="Web pages of companies in a hierarchy of industries; few pages per class.",
        homepage="https://people.cs.umass.edu/~mccallum/code-data.html",
        urls=("https://people.cs.umass.edu/~mccallum/data/sector.tar.gz",),
        archives=(Archive("sector.tar.gz"),),
        documents=9_649,
        classes=105,
        layout=Layout(r"[^/]+/[^/]+/[^/]+$", 9_500, 9_800),
        terms=_RESEARCH_TERMS,
        loader="load_sector",
    ),
)
CORPORA = MappingProxyType({entry.name: entry for entry in _ENTRIES})
"""The corpora that can be fetched, by name."""


def corpus_entry(name: str) -> CorpusEntry:
    """Return the facts about a corpus.

    Raises
    ------
    ParameterError
        If no corpus has that name; the message suggests the closest one.

    Examples
    --------
    >>> from textbayes.datasets.registry import corpus_entry
    >>> corpus_entry("webkb").documents
    8282
    """
    try:
        return CORPORA[name]
    except KeyError:
        why = "Only these corpora can be fetched; to use your own files, pass their path"
        raise ParameterError("corpus", name, CORPORA, why) from None


def find_archive(entry: CorpusEntry, home: str | os.PathLike[str] | None = None) -> Path | None:
    """Return the path of a fetched corpus, or None; only file names are checked, not contents.

    Parameters
    ----------
    entry : CorpusEntry
        The corpus.
    home : path, optional
        The folder to search; by default ``data_home()``.

    Examples
    --------
    >>> from textbayes.datasets.registry import corpus_entry, find_archive
    >>> find_archive(corpus_entry("webkb"), "/nowhere") is None
    True
    """
    folder = data_home() if home is None else Path(home)
    paths = (folder / archive.file for archive in entry.archives)
    return next((path for path in paths if path.is_file()), None)
