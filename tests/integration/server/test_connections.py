"""Connections that send nothing, half a request or no end, and clients that read nothing."""

import asyncio
import json
import socket
import sys
import threading
import time

import pytest
import uvicorn

from textbayes.server import Settings, create_app, listen
from textbayes.server.connections import connection_limit
from textbayes.server.running import run

resource = pytest.importorskip("resource")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are others on Windows")

REQUEST = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Server:
    """A server in a thread, with small limits and a log."""

    def __init__(self, model, **limits):
        self.events, self._ready = [], threading.Event()
        settings = Settings(model, log=self.events.append, **limits)
        self._listening, self.loop, self.uvicorn = listen("127.0.0.1", 0), None, None
        self.address = self._listening.getsockname()
        self._thread = threading.Thread(target=self._run, args=(settings,), daemon=True)
        self._thread.start()
        assert self._ready.wait(60)

    def _run(self, settings):
        run(create_app(settings), self._listening, settings, self._start)

    def _start(self):
        self.loop = asyncio.get_running_loop()
        self._ready.set()

    def connect(self):
        return socket.create_connection(self.address, timeout=30)

    def messages(self):
        return [event["message"] for event in self.events if event["event"] in ("warning", "failure")]

    def asks(self):
        """Send a request on a new connection; return its answer."""
        with self.connect() as line:
            line.sendall(REQUEST)
            return read_answer(line)

    def stop(self):
        self.uvicorn.should_exit = True
        self._thread.join(60)
        assert not self._thread.is_alive()


def read_answer(line):
    found = b""
    while b"\r\n\r\n" not in found or not found.endswith(b"}"):
        more = line.recv(1 << 16)
        if not more:
            break
        found += more
    return found


def ended(line):
    """Wait until the server closes a connection; return what it had sent."""
    line.settimeout(30)
    found = b""
    try:
        while more := line.recv(1 << 16):
            found += more
    except ConnectionResetError:
        pass
    return found


def cut_off(line, piece):
    """Send pieces until the server closes the connection; return False if it never does."""
    try:
        for _ in range(3000):
            line.sendall(piece)
            time.sleep(0.01)
    except OSError:  # a reset or a broken pipe
        return True
    return False


@pytest.fixture
def server(model, monkeypatch):
    running, started, serve = [], [], uvicorn.Server.serve

    def noted(self, sockets=None):
        started.append(self)
        return serve(self, sockets)

    monkeypatch.setattr(uvicorn.Server, "serve", noted)

    def server(**limits):
        running.append(Server(model, **limits))
        running[-1].uvicorn = started[-1]
        return running[-1]

    yield server
    for each in running:
        each.stop()


def test_a_silent_connection_is_closed(server):
    running = server(head_seconds=0.2)
    with running.connect() as silent:
        assert ended(silent) == b""
    assert "no whole request line and headers within 0.2 seconds" in running.messages()[0]


@pytest.mark.parametrize("part", [b"GET", b"GET /health HTTP/1.1\r\nHost: local"])
def test_half_a_request_is_answered_408(server, part):
    running = server(head_seconds=0.2)
    with running.connect() as half:
        half.sendall(part)
        head, _, body = ended(half).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 ")
    assert json.loads(body)["error"]["code"] == "request-slow"


def test_bytes_that_trickle_do_not_prolong_the_time(server):
    running = server(head_seconds=0.5)
    with running.connect() as slow:
        slow.sendall(b"GET /health HTTP/1.1\r\n")
        assert cut_off(slow, b"X: a\r\n")


def test_the_second_request_of_a_connection_has_a_limit_too(server):
    running = server(head_seconds=0.3)
    with running.connect() as line:
        line.sendall(REQUEST)
        assert b" 200 " in read_answer(line)
        time.sleep(0.9)  # between requests, only idle_seconds counts
        line.sendall(REQUEST)
        assert b" 200 " in read_answer(line)
        line.sendall(REQUEST[:10])
        assert ended(line).startswith(b"HTTP/1.1 408 ")


def test_headers_have_a_limit(server):
    """The parser itself would take headers without end."""
    running = server(head_seconds=60)
    with running.connect() as endless:
        endless.sendall(b"GET /health HTTP/1.1\r\n")
        line, sent = b"X-Filler: " + b"a" * 8000 + b"\r\n", 0
        try:
            for _ in range(1000):
                endless.sendall(line)
                sent += len(line)
                time.sleep(0.001)
        except OSError:
            pass
        assert sent < 4_000_000
    assert b" 200 " in running.asks()


