"""Several writers of one model file, and files that change under a running server."""

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
import warm
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


def run_command(*arguments):
    environment = {**os.environ, "PYTHONPATH": str(Path(textbayes.__file__).parents[1]), "NO_COLOR": "1"}
    return warm.run(
        [sys.executable, "-m", "textbayes", *arguments],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def test_of_two_servers_one_writes_and_the_other_follows(serve, model):
    first, second = serve("--writable"), serve("--writable")
    assert first.ask("POST", "/teach", {"text": "gold", "label": "금", "wait": 30})[0] == 200
    status, answer = second.ask("POST", "/teach", {"text": "ring", "label": "금"})
    assert (status, answer["error"]["code"]) == (409, "writer-elsewhere")
    assert first.address.geturl() in answer["error"]["what"]
    eventually(lambda: second.ask("POST", "/predict", {"text": "gold"}) == (200, {"label": "금"}))
    # When the first one stops, the second one writes; nothing is lost.
    assert first.stop()[0] == 0
    eventually(lambda: second.ask("POST", "/teach", {"text": "ring", "label": "금", "wait": 30})[0] == 200)
    assert second.stop()[0] == 0
    assert TextClassifier.load(model).documents_ == 7 + 2


def test_a_command_is_refused_while_a_server_writes(serve, model, tmp_path):
    server = serve("--writable")
    data = tmp_path / "more.jsonl"
    data.write_text(json.dumps({"text": "typed word", "label": "typed"}) + "\n")
    ended = run_command("teach", str(model), str(data), "--wait", "0.1")
    assert ended.returncode == 2
    assert "[model-locked]" in ended.stderr
    assert f"process {server.process.pid} (textbayes serve)" in ended.stderr
    assert "textbayes push" in ended.stderr
    assert server.ask("POST", "/teach", {"text": "gold", "label": "금", "wait": 30})[0] == 200
    assert server.stop()[0] == 0
    ended = run_command("teach", str(model), str(data))
    assert ended.returncode == 0, ended.stderr
    classifier = TextClassifier.load(model)
    assert {"typed", "금"} <= set(classifier.classes_.tolist())
    assert classifier.documents_ == 7 + 2
    # The next server goes on with the file as it is.
    again = serve("--writable")
    assert again.ask("GET", "/model")[1]["documents"] == 7 + 2


def test_a_file_that_another_program_changes(model):
    with write_lock(model):
        ended = run_command("serve", str(model), "--writable", "--port", "0", "--wait", "0.1")
    assert ended.returncode == 2
    assert "[model-locked]" in ended.stderr
    assert f"process {os.getpid()}" in ended.stderr  # the message names the holder


def test_reload(serve, model, other):
    server = serve("--watch", "0")
    assert server.ask("POST", "/reload", {}) == (200, {"model": "메일", "reloaded": False, "classes": 5})
    os.replace(other, model)
    assert server.ask("POST", "/predict", {"text": "cheap"}) == (200, {"label": "spam"})
    assert server.ask("POST", "/reload", {}) == (200, {"model": "메일", "reloaded": True, "classes": 2})
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
    assert "Serving 메일 as it is now." in stderr


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
