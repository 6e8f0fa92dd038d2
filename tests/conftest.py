"""Fixtures shared by the tests of several packages."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from postgres_server import postgres as postgres  # a fixture

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """Return a function that finds a file of a real corpus, or skips the test if it is missing.

    The corpora may not be redistributed. They are expected in ``$TEXTBAYES_DATA``, or else in the folder
    ``shared/data`` next to the repository.
    """
    folder = Path(os.environ.get("TEXTBAYES_DATA") or REPOSITORY.parent / "shared" / "data")

    def find(name: str) -> Path:
        if not (folder / name).exists():
            pytest.skip(f"the real corpus {name} is not in {folder} (set TEXTBAYES_DATA to its folder)")
        return folder / name

    return find
