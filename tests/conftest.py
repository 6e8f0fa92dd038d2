"""What tests of more than one room share."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """Give the path of a file of a real corpus, or skip the test where the file is absent.

    The corpora may not be redistributed, so they are looked for in ``TEXTBAYES_DATA`` and else in the
    folder ``shared/data`` beside the repository.
    """
    folder = Path(os.environ.get("TEXTBAYES_DATA") or REPOSITORY.parent / "shared" / "data")

    def find(name: str) -> Path:
        if not (folder / name).exists():
            pytest.skip(f"the real corpus {name} is not in {folder} (set TEXTBAYES_DATA to its folder)")
        return folder / name

    return find
