"""Models over HTTP: several of them, new ones, and the files of their versions."""

import pytest
from served_mail import MAIL

from textbayes import TextClassifier


def code(reply):
    return reply.json()["error"]["code"]


@pytest.fixture
def two(ask, model, tmp_path):
    TextClassifier("multinomial").fit(["wheat corn", "crude oil"], ["grain", "oil"]).save(
        tmp_path / "news.tb"
    )
    return ask([model, tmp_path / "news.tb"])


def test_several_models(two):
    assert [each["name"] for each in two.get("/models").json()["models"]] == ["메일", "news"]
    assert two.post("/models/메일/predict", json={"text": "cheap"}).json() == {"label": "spam"}
    assert two.post("/models/news/predict", json={"text": "corn"}).json() == {"label": "grain"}
    assert two.get("/models/news/model").json()["name"] == "news"
    assert two.get("/health").json()["models"] == ["메일", "news"]
    for path in ("/predict", "/models/nwes/predict"):
        reply = two.post(path, json={"text": "corn"})
        assert (reply.status_code, code(reply)) == (404, "model-unknown")
    assert "Did you mean 'news'?" in reply.json()["error"]["what"]


def test_adding_and_removing_models(ask, tmp_path):
    client = ask((), store=tmp_path / "many.store")
    reply = client.post("/models", json={"name": "새-모델"})
    assert (reply.status_code, reply.json()["classes"]) == (201, 0)
    fields = {"texts": ["wheat corn", "crude oil"], "labels": ["grain", "oil"], "wait": 30}
    assert client.post("/models/새-모델/teach", json=fields).json()["model"] == "새-모델"
    assert client.post("/models/새-모델/predict", json={"text": "corn"}).json() == {"label": "grain"}
    assert client.post("/models/default/predict", json={"text": "corn"}).status_code == 409
    reply = client.post("/models", json={"name": "새-모델"})
    assert (reply.status_code, code(reply)) == (409, "model-exists")
    assert client.delete("/models/새-모델").json() == {"removed": "새-모델"}
    reply = client.delete("/models/새-모델")
    assert (reply.status_code, code(reply)) == (404, "model-unknown")
    for wrong in ("", "a/b", "..", "a b", "-a", "x" * 101, "a\0", 5, None):
        reply = client.post("/models", json={"name": wrong})
        assert (reply.status_code, code(reply)) == (422, "request-field"), wrong


def test_models_of_files_stay(two):
    for reply in (two.post("/models", json={"name": "a"}), two.delete("/models/news")):
        assert (reply.status_code, code(reply)) == (403, "server-read-only")


def test_the_file_of_a_model(client, model, tmp_path):
    reply = client.get("/model/file")
    assert reply.headers["content-type"] == "application/octet-stream"
    assert "attachment" in reply.headers["content-disposition"]
    assert reply.content == model.read_bytes()
    assert client.get("/model/file?version=0").content == model.read_bytes()
    reply = client.get("/model/file?version=1")
    assert (reply.status_code, code(reply)) == (404, "version-unknown")
    assert client.get("/model/file?version=-1").status_code == 422


def test_the_file_of_each_version(ask, model, tmp_path):
    client, expected = ask(writable=True), TextClassifier.load(model)
    for number in range(3):
        client.post("/teach", json={"text": f"gold{number} 금", "label": "금", "wait": 30})
    for version in (0, 2):
        (tmp_path / "got.tb").write_bytes(client.get(f"/model/file?version={version}").content)
        found = TextClassifier.load(tmp_path / "got.tb")
        texts = [text for text, _ in MAIL] + [f"gold{number} 금" for number in range(version)]
        labels = [label for _, label in MAIL] + ["금"] * version
        expected = TextClassifier("multinomial").fit(texts, labels)
        assert (found.predict_proba(["금 noon"]) == expected.predict_proba(["금 noon"])).all()
    versions = client.get("/versions").json()
    assert (versions["version"], versions["applied"]) == (3, 3)
