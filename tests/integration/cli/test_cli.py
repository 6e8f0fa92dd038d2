"""The command line as people run it: real processes, pipes and a terminal of 80 columns."""

import contextlib
import functools
import hashlib
import http.server
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from importlib.metadata import version
from pathlib import Path

import pytest

import textbayes
from textbayes.datasets.registry import CORPORA

pty = pytest.importorskip("pty")
fcntl = pytest.importorskip("fcntl")
struct = pytest.importorskip("struct")
termios = pytest.importorskip("termios")

PROGRAM = [sys.executable, "-m", "textbayes"]
SOURCE = Path(textbayes.__file__).parents[1]
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
COLOUR = re.compile(r"\x1b\[[0-9;]*(3[0-8]|9[0-7])[0-9;]*m")


@pytest.fixture
def environment(tmp_path):
    dropped = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM", "TTY_COMPATIBLE"}
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    kept = {name: value for name, value in kept.items() if not name.lower().endswith("_proxy")}
    home = {"TEXTBAYES_DATA": str(tmp_path / "말뭉치"), "HOME": str(tmp_path)}
    return {**kept, **home, "PYTHONPATH": str(SOURCE), "PYTHONIOENCODING": "utf-8", "TERM": "xterm-256color"}


@pytest.fixture
def run(environment):
    def run(*args, **changes):
        return subprocess.run(
            [*PROGRAM, *args],
            env={**environment, **changes},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )

    return run


@pytest.fixture
def on_terminal(environment):
    def on_terminal(*args, **changes):
        """Run on a pseudo-terminal of 80 columns; return the exit status and all that it showed."""
        outer, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        process = subprocess.Popen(
            [*PROGRAM, *args], env={**environment, **changes}, stdin=inner, stdout=inner, stderr=inner
        )
        os.close(inner)
        shown = b""
        with contextlib.suppress(OSError):  # how Linux says that the other side is closed
            while chunk := os.read(outer, 65536):
                shown += chunk
        os.close(outer)
        return process.wait(60), shown.decode("utf-8").replace("\r\n", "\n")

    return on_terminal


@pytest.fixture
def serve():
    """Serve a folder on the loopback and give its address."""
    servers = []

    def serve(folder):
        class Quiet(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *args):
                pass

        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))
        )
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def test_version(run):
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"textbayes {version('textbayes')}\n", "")


@pytest.mark.parametrize("args", [(), ("data",)])
def test_no_command_shows_the_help(run, args):
    done = run(*args)
    assert done.returncode in {0, 2}  # which of them depends on the version of typer
    assert "Usage: textbayes" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "args", [("-h",), ("data", "-h"), ("data", "list", "-h"), ("data", "fetch", "--help"), ("demo", "--help")]
)
def test_help(run, args):
    done = run(*args)
    assert done.returncode == 0
    assert "Usage: textbayes" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("args", [("dta",), ("data", "lst"), ("data", "fetch"), ("demo", "--jsn")])
def test_wrong_usage(run, args):
    done = run(*args)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Usage: textbayes" in done.stderr
    assert "Traceback" not in done.stderr


def test_list(run, environment):
    done = run("data", "list")
    lines = done.stdout.splitlines()
    assert done.returncode == 0
    assert [line.split()[0] for line in lines] == ["name", "docstrings", *CORPORA]
    assert done.stderr == f"Corpora are kept in {environment['TEXTBAYES_DATA']}\n"
    assert not ESCAPE.search(done.stdout)


def test_list_json(run, tmp_path):
    (tmp_path / "h").mkdir()
    (tmp_path / "h" / "webkb.tar.xz").write_bytes(b"12345")
    (tmp_path / "h" / "sector").mkdir()
    done = run("data", "list", "--json", "--home", str(tmp_path / "h"))
    rows = {row["name"]: row for row in json.loads(done.stdout)}
    assert list(rows) == ["docstrings", *CORPORA]
    assert done.stderr == ""
    assert rows["reuters21578"]["documents"] == 21578
    assert {name for name, row in rows.items() if row["fetched"]} == {"docstrings", "webkb", "sector"}
    assert rows["webkb"]["path"] == str(tmp_path / "h" / "webkb.tar.xz")
    assert rows["webkb"]["size"] == 5


def test_list_on_a_terminal_of_80_columns(on_terminal, environment):
    folder = Path(environment["TEXTBAYES_DATA"])
    folder.mkdir()
    (folder / "reuters21578-sgml.tar.xz").write_bytes(b"x")  # the longest name there is
    code, shown = on_terminal("data", "list")
    assert code == 0
    assert COLOUR.search(shown)
    lines = ESCAPE.sub("", shown).splitlines()
    table = lines[: len(CORPORA) + 2]
    assert all(len(line) <= 80 for line in table)
    assert [line.split()[0] for line in table] == ["name", "docstrings", *CORPORA]  # nothing wrapped
    assert "reuters21578-sgml.tar.xz" in table[2]


def test_no_color(on_terminal):
    code, shown = on_terminal("data", "list", NO_COLOR="1")
    assert code == 0
    assert "newsgroups" in shown
    assert not COLOUR.search(shown)


def test_unknown_corpus(run):
    done = run("data", "fetch", "reuters")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(
        "CorpusUnknownError: There is no corpus called 'reuters'. Did you mean 'reuters21578'?"
    )
    assert "[corpus-unknown]" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["말뭉치 🙂", "मूल", "[bold]x[/]", "\udcff", ""])
def test_strange_names(run, name):
    done = run("data", "fetch", name)
    assert done.returncode == 2
    assert "CorpusUnknownError" in done.stderr
    assert "Traceback" not in done.stderr
    if name == "[bold]x[/]":
        assert name in done.stderr  # shown as it is, not taken for markup


