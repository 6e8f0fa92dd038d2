"""Every kind of input, through every command that reads data; lines that cannot be read."""

import bz2
import json
import lzma
import os
import subprocess

import pytest
from processes import PROGRAM

from textbayes import TextClassifier

MAIL = [
    ("cheap pills 당첨", "스팸 📧"),
    ("team lunch", "햄"),
    ("cheap money", "스팸 📧"),
    ("lunch قمح", "햄"),
]
LINES = [json.dumps({"text": text, "label": label}, ensure_ascii=False) for text, label in MAIL]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts, labels = zip(*MAIL, strict=True)
    TextClassifier("complement").fit(texts, labels).save("m.tb")
    return tmp_path


def answers(out):
    return [(record["id"], record["label"]) for record in map(json.loads, out.splitlines())]


def test_plain_text_on_standard_input(call):
    out, err = call("predict", "m.tb", "-", stdin="cheap 당첨\r\n\nlunch\u2028team\n".encode())
    assert answers(out)[::2] == [("1", "스팸 📧"), ("3", "햄")]
    assert len(answers(out)) == 3
    assert err == "standard input: plain text, one text per line\n"
    out, _ = call("predict", "m.tb", "-", "--encoding", "utf-16", stdin="cheap\nlunch\n".encode("utf-16"))
    assert answers(out) == [("1", "스팸 📧"), ("2", "햄")]
    out, err = call("predict", "m.tb", "-", stdin=b"text,label\nlunch,x\n")
    assert "looks like a header: for CSV, pass --format csv" in err
    out, _ = call("predict", "m.tb", "-", "--format", "csv", stdin=b"text,label\nlunch,x\n")
    assert answers(out) == [("2", "햄")]


