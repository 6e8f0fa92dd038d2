"""Several writers of one model file, and files that change under a running server."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import textbayes
from textbayes import TextClassifier
from textbayes.persistence import write_lock

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are others on Windows")


@pytest.fixture
def other(tmp_path):
    """A model with other labels."""
    path = tmp_path / "other.tb"
    TextClassifier("multinomial").fit(["cheap noon 회의", "rare"], ["new", "other"]).save(path)
    return path


def eventually(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def teach(server, names, done):
    for name in names:
        status, answer = server.ask("POST", "/teach", {"text": f"word {name}", "label": name})
        if status == 200:
            done.append(name)
        else:
            assert (status, answer["error"]["code"]) == (503, "model-locked")


def run_command(*arguments):
    environment = {**os.environ, "PYTHONPATH": str(Path(textbayes.__file__).parents[1]), "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, "-m", "textbayes", *arguments],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def test_two_servers_lose_no_change(serve, model):
    servers, done = [serve("--writable"), serve("--writable")], []
    threads = [
        threading.Thread(target=teach, args=(server, [f"{place}-{lane}-{n}" for n in range(5)], done))
        for place, server in enumerate(servers)
        for lane in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 20
    classifier = TextClassifier.load(model)
    assert set(done) <= set(classifier.classes_.tolist())
    assert classifier.documents_ == 7 + 20
    # Each server serves the changes of the other, too.
    for server in servers:
        eventually(lambda server=server: server.ask("GET", "/model")[1]["documents"] == 7 + 20)


def test_a_server_and_a_command_lose_no_change(serve, model, tmp_path):
    server, done = serve("--writable"), []
    thread = threading.Thread(target=teach, args=(server, [f"served-{n}" for n in range(12)], done))
    thread.start()
    for number in range(3):
        data = tmp_path / f"{number}.jsonl"
        data.write_text(json.dumps({"text": "typed word", "label": f"typed-{number}"}) + "\n")
        ended = run_command("teach", str(model), str(data))
        assert ended.returncode == 0, ended.stderr
        done.append(f"typed-{number}")
    thread.join()
    classifier = TextClassifier.load(model)
    assert set(done) <= set(classifier.classes_.tolist())
    assert classifier.documents_ == 7 + len(done) == 7 + 15


def test_a_file_that_another_program_changes(serve, model):
    server = serve("--writable", "--json", "--wait", "0.1")
    with write_lock(model):
        with contextlib.closing(server.connect()) as connection:
            fields = json.dumps({"text": "gold", "label": "gold"})
            connection.request("POST", "/teach", fields, {"Content-Type": "application/json"})
            reply = connection.getresponse()
            body = reply.read().decode()
        assert (reply.status, reply.headers["Retry-After"]) == (503, "1")
        assert json.loads(body)["error"]["code"] == "model-locked"
        assert str(model.parent) not in body
        assert server.ask("POST", "/predict", {"text": "cheap"}) == (200, {"label": "spam"})
    assert server.ask("POST", "/teach", {"text": "gold", "label": "gold"})[0] == 200
    stderr = server.stop()[2]
    assert f"process {os.getpid()}" in stderr  # the log names the holder


def test_reload(serve, model, other):
    server = serve("--watch", "0")
    assert server.ask("POST", "/reload", {}) == (200, {"model": "메일.tb", "reloaded": False, "classes": 5})
    os.replace(other, model)
    assert server.ask("POST", "/predict", {"text": "cheap"}) == (200, {"label": "spam"})
    assert server.ask("POST", "/reload", {}) == (200, {"model": "메일.tb", "reloaded": True, "classes": 2})
    assert server.ask("POST", "/predict", {"text": "cheap"}) == (200, {"label": "new"})


@pytest.mark.parametrize("contents", [b"", b"not a model", None])
def test_a_file_that_cannot_be_loaded_is_not_served(serve, model, contents):
    server = serve("--watch", "0", "--json")
    if contents is None:
        model.unlink()
    else:
        (model.parent / "bad.tb").write_bytes(contents)
        os.replace(model.parent / "bad.tb", model)
    status, answer = server.ask("POST", "/reload", {})
    assert (status, answer["error"]["code"]) == (500, "server-fault")
    assert str(model.parent) not in json.dumps(answer)
    server.process.send_signal(signal.SIGHUP)
    line = ""
    while "The old model is served" not in line:
        line = server.process.stderr.readline()
        assert line
        server.stderr += line
    assert server.ask("POST", "/predict", {"text": "cheap"}) == (200, {"label": "spam"})
    code, _, stderr = server.stop()
    assert code == 0
    failures = [event for event in map(json.loads, stderr.splitlines()) if event["event"] == "failure"]
    assert {event["code"] for event in failures} <= {"file-missing", "model-foreign", "model-damaged"}


def test_sighup_reloads(serve, model, other):
    server = serve("--watch", "0")
    os.replace(other, model)
    server.process.send_signal(signal.SIGHUP)
    eventually(lambda: server.ask("POST", "/predict", {"text": "cheap"})[1] == {"label": "new"})
    code, _, stderr = server.stop()
    assert code == 0
    assert "Serving 메일.tb as it is now." in stderr


def test_a_closed_terminal_stops_the_server(model):
    """It sends SIGHUP, too, but nobody could stop the server any more."""
    fcntl, pty, termios = (pytest.importorskip(name) for name in ("fcntl", "pty", "termios"))
    terminal, its_end = pty.openpty()

    def take_terminal():
        os.setsid()
        fcntl.ioctl(its_end, termios.TIOCSCTTY, 0)

    program = [sys.executable, "-m", "textbayes", "serve", str(model), "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": str(Path(textbayes.__file__).parents[1])}
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), its_end)
    with subprocess.Popen(program, env=environment, preexec_fn=take_terminal, **streams) as process:
        try:
            os.close(its_end)
            shown = b""
            while b"Ctrl-C" not in shown:
                shown += os.read(terminal, 1000)
            process.send_signal(signal.SIGHUP)  # with its terminal: goes on
            time.sleep(0.2)
            assert process.poll() is None
            os.close(terminal)
            assert process.wait(60) == 0
        finally:
            process.kill()


def test_a_server_follows_its_file(serve, model, other):
    server = serve("--watch", "0.05")
    os.replace(other, model)
    eventually(lambda: server.ask("POST", "/predict", {"text": "cheap"})[1] == {"label": "new"})


def test_a_file_that_is_overwritten_or_cut_under_load(serve, model, other, tmp_path):
    """Neither ends the server, and each answer is that of the old model or of the new one."""
    large = tmp_path / "large.tb"
    texts = [f"w{number} w{number + 1} cheap" for number in range(20_000)]
    TextClassifier("multinomial").fit(texts, [f"c{number % 7}" for number in range(20_000)]).save(large)
    shutil.copyfile(large, model)
    expected = {"label": TextClassifier.load(large).predict(["cheap w5"])[0]}, {"label": "new"}
    server, wrong, stop = serve("--watch", "0.05"), [], threading.Event()

    def read():
        while not stop.is_set():
            status, answer = server.ask("POST", "/predict", {"text": "cheap w5"})
            if status != 200 or answer not in expected:
                wrong.append(answer)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for _ in range(5):
        shutil.copyfile(other, model)  # in place, unlike save and mv
        time.sleep(0.05)
        os.truncate(model, 100)
        time.sleep(0.05)
        shutil.copyfile(large, model)
        time.sleep(0.05)
        os.truncate(model, 0)
        time.sleep(0.05)
    shutil.copyfile(other, model)
    eventually(lambda: server.ask("POST", "/predict", {"text": "cheap w5"})[1] == {"label": "new"})
    stop.set()
    for reader in readers:
        reader.join()
    assert wrong == []
    assert server.stop()[0] == 0