def test_fetch_the_built_in_corpus(run):
    done = run("data", "fetch", "docstrings", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["path"] is None
    assert "built in" in done.stderr


def test_fetch_from_a_file(run, shared_data, tmp_path):
    copy = shared_data("webkb.tar.xz")
    home = tmp_path / "집 🙂"
    done = run("data", "fetch", "webkb", "--from", str(copy), "--home", str(home))
    assert (done.returncode, done.stdout) == (0, f"{home / 'webkb.tar.xz'}\n")
    assert CORPORA["webkb"].archives[1].sha256 in done.stderr
    again = run("data", "fetch", "webkb", "--home", str(home), "--json")
    assert json.loads(again.stdout) == {
        "name": "webkb",
        "path": str(home / "webkb.tar.xz"),
        "sha256": CORPORA["webkb"].archives[1].sha256,
        "size": copy.stat().st_size,
        "check": "checksum",
        "origin": str(home / "webkb.tar.xz"),
    }


def test_fetch_over_http(on_terminal, run, serve, shared_data, environment):
    copy = shared_data("reuters21578-sgml.tar.xz")
    url = f"{serve(copy.parent)}/{copy.name}"
    code, shown = on_terminal("data", "fetch", "reuters21578", "--url", url)
    path = Path(environment["TEXTBAYES_DATA"], copy.name)
    assert code == 0
    assert path.read_bytes() == copy.read_bytes()
    assert str(path) in ESCAPE.sub("", shown)
    listed = json.loads(run("data", "list", "--json").stdout)
    assert next(row for row in listed if row["name"] == "reuters21578")["path"] == str(path)


def test_fetch_something_else(run, serve, tmp_path, environment):
    (tmp_path / "page.html").write_text("<html>이사했습니다</html>", encoding="utf-8")
    done = run("data", "fetch", "newsgroups", "--url", f"{serve(tmp_path)}/page.html")
    digest = hashlib.sha256((tmp_path / "page.html").read_bytes()).hexdigest()
    assert done.returncode == 2
    assert done.stdout == ""
    assert "[fetch-checksum]" in done.stderr
    assert digest in done.stderr
    assert CORPORA["newsgroups"].archive.sha256 in done.stderr
    assert not [path for path in Path(environment["TEXTBAYES_DATA"]).iterdir() if path.name[0] != "."]


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("--from", "/nowhere/아무데도.tar.gz"), "[fetch-source]"),
        (("--from", "/"), "[fetch-source]"),
        (("--url", "ftp://127.0.0.1/x"), "[fetch-url]"),
        (("--url", "http://127.0.0.1:1/x", "--home", "/dev/null/x"), "[fetch-storage]"),
    ],
)
def test_fetch_errors(run, args, code):
    done = run("data", "fetch", "sector", *args)
    assert done.returncode == 2
    assert done.stdout == ""
    assert code in done.stderr
    assert "Traceback" not in done.stderr


def test_from_and_url_exclude_each_other(run):
    done = run("data", "fetch", "webkb", "--from", "x", "--url", "http://127.0.0.1:1/")
    assert done.returncode == 2
    assert "--from" in done.stderr


def test_a_reader_that_leaves(environment):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*PROGRAM, "data", "list", "--json"],
        env=environment,
        stdout=write,
        stderr=subprocess.PIPE,
        timeout=60,
    )
    os.close(write)
    assert done.returncode == 1
    assert done.stderr == b""


def test_head(environment):
    command = shlex.join([*PROGRAM, "data", "list"]) + " | head -1"
    done = subprocess.run(["sh", "-c", command], env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["name", "docs", "classes", "size", "fetched", "where"]
    assert "Error" not in done.stderr


def test_ctrl_c(environment, tmp_path):
    class Stalling(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"x" * 10)
            asked.set()
            left.wait(30)

        def log_message(self, *args):
            pass

    asked, left = threading.Event(), threading.Event()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stalling) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/"
        process = subprocess.Popen(
            [*PROGRAM, "data", "fetch", "webkb", "--url", url],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert asked.wait(60)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        left.set()
        server.shutdown()
    assert process.returncode == 130
    assert (out, err.strip()) == ("", "")


def test_a_bug_shows_its_traceback(environment):
    code = (
        "from textbayes.cli import data, main; data.list_corpora = lambda *_: 1 / 0; main(['data', 'list'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert "ZeroDivisionError" in done.stderr


def test_an_old_terminal(run):
    done = run("data", "list", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "docstrings" in done.stdout


def test_demo(run):
    start = time.monotonic()
    done = run("demo", "--json")
    assert done.returncode == 0
    assert done.stderr == ""
    report = json.loads(done.stdout)
    assert time.monotonic() - start < 60  # half a minute, on a machine that has other things to do
    assert report["documents"] > 3000
    assert report["same_vocabulary"] is True
    assert report["same_counts"] is True
    assert report["accuracy"] > 5 * report["majority"]
    assert [(speed["name"], speed["threads"] >= 1) for speed in report["speeds"]] == [
        ("textbayes", True),
        ("textbayes", True),
        ("scikit-learn", True),
    ]
    assert report["speeds"][-1]["times_scikit_learn"] == 1
    assert all(speed["tokens_per_second"] > 0 for speed in report["speeds"])


def test_demo_on_a_terminal(on_terminal):
    code, shown = on_terminal("demo")
    text = ESCAPE.sub("", shown)
    assert code == 0
    assert "× scikit-learn" in text
    assert "the same counts as scikit-learn's CountVectorizer" in " ".join(text.split())
    story = text[text.index("The corpus.") :]
    assert all(len(line) <= 80 for line in story.splitlines())