def test_a_body_after_its_answer_has_a_limit(server):
    running = server(head_seconds=0.3)
    with running.connect() as line:
        line.sendall(b"POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n")
        assert b" 404 " in read_answer(line)
        assert cut_off(line, b"x")


def test_pipelined_requests_are_answered(server):
    running = server(head_seconds=0.5)
    with running.connect() as line:
        line.sendall(REQUEST * 5 + REQUEST.replace(b"Host", b"Connection: close\r\nHost"))
        assert ended(line).count(b"HTTP/1.1 200 ") == 6


def test_silent_connections_give_way_to_new_ones(server):
    running = server(connections=20, head_seconds=60)
    silent = [running.connect() for _ in range(60)]
    try:
        for _ in range(10):
            assert b" 200 " in running.asks()
        # What repeats is counted.
        assert len(running.messages()) == 1
        assert "the limit is 20" in running.messages()[0]
    finally:
        for line in silent:
            line.close()
    assert b" 200 " in running.asks()


def test_connections_beyond_the_limit_are_refused_while_all_have_requests(server):
    running = server(connections=3, body_seconds=60)
    busy = [running.connect() for _ in range(3)]
    for line in busy:
        line.sendall(
            b"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 15\r\nExpect: 100-continue\r\n\r\n"
        )
        assert b"100 Continue" in line.recv(1000)
    head, _, body = running.asks().partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 503 ")
    assert b"retry-after" in head.lower()
    assert json.loads(body)["error"]["code"] == "server-busy"
    for line in busy:
        line.sendall(b'{"text":"cheap"}'[:15])
        assert b"HTTP/1.1 400" in line.recv(1000)
        line.close()
    assert b" 200 " in running.asks()


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ({"send_seconds": 0.5}, "read nothing of the answer for 0.5 seconds"),
        ({"send_seconds": 2, "unsent_bytes": 100_000}, "have not read 100,000 bytes"),
    ],
)
def test_a_client_that_does_not_read_is_dropped(server, limits, reason):
    running = server(**limits)
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(running.address)
        body = json.dumps({"texts": ["cheap"] * 1000, "top": 5, "proba": True}).encode()
        line.sendall(
            b"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n%s" % (len(body), body) * 60
        )
        deadline = time.monotonic() + 60
        while not any(reason in message for message in running.messages()):
            assert time.monotonic() < deadline
            time.sleep(0.05)
    assert b" 200 " in running.asks()


def test_more_connections_than_descriptors(serve):
    """The server once wrote hundreds of megabytes of log, and never accepted a connection again."""
    server = serve("--json", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128)))
    ready = json.loads(server.stderr.splitlines()[-1])
    assert ready["connections"] == 64
    address = (server.address.hostname, server.address.port)
    silent = [socket.create_connection(address, timeout=30) for _ in range(160)]
    assert server.ask("GET", "/health")[0] == 200
    for line in silent:
        line.close()
    for _ in range(5):
        assert server.ask("GET", "/health")[0] == 200
    code, _, stderr = server.stop()
    assert code == 0
    assert len(stderr) < 40_000
    assert "Traceback" not in stderr


def test_accepting_goes_on_after_the_descriptors_ran_out(server, monkeypatch):
    """Descriptors that something else took: one message, and connections once they are free."""
    running = server()
    calls = []

    async def failing(self, listening):
        calls.append(1)
        raise OSError(24, "Too many open files")

    loop = type(running.loop)
    monkeypatch.setattr("textbayes.server.connections._RETRY_SECONDS", 0.01)
    with running.connect() as first, monkeypatch.context() as patch:
        patch.setattr(loop, "sock_accept", failing)
        first.sendall(REQUEST)
        while len(calls) < 5:
            running.connect().close()
            time.sleep(0.01)
    assert b" 200 " in running.asks()
    assert [message for message in running.messages() if "Too many open files" in message] == [
        "Connections cannot be accepted: [Errno 24] Too many open files"
    ]


@pytest.mark.parametrize(
    ("files", "limit"), [(1024, 960), (256, 192), (100, 50), (1, 1), (10**6, 1000), (-1, 1000)]
)
def test_the_limit_leaves_descriptors_for_files(monkeypatch, files, limit):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))
    assert connection_limit(1000) == limit
    assert connection_limit(1) == 1
