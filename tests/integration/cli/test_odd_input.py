"""Files as other programs write them, and answers that need a word of warning."""

import gzip
import json
import os
import signal
import subprocess
import sys

import pytest
from processes import PROGRAM

from textbayes import TextClassifier
from textbayes.cli import main

pty = pytest.importorskip("pty")

MAIL = [
    ("cheap pills", "스팸 📧"),
    ("team lunch", "햄 हिन्दी"),
    ("cheap money", "스팸 📧"),
    ("lunch قمح", "햄 हिन्दी"),
]


@pytest.fixture
def tell(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)

    def tell(*args):
        """Run a command that has to succeed; return what it writes and what it says."""
        with pytest.raises(SystemExit) as ended:
            main([str(arg) for arg in args])
        out, err = capfd.readouterr()
        assert ended.value.code in (0, None), err
        return out, err

    return tell


def as_csv(between=",", end="\n", names=("text", "label")):
    rows = [names, *MAIL]
    return "".join(f"{one}{between}{other}{end}" for one, other in rows)


def as_lines(**names):
    text, label = names.get("text", "text"), names.get("label", "label")
    return "".join(json.dumps({text: one, label: other}, ensure_ascii=False) + "\n" for one, other in MAIL)


@pytest.mark.parametrize(
    ("name", "content", "options"),
    [
        ("crlf.csv", as_csv(end="\r\n").encode(), ()),
        ("old-mac.csv", as_csv(end="\r").encode(), ()),
        ("bom.csv", as_csv().encode("utf-8-sig"), ()),
        ("bom.jsonl", as_lines().encode("utf-8-sig"), ()),
        ("semicolons.csv", as_csv(";").encode(), ()),
        ("tabs.csv", as_csv("\t").encode(), ()),
        ("wide.csv", as_csv().encode("utf-16"), ("--encoding", "utf-16")),
        ("packed.csv.gz", gzip.compress(as_csv().encode()), ()),
        ("폴더 🙂.csv", as_csv(names=("본문", "분류")).encode(), ("--text", "본문", "--label", "분류")),
        ("a.jsonl", as_lines(text="نص", label="🏷️").encode(), ("--text", "نص", "--label", "🏷️")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_files_of_other_programs(tell, tmp_path, name, content, options):
    (tmp_path / name).write_bytes(content)
    out, err = tell("train", name, "-o", "m.tb", *options)
    assert "4 documents, 2 classes" in out
    assert err.startswith(f"{name}: text = ")
    assert TextClassifier.load("m.tb").predict(["cheap", "lunch"]).tolist() == ["스팸 📧", "햄 हिन्दी"]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [([1, 2], ["1", "2"]), ([True, False], ["true", "false"]), ([1.5, 2], ["1.5", "2"])],
    ids=["numbers", "bools", "reals"],
)
def test_labels_that_are_no_strings(tell, tmp_path, labels, expected):
    lines = [{"text": text, "label": label} for text, label in zip(["cheap", "lunch"], labels, strict=True)]
    (tmp_path / "m.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    tell("train", "m.jsonl", "-o", "m.tb")
    out, _ = tell("predict", "m.tb", "m.jsonl")
    assert [json.loads(line)["label"] for line in out.splitlines()] == expected


def test_a_model_that_can_say_only_one_thing(tell, tmp_path):
    (tmp_path / "m.jsonl").write_text('{"text": "team lunch", "label": "햄"}\n')
    out, err = tell("train", "m.jsonl", "-o", "m.tb")
    assert "1 document, 1 class, 3 terms" in out  # two words, and a pair of them
    assert "All documents have the label '햄': the model can give no other answer." in err
    (tmp_path / "m.jsonl").write_text('{"text": "team lunch", "label": []}\n')
    out, err = tell("train", "m.jsonl", "-o", "m.tb", "--multilabel", "--model", "complement")
    assert "No document has a label: the model can give none." in err


def test_more_classes_than_there_are(tell, tmp_path):
    (tmp_path / "m.jsonl").write_text(as_lines(), encoding="utf-8")
    tell("train", "m.jsonl", "-o", "m.tb")
    out, _ = tell("predict", "m.tb", "m.jsonl", "--csv", "--top", 10**18)
    assert out.splitlines()[0] == "id,label,label_1,label_2"
    out, _ = tell("inspect", "m.tb", "--terms", 10**18, "--json")
    assert len(json.loads(out)["classes"]) == 2


def test_what_would_move_the_cursor_is_not_sent_to_a_terminal(tell, tmp_path):
    TextClassifier().fit(*zip(*MAIL, strict=True)).save("m.tb")
    text = "cheap\x1b[31m\x07 lunch\r\n\u009b2J team"
    out, _ = tell("explain", "m.tb", text, "--html", "why.html")
    assert not set(out) & set("\x1b\x07\u009b")
    assert "cheap" in out
    assert "\x1b" not in (tmp_path / "why.html").read_text(encoding="utf-8")
    out, _ = tell("explain", "m.tb", text, "--json")
    assert json.loads(out)["text"] == text
    tell("explain", "m.tb", "cheap", "--html", "why.html")  # a page replaces a page


def test_a_model_replaces_a_model_and_an_empty_file(tell, tmp_path):
    (tmp_path / "m.jsonl").write_text(as_lines(), encoding="utf-8")
    (tmp_path / "m.tb").touch()
    tell("train", "m.jsonl", "-o", "m.tb", "--model", "complement")
    whole = (tmp_path / "m.tb").read_bytes()
    (tmp_path / "m.tb").write_bytes(whole[:100])
    tell("train", "m.jsonl", "-o", "m.tb", "--model", "complement")
    assert (tmp_path / "m.tb").read_bytes() == whole


CLOSED = (
    "import os, sys; os.close(int(sys.argv[1])); os.execv(sys.executable, [sys.executable, *sys.argv[2:]])"
)


@pytest.mark.parametrize(
    ("closed", "args", "code"),
    [(0, ("predict", "m.tb", "-"), 2), (0, ("explain", "m.tb", "-"), 0), (1, ("inspect", "m.tb"), 0)],
    ids=["predict without input", "explain without input", "inspect without output"],
)
def test_without_standard_streams(environment, tmp_path, closed, args, code):
    TextClassifier().fit(*zip(*MAIL, strict=True)).save(tmp_path / "m.tb")
    command = [sys.executable, "-c", CLOSED, str(closed), *PROGRAM[1:], *args]
    done = subprocess.run(
        command, env=environment, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, timeout=60
    )
    assert done.returncode == code, done.stderr
    assert b"Traceback" not in done.stderr


def test_ctrl_d_once_ends_the_input(environment, tmp_path):
    outer, inner = pty.openpty()
    process = subprocess.Popen(
        [*PROGRAM, "train", "-", "-o", str(tmp_path / "m.tb")],
        env=environment,
        stdin=inner,
        stdout=-1,
        stderr=-1,
    )
    os.close(inner)
    os.write(outer, b"\x04")
    _, said = process.communicate(timeout=60)
    os.close(outer)
    assert process.returncode == 2
    assert b"standard input holds no documents." in said


def test_ctrl_c_while_learning_leaves_no_file(environment, tmp_path):
    process = subprocess.Popen(
        [*PROGRAM, "train", "-", "-o", str(tmp_path / "m.tb")],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=-1,
        stderr=-1,
    )
    process.stdin.write(as_lines().encode() * 20_000)
    process.stdin.flush()  # it has read most of this, and waits for the end of it
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in said
    assert list(tmp_path.glob("*.tb*")) == []


def test_a_message_is_not_red_from_end_to_end(on_terminal, tmp_path):
    code, shown = on_terminal("inspect", tmp_path / "없다.tb")
    assert code == 2
    assert "\x1b[1;31mModelMissingError\x1b[0m: There is no model" in shown
