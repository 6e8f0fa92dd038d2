"""Small made-up corpora for the recipes."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import made_up

from textbayes.papers import Corpora, run_papers


def make_corpora():
    """Return made-up versions of all corpora except Industry Sector, which is missing."""
    found = Corpora(quick=True)
    found.folder = Path("/nowhere")
    found.reuters = found.reuters_lewis = made_up.reuters()
    found.newsgroups = found.newsgroups_once = found.webkb = made_up.newsgroups()
    return found


@pytest.fixture
def corpora():
    """Return corpora that a test may change."""
    return make_corpora()


@pytest.fixture(scope="package")
def runs():
    """Return the runs of all papers on these corpora."""
    return run_papers(corpora=make_corpora())
