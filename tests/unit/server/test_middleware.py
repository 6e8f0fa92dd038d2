"""The host check and the access log."""

import pytest

from textbayes.server.middleware import host_name

NAMES = ("localhost", "127.0.0.1", "::1")


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8000", "localhost.", "127.0.0.1:65535", "[::1]", "[::1]:8000"]
)
def test_own_names(ask, host):
    assert ask(hosts=NAMES).get("/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "127.0.0.1.nip.io:8000", "evil@localhost", "", "::2"],
)
def test_foreign_host_names_are_refused(ask, host):
    events = []
    reply = ask(hosts=NAMES, log=events.append).get("/health", headers={"Host": host})
    assert reply.status_code == 403
    assert reply.json()["error"]["code"] == "request-host"
    assert [(event["status"], event["code"]) for event in events] == [(403, "request-host")]


def test_any_host_name_by_default(ask):
    assert ask().get("/health", headers={"Host": "evil.example"}).status_code == 200


@pytest.mark.parametrize(
    ("header", "name"),
    [("a:b:80", "a:b"), ("[fe80::1]:80", "fe80::1"), ("", ""), (":80", "")],
)
def test_host_names_without_ports(header, name):
    assert host_name(header) == name


def test_the_log_of_a_request(ask):
    events = []
    client = ask(log=events.append)
    client.post("/predict", json={"text": "a secret"})
    client.post("/predict", json={"txt": "a secret"})
    client.get("/a%0aforged%20line")
    assert [{**event, "seconds": None} for event in events] == [
        {"event": "request", "method": "POST", "path": "/predict", "status": 200, "seconds": None},
        {
            "event": "request",
            "method": "POST",
            "path": "/predict",
            "status": 422,
            "seconds": None,
            "code": "request-field",
        },
        {
            "event": "request",
            "method": "GET",
            "path": "/a%0aforged%20line",
            "status": 404,
            "seconds": None,
            "code": "request-path",
        },
    ]
    assert all(event["seconds"] > 0 for event in events)
    assert "secret" not in str(events)
