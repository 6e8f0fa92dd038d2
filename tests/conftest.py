"""Fixtures shared by the tests of several packages."""

import gc
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from examples import examples
from postgres_server import postgres as postgres  # a fixture

REPOSITORY = Path(__file__).resolve().parents[1]
# Tests of these folders share what takes long to start.
TOGETHER = ("tests/integration/spark/",)

settings.register_profile("textbayes", max_examples=examples(100))
settings.load_profile("textbayes")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give each process of pytest-xdist whole files, so that it makes their fixtures once."""
    from xdist.scheduler import LoadScopeScheduling

    class FileScheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.partition("::")[0]
            return next((folder for folder in TOGETHER if file.startswith(folder)), file)

    return FileScheduling(config, log)


def pytest_collection_finish() -> None:
    """Keep what was collected out of garbage collection: it would go through all tests again and again."""
    _freeze()


@pytest.fixture(scope="module", autouse=True)
def frozen_garbage_collection() -> Iterator[None]:
    """Keep what a module leaves, such as corpora that were read, out of garbage collection, too."""
    yield
    _freeze()


def _freeze() -> None:
    gc.collect()
    gc.freeze()


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
