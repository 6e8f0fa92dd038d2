"""Requests with and without tokens: who gets in, what they may, and that nothing tells a token."""

import base64
import json
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

import pytest

from textbayes.server.access import Token, TokenFile, new_secret
from textbayes.server.access.tokens import digest_of

TEXT = {"text": "cheap"}
CORRECTION = {"text": "golden prize 금", "label": "금", "wait": 10}


@pytest.fixture
def secrets():
    return {name: new_secret() for name in ("reader", "teacher", "admin", "other", "old")}


@pytest.fixture
def file(tmp_path, secrets):
    digests = {name: digest_of(secret) for name, secret in secrets.items()}
    file = TokenFile(tmp_path / "tokens.json")
    file.write(
        [
            Token("reader", digests["reader"], "read"),
            Token("teacher", digests["teacher"], "teach", ("메일",)),
            Token("admin", digests["admin"], "admin"),
            Token("other", digests["other"], "admin", ("news",)),
            Token("old", digests["old"], "admin", expires=datetime.now(UTC) - timedelta(days=1)),
        ]
    )
    return file


@pytest.fixture
def guarded(ask, file):
    return ask(tokens=file.path, writable=True)


def bearer(secret):
    return {"Authorization": f"Bearer {secret}"}


def basic(secret, user="anyone"):
    return {"Authorization": "Basic " + base64.b64encode(f"{user}:{secret}".encode()).decode()}


def test_no_token_no_answer(guarded):
    reply = guarded.post("/predict", json=TEXT)
    assert (reply.status_code, reply.json()["error"]["code"]) == (401, "token-missing")
    assert reply.headers["www-authenticate"].startswith('Bearer realm="textbayes"')
    assert "Basic" in reply.headers["www-authenticate"]
    assert reply.headers["x-content-type-options"] == "nosniff"
    # A page that sends the request asks for the token itself; the browser need not.
    reply = guarded.post("/predict", json=TEXT, headers={"Sec-Fetch-Dest": "empty"})
    assert reply.headers["www-authenticate"] == 'Bearer realm="textbayes"'


@pytest.mark.parametrize(
    "header",
    [
        "Bearer tb_wrong",
        "Bearer",
        "Bearer ",
        "bearer caf\xe9",
        "Basic !",
        "Basic dGI6",
        "Digest x",
        "tb_",
        "",
    ],
)
def test_headers_without_a_token(guarded, header):
    reply = guarded.get("/model", headers={"Authorization": header.encode("latin-1")})
    assert reply.status_code == 401
    assert reply.json()["error"]["code"] in {"token-missing", "token-refused"}


def test_two_ways_to_send_a_token(guarded, secrets):
    for headers in (bearer(secrets["reader"]), basic(secrets["reader"]), basic(secrets["reader"], "")):
        assert guarded.post("/predict", json=TEXT, headers=headers).json() == {"label": "spam"}


def test_an_expired_token(guarded, secrets):
    reply = guarded.get("/model", headers=bearer(secrets["old"]))
    assert (reply.status_code, reply.json()["error"]["code"]) == (401, "token-refused")


def test_a_token_in_the_address_does_not_count(guarded, secrets):
    reply = guarded.get(f"/model?token={secrets['admin']}")
    assert reply.status_code == 401
    assert secrets["admin"] not in reply.text


@pytest.mark.parametrize("path", ["/health", "/openapi.json"])
def test_what_is_open(guarded, path):
    assert guarded.get(path).status_code == 200
    assert guarded.get("/health").json() == {"ready": True}
    # A wrong token is refused all the same: its owner should know.
    assert guarded.get(path, headers=bearer("tb_wrong")).status_code == 401


def test_what_looks_open(guarded):
    for path in ("/health/", "/page", "/models/메일/health", "/HEALTH"):
        assert guarded.get(path).status_code == 401, path


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("reader", (200, 403, 403)),
        ("teacher", (200, 200, 403)),
        ("admin", (200, 200, 200)),
        ("other", (403,) * 3),
    ],
)
def test_rights(guarded, secrets, name, status):
    headers = bearer(secrets[name])
    for prefix in ("", "/models/메일"):
        replies = [
            guarded.post(f"{prefix}/predict", json=TEXT, headers=headers),
            guarded.post(f"{prefix}/teach", json=CORRECTION, headers=headers),
            guarded.post(f"{prefix}/reload", json={}, headers=headers),
        ]
        assert tuple(reply.status_code for reply in replies) == status
        assert all(
            reply.json()["error"]["code"] == "right-missing" for reply in replies if reply.status_code == 403
        )


def test_the_server_as_a_whole_needs_a_token_for_all_models(guarded, secrets):
    for name, status in [("admin", 201), ("other", 403), ("teacher", 403)]:
        reply = guarded.post("/models", json={"name": f"by-{name}"}, headers=bearer(secrets[name]))
        assert reply.status_code == status
    shown = guarded.get("/models", headers=bearer(secrets["teacher"])).json()["models"]
    assert [each["name"] for each in shown] == ["메일"]
    shown = guarded.get("/models", headers=bearer(secrets["reader"])).json()["models"]
    assert {each["name"] for each in shown} == {"메일", "by-admin"}


