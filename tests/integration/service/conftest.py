"""Servers that are killed, starved and cut off, seen from outside."""

import sys

import pytest
from mails import MAIL
from servers import Nursery

from textbayes import TextClassifier

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
pytest.importorskip("sqlalchemy")


def pytest_collection_modifyitems(items):
    if sys.platform != "linux":
        for item in items:
            if "integration/service" in item.nodeid:
                item.add_marker(pytest.mark.skip(reason="needs fork and /proc"))


@pytest.fixture(scope="session")
def nursery():
    """Return the parent of servers that start quickly."""
    return Nursery()


@pytest.fixture
def serve(nursery, tmp_path):
    """Return a function that starts a server; all of them are killed at the end."""
    running = []

    def serve(*arguments, ready=True, name=None, **variables):
        messages = tmp_path / f"{name or len(running)}.log"
        running.append(nursery.serve(*arguments, messages=messages, ready=ready, **variables))
        return running[-1]

    yield serve
    for each in running:
        each.kill()


@pytest.fixture(scope="session")
def bases(tmp_path_factory):
    """Return model files by the name of their model, trained on a few mails."""
    folder = tmp_path_factory.mktemp("bases")
    found = {}
    for name in ("complement", "auto"):
        found[name] = folder / f"{name}.tb"
        TextClassifier(name).fit(*zip(*MAIL, strict=True)).save(found[name])
    return found
