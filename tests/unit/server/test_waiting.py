"""Requests that wait: outside of the threads, in bounded numbers, and not for clients that have gone."""

import asyncio
import contextlib
import json
import threading

import httpx
import pytest

from textbayes import TextClassifier
from textbayes.server import Settings, create_app

CORRECTION = {"text": "golden prize 금", "label": "금"}


def connect(app):
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=60)


class Gate:
    """Blocks a method of TextClassifier until it is opened, and counts the calls."""

    def __init__(self, monkeypatch, name):
        self.calls, self._open, method = 0, threading.Event(), getattr(TextClassifier, name)

        def waiting(classifier, *arguments, **named):
            self.calls += 1
            assert self._open.wait(60)
            return method(classifier, *arguments, **named)

        monkeypatch.setattr(TextClassifier, name, waiting)

    def open(self):
        self._open.set()

    async def reached(self):
        while not self.calls:
            await asyncio.sleep(0.005)


async def turns():
    """Let all tasks run until they wait."""
    for _ in range(50):
        await asyncio.sleep(0.002)


def test_inspections_occupy_one_thread(model, monkeypatch):
    """More requests wait for the inspection than there are threads; predictions are answered meanwhile."""
    gate = Gate(monkeypatch, "inspect")

    async def play():
        async with connect(create_app(Settings(model))) as client:
            waiting = [asyncio.ensure_future(client.get("/inspect")) for _ in range(60)]
            await gate.reached()
            async with asyncio.timeout(30):
                reply = await client.post("/predict", json={"text": "회의"})
            assert reply.json() == {"label": "업무"}
            gate.open()
            replies = await asyncio.gather(*waiting)
        assert {reply.status_code for reply in replies} == {200}
        assert len({reply.content for reply in replies}) == 1

    asyncio.run(play())
    assert gate.calls == 1


def test_each_version_of_a_model_is_inspected_once(ask):
    client = ask(writable=True)
    before = client.get("/inspect").json()
    client.post("/teach", json=CORRECTION)
    assert len(client.get("/inspect").json()["classes"]) == len(before["classes"]) + 1


def test_changes_beyond_the_limit_are_refused(model, monkeypatch):
    gate = Gate(monkeypatch, "teach")

    async def play():
        app = create_app(Settings(model, writable=True, changes=2))
        async with connect(app) as client:
            first = [asyncio.ensure_future(client.post("/teach", json=CORRECTION)) for _ in range(3)]
            await gate.reached()
            await turns()
            reply = await client.post("/teach", json=CORRECTION)
            assert reply.status_code == 503
            assert reply.headers["retry-after"] == "1"
            assert reply.json()["error"]["code"] == "server-busy"
            assert "2 changes are waiting" in reply.json()["error"]["what"]
            gate.open()
            assert [(await each).status_code for each in first] == [200] * 3

    asyncio.run(play())
    assert TextClassifier.load(model).documents_ == 8 + 3


def test_a_change_that_waits_too_long_is_refused(model, monkeypatch):
    gate = Gate(monkeypatch, "teach")

    async def play():
        async with connect(create_app(Settings(model, writable=True, change_seconds=0.05))) as client:
            first = asyncio.ensure_future(client.post("/teach", json=CORRECTION))
            await gate.reached()
            reply = await client.post("/teach", json=CORRECTION)
            assert (reply.status_code, reply.json()["error"]["code"]) == (503, "server-busy")
            gate.open()
            assert (await first).status_code == 200
            assert (await client.post("/teach", json=CORRECTION)).status_code == 200

    asyncio.run(play())
    assert TextClassifier.load(model).documents_ == 8 + 2


