"""textbayes push and pull: what is taught, how it goes on after an error, what is written."""

import json

import httpx
import pytest
from fake_server import FakeServer
from typer.testing import CliRunner

import textbayes.client
from textbayes.cli.app import app

URL = "http://127.0.0.1:8000"
RUNNER = CliRunner()
ROWS = [
    ("회의 자료", "업무"),
    ("cheap pills", "spam"),
    ("lunch at noon 🙂", "ham"),
    ('=1+1, "win"', "spam"),
    ("اجتماع", "عمل"),
]


@pytest.fixture
def connect(monkeypatch):
    """Make every client talk to a fake server."""
    real = textbayes.client.Client

    def to(server):
        def make(url, **options):
            return real(url, transport=httpx.MockTransport(server), **options)

        monkeypatch.setattr(textbayes.client, "Client", make)
        return server

    return to


@pytest.fixture
def mail(tmp_path):
    path = tmp_path / "메일.jsonl"
    lines = [
        json.dumps({"text": text, "label": label, "key": f"k{n}"}) for n, (text, label) in enumerate(ROWS)
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


def run(*args, code=0, **options):
    found = RUNNER.invoke(app, list(args), **options)
    assert found.exit_code == code, found.output
    return found


def test_push_teaches_in_batches_and_says_what_became_of_them(connect, mail):
    server = connect(FakeServer())
    found = run("push", mail, URL, "--batch", "2", "--settle")
    assert server.sizes == [2, 2, 1]
    assert server.settled == [None, None, True]
    assert [(each["text"], each["labels"]) for each in server.documents.values()] == ROWS
    assert "Taught 5 documents; the model is at version 5." in found.stdout


def test_push_again_teaches_nothing_twice_unless_asked_to(connect, mail):
    server = connect(FakeServer())
    run("push", mail, URL, "--batch", "2")
    run("push", mail, URL, "--batch", "2")
    assert len(server.documents) == 5
    run("push", mail, URL, "--again")
    assert len(server.documents) == 10


def test_push_goes_on_where_it_stopped(connect, mail):
    server = connect(FakeServer(fail_at=1))
    found = run("push", mail, URL, "--batch", "2", code=2)
    assert "The server has 2 documents" in found.stderr
    assert "pulled the plug" in found.stderr
    assert len(server.documents) == 2
    run("push", mail, URL, "--batch", "2")
    assert [(each["text"], each["labels"]) for each in server.documents.values()] == ROWS


def test_equal_batches_of_one_file_are_all_taught(connect, tmp_path):
    path = tmp_path / "same.csv"
    path.write_text("text,label\n" + "corn,grain\n" * 4, encoding="utf-8")
    server = connect(FakeServer())
    run("push", str(path), URL, "--batch", "2")
    assert len(server.documents) == 4


def test_push_with_ids_relabels(connect, mail, tmp_path):
    server = connect(FakeServer())
    run("push", mail, URL, "--id", "key")
    assert list(server.documents) == ["k0", "k1", "k2", "k3", "k4"]
    corrected = tmp_path / "corrected.csv"
    corrected.write_text("key,text,label\nk0,회의 자료,spam\nk1,cheap pills,spam\n", encoding="utf-8")
    server.documents["k1"]["source"] = str(corrected)
    found = json.loads(run("push", str(corrected), URL, "--id", "key", "--json").stdout)
    assert (found["relabelled"], found["unchanged"], found["taught"]) == (1, 1, 0)
    assert server.documents["k0"]["labels"] == "spam"


def test_push_sends_labels_of_the_models_kind_and_weights(connect, tmp_path):
    path = tmp_path / "numbers.csv"
    path.write_text("text,label,weight\ncorn,1,2.5\noil,2,0\n", encoding="utf-8")
    server = connect(FakeServer(False, [1, 2]))
    run("push", str(path), URL, "--weight", "weight")
    assert [(each["labels"], each["weight"]) for each in server.documents.values()] == [(1, 2.5), (2, 0.0)]


def test_push_sends_lists_if_texts_have_several_labels(connect, tmp_path):
    path = tmp_path / "several.csv"
    path.write_text("text,labels\nwheat and corn,wheat;grain\noil,oil\n", encoding="utf-8")
    server = connect(FakeServer())
    run("push", str(path), URL, "--separator", ";")
    assert [each["labels"] for each in server.documents.values()] == [["wheat", "grain"], ["oil"]]


def test_the_token_comes_from_a_file_or_the_environment(connect, mail, tmp_path):
    server = connect(FakeServer(token="tb_geheim"))
    found = run("push", mail, URL, code=2, env={"TEXTBAYES_TOKEN": ""})
    assert "token-refused" in found.stderr
    run("push", mail, URL, env={"TEXTBAYES_TOKEN": "tb_geheim\n"})
    assert len(server.documents) == 5
    file = tmp_path / "token"
    file.write_text("tb_geheim\n")
    run("pull", URL, "--token-file", str(file), env={"TEXTBAYES_TOKEN": "wrong"})
    found = run("pull", URL, "--token-file", str(tmp_path / "none"), code=2)
    assert "none" in found.stderr


def test_a_token_is_no_argument(mail):
    assert "No such option" in run("push", mail, URL, "--token", "tb_geheim", code=2).stderr


def test_pull_writes_json_lines_that_push_reads(connect, mail, tmp_path):
    connect(FakeServer())
    run("push", mail, URL, "--id", "key")
    lines = [json.loads(line) for line in run("pull", URL).stdout.splitlines()]
    assert [(line["text"], line["label"]) for line in lines] == ROWS
    assert lines[0]["id"] == "k0"
    path = tmp_path / "out.jsonl"
    assert "Wrote 5 documents" in run("pull", URL, "-o", str(path)).stdout
    other = connect(FakeServer())
    run("push", str(path), URL, "--id", "id")
    assert [(id, each["text"]) for id, each in other.documents.items()] == [
        (f"k{n}", text) for n, (text, _) in enumerate(ROWS)
    ]


def test_pull_as_csv_neutralises_formulas_unless_exact(connect, mail, tmp_path):
    connect(FakeServer())
    run("push", mail, URL)
    lines = run("pull", URL, "--csv", "--class", "spam").stdout.splitlines()
    assert lines[0] == "id,text,label,weight,version,time,actor,source"
    assert '"\'=1+1, ""win"""' in lines[2]
    path = tmp_path / "out.csv"
    assert "Wrote 5 documents" in run("pull", URL, "-o", str(path), "--exact").stdout
    assert '"=1+1, ""win"""' in path.read_text(encoding="utf-8")


def test_pull_joins_several_labels_and_refuses_a_mark_that_a_label_has(connect):
    server = connect(FakeServer())
    server.documents["a"] = {"id": "a", "text": "corn", "labels": ["grain", "wheat;corn"], "weight": 1.0}
    assert "grain|wheat;corn" in run("pull", URL, "--csv", "--separator", "|").stdout
    assert "wheat;corn" in run("pull", URL, "--csv", code=2).stderr


def test_pull_of_nothing_has_a_heading(connect):
    connect(FakeServer())
    assert run("pull", URL, "--csv").stdout == "id,text,label,weight,version,time,actor,source\n"
    assert run("pull", URL, "--search", "밀").stdout == ""


def test_pull_of_the_model(connect, tmp_path):
    connect(FakeServer())
    path = tmp_path / "mail.tb"
    assert "mail.tb (5 B)" in run("pull", URL, "--model", str(path), "--version", "3").stdout
    assert path.read_bytes() == b"model"
    other = tmp_path / "モデル.tb"
    found = json.loads(run("pull", URL, "--model", str(other), "--json").stdout)
    assert found == {"url": URL, "model": str(other), "version": None, "bytes": 5}
    assert "mail.tb" in run("pull", URL, "--model", str(path), code=2).stderr  # what is there is not a model
    found = json.loads(run("pull", URL, "-o", str(tmp_path / "밀.jsonl"), "--json").stdout)
    assert found == {"url": URL, "output": str(tmp_path / "밀.jsonl"), "documents": 0}
    run("pull", URL, "--version", "3", code=2)
    run("pull", URL, "--model", str(tmp_path / "none" / "mail.tb"), code=2)
    run("pull", URL, "-o", str(tmp_path / "x.parquet"), code=2)
