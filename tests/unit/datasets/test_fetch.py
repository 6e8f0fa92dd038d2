"""fetch_corpus against a real server on the loopback that misbehaves on purpose.

In every case: the right file is there under its final name, or there is an error and nothing under it.
"""

import contextlib
import gzip
import hashlib
import http.server
import io
import os
import pickle
import re
import signal
import socket
import subprocess
import sys
import tarfile
import textwrap
import threading
import time
import urllib.request
from pathlib import Path

import pytest

from textbayes.datasets import download, fetch
from textbayes.datasets.download import RetryPolicy
from textbayes.datasets.fetch import fetch_corpus, fetch_entry
from textbayes.datasets.lock import hold_lock
from textbayes.datasets.registry import CORPORA, Archive, CorpusEntry, Layout
from textbayes.errors import (
    FetchBusyError,
    FetchContentError,
    FetchNetworkError,
    FileReadError,
    FileWriteError,
    ParameterError,
    TextbayesError,
)

QUICK = RetryPolicy(timeout=2.0, attempts=4, pause=0.01, lock=0.2)


def make_archive(documents: int, size: int = 60_000) -> bytes:
    """Return a tar.gz of incompressible documents, so that it is long enough to cut."""
    buffer = io.BytesIO()
    noise = hashlib.shake_256(b"noise").digest(size)
    # Without a timestamp, so that another process makes the same bytes.
    with (
        gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0) as file,
        tarfile.open(fileobj=file, mode="w") as tar,
    ):
        for number in range(documents):
            info = tarfile.TarInfo(f"작은/वर्ग/{number}.txt")
            info.size = size
            tar.addfile(info, io.BytesIO(noise))
    return buffer.getvalue()


BODY = make_archive(5)
SHA256 = hashlib.sha256(BODY).hexdigest()


def make_entry(sha256: str | None = SHA256, urls: tuple[str, ...] = (), fewest: int = 5) -> CorpusEntry:
    archive = Archive("tiny.tar.gz", len(BODY) if sha256 else None, sha256)
    layout = Layout(r"\.txt$", fewest, fewest)
    return CorpusEntry("tiny", "작은 말뭉치", "🙂", "", urls, (archive,), 5, 1, layout, "free", "load_tiny")


