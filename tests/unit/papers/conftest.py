"""Corpora for recipes: made up, and small."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import made_up

from textbayes.papers import Corpora, run_papers


def make_corpora():
    """Every corpus made up, but Industry Sector, which is not there."""
    found = Corpora(quick=True)
    found.folder = Path("/nowhere")
    found.reuters = found.reuters_lewis = made_up.reuters()
    found.newsgroups = found.newsgroups_once = found.webkb = made_up.newsgroups()
    return found


@pytest.fixture
def corpora():
    """Corpora for one test, which may change them."""
    return make_corpora()


@pytest.fixture(scope="package")
def runs():
    """What all papers give on these corpora."""
    return run_papers(corpora=make_corpora())
