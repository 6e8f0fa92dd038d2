"""Files written by other programs, warnings, and unusual terminals and streams."""

import gzip
import json
import os
import signal
import subprocess
import sys

import pytest
from processes import PROGRAM

import warm
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
def succeed(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)

    def succeed(*args):
        """Run a command that must succeed; return its stdout and stderr."""
        with pytest.raises(SystemExit) as ended:
            main([str(arg) for arg in args])
        out, err = capfd.readouterr()
        assert ended.value.code in (0, None), err
        return out, err

    return succeed


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
def test_files_written_by_other_programs(succeed, tmp_path, name, content, options):
    (tmp_path / name).write_bytes(content)
    out, err = succeed("train", name, "-o", "m.tb", *options)
    assert "4 documents, 2 classes" in out
    assert err.startswith(f"{name}: text = ")
    assert TextClassifier.load("m.tb").predict(["cheap", "lunch"]).tolist() == ["스팸 📧", "햄 हिन्दी"]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [([1, 2], ["1", "2"]), ([True, False], ["true", "false"]), ([1.5, 2], ["1.5", "2"])],
    ids=["numbers", "bools", "reals"],
)
def test_labels_that_are_not_strings(succeed, tmp_path, labels, expected):
    lines = [{"text": text, "label": label} for text, label in zip(["cheap", "lunch"], labels, strict=True)]
    (tmp_path / "m.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    succeed("train", "m.jsonl", "-o", "m.tb")
    out, _ = succeed("predict", "m.tb", "m.jsonl")
    assert [json.loads(line)["label"] for line in out.splitlines()] == expected


def test_a_constant_model_has_a_warning(succeed, tmp_path):
    (tmp_path / "m.jsonl").write_text('{"text": "team lunch", "label": "햄"}\n')
    out, err = succeed("train", "m.jsonl", "-o", "m.tb")
    assert "1 document, 1 class, 2 terms" in out  # word pairs and characters do not pay
    assert "All documents have the label '햄': the model always predicts it." in err
    (tmp_path / "m.jsonl").write_text('{"text": "team lunch", "label": []}\n')
    out, err = succeed("train", "m.jsonl", "-o", "m.tb", "--multilabel", "--model", "complement")
    assert "No document has a label: the model never predicts one." in err


def test_top_beyond_the_number_of_classes(succeed, tmp_path):
    (tmp_path / "m.jsonl").write_text(as_lines(), encoding="utf-8")
    succeed("train", "m.jsonl", "-o", "m.tb")
    out, _ = succeed("predict", "m.tb", "m.jsonl", "--csv", "--top", 10**18)
    assert out.splitlines()[0] == "id,label,label_1,label_2"
    out, _ = succeed("inspect", "m.tb", "--terms", 10**18, "--json")
    assert len(json.loads(out)["classes"]) == 2


def test_control_characters_are_not_printed(succeed, tmp_path):
    TextClassifier().fit(*zip(*MAIL, strict=True)).save("m.tb")
    text = "cheap\x1b[31m\x07 lunch\r\n\u009b2J team"
    out, _ = succeed("explain", "m.tb", text, "--html", "why.html")
    assert not set(out) & set("\x1b\x07\u009b")
    assert "cheap" in out
    assert "\x1b" not in (tmp_path / "why.html").read_text(encoding="utf-8")
    out, _ = succeed("explain", "m.tb", text, "--json")
    assert json.loads(out)["text"] == text
    succeed("explain", "m.tb", "cheap", "--html", "why.html")  # a page replaces a page


def test_a_model_may_replace_a_model_or_an_empty_file(succeed, tmp_path):
    (tmp_path / "m.jsonl").write_text(as_lines(), encoding="utf-8")
    (tmp_path / "m.tb").touch()
    succeed("train", "m.jsonl", "-o", "m.tb", "--model", "complement")
    whole = (tmp_path / "m.tb").read_bytes()
    (tmp_path / "m.tb").write_bytes(whole[:100])
    succeed("train", "m.jsonl", "-o", "m.tb", "--model", "complement")
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


def test_one_ctrl_d_ends_the_input(environment, tmp_path):
    outer, inner = pty.openpty()
    process = warm.Popen(
        [*PROGRAM, "train", "-", "-o", str(tmp_path / "m.tb")],
        env=environment,
        stdin=inner,
        stdout=-1,
        stderr=-1,
    )
    os.close(inner)
    os.write(outer, b"\x04")
    _, stderr = process.communicate(timeout=60)
    os.close(outer)
    assert process.returncode == 2
    assert b"standard input holds no documents." in stderr


def test_ctrl_c_while_learning_leaves_no_file(environment, tmp_path):
    process = warm.Popen(
        [*PROGRAM, "train", "-", "-o", str(tmp_path / "m.tb")],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=-1,
        stderr=-1,
    )
    process.stdin.write(as_lines().encode() * 20_000)
    process.stdin.flush()  # it has read most of this and waits for the rest
    process.send_signal(signal.SIGINT)
    out, stderr = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in stderr
    assert list(tmp_path.glob("*.tb*")) == []


def test_only_the_name_of_an_error_is_red(on_terminal, tmp_path):
    code, shown = on_terminal("inspect", tmp_path / "없다.tb")
    assert code == 2
    assert "\x1b[1;31mFileMissingError\x1b[0m: There is nothing at" in shown
