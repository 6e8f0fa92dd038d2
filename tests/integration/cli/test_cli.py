"""The program itself, `data` and `demo`: real processes, pipes and a terminal of 80 columns."""

import functools
import hashlib
import http.server
import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from importlib.metadata import version
from pathlib import Path

import pytest
from processes import COLOUR, ESCAPE, PROGRAM

import warm
from textbayes.cli.app import COMMANDS
from textbayes.datasets.registry import CORPORA


@pytest.fixture
def serve():
    """Return a function that serves a folder on the loopback and returns its URL."""
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
    assert done.returncode in {0, 2}  # depends on the version of typer
    assert "Usage: textbayes" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_help_does_not_import_scikit_learn(environment):
    code = (
        "import contextlib, sys\nfrom textbayes.cli import main\n"
        "with contextlib.suppress(SystemExit):\n    main(['-h'])\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('sklearn', 'scipy', 'pyarrow')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60
    )
    assert "Usage: textbayes" in done.stdout
    assert all(f" {name} " in done.stdout for name in COMMANDS)
    assert done.stdout.splitlines()[-1] == "[]"
    assert done.stderr == ""


def test_help_of_every_command(environment):
    code = (
        "import contextlib\nfrom textbayes.cli import main\nfrom textbayes.cli.app import COMMANDS\n"
        "for args in [[name] for name in COMMANDS] + [['data', 'list'], ['data', 'fetch']]:\n"
        "    with contextlib.suppress(SystemExit):\n        main([*args, '-h'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60
    )
    helped = " ".join(done.stdout.split())
    for name, summary in COMMANDS.items():  # the summaries of the lazy commands match the commands
        assert f"Usage: textbayes {name}" in helped
        assert summary in helped
    assert "Usage: textbayes data fetch" in helped
    assert done.stderr == ""


@pytest.mark.parametrize("args", [("dta",), ("data", "lst"), ("data", "fetch"), ("demo", "--jsn")])
def test_usage_errors(run, args):
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
    assert done.stderr == f"Folder of corpora: {environment['TEXTBAYES_DATA']}\n"
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


def test_list_fits_a_terminal_of_80_columns(on_terminal, environment):
    folder = Path(environment["TEXTBAYES_DATA"])
    folder.mkdir()
    (folder / "reuters21578-sgml.tar.xz").write_bytes(b"x")  # the longest file name
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
        "ParameterError: corpus='reuters' is not an option. Did you mean 'reuters21578'?"
    )
    assert "[parameter-value]" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["말뭉치 🙂", "मूल", "[bold]x[/]", "\udcff", ""])
def test_unusual_names(run, name):
    done = run("data", "fetch", name)
    assert done.returncode == 2
    assert "ParameterError" in done.stderr
    assert "Traceback" not in done.stderr
    if name == "[bold]x[/]":
        assert name in done.stderr  # not interpreted as markup


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


def test_fetch_a_wrong_file(run, serve, tmp_path, environment):
    (tmp_path / "page.html").write_text("<html>이사했습니다</html>", encoding="utf-8")
    done = run("data", "fetch", "newsgroups", "--url", f"{serve(tmp_path)}/page.html")
    digest = hashlib.sha256((tmp_path / "page.html").read_bytes()).hexdigest()
    assert done.returncode == 2
    assert done.stdout == ""
    assert "[fetch-content]" in done.stderr
    assert digest in done.stderr
    assert CORPORA["newsgroups"].archive.sha256 in done.stderr
    assert not [path for path in Path(environment["TEXTBAYES_DATA"]).iterdir() if path.name[0] != "."]


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("--from", "/nowhere/아무데도.tar.gz"), "[file-read]"),
        (("--from", "/"), "[file-read]"),
        (("--url", "ftp://127.0.0.1/x"), "[parameter-value]"),
        (("--url", "http://127.0.0.1:1/x", "--home", "/dev/null/x"), "[file-write]"),
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


def test_a_closed_pipe(environment):
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
            requested.set()
            left.wait(30)

        def log_message(self, *args):
            pass

    requested, left = threading.Event(), threading.Event()
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
        assert requested.wait(60)
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


def test_an_ascii_terminal(run):
    done = run("data", "list", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "docstrings" in done.stdout


# The demo on the 12 largest classes of its corpus, which takes a fourth of the time.
PART = """
from collections import Counter
from textbayes.cli import demo_run, main
from textbayes.datasets import Corpus, load_docstrings

def load_part():
    whole = load_docstrings()
    largest = {label for label, _ in Counter(whole.label).most_common(7)}
    return Corpus(whole.name, [document for document in whole if document.label in largest])

demo_run.load_docstrings = load_part
main(["demo", "--json"])
"""


@pytest.mark.parametrize(
    "command",
    [["-c", PART], pytest.param(["-m", "textbayes", "demo", "--json"], marks=pytest.mark.slow)],
    ids=["part", "whole"],
)
def test_demo(environment, command):
    done = warm.run(
        [sys.executable, *command], env=environment, capture_output=True, encoding="utf-8", timeout=240
    )
    assert done.returncode == 0
    assert done.stderr == ""
    demo = json.loads(done.stdout)
    assert demo["documents"] > 3000
    assert demo["same_counts"] is True
    ours, theirs = demo["contenders"]
    assert (ours["name"], theirs["name"]) == ("textbayes", "scikit-learn")
    assert ours["accuracy"] > theirs["accuracy"] > 3 * demo["majority"]
    correction = demo["correction"]
    assert correction["before"] != correction["label"]
    assert correction["taught"] == correction["settled"] == correction["label"]
    assert correction["same_labels"] > 0.99
    assert demo["updates"] == ("exact" if correction["exact"] else "any")
    assert demo["recipe"]
    assert correction["forgotten"] == correction["before"]
    assert correction["same_bytes"] is True
    assert demo["same_after_loading"] is True
    explained = demo["explanation"]
    best = max(explained["classes"], key=lambda each: each["score"])
    total = sum(token["contributions"][best["label"]] for token in explained["tokens"])
    assert best["label"] == explained["label"]
    assert best["bias"] + total == pytest.approx(best["score"], abs=1e-9)
    assert demo["seconds"] < 180  # also on a busy machine


@pytest.mark.slow
def test_demo_on_a_terminal(on_terminal):
    code, shown = on_terminal("demo")
    text = ESCAPE.sub("", shown)
    assert code == 0
    demo = text[text.index("The corpus.") :]
    assert all(len(line) <= 80 for line in demo.splitlines())
    for part in ("Count.", "Train and evaluate.", "Explain", "Teach", "Save."):
        assert part in demo
    assert "✗" not in demo
    assert demo.count("✓") == 5
