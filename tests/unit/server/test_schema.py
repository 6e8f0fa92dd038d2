"""schemathesis makes requests from the OpenAPI document: no server error, and answers as documented."""

import pytest
from hypothesis import HealthCheck, given, settings
from served_mail import MAIL

from examples import examples
from textbayes import TextClassifier
from textbayes.server import Settings, create_app

schemathesis = pytest.importorskip("schemathesis")
from schemathesis.checks import not_a_server_error  # noqa: E402
from schemathesis.specs.openapi.checks import (  # noqa: E402
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient  # noqa: E402

CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance, status_code_conformance]
DOCUMENT = schemathesis.openapi.from_dict(create_app(Settings()).openapi())
OPERATIONS = [found.ok() for found in DOCUMENT.get_all_operations()]
# They take seconds each: tests of their own call them.
SLOW = {"/settle", "/reconsider", "/model/file"}


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A server whose model has documents."""
    folder = tmp_path_factory.mktemp("schema")
    TextClassifier("multinomial").fit(*zip(*MAIL, strict=True)).save(folder / "mail.tb")
    pauses = {"settle_seconds": 3600.0, "snapshot_seconds": 3600.0, "rate": None}
    app = create_app(Settings(folder / "mail.tb", True, store=folder / "store", **pauses))
    with TestClient(app, "http://localhost", raise_server_exceptions=False) as client:
        for text, label in MAIL:
            client.post("/teach", json={"text": text, "label": label})
        yield client


@pytest.mark.parametrize(
    "operation",
    [each for each in OPERATIONS if each.path not in SLOW],
    ids=lambda each: f"{each.method.upper()} {each.path}",
)
def test_an_operation(running, operation):
    @settings(
        max_examples=examples(20), deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(case=operation.as_strategy())
    def play(case):
        _hurry(case)
        sent = case.as_transport_kwargs(base_url="http://localhost")
        sent = {name: value for name, value in sent.items() if value is not None and name != "cookies"}
        if "data" in sent:
            sent["content"] = _bytes(sent.pop("data"))
        case.validate_response(running.request(**sent), checks=CHECKS)

    play()


def test_the_slow_ones_are_known():
    assert {each.path for each in OPERATIONS} > SLOW


def _hurry(case):
    """Leave out what only takes time, and keep the only model."""
    if isinstance(case.body, dict) and case.path in {
        "/teach",
        "/forget",
        "/relabel",
        "/undo",
        "/documents/{id}",
    }:
        case.body = {**case.body, "settle": False, "wait": 0}
    if case.method == "DELETE":
        case.query = {name: value for name, value in (case.query or {}).items() if name == "erase"}
    if case.path == "/models/{name}":
        case.path_parameters = {"name": "none"}


def _bytes(data):
    return data.encode("utf-8", "replace") if isinstance(data, str) else data