def test_every_route_checks_a_right(guarded, secrets):
    """A token for another model gets nothing of this one, from any route."""
    document = guarded.get("/openapi.json").json()
    open_paths = {"/", "/health", "/models", "/metrics"}
    for path, methods in document["paths"].items():
        if path in open_paths or path.startswith("/v2/health"):
            continue
        for method in methods:
            kind = {"Content-Type": "application/json"} if method in ("post", "put") else {}
            if path == "/predict/file":
                kind = {"Content-Type": "text/csv"}
            where = path.replace("{id}", "x").replace("{name}", "메일").replace("{model}", "메일")
            content = b"{}" if method in ("post", "put") else None
            reply = guarded.request(
                method.upper(), where, content=content, headers={**bearer(secrets["other"]), **kind}
            )
            assert reply.status_code in {403, 415, 422}, (method, where, reply.status_code, reply.text)
            if reply.status_code == 403:
                assert reply.json()["error"]["code"] == "right-missing"


def test_a_token_for_some_models_hears_nothing_of_others(guarded, secrets):
    other, teacher = bearer(secrets["other"]), bearer(secrets["teacher"])
    name = quote("메일")
    for path in ("/health", "/models", "/metrics"):
        reply = guarded.get(path, headers=other)
        assert reply.status_code == 200
        assert "메일" not in reply.text
        assert "\\uba54" not in reply.text
    assert guarded.get("/health", headers=teacher).json()["model"] == "메일"
    assert 'model="메일"' in guarded.get("/metrics", headers=teacher).text
    assert guarded.get(f"/models/{name}/health", headers=other).status_code == 403
    guarded.post("/models", json={"name": "hidden"}, headers=bearer(secrets["admin"]))
    # The page begins with these two.
    assert guarded.get("/health", headers=teacher).json()["models"] == ["메일"]
    assert [each["name"] for each in guarded.get("/models", headers=teacher).json()["models"]] == ["메일"]
    # Paths without a name are those of the only model.
    reply = guarded.post("/predict", json=TEXT, headers=teacher)
    assert (reply.status_code, reply.json()["error"]["code"]) == (404, "model-unknown")
    assert "메일" in reply.json()["error"]["todo"]
    assert "hidden" not in reply.text
    assert guarded.post("/models/hidden/predict", json=TEXT, headers=teacher).status_code == 403
    shown = guarded.get("/metrics", headers=teacher)
    assert shown.status_code == 200
    assert "hidden" not in shown.text


def test_the_actor_is_the_name_of_the_token(guarded, secrets):
    headers = {**bearer(secrets["teacher"]), "Textbayes-Actor": "someone else"}
    guarded.post("/teach", json=CORRECTION, headers=headers)
    changes = guarded.get("/changes", headers=bearer(secrets["reader"])).json()["changes"]
    assert [change["actor"] for change in changes] == ["teacher"]


def test_without_tokens_a_header_says_who_it_is(ask):
    client = ask(writable=True)
    for name in ("김수진", quote("اجتماع"), None):
        headers = {} if name is None else {"Textbayes-Actor": name.encode()}
        assert (
            client.post("/teach", json={**CORRECTION, "text": str(name)}, headers=headers).status_code == 200
        )
    changes = client.get("/changes").json()["changes"]
    assert [change["actor"] for change in changes] == ["local", "اجتماع", "김수진"]
    for wrong in (b"%ff", b"a\tb", b"a%00b", b"x" * 101):
        reply = client.post("/teach", json=CORRECTION, headers={"Textbayes-Actor": wrong})
        assert reply.status_code == 422


def test_a_revoked_token(ask, file, secrets, monkeypatch):
    client = ask(tokens=file.path)
    assert client.get("/model", headers=bearer(secrets["reader"])).status_code == 200
    monkeypatch.setattr("textbayes.server.access.token_files._LOOK_SECONDS", 0.0)
    file.write([token for token in file.read() if token.name != "reader"])
    assert client.get("/model", headers=bearer(secrets["reader"])).status_code == 401
    assert client.get("/model", headers=bearer(secrets["admin"])).status_code == 200


def test_tokens_of_the_environment(ask, secrets):
    entries = json.dumps({"tokens": [Token("ann", digest_of(secrets["reader"])).to_dict()]})
    client = ask(token_entries=entries)
    assert client.get("/model").status_code == 401
    assert client.get("/model", headers=bearer(secrets["reader"])).status_code == 200


def test_tokens_are_in_no_log_and_no_answer(ask, file, secrets):
    events = []
    client = ask(tokens=file.path, log=events.append)
    for secret in (*secrets.values(), "tb_wrong"):
        for headers in (bearer(secret), basic(secret)):
            for path in ("/model", "/nowhere", "/inspect?class=zzz"):
                reply = client.get(path, headers=headers)
                assert secret not in reply.text
                assert secret not in str(reply.headers)
    said = str(events)
    assert not any(secret in said for secret in (*secrets.values(), "tb_wrong"))
    assert {event.get("actor") for event in events} == {"reader", "teacher", "admin", "other", None}


def test_a_rate_for_each_token(ask, file, secrets):
    client = ask(tokens=file.path, rate=3)
    replies = [client.get("/model", headers=bearer(secrets["reader"])) for _ in range(5)]
    assert [reply.status_code for reply in replies[:3]] == [200] * 3
    late = replies[-1]
    assert (late.status_code, late.json()["error"]["code"]) == (429, "rate-limit")
    assert int(late.headers["retry-after"]) >= 1
    assert client.get("/model", headers=bearer(secrets["admin"])).status_code == 200


def test_a_rate_for_each_address(ask):
    client = ask(rate=2)
    assert [client.get("/health").status_code for _ in range(4)] == [200, 200, 429, 429]


def test_guessing_tokens_is_limited_too(ask, file):
    client = ask(tokens=file.path, rate=2)
    found = [client.get("/model", headers=bearer(f"tb_{n}")).status_code for n in range(4)]
    assert found == [401, 401, 429, 429]