class Handler(http.server.BaseHTTPRequestHandler):
    """Runs the next step of the script for each request; the last step repeats."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        server = self.server
        server.ranges.append(self.headers.get("Range"))
        step = server.script[min(len(server.ranges), len(server.script)) - 1]
        self.close_connection = True
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            step(self)

    def log_message(self, *args):
        pass

    def answer(self, status=200, body=BODY, **headers):
        self.send_response(status)
        for name, value in {"Content_Length": len(body), **headers}.items():
            if value is not None:
                self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = [serve()]
        self.ranges = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}/tiny.tar.gz"

    def handle_error(self, request, client_address):
        pass  # the client disconnected on purpose


def serve(body=BODY, etag='"v1"', cut=None, ranges=True, if_range=True, **headers):
    """A correct server, except as the arguments say; `cut` closes the connection after that many bytes."""

    def step(handler):
        requested = handler.headers.get("Range") if ranges else None
        if requested and if_range and handler.headers.get("If-Range") != etag:
            requested = None
        start = int(requested.removeprefix("bytes=").rstrip("-")) if requested else 0
        if start >= len(body):
            return handler.answer(416, b"", Content_Range=f"bytes */{len(body)}")
        rest = body[start:]
        extra = {"Content_Range": f"bytes {start}-{len(body) - 1}/{len(body)}"} if requested else {}
        handler.answer(
            206 if requested else 200,
            rest[:cut],
            **{"Content_Length": len(rest), "ETag": etag, **extra, **headers},
        )
        return None

    return step


@pytest.fixture
def server():
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch):
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


@pytest.fixture
def home(tmp_path):
    return tmp_path / "말뭉치 بيت"


def run(server, home, entry=None, **options):
    return fetch_entry(entry or make_entry(), home=home, url=server.url, retries=QUICK, **options)


def visible(home):
    return sorted(path.name for path in home.iterdir() if not path.name.startswith("."))


def assert_fetched(home):
    assert visible(home) == ["tiny.tar.gz"]
    assert (home / "tiny.tar.gz").read_bytes() == BODY


def test_download(server, home):
    seen = []
    fetched = run(server, home, progress=lambda done, total: seen.append((done, total)))
    assert_fetched(home)
    assert fetched.path == home / "tiny.tar.gz"
    assert (fetched.sha256, fetched.size, fetched.check) == (SHA256, len(BODY), "checksum")
    assert seen[0] == (0, len(BODY))
    assert seen[-1] == (len(BODY), len(BODY))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_a_fetched_corpus_is_only_checked(server, home):
    run(server, home)
    assert run(server, home).origin == str(home / "tiny.tar.gz")
    assert len(server.ranges) == 1


def test_a_damaged_file_under_the_final_name_is_replaced(server, home):
    home.mkdir()
    (home / "tiny.tar.gz").write_bytes(BODY[:-1])
    run(server, home)
    assert_fetched(home)


def test_resume_within_one_call(server, home):
    server.script = [serve(cut=100_000), serve(cut=50_000), serve()]
    run(server, home)
    assert_fetched(home)
    assert server.ranges == [None, "bytes=100000-", "bytes=150000-"]


def test_resume_in_the_next_call(server, home):
    server.script = [serve(cut=10_000)]
    with pytest.raises(FetchNetworkError, match=r"Kept 40,000 bytes") as caught:
        run(server, home)
    assert "tiny.tar.gz" not in visible(home)
    assert f"of {len(BODY):,} bytes" in str(caught.value)
    server.script = [serve()]
    run(server, home)
    assert_fetched(home)
    assert server.ranges[-1] == "bytes=40000-"


def test_server_without_ranges(server, home):
    server.script = [serve(cut=100_000, ranges=False), serve(ranges=False)]
    run(server, home)
    assert_fetched(home)


def test_without_a_validator_the_whole_file_is_requested(server, home):
    server.script = [serve(cut=100_000, etag=None), serve()]
    run(server, home)
    assert_fetched(home)
    assert server.ranges == [None, None]


def test_a_weak_etag_does_not_validate(server, home):
    server.script = [serve(cut=100_000, etag='W/"v1"'), serve()]
    run(server, home)
    assert_fetched(home)
    assert server.ranges == [None, None]


def test_last_modified_validates(server, home):
    date = "Wed, 01 Jan 1997 00:00:00 GMT"
    server.script = [
        serve(cut=100_000, etag=None, Last_Modified=date),
        serve(etag=None, if_range=False, Last_Modified=date),
    ]
    run(server, home)
    assert_fetched(home)
    assert server.ranges == [None, "bytes=100000-"]


@pytest.mark.parametrize("if_range", [True, False], ids=["honest", "ignores If-Range"])
def test_content_that_changes_between_resumes(server, home, if_range):
    old = bytes(reversed(BODY))
    server.script = [serve(old, etag='"old"', cut=100_000), serve(etag='"new"', if_range=if_range)]
    run(server, home)
    assert_fetched(home)


def test_neither_length_nor_chunks(server, home):
    server.script = [serve(Content_Length=None)]
    run(server, home)
    assert_fetched(home)


def test_chunked(server, home):
    def step(handler):
        handler.answer(200, b"", Content_Length=None, Transfer_Encoding="chunked")
        for start in range(0, len(BODY), 10_000):
            chunk = BODY[start : start + 10_000]
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        handler.wfile.write(b"0\r\n\r\n")

    server.script = [step]
    run(server, home)
    assert_fetched(home)


def test_chunked_and_cut(server, home):
    def step(handler):
        handler.answer(200, b"", Content_Length=None, Transfer_Encoding="chunked")
        handler.wfile.write(b"%x\r\n%s" % (20_000, BODY[:10_000]))

    server.script = [step, serve()]
    run(server, home)
    assert_fetched(home)


def test_a_dropped_connection_is_retried(server, home):
    def hang_up(handler):
        handler.connection.shutdown(socket.SHUT_RDWR)

    server.script = [hang_up, lambda handler: handler.answer(503, b"busy"), serve()]
    run(server, home)
    assert_fetched(home)


def test_redirect(server, home):
    server.script = [lambda handler: handler.answer(302, b"", Location="/elsewhere"), serve()]
    run(server, home)
    assert_fetched(home)


@pytest.mark.parametrize("target", ["http://127.0.0.1/x", "ftp://127.0.0.1/x"])
def test_no_redirect_from_https_to_http(target):
    request = urllib.request.Request("https://127.0.0.1/x")
    with pytest.raises(download._PermanentError, match="redirects from https"):
        download._NoDowngrade().redirect_request(request, io.BytesIO(), 302, "Found", {}, target)


def test_second_address(server, home):
    server.script = [lambda handler: handler.answer(404, b"gone"), serve()]
    entry = make_entry(urls=(server.url, server.url + "?mirror=%EA%B0%80"))
    fetched = fetch_entry(entry, home=home, retries=QUICK)
    assert_fetched(home)
    assert fetched.origin.endswith("?mirror=%EA%B0%80")


def test_a_complete_part(server, home):
    server.script = [serve(cut=10_000)]
    with pytest.raises(FetchNetworkError):
        run(server, home)
    requests = len(server.ranges)
    (home / "tiny.tar.gz.part").write_bytes(BODY)
    assert run(server, home).check == "checksum"
    assert_fetched(home)
    assert len(server.ranges) == requests


def test_a_complete_part_without_a_checksum(server, home):
    home.mkdir()
    (home / "tiny.tar.gz.part").write_bytes(BODY)
    (home / "tiny.tar.gz.part.json").write_text(f'{{"url": "{server.url}", "validator": "\\"v1\\""}}')
    assert run(server, home, make_entry(None)).check == "contents"
    assert_fetched(home)
    assert server.ranges == [f"bytes={len(BODY)}-"]


@pytest.mark.parametrize("memory", ["", "{", "[]", '{"url": 1}', '{"url": "x", "validator": null}', "\ud55c"])
def test_a_damaged_state_file_is_ignored(server, home, memory):
    home.mkdir()
    (home / "tiny.tar.gz.part").write_bytes(b"x" * 1000)
    (home / "tiny.tar.gz.part.json").write_text(memory, encoding="utf-16")
    run(server, home)
    assert_fetched(home)


def dead_slow(handler):
    handler.answer(200, b"", Content_Length=len(BODY), ETag='"v1"')
    for byte in BODY[:400]:
        handler.wfile.write(bytes([byte]))
        time.sleep(0.02)


def silent(handler):
    handler.answer(200, b"", Content_Length=len(BODY), ETag='"v1"')
    time.sleep(3)


def wrong_range(handler):
    if handler.headers.get("Range"):
        body = b"x" * 1000
        return handler.answer(206, body, Content_Range=f"bytes 5-1004/{len(BODY)}", ETag='"v1"')
    return serve(cut=100_000)(handler)


def garbage_range(handler):
    if handler.headers.get("Range"):
        rest = b"x" * (len(BODY) - 100_000)
        span = f"bytes 100000-{len(BODY) - 1}/{len(BODY)}"
        return handler.answer(206, rest, Content_Range=span, ETag='"v1"')
    return serve(cut=100_000)(handler)


def nonsense(handler):
    handler.wfile.write("안녕하세요, this is not HTTP\r\n\r\n".encode())


def endless(handler):
    handler.answer(200, b"", Content_Length=None)
    while True:
        handler.wfile.write(BODY)


def status(code, **headers):
    return lambda handler: handler.answer(code, b"<html>no</html>", **headers)


WRONG = BODY[:-9] + bytes(9)
FAILURES = {
    "404": (status(404), FetchNetworkError),
    "403": (status(403), FetchNetworkError),
    "500": (status(500), FetchNetworkError),
    "204": (status(204), FetchNetworkError),
    "unasked 206": (status(206, Content_Range="bytes 0-14/15"), FetchNetworkError),
    "redirect loop": (status(302, Location="/round"), FetchNetworkError),
    "redirect to a file": (status(302, Location="file:///etc/passwd"), FetchNetworkError),
    "redirect nowhere": (status(302, Location="http://127.0.0.1:1/"), FetchNetworkError),
    "a page instead": (status(200), FetchContentError),
    "empty": (lambda handler: handler.answer(200, b""), FetchContentError),
    "wrong bytes": (serve(WRONG), FetchContentError),
    "length too long": (serve(Content_Length=len(BODY) + 7), FetchNetworkError),
    "length too short": (serve(Content_Length=len(BODY) - 7), FetchContentError),
    "length far too long": (serve(Content_Length=10**15), FetchNetworkError),
    "length no number": (serve(BODY + b"x" * 10, Content_Length="many"), FetchNetworkError),
    "cut without length": (serve(cut=1000, Content_Length=None), FetchContentError),
    "longer than the corpus": (serve(BODY + b"x"), FetchNetworkError),
    "endless": (endless, FetchNetworkError),
    "slow to death": (dead_slow, FetchNetworkError),
    "silent": (silent, FetchNetworkError),
    "another range": (wrong_range, FetchNetworkError),
    "garbage in the range": (garbage_range, FetchContentError),
    "no HTTP": (nonsense, FetchNetworkError),
}


@pytest.mark.parametrize(("step", "error"), FAILURES.values(), ids=FAILURES)
def test_failure_leaves_nothing_under_the_final_name(server, home, step, error):
    server.script = [step]
    retries = RetryPolicy(timeout=0.5, attempts=2, pause=0.01)
    with pytest.raises(error) as caught:
        fetch_entry(make_entry(), home=home, url=server.url, retries=retries)
    assert "tiny.tar.gz" not in visible(home)
    if error is FetchContentError:
        assert visible(home) == []
        assert SHA256 in str(caught.value)
    assert server.url in str(caught.value)
    assert len(server.ranges) <= 11  # including redirects
    server.script = [serve()]
    run(server, home)
    assert_fetched(home)


def test_a_closed_port(home):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        with pytest.raises(FetchNetworkError, match="Connection refused"):
            fetch_entry(make_entry(), home=home, url=url, retries=QUICK)
    assert visible(home) == []


def test_without_a_checksum_the_contents_are_counted(server, home):
    fetched = run(server, home, make_entry(None))
    assert_fetched(home)
    assert (fetched.check, fetched.sha256) == ("contents", SHA256)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (make_archive(4), "4 document files"),
        (make_archive(6), "6 document files"),
        (BODY[:-5000], "no tar archive"),
        (b"<html>Moved</html>", "no tar archive"),
        ("한국어 🙂 नमस्ते".encode() * 100, "no tar archive"),
        (b"", "no tar archive"),
    ],
    ids=["too few", "too many", "cut", "html", "text", "empty"],
)
def test_without_a_checksum_other_contents_are_refused(server, home, body, found):
    server.script = [serve(body, etag=None, Content_Length=len(body)) if body else status(200)]
    with pytest.raises(FetchContentError, match=found) as caught:
        run(server, home, make_entry(None))
    assert visible(home) == []
    digest = hashlib.sha256(body or b"<html>no</html>").hexdigest()
    assert digest in str(caught.value)


@pytest.mark.parametrize("url", ["ftp://x/y", "file:///etc/passwd", "tiny.tar.gz", "http://", "http://[", ""])
def test_an_invalid_url(home, url):
    with pytest.raises(ParameterError, match="--from"):
        fetch_entry(make_entry(), home=home, url=url, retries=QUICK)


def test_unknown_name():
    with pytest.raises(ParameterError, match="Did you mean 'reuters21578'"):
        fetch_corpus("reuters")
    with pytest.raises(ValueError, match="'말뭉치'"):
        fetch_corpus("말뭉치")


def test_source(tmp_path, home):
    copy = tmp_path / "복사본 🙂.bin"
    copy.write_bytes(BODY)
    fetched = fetch_entry(make_entry(), home=home, source=copy)
    assert_fetched(home)
    assert (fetched.check, fetched.origin) == ("checksum", str(copy))
    assert copy.read_bytes() == BODY


def test_source_that_is_the_final_file(home):
    home.mkdir()
    (home / "tiny.tar.gz").write_bytes(BODY)
    fetch_entry(make_entry(), home=home, source=home / "tiny.tar.gz")
    assert_fetched(home)


def test_source_with_other_bytes(tmp_path, home):
    copy = tmp_path / "wrong.tar.gz"
    copy.write_bytes(WRONG)
    with pytest.raises(FetchContentError) as caught:
        fetch_entry(make_entry(), home=home, source=copy)
    assert visible(home) == []
    assert copy.exists()
    assert hashlib.sha256(WRONG).hexdigest() in str(caught.value)


def test_source_leaves_a_resumable_part_alone(server, home, tmp_path):
    server.script = [serve(cut=10_000)]
    with pytest.raises(FetchNetworkError):
        run(server, home)
    (tmp_path / "wrong").write_bytes(b"wrong")
    with pytest.raises(FetchContentError):
        fetch_entry(make_entry(), home=home, source=tmp_path / "wrong")
    assert (home / "tiny.tar.gz.part").read_bytes() == BODY[:40_000]


@pytest.mark.parametrize("name", ["missing", "."])
def test_source_that_cannot_be_read(tmp_path, home, name):
    with pytest.raises(FileReadError, match=re.escape(f"{tmp_path / name} cannot be read")) as caught:
        fetch_entry(make_entry(), home=home, source=tmp_path / name)
    assert isinstance(caught.value.errno, int)
    assert not home.exists()


def test_folder_that_cannot_be_created(tmp_path, server):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileWriteError, match="TEXTBAYES_DATA"):
        run(server, tmp_path / "file" / "home")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_disk_full(server, home):
    home.mkdir()
    (home / "tiny.tar.gz.part").symlink_to("/dev/full")
    with pytest.raises(FileWriteError, match="No space left") as caught:
        run(server, home)
    assert caught.value.errno == 28
    assert visible(home) == []


def test_progress_that_raises_keeps_the_part(server, home):
    def stop(done, total):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(server, home, progress=stop)
    assert visible(home) == ["tiny.tar.gz.part", "tiny.tar.gz.part.json"]
    run(server, home)
    assert_fetched(home)
    assert server.ranges[1].startswith("bytes=")


def test_a_fetched_corpus_needs_no_write_permission(server, home, monkeypatch):
    run(server, home)

    def refuse(*_):
        raise AssertionError("nothing may be written")

    monkeypatch.setattr(fetch, "hold_lock", refuse)
    assert run(server, home).path == home / "tiny.tar.gz"


def test_a_held_lock(server, home):
    lock = hold_lock("tiny", home / ".tiny.tar.gz.lock", 1)
    with lock, pytest.raises(FetchBusyError, match="Another process"):
        run(server, home)
    run(server, home)
    assert_fetched(home)


def test_errors_survive_pickling(server, home):
    server.script = [serve(WRONG)]
    with pytest.raises(FetchContentError) as caught:
        run(server, home)
    again = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(again, TextbayesError)
    assert str(again) == str(caught.value)


CHILD = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from test_fetch import make_entry
from textbayes.datasets.fetch import fetch_entry
from textbayes.datasets.download import RetryPolicy
retries = RetryPolicy(timeout=20, lock=30)
fetch_entry(make_entry(), home=Path({home!r}), url={url!r}, retries=retries)
"""


