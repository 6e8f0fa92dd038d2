"""Readers of public corpora and of your own files, and the built-in corpus."""

from textbayes.datasets.corpus import Corpus, Document
from textbayes.datasets.docstrings import load_docstrings
from textbayes.datasets.fetch import fetch_corpus
from textbayes.datasets.files import read_documents
from textbayes.datasets.home import data_home
from textbayes.datasets.labelled_lines import load_labelled_lines
from textbayes.datasets.newsgroups import load_newsgroups
from textbayes.datasets.reuters import categories_in_both, load_reuters21578
from textbayes.datasets.sector import load_sector
from textbayes.datasets.webkb import load_webkb

__all__ = [
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
