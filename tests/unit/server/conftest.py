"""Clients of the application with a small model, without a network."""

import contextlib
import warnings

import pytest
from served_mail import MAIL

import warm

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from textbayes import AutoNB, TextClassifier
from textbayes.server import Settings, create_app
from textbayes.server.live import process

with warnings.catch_warnings():
    # Starlette's client warns that it prefers httpx2 to httpx.
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient


@pytest.fixture(scope="session", autouse=True)
def warm_settlers():
    """Start the processes that settle models from one that has imported textbayes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process, "_PROGRAM", warm.client(process._PROGRAM[-1]))
        yield


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "메일.tb"
    TextClassifier("multinomial").fit(*zip(*MAIL, strict=True)).save(path)
    return path


@pytest.fixture
def several(tmp_path):
    path = tmp_path / "several.tb"
    lists = [[label] if number % 3 else [label, "old"] for number, (_, label) in enumerate(MAIL)]
    TextClassifier("multinomial").fit([text for text, _ in MAIL], lists).save(path)
    return path


@pytest.fixture
def unsettled(tmp_path):
    """A model that is not settled after it learns."""
    path = tmp_path / "any.tb"
    model = AutoNB(candidates=["linear-svm"], updates="any", random_state=0)
    TextClassifier(model).fit(*zip(*MAIL, strict=True)).save(path)
    return path


@pytest.fixture
def ask(model, tmp_path):
    """Return a function that makes a client of a server with given settings, which runs until the end."""
    stores = []
    with contextlib.ExitStack() as running:

        def ask(path=model, **settings):
            if settings.get("writable"):  # a store elsewhere, so that the file is not written at the end
                settings.setdefault("store", tmp_path / f"{len(stores)}.store")
                stores.append(settings["store"])
            app = create_app(Settings(path, **settings))
            client = TestClient(app, "http://localhost", raise_server_exceptions=False)
            return running.enter_context(client)

        yield ask


@pytest.fixture
def client(ask):
    return ask()
