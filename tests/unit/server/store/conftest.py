"""Stores of each kind, with a writer."""

from itertools import count
from types import SimpleNamespace

import pytest

pytest.importorskip("sqlalchemy")

from textbayes.errors import TextbayesError
from textbayes.server.store import Request, open_store

ADDRESS = "http://127.0.0.1:8000"
DATABASES = ["sqlite", "postgresql"]


@pytest.fixture(params=DATABASES)
def location(request, tmp_path):
    """Where a new store can be made."""
    if request.param == "sqlite":
        return tmp_path / "store"
    return request.getfixturevalue("postgres").new_schema()


@pytest.fixture
def opened(location, tmp_path):
    """Open the same store, any number of times."""
    stores = []
    numbers = count()

    def opened(**options):
        stores.append(open_store(location, cache=tmp_path / f"cache{next(numbers)}", **options))
        return stores[-1]

    yield opened
    for store in stores:
        store.close()


@pytest.fixture
def store(opened):
    return opened()


@pytest.fixture
def writer(store):
    """The writer of a store with the model "mail"."""
    writer = store.become_writer(ADDRESS)
    writer.add_model("mail")
    return writer


@pytest.fixture
def ask(writer):
    """Return a function that makes edits and returns their receipt, or raises."""

    def ask(*edits, model="mail", actor="eve", **more):
        [done] = writer.commit([Request(model, edits, actor, **more)])
        if isinstance(done, TextbayesError):
            raise done
        return done

    return ask


@pytest.fixture
def model_file(tmp_path):
    """Return a function that writes a file as if it were a model."""
    numbers = count()

    def model_file(content=b"model"):
        path = tmp_path / f"file{next(numbers)}.tb"
        path.write_bytes(content)
        return path

    return model_file


@pytest.fixture
def texts(store):
    """Return a function that gives the documents of a model: their texts and labels by id."""

    def texts(model="mail"):
        found = store.documents(model, limit=1000).items
        return {document.id: (document.text, document.labels) for document in found}

    return texts


@pytest.fixture
def kept(location):
    """What a test needs to know of the store under test."""
    return SimpleNamespace(is_folder=not isinstance(location, str))
