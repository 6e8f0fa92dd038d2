"""Readers of public corpora and of your own files, and the built-in corpus."""

from typing import TYPE_CHECKING

from textbayes.lazy import lazy_names as _lazy_names

if TYPE_CHECKING:
    from textbayes.datasets.corpus import Corpus, Document
    from textbayes.datasets.docstrings import load_docstrings
    from textbayes.datasets.fetch import fetch_corpus
    from textbayes.datasets.files import read_documents
    from textbayes.datasets.home import data_home
    from textbayes.datasets.labelled_lines import load_labelled_lines
    from textbayes.datasets.newsgroups import load_newsgroups
    from textbayes.datasets.reading import BadRecord
    from textbayes.datasets.reuters import categories_in_both, load_reuters21578
    from textbayes.datasets.sector import load_sector
    from textbayes.datasets.webkb import load_webkb

__all__ = [
    "BadRecord",
    "Corpus",
    "Document",
    "categories_in_both",
    "data_home",
    "fetch_corpus",
    "load_docstrings",
    "load_labelled_lines",
    "load_newsgroups",
    "load_reuters21578",
    "load_sector",
    "load_webkb",
    "read_documents",
]

_MODULES = {
    "Corpus": "corpus",
    "Document": "corpus",
    "load_docstrings": "docstrings",
    "fetch_corpus": "fetch",
    "read_documents": "files",
    "data_home": "home",
    "load_labelled_lines": "labelled_lines",
    "load_newsgroups": "newsgroups",
    "BadRecord": "reading",
    "categories_in_both": "reuters",
    "load_reuters21578": "reuters",
    "load_sector": "sector",
    "load_webkb": "webkb",
}

if not TYPE_CHECKING:
    # `textbayes predict` reads a file without the readers of corpora.
    __getattr__ = _lazy_names(__name__, _MODULES)


def __dir__() -> list[str]:
    return __all__