class Caller:
    """Calls an application directly, as a client that can go away."""

    def __init__(self, app, path, fields):
        self.sent, self._gone, self._body = [], asyncio.Event(), json.dumps(fields).encode()
        scope = {
            "type": "http",
            "method": "POST",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(b"content-type", b"application/json"), (b"host", b"localhost")],
        }
        self.task = asyncio.ensure_future(app(scope, self._receive, self._send))

    async def _receive(self):
        if self._body:
            body, self._body = self._body, b""
            return {"type": "http.request", "body": body, "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message):
        self.sent.append(message)

    def leave(self):
        self._gone.set()


def test_the_change_of_a_client_that_has_gone_is_not_applied(model, monkeypatch):
    gate, events = Gate(monkeypatch, "teach"), []

    async def play():
        app = create_app(Settings(model, writable=True, log=events.append))
        first = Caller(app, "/teach", CORRECTION)
        await gate.reached()
        second = Caller(app, "/teach", CORRECTION)
        third = Caller(app, "/teach", CORRECTION)
        await turns()
        second.leave()
        gate.open()
        await asyncio.gather(first.task, second.task, third.task)
        assert [each.sent[0]["status"] for each in (first, second, third)] == [200, 499, 200]

    asyncio.run(play())
    assert gate.calls == 2
    assert TextClassifier.load(model).documents_ == 8 + 2
    assert sorted(event["status"] for event in events) == [200, 200, 499]


def test_a_change_whose_client_went_during_it_is_logged(model, monkeypatch):
    gate, events = Gate(monkeypatch, "teach"), []

    async def play():
        app = create_app(Settings(model, writable=True, log=events.append))
        caller = Caller(app, "/teach", CORRECTION)
        await gate.reached()
        caller.leave()
        gate.open()
        await caller.task

    asyncio.run(play())
    assert TextClassifier.load(model).documents_ == 8 + 1
    messages = [event["message"] for event in events if event["event"] == "warning"]
    assert messages == ["The client of POST /teach has gone; the request was carried out."]


def test_a_change_that_a_shutdown_interrupts_is_logged_and_holds_its_turn(model, monkeypatch):
    gate, events = Gate(monkeypatch, "teach"), []

    async def play():
        app = create_app(Settings(model, writable=True, log=events.append))
        first = Caller(app, "/teach", CORRECTION)
        await gate.reached()
        first.task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await first.task
        second = Caller(app, "/teach", CORRECTION)
        await turns()
        assert gate.calls == 1
        gate.open()
        await second.task
        assert second.sent[0]["status"] == 200

    asyncio.run(play())
    assert TextClassifier.load(model).documents_ == 8 + 2
    messages = [event["message"] for event in events if event["event"] == "warning"]
    assert messages == [
        "The server stopped before it could answer POST /teach, which it may have carried out."
    ]


@pytest.mark.parametrize("size", [70_000, 200_000])
def test_the_bodies_of_all_requests_have_a_limit(model, size):
    """One body of 100,000 bytes has arrived in part; another has no room beside it until it is answered."""

    async def slowly(more):
        yield b'{"text": "'
        yield b"cheap " * 15_000
        await more.wait()
        yield b'"}'

    async def play():
        app = create_app(Settings(model, bodies_bytes=100_000))
        async with connect(app) as client:
            more = asyncio.Event()
            # httpx sends the whole body at once, so the application is called directly.
            first = asyncio.ensure_future(send_slowly(app, slowly(more)))
            await turns()
            reply = await client.post("/predict", json={"text": "x" * size})
            assert (reply.status_code, reply.json()["error"]["code"]) == (503, "server-busy")
            assert reply.headers["retry-after"] == "1"
            # A small body always has room.
            reply = await client.post("/predict", json={"text": "회의"})
            assert reply.json() == {"label": "업무"}
            more.set()
            assert await first == 200
            reply = await client.post("/predict", json={"text": "x" * 70_000})
            assert reply.status_code == 200

    asyncio.run(play())


async def send_slowly(app, chunks):
    statuses = []

    async def receive():
        chunk = await anext(chunks, None)
        return {"type": "http.request", "body": chunk or b"", "more_body": chunk is not None}

    async def send(message):
        statuses.append(message.get("status"))

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/predict",
        "raw_path": b"/predict",
        "query_string": b"",
        "headers": [(b"content-type", b"application/json"), (b"host", b"localhost")],
    }
    await app(scope, receive, send)
    return statuses[0]
