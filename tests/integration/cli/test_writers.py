"""Commands that write model files: they exclude each other, and replace only what they may."""

import json
import os
import stat
import subprocess
import threading

import pytest
from processes import PROGRAM

import warm
from textbayes import TextClassifier
from textbayes.persistence import write_lock

TEXTS, LABELS = ["wheat corn", "corn harvest", "crude oil", "oil output"], ["grain", "grain", "oil", "oil"]


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "news.tb"
    TextClassifier("complement").fit(TEXTS, LABELS).save(path)
    return path


def lines(*texts):
    return "".join(json.dumps({"text": text, "label": "new", "new_label": "newer"}) + "\n" for text in texts)


@pytest.mark.parametrize(
    "command",
    [
        ("teach", "MODEL", "-"),
        ("forget", "MODEL", "-"),
        ("relabel", "MODEL", "-"),
        ("settle", "MODEL"),
        ("reconsider", "MODEL"),
        ("merge", "MODEL", "MODEL", "-o", "MODEL"),
    ],
    ids=lambda command: command[0],
)
def test_a_command_waits_then_says_who_changes_the_file(command, run, model):
    before = model.read_bytes()
    arguments = [str(model) if word == "MODEL" else word for word in command]
    with write_lock(model):
        done = run(*arguments, "--wait", "0.2", input=lines("wheat corn"))
    assert done.returncode == 2
    assert f"is being changed by process {os.getpid()} (" in done.stderr
    assert "waited 0.2 s" in done.stderr
    assert "[model-locked]" in done.stderr
    assert model.read_bytes() == before


def test_commands_at_once_lose_nothing(model, environment):
    running = []
    for number in range(4):
        file = model.with_name(f"{number}.jsonl")
        file.write_text(lines(f"text number {number}"))
        command = [*PROGRAM, "teach", str(model), str(file), "--wait", "100", "--json"]
        running.append(warm.Popen(command, stdout=subprocess.PIPE, env=environment))
    assert [json.loads(process.communicate()[0])["taught"] for process in running] == [1] * 4
    classifier = TextClassifier.load(model)
    assert classifier.documents_ == len(TEXTS) + 4
    classifier.forget([f"text number {number}" for number in range(4)], ["new"] * 4)


def test_waiting_for_texts_does_not_lock_the_file(model, environment):
    command = [*PROGRAM, "teach", str(model), "-", "--format", "jsonl", "--json"]
    with warm.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as slow:
        slow.stdin.write(lines("first text").encode())
        slow.stdin.flush()
        # Another program changes the file while the first one waits for more texts.
        threading.Event().wait(3)
        with write_lock(model, wait=0):
            TextClassifier.load(model).teach(["second text"], ["other"]).save(model)
        assert json.loads(slow.communicate()[0])["taught"] == 1
    assert TextClassifier.load(model).documents_ == len(TEXTS) + 2


@pytest.mark.parametrize("kind", ["fifo", "device", "socket", "folder", "read-only"])
def test_output_replaces_only_a_regular_file_that_may_be_written(kind, run, model, tmp_path):
    output = tmp_path / "output.tb"
    if kind == "fifo":
        os.mkfifo(output)
    elif kind == "device":
        output = tmp_path / "null.tb"
        output.symlink_to(os.devnull)
    elif kind == "socket":
        import socket

        with socket.socket(socket.AF_UNIX) as made:
            here = os.getcwd()
            os.chdir(tmp_path)
            made.bind(output.name)
            os.chdir(here)
    elif kind == "folder":
        output.mkdir()
    else:
        output.write_bytes(model.read_bytes())
        output.chmod(0o444)
    before = os.stat(output)
    for command in (
        ("teach", str(model), "-", "-o", str(output)),
        ("train", "-", "--format", "jsonl", "--model", "complement", "-o", str(output)),
        ("merge", str(model), str(model), "-o", str(output)),
        ("compact", str(model), "-o", str(output)),
    ):
        done = run(*command, input=lines("one text", "two texts"))
        assert done.returncode == 2, command
        expected = "it is read-only" if kind == "read-only" else f"it is a {kind.replace('fifo', 'FIFO')}"
        assert expected in done.stderr, command
    after = os.stat(output)
    assert (after.st_ino, after.st_mode) == (before.st_ino, before.st_mode)


def test_a_private_model_stays_private_and_a_link_stays_a_link(run, model, tmp_path):
    model.chmod(0o600)
    link = tmp_path / "live.tb"
    link.symlink_to("news.tb")
    assert run("teach", str(link), "-", input=lines("one text")).returncode == 0
    assert link.is_symlink()
    assert stat.S_IMODE(model.stat().st_mode) == 0o600
    assert TextClassifier.load(model).documents_ == len(TEXTS) + 1
    assert sorted(os.listdir(tmp_path)) == ["live.tb", "news.tb"]


def test_a_fifo_as_a_model_does_not_hang(run, tmp_path):
    fifo = tmp_path / "fifo.tb"
    os.mkfifo(fifo)
    for command in (
        ("predict", str(fifo), "-"),
        ("explain", str(fifo), "a text"),
        ("inspect", str(fifo)),
        ("verify", str(fifo)),
        ("teach", str(fifo), "-"),
    ):
        done = run(*command, input="{}")
        assert done.returncode == 2, command
        assert "it is a FIFO" in done.stderr, command
