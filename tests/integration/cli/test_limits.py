"""Input that would fill memory, or never end."""

import gzip
import json
import os
import threading

import pytest

from textbayes import TextClassifier

LABELLED = [("cheap pills", "spam"), ("team lunch", "ham"), ("pills " * 100, "spam"), ("cheap money", "spam")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    TextClassifier("multinomial").fit(*zip(*LABELLED, strict=True)).save("m.tb")
    lines = "".join(
        json.dumps({"text": text, "label": label, "new_label": "spam"}) + "\n" for text, label in LABELLED
    )
    (tmp_path / "mail.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "words.txt").write_text("lunch " * 1000, encoding="utf-8")
    return tmp_path


COMMANDS = [
    ["train", "mail.jsonl.gz", "--model", "complement", "-o", "n.tb"],
    ["train", "mail.jsonl.gz", "--model", "complement", "--no-documents", "-o", "n.tb"],
    ["predict", "m.tb", "mail.jsonl.gz"],
    ["evaluate", "m.tb", "mail.jsonl.gz"],
    ["compare", "mail.jsonl.gz", "--model", "complement", "--folds", "2"],
    ["explain", "m.tb", "mail.jsonl.gz"],
    ["teach", "m.tb", "mail.jsonl.gz", "-o", "n.tb"],
    ["forget", "m.tb", "mail.jsonl.gz", "-o", "n.tb"],
    ["relabel", "m.tb", "mail.jsonl.gz", "-o", "n.tb"],
]


@pytest.mark.parametrize("args", COMMANDS, ids=lambda args: " ".join(args))
def test_every_command_has_the_limit(call, folder, args):
    _, err = call(*args, "--max-record", "300", code=2)
    assert "mail.jsonl.gz, line 3: this line has over 300 characters" in err
    assert "pass --max-record a larger number" in err
    assert not (folder / "n.tb").exists()


def test_a_record_that_is_too_long_can_be_left_out(call):
    out, err = call("predict", "m.tb", "mail.jsonl.gz", "--max-record", "300", "--on-error", "report")
    found = [json.loads(line) for line in out.splitlines()]
    assert [record["label"] is None for record in found] == [False, False, True, False]
    assert found[2] == {"id": "3", "label": None, "error": "this line has over 300 characters"}
    assert "Left out 1 bad record" in err


def test_one_text(call):
    for text, stdin in (("words.txt", b""), ("-", b"lunch " * 1000)):
        args = ["--format", "text"] if text == "-" else []
        call("explain", "m.tb", text, *args, stdin=stdin)
        _, err = call("explain", "m.tb", text, *args, "--max-record", "100", stdin=stdin, code=2)
        assert "has over 100 characters" in err
    _, err = call("explain", "m.tb", "-", "--max-record", "100", stdin=b"lunch " * 1000, code=2)
    assert "the file has over 100 characters" in err


@pytest.mark.parametrize("number", ["0", "-1", "many"])
def test_the_limit_is_a_whole_number(call, number):
    call("predict", "m.tb", "mail.jsonl.gz", "--max-record", number, code=2)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs")
@pytest.mark.timeout(60)
def test_texts_from_a_fifo(call, folder):
    os.mkfifo("mail.txt")
    writer = threading.Thread(target=lambda: (folder / "mail.txt").write_text("cheap pills\nteam lunch\n"))
    writer.start()
    out, _ = call("predict", "m.tb", "mail.txt")
    writer.join()
    assert [json.loads(line)["label"] for line in out.splitlines()] == ["spam", "ham"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs")
@pytest.mark.timeout(60)
def test_parquet_from_a_fifo_does_not_wait(call):
    os.mkfifo("mail.parquet")
    _, err = call("predict", "m.tb", "mail.parquet", code=2)
    assert "Parquet is read from its end, so it has to be a file" in err


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there are no devices")
@pytest.mark.timeout(120)
def test_an_endless_line(call):
    _, err = call("predict", "m.tb", "/dev/zero", "--format", "text", code=2)
    assert "this line has over 67,108,864 characters" in err