def start_child(server, home):
    source = Path(fetch.__file__).parents[2]
    code = textwrap.dedent(CHILD).format(tests=str(Path(__file__).parent), home=str(home), url=server.url)
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(source), "PYTHONIOENCODING": "utf-8"},
    )


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_killed_during_a_download(server, home):
    release = threading.Event()

    def stall(handler):
        serve(cut=120_000)(handler)
        release.wait(30)

    server.script = [stall, serve()]
    child = start_child(server, home)
    part = home / "tiny.tar.gz.part"
    deadline = time.monotonic() + 30
    while not (part.exists() and part.stat().st_size == 120_000) and time.monotonic() < deadline:
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    release.set()
    assert child.returncode == -signal.SIGKILL
    assert visible(home) == ["tiny.tar.gz.part", "tiny.tar.gz.part.json"]
    run(server, home)
    assert_fetched(home)
    assert server.ranges == [None, "bytes=120000-"]


def test_concurrent_processes_download_once(server, home):
    def slow(handler):
        time.sleep(1.0)
        serve()(handler)

    server.script = [slow]
    children = [start_child(server, home) for _ in range(3)]
    outputs = [child.communicate(timeout=60) for child in children]
    assert [child.returncode for child in children] == [0, 0, 0], outputs
    assert_fetched(home)
    assert len(server.ranges) == 1


@pytest.mark.parametrize("name", ["reuters21578", "newsgroups", "webkb"])
def test_repackaged_copies_are_recognised(name, home, shared_data):
    archive = CORPORA[name].archives[-1]
    path = fetch_corpus(name, home=home, source=shared_data(archive.file))
    assert path == home / archive.file
    assert path.stat().st_size == archive.size