def test_a_pipe_in_a_real_process(environment, folder):
    process = subprocess.Popen(
        [*PROGRAM, "predict", "m.tb", "-"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    process.stdin.write("free cheap 🎁\n".encode())
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["label"] == "스팸 📧"  # before the input ends
    out, _ = process.communicate(b"lunch", timeout=60)
    assert answers(out.decode()) == [("2", "햄")]


def write_all(folder):
    """Write the same documents in many ways; return the names and options."""
    rows = [f"{label},{text}" for text, label in MAIL]
    files = {
        "fast.txt": "".join(f"__label__{label.replace(' ', '-')} {text}\n" for text, label in MAIL).encode(),
        "array.json": f"[{', '.join(LINES)}]".encode(),
        "lines.jsonl.bz2": bz2.compress("\n".join(LINES).encode()),
        "rows.csv.xz": lzma.compress("\n".join(["label,text", *rows]).encode()),
        "bare.csv": "\n".join(rows).encode(),
        "pipes.txt": "\n".join(["label|text", *rows]).replace(",", "|").encode(),
        "wide.tsv": ("\ufeff" + "\n".join(rows)).replace(",", "\t").encode("utf-16-le"),
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    numbers = ("--no-header", "--label", "1", "--text", "2")
    return {
        "fast.txt": (),
        "array.json": (),
        "lines.jsonl.bz2": (),
        "rows.csv.xz": (),
        "bare.csv": numbers,
        "pipes.txt": ("--delimiter", "|"),
        "wide.tsv": (*numbers, "--encoding", "utf-16-le"),
    }


def test_every_command_reads_every_format(call, folder):
    whole = (folder / "m.tb").read_bytes()
    for name, options in write_all(folder).items():
        args = (name, *options)
        call("train", *args, "-o", "new.tb", "--model", "complement", "--no-loo")
        classes = TextClassifier.load("new.tb").classes_.tolist()
        assert classes == (["스팸-📧", "햄"] if name == "fast.txt" else ["스팸 📧", "햄"])
        columns = [each for each in options if each not in ("--label", "1")]  # predict has no labels
        out, _ = call("predict", "new.tb", name, *columns)
        assert [label for _, label in answers(out)] == [
            label.replace(" ", "-") if name == "fast.txt" else label for _, label in MAIL
        ]
        out, _ = call("evaluate", "new.tb", *args, "--json")
        assert (json.loads(out)["accuracy"], json.loads(out)["documents"]) == (1, 4)
        before = (folder / "new.tb").read_bytes()
        out, _ = call("teach", "new.tb", *args, "--json")
        assert json.loads(out)["taught"] == 4
        call("forget", "new.tb", *args)
        assert len((folder / "new.tb").read_bytes()) == len(before)
        if name != "fast.txt":
            assert before == whole
    out, _ = call("compare", "bare.csv", *options[:5], "--model", "complement", "--folds", 2, "--json")
    assert json.loads(out)["documents"] == 4


def test_several_files(call, folder):
    (folder / "a.jsonl").write_text("\n".join(LINES[:2]), encoding="utf-8")
    (folder / "b.csv").write_text(
        "label,text\n" + "\n".join(f"{b},{a}" for a, b in MAIL[2:]), encoding="utf-8"
    )
    out, err = call("train", "a.jsonl", "b.csv", "-o", "new.tb", "--model", "complement")
    assert "4 documents, 2 classes" in out
    assert "a.jsonl: text = 'text', label = 'label'\nb.csv: text = 'text', label = 'label'\n" in err
    assert (folder / "new.tb").read_bytes() == (folder / "m.tb").read_bytes()
    out, _ = call("train", "a.jsonl", "b.csv", "-o", "new.tb", "--budget", 5)
    assert "4 documents, 2 classes" in out
    out, _ = call("predict", "m.tb", "a.jsonl", "b.csv")
    assert [id for id, _ in answers(out)] == ["a.jsonl:1", "a.jsonl:2", "b.csv:2", "b.csv:3"]
    (folder / "c.csv").write_text("body,topic\nlunch,x\n")
    for command in (("train", "a.jsonl", "c.csv", "-o", "new.tb"), ("evaluate", "m.tb", "a.jsonl", "c.csv")):
        assert "ColumnError: c.csv has no column 'text'" in call(*command, code=2)[1]
    (folder / "d.txt").write_text("lunch\n")
    for model in ("auto", "complement"):
        args = ("train", "a.jsonl", "d.txt", "-o", "new.tb", "--model", model)
        assert "ColumnError: d.txt has no labels" in call(*args, code=2)[1]


def test_several_text_columns(call, folder):
    (folder / "t.csv").write_text("title,body,label\ncheap,pills,spam\nlunch,team,ham\n")
    _, err = call(
        "train", "t.csv", "-o", "new.tb", "--model", "complement", "--text", "title", "--text", "body"
    )
    assert "t.csv: text = 'title' + 'body', label = 'label'" in err
    terms = TextClassifier.load("new.tb").counter_.get_feature_names_out().tolist()
    assert terms == ["cheap", "lunch", "pills", "team"]
    out, _ = call("predict", "new.tb", "t.csv", "--text", "title", "--text=body")
    assert answers(out) == [("2", "spam"), ("3", "ham")]


BAD = [*LINES, "not JSON", '{"text": null, "label": "햄"}', '{"text": "lunch", "label": null}', *LINES]


@pytest.mark.parametrize("count", [900, 10, 0])
def test_answers_before_a_bad_line_are_written(call, folder, count):
    lines = [json.dumps({"text": f"cheap {number}"}) for number in range(count)]
    (folder / "f.jsonl").write_text("\n".join([*lines, "broken", *lines]))
    for options in ((), ("--csv",)):
        out, err = call("predict", "m.tb", "f.jsonl", *options, code=2)
        assert len(out.splitlines()) == count + len(options)
        assert f"RecordError: f.jsonl, line {count + 1}: this is not JSON" in err
    assert "bad" not in err


MANY = "".join(f"text {number**3}\n" for number in range(100_000)).encode()


@pytest.mark.parametrize("content", [b"one\ntwo\n\xff\nfour\n", bz2.compress(MANY, 1)[:-100_000]])
def test_answers_before_damaged_bytes_are_written(call, folder, content):
    (folder / "f.txt").write_bytes(content)
    out, err = call("predict", "m.tb", "f.txt", code=2)
    assert len(out.splitlines()) == 2 if content[:3] == b"one" else len(out.splitlines()) > 10_000
    assert "f.txt" in err


def test_bad_records_are_skipped(call, folder):
    (folder / "f.jsonl").write_text("\n".join(BAD), encoding="utf-8")
    out, err = call("predict", "m.tb", "f.jsonl", "--on-error", "skip")
    assert [id for id, _ in answers(out)] == ["1", "2", "3", "4", "7", "8", "9", "10", "11"]
    assert err.splitlines()[1:] == [
        "Left out 2 bad records; the first: f.jsonl, line 5: this is not JSON at column 1 (Expecting value)."
    ]
    for args in (
        ("train", "f.jsonl", "-o", "new.tb", "--budget", 5),
        ("train", "f.jsonl", "-o", "new.tb", "--model", "complement"),
        ("train", "f.jsonl", "-o", "new.tb", "--model", "twcnb", "--no-documents"),
        ("evaluate", "m.tb", "f.jsonl"),
        ("compare", "f.jsonl", "--model", "complement", "--folds", 2),
        ("teach", "m.tb", "f.jsonl", "-o", "new.tb"),
    ):
        out, err = call(*args, "--on-error", "skip")
        assert err.count("Left out 3 bad records; the first: f.jsonl, line 5: this is not JSON") == 1, args
        call(*args, code=2)
    call("teach", "m.tb", "f.jsonl", "--on-error", "skip")
    call("forget", "m.tb", "f.jsonl", "--on-error", "skip")


def test_bad_records_are_reported(call, folder):
    (folder / "f.jsonl").write_text("\n".join(BAD), encoding="utf-8")
    out, err = call("predict", "m.tb", "f.jsonl", "--on-error", "report", "--proba")
    rows = list(map(json.loads, out.splitlines()))
    assert [row["id"] for row in rows] == [str(number) for number in range(1, 12)]
    assert rows[4] == {"id": "5", "label": None, "error": "this is not JSON at column 1 (Expecting value)"}
    assert rows[5] == {"id": "6", "label": None, "error": "has null as its 'text'"}
    assert "error" not in rows[0]
    assert err.splitlines()[1:] == [
        "f.jsonl, line 5: this is not JSON at column 1 (Expecting value)",
        "f.jsonl, line 6: has null as its 'text'",
        "Left out 2 bad records.",
    ]
    out, _ = call("predict", "m.tb", "f.jsonl", "--on-error", "report", "--csv", "--top", 1)
    assert out.splitlines()[0] == "id,label,label_1,error"
    assert out.splitlines()[5] == "5,,,this is not JSON at column 1 (Expecting value)"
    assert out.splitlines()[1] == "1,스팸 📧,스팸 📧,"
    for model in ("complement", "twcnb"):
        _, err = call(
            "train", "f.jsonl", "-o", "new.tb", "--model", model, "--no-documents", "--on-error", "report"
        )
        assert err.count("f.jsonl, line 7: the document '7' has no label\n") == 1
        assert "Left out 3 bad records.\n" in err


def test_documents_without_labels_are_not_bad_in_a_multilabel_model(call, folder):
    (folder / "f.jsonl").write_text("\n".join(BAD), encoding="utf-8")
    for model in ("complement", "auto"):
        args = ("train", "f.jsonl", "-o", "new.tb", "--multilabel", "--model", model, "--on-error", "skip")
        out, err = call(*args)
        assert "9 documents" in out
        assert "Left out 2 bad records" in err


def test_nothing_but_bad_records(call, folder):
    (folder / "f.jsonl").write_text('{"text": "a", "label": null}\n' * 3)
    for model in ("complement", "auto"):
        args = ("train", "f.jsonl", "-o", "new.tb", "--on-error", "skip", "--model", model)
        assert "f.jsonl holds no documents besides bad ones" in call(*args, code=2)[1]
    (folder / "f.txt").write_bytes(b"\xff\n\xfe\n")
    out, err = call("predict", "m.tb", "f.txt", "--on-error", "skip")
    assert (out, "Left out 2 bad records" in err) == ("", True)


def test_a_record_without_an_id_has_its_line_number(call, folder):
    (folder / "f.jsonl").write_text('{"text": "lunch"}\n\n{"text": "a", "id": "나"}\n{"text": "b"}\n')
    out, _ = call("predict", "m.tb", "f.jsonl")
    assert [id for id, _ in answers(out)] == ["1", "나", "4"]
    (folder / "g.jsonl").write_text('{"text": "a", "label": "햄", "id": "나"}\n{"text": "b", "label": ""}\n')
    for command in (("teach", "m.tb", "g.jsonl"), ("evaluate", "m.tb", "g.jsonl")):
        assert "g.jsonl, line 2: the document '2' has no label" in call(*command, code=2)[1]
    (folder / "g.jsonl").write_text(
        '{"text": "a", "label": "햄", "id": "나"}\n{"text": "b", "label": "햄"}\n'
    )
    assert "has not learned document '나'" in call("forget", "m.tb", "g.jsonl", code=2)[1]


def test_nul_and_carriage_returns(call, folder):
    (folder / "f.txt").write_bytes(b"cheap\x00pills\rlunch\r\nteam")
    out, _ = call("predict", "m.tb", "f.txt")
    assert [id for id, _ in answers(out)] == ["1", "2", "3"]


@pytest.mark.skipif(os.name != "posix", reason="a named pipe")
def test_a_named_pipe(call, folder):
    os.mkfifo("pipe.txt")
    writer = subprocess.Popen(["sh", "-c", "echo lunch > pipe.txt"])
    out, _ = call("predict", "m.tb", "pipe.txt")
    writer.wait(timeout=60)
    assert answers(out) == [("1", "햄")]


def test_wrong_weights_and_new_labels_are_bad_records(call, folder):
    lines = [{"text": "cheap", "label": "스팸 📧", "w": 2}, {"text": "lunch", "label": "햄", "w": "무게"}]
    (folder / "w.jsonl").write_text(
        "\n".join(map(json.dumps, [*lines, {"text": "team", "label": "햄", "w": 1}]))
    )
    for command in (
        ("train", "w.jsonl", "-o", "new.tb", "--model", "complement"),
        ("teach", "m.tb", "w.jsonl"),
    ):
        args = (*command, "--weight", "w")
        assert "w.jsonl, line 2: the document '2' has '무게' as its 'w'" in call(*args, code=2)[1]
        out, err = call(*args, "--on-error", "skip")
        assert "Left out 1 bad record" in err
    text, label = MAIL[0]
    lines = [{"text": text, "label": label, "new_label": new} for new in ("새", None, {"a": 1})]
    (folder / "r.jsonl").write_text("\n".join(map(json.dumps, lines)))
    _, err = call("relabel", "m.tb", "r.jsonl", code=2)
    assert "FieldError: r.jsonl, line 2: the document '2' has no new_label" in err
    out, err = call("relabel", "m.tb", "r.jsonl", "--on-error", "report")
    assert "Relabelled 1 document" in out
    assert "r.jsonl, line 3: the document '3' has {'a': 1} as its 'new_label'" in err
