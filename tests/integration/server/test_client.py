"""The client, and the commands push and pull, with a real server."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import textbayes
import warm
from textbayes import TextClassifier
from textbayes.client import Client
from textbayes.errors import DocumentUnknownError, ModelEmptyError, ModelUnknownError

ROWS = [("회의 자료", "업무"), ("cheap pills", "spam"), ("lunch at noon 🙂", "ham"), ("win a prize", "spam")]
PROGRAM = [sys.executable, "-m", "textbayes"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(textbayes.__file__).parents[1]), "NO_COLOR": "1"}


@pytest.fixture
def address(tmp_path):
    command = [*PROGRAM, "serve", "--store", str(tmp_path / "store"), "--port", "0"]
    with warm.Popen(command, env=ENVIRONMENT, stderr=subprocess.PIPE, encoding="utf-8") as process:
        try:
            found = None
            while found is None:
                line = process.stderr.readline()
                assert line, "the server ended"
                found = re.search(r"http://[\w.:]+", line)
            yield found[0]
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)


def run(*args):
    done = warm.run([*PROGRAM, *args], env=ENVIRONMENT, capture_output=True, encoding="utf-8", timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_model_is_taught_corrected_and_made_to_forget(address):
    with Client(address, actor="Zoë") as client:
        with pytest.raises(ModelEmptyError):
            client.predict("cheap")
        taught = client.teach(*map(list, zip(*ROWS, strict=True)), ids=["a", "b", "c", "d"], settle=True)
        assert (taught["taught"], taught["settled"]) == (4, True)
        assert client.predict("회의 자료") == {"label": "업무"}
        assert len(client.predict(["cheap", "noon"] * 300)) == 600
        assert client.explain("cheap pills")["label"] == "spam"
        client.put("c", "spam")
        assert client.document("c")["labels"] == "spam"
        client.undo()
        assert client.document("c")["labels"] == "ham"
        client.delete("d")
        assert sorted(each["id"] for each in client.documents(page=2)) == ["a", "b", "c"]
        assert {change["actor"] for change in client.changes(page=3)} == {"Zoë"}
        assert client.teach("cheap pills", "spam", ids="b")["unchanged"] == 1
        first, again = (client.teach("neu", "ham", key="k1") for _ in range(2))
        assert first["version"] == again["version"]
        with pytest.raises(DocumentUnknownError):
            client.document("none")
        with Client(address, model="none") as other, pytest.raises(ModelUnknownError):
            other.model()
        assert client.add_to_queue(["밀", "oil"]) == {"queued": 2, "duplicates": 0}
        one, other = client.queue(2)["texts"]
        client.label(one["id"], "ham")
        client.skip(other["id"])
        client.unskip(other["id"])
        assert client.queue()["waiting"] == 1


def test_files_are_pushed_and_pulled(address, tmp_path):
    data = tmp_path / "메일.jsonl"
    lines = [
        json.dumps({"key": f"k{n}", "text": text, "label": label}) for n, (text, label) in enumerate(ROWS)
    ]
    data.write_text("\n".join(lines), encoding="utf-8")
    assert "Taught 4 documents" in run("push", str(data), address, "--id", "key", "--batch", "3", "--settle")
    pushed = json.loads(run("push", str(data), address, "--id", "key", "--batch", "2", "--json"))
    assert (pushed["taught"], pushed["unchanged"]) == (0, 4)
    pulled = [json.loads(line) for line in run("pull", address).splitlines()]
    assert {(each["id"], each["text"], each["label"]) for each in pulled} == {
        (f"k{n}", text, label) for n, (text, label) in enumerate(ROWS)
    }
    model = tmp_path / "model.tb"
    run("pull", address, "--model", str(model))
    assert TextClassifier.load(model).predict(["회의 자료"]).tolist() == ["업무"]
