"""Requests that wait: outside of the threads, in bounded numbers, and not for clients that have gone."""

import asyncio
import contextlib
import threading

import httpx
import pytest

from textbayes import TextClassifier
from textbayes.server import Settings, create_app

CORRECTION = {"text": "golden prize 금", "label": "금"}


def connect(app):
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=60)


@contextlib.asynccontextmanager
async def running(settings):
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        yield app


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
        async with running(Settings(model)) as app, connect(app) as client:
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
    client.post("/teach", json={**CORRECTION, "wait": 30})
    assert len(client.get("/inspect").json()["classes"]) == len(before["classes"]) + 1


def test_requests_beyond_the_limit_are_refused(model, monkeypatch):
    """Those in progress count, not those whose body has not arrived."""
    gate = Gate(monkeypatch, "explain")

    async def never():
        await asyncio.sleep(60)

    async def drop(_message):
        pass

    async def play():
        async with running(Settings(model, requests=2)) as app, connect(app) as client:
            slow = [asyncio.ensure_future(app(scope("/predict"), never, drop)) for _ in range(5)]
            first = [asyncio.ensure_future(client.post("/explain", json={"text": "회의"})) for _ in range(2)]
            await gate.reached()
            await turns()
            for reply in (
                await client.post("/predict", json={"text": "회의"}),
                await client.get("/health"),
            ):
                assert (reply.status_code, reply.json()["error"]["code"]) == (503, "server-busy")
                assert reply.headers["retry-after"] == "1"
                assert "2 requests are in progress" in reply.json()["error"]["what"]
                assert reply.headers["x-content-type-options"] == "nosniff"
            gate.open()
            assert [(await each).status_code for each in first] == [200, 200]
            assert (await client.post("/predict", json={"text": "회의"})).json() == {"label": "업무"}
            for each in slow:
                each.cancel()
            await asyncio.gather(*slow, return_exceptions=True)

    asyncio.run(play())


def test_a_request_that_waited_too_long_for_its_turn_is_refused(model):
    async def play():
        async with running(Settings(model, turn_seconds=0.25)) as app:
            now, replies = asyncio.get_running_loop().time(), []

            async def receive():
                return {"type": "http.request", "body": b'{"text": "x"}', "more_body": False}

            async def send(message):
                replies.append(message)

            for arrived in (now - 1.0, now):
                await app({**scope("/predict"), "state": {"arrived": arrived}}, receive, send)
            for path in ("/", "/page/main.js"):
                late = {**scope(path), "method": "GET", "state": {"arrived": now - 1.0}}
                await app(late, receive, send)
            return [message for message in replies if message["type"] == "http.response.start"]

    late, prompt, *pages = asyncio.run(play())
    assert (late["status"], prompt["status"]) == (503, 200)
    assert (b"retry-after", b"1") in late["headers"]
    # Without one of its files, the page would be blank.
    assert [page["status"] for page in pages] == [200, 200]


def scope(path):
    return {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"content-type", b"application/json"), (b"host", b"localhost")],
    }


@pytest.mark.parametrize("size", [70_000, 200_000])
def test_the_bodies_of_all_requests_have_a_limit(model, size):
    """One body of 100,000 bytes has arrived in part; another has no room beside it until it is answered."""

    async def slowly(more):
        yield b'{"text": "'
        yield b"cheap " * 15_000
        await more.wait()
        yield b'"}'

    async def play():
        settings = Settings(model, bodies_bytes=100_000)
        async with running(settings) as app, connect(app) as client:
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

    await app(scope("/predict"), receive, send)
    return statuses[0]
