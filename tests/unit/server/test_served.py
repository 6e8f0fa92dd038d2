"""Updates are saved before they are answered, atomic for readers, and undone after an error."""

import errno
import os
import threading

import pytest
from served_mail import MAIL
from sklearn.pipeline import make_pipeline

from textbayes import MultinomialNB, TextClassifier, TextCounter, save
from textbayes.errors import ModelDamagedError
from textbayes.server import served
from textbayes.server.served import ModelFile

CORRECTION = {"text": "golden prize 금", "label": "금"}


def test_taught_texts_are_saved(ask, model):
    client = ask(writable=True)
    fresh = TextClassifier.load(model).teach(["golden prize 금"], ["금"])
    body = client.post("/teach", json=CORRECTION).json()
    classes = {"classes": 6, "new_classes": ["금"], "gone_classes": []}
    assert body == {"model": "메일.tb", "taught": 1, **classes, "settled": True}
    assert client.post("/predict", json={"text": "golden"}).json() == {"label": "금"}
    saved = TextClassifier.load(model)
    assert (saved.predict_proba(["금 noon"]) == fresh.predict_proba(["금 noon"])).all()
    assert client.get("/health").json()["classes"] == 6


def test_forgetting_leaves_the_same_bytes(ask, model):
    client, before = ask(writable=True), model.read_bytes()
    texts, labels = ["gold", "noon at the mine"], ["금", "ham"]
    assert client.post("/teach", json={"texts": texts, "labels": labels}).json()["taught"] == 2
    assert model.read_bytes() != before
    body = client.post("/forget", json={"texts": texts, "labels": labels}).json()
    assert body["forgot"] == 2
    assert body["gone_classes"] == ["금"]
    assert model.read_bytes() == before


def test_several_labels_per_text(ask, several):
    client = ask(several, writable=True)
    body = client.post("/teach", json={"text": "gold", "label": ["gold", "ham"]}).json()
    assert body["new_classes"] == ["gold"]
    body = client.post("/teach", json={"texts": ["a", "b"], "labels": [[], ["ham"]]}).json()
    assert body["taught"] == 2
    error = client.post("/teach", json={"text": "gold", "label": "gold"}).json()["error"]
    assert error["code"] == "labels-unusable"


def test_settling(ask, unsettled):
    client, fields = ask(unsettled, writable=True), {"text": "금 gold", "label": "금"}
    before = client.get("/model").json()
    assert (before["settled"], before["updates"]) == (True, "any")
    first = unsettled.read_bytes()
    assert client.post("/settle", json={}).json()["refitted"] is False
    assert unsettled.read_bytes() == first
    assert client.post("/teach", json=fields).json()["settled"] is False
    assert client.get("/model").json()["settled"] is False
    assert client.post("/predict", json={"text": "금 gold"}).json()["label"] == "금"
    reply = client.post("/settle", json={}).json()
    assert reply == {"model": "any.tb", "refitted": True, "documents": len(MAIL) + 1, "settled": True}
    assert client.get("/model").json()["settled"] is True
    settled = unsettled.read_bytes()
    assert client.post("/forget", json={**fields, "settle": False}).json()["settled"] is False
    assert client.post("/teach", json={**fields, "settle": True}).json()["settled"] is True
    assert unsettled.read_bytes() == settled
    assert client.post("/forget", json=fields).json()["settled"] is True
    assert unsettled.read_bytes() == first


def test_only_an_empty_object_settles(ask, unsettled):
    client = ask(unsettled, writable=True)
    assert client.post("/settle", json={"text": "a"}).json()["error"]["code"] == "request-field"
    assert client.post("/settle").status_code == 415
    assert ask(unsettled).post("/settle", json={}).status_code == 403


@pytest.mark.parametrize("path", ["/teach", "/forget"])
def test_a_server_is_read_only_by_default(client, model, path):
    before = model.read_bytes()
    reply = client.post(path, json=CORRECTION)
    assert reply.status_code == 403
    assert reply.json()["error"]["code"] == "server-read-only"
    assert "--writable" in reply.json()["error"]["todo"]
    assert model.read_bytes() == before


@pytest.mark.parametrize(
    ("path", "fields", "code"),
    [
        ("/forget", {"text": "never heard", "label": "spam"}, "forget-not-learned"),
        (
            "/forget",
            {"texts": ["win a cheap prize now", "x"], "labels": ["spam", "ham"]},
            "forget-not-learned",
        ),
        ("/teach", {"texts": ["a", "b"], "labels": ["ham"]}, "shape-mismatch"),
        ("/teach", {"text": "a", "label": ["ham"]}, "labels-unusable"),
        ("/teach", {"text": "a", "label": 7}, "labels-unusable"),
    ],
)
def test_an_error_changes_nothing(ask, model, path, fields, code):
    client, before = ask(writable=True), model.read_bytes()
    reply = client.post(path, json=fields)
    assert reply.status_code == 422
    assert reply.json()["error"]["code"] == code
    assert model.read_bytes() == before
    assert client.post("/teach", json=CORRECTION).status_code == 200


def test_not_everything_can_be_forgotten(ask, model):
    client, before = ask(writable=True), model.read_bytes()
    texts, labels = zip(*MAIL, strict=True)
    reply = client.post("/forget", json={"texts": texts, "labels": labels})
    assert reply.status_code == 422
    assert reply.json()["error"]["code"] == "not-fitted"
    assert model.read_bytes() == before
    assert client.get("/health").json()["classes"] == 5


def test_a_file_that_cannot_be_written(ask, model, monkeypatch):
    events = []
    client, before = ask(writable=True, log=events.append), model.read_bytes()

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    reply = client.post("/teach", json=CORRECTION)
    monkeypatch.undo()
    assert reply.status_code == 500
    assert reply.json()["error"]["code"] == "server-fault"
    assert str(model.parent) not in reply.text  # the reply names no path
    assert any("No space left" in event.get("message", "") for event in events)
    assert model.read_bytes() == before
    assert [path.name for path in model.parent.iterdir() if path.suffix == ".part"] == []
    assert client.get("/health").json()["classes"] == 5
    assert client.post("/teach", json=CORRECTION).status_code == 200


def test_a_deleted_file(ask, model):
    client = ask(writable=True)
    model.unlink()
    assert client.post("/predict", json={"text": "회의"}).json() == {"label": "업무"}  # still in memory
    assert client.post("/teach", json=CORRECTION).status_code == 500


def test_readers_never_see_a_half_updated_model(model):
    """Each update moves a text to another class and adds documents; a half-updated model fits neither."""
    file, names, wrong, stop = ModelFile(model), ["금", "gold"], [], threading.Event()
    file.update(TextClassifier.teach, ["golden mine"], ["금"])

    def read():
        while not stop.is_set():
            served = file.current
            label = served.classifier.predict(["golden mine"])[0]
            there = [name for name in names if name in served.classes]
            documents = served.classifier.documents_
            if (label, documents) not in {("금", 9), ("gold", 11)} or there[-1] != label:
                wrong.append((label, there, documents))

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for _ in range(10):
        file.update(TextClassifier.teach, ["golden mine", "golden mine"], ["gold", "gold"])
        file.update(TextClassifier.forget, ["golden mine", "golden mine"], ["gold", "gold"])
    stop.set()
    for reader in readers:
        reader.join()
    assert wrong == []


def test_concurrent_updates_are_all_applied(model):
    file = ModelFile(model)
    threads = [
        threading.Thread(
            target=file.update, args=(TextClassifier.teach, [f"word{number}"], [f"class{number}"])
        )
        for number in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {f"class{number}" for number in range(8)} <= set(TextClassifier.load(model).classes_.tolist())
    assert file.current.classifier.documents_ == 16


def test_a_compact_model_is_served_and_learns_nothing(ask, tmp_path):
    texts, labels = zip(*MAIL, strict=True)
    TextClassifier("complement").fit(texts, labels).compact().save(tmp_path / "작은.tb")
    before = (tmp_path / "작은.tb").read_bytes()
    client = ask(tmp_path / "작은.tb", writable=True)
    text, label = MAIL[0]
    assert client.post("/predict", json={"text": text}).json()["label"] == label
    explained = client.post("/explain", json={"text": text}).json()
    assert explained["label"] == label
    summary = client.get("/model").json()
    assert summary["model"].startswith("CompactClassifier(")
    assert summary["documents"] == sum(one["documents"] for one in summary["classes"]) == len(MAIL)
    assert summary["configuration"]["kind"] == "CompactClassifier"
    assert client.get("/inspect").json()["classes"]
    for route in ("/teach", "/forget"):
        refused = client.post(route, json={"text": text, "label": label})
        assert refused.status_code == 422
        assert refused.json()["error"]["code"] == "model-compact"
    assert (tmp_path / "작은.tb").read_bytes() == before


def test_relabelling(ask, model):
    client = ask(writable=True)
    expected = TextClassifier.load(model).relabel(["team lunch at noon 🙂"], ["ham"], ["fun"])
    fields = {"text": "team lunch at noon 🙂", "label": "ham", "new_label": "fun"}
    body = client.post("/relabel", json=fields).json()
    classes = {"classes": 6, "new_classes": ["fun"], "gone_classes": []}
    assert body == {"model": "메일.tb", "relabelled": 1, **classes, "settled": True}
    saved = TextClassifier.load(model)
    assert (saved.predict_proba(["lunch"]) == expected.predict_proba(["lunch"])).all()
    texts = ["team lunch at noon 🙂", "cheap pills, cheap offer"]
    fields = {"texts": texts, "labels": ["fun", "spam"], "new_labels": ["ham", "offer"]}
    assert client.post("/relabel", json=fields).json()["gone_classes"] == ["fun"]


@pytest.mark.parametrize(
    "fields",
    [
        {"text": "never learned", "label": "ham", "new_label": "spam"},
        {"text": "team lunch at noon 🙂", "label": "ham"},
        {"text": "team lunch at noon 🙂", "label": "ham", "new_labels": ["spam"]},
        {"text": "team lunch at noon 🙂", "label": "ham", "new_label": ["spam"]},
        {"texts": ["team lunch at noon 🙂"], "labels": ["ham"], "new_labels": ["spam", "ham"]},
    ],
)
def test_relabelling_nothing(ask, model, fields):
    client, before = ask(writable=True), model.read_bytes()
    assert client.post("/relabel", json=fields).status_code == 422
    assert model.read_bytes() == before


def test_weights(ask, model):
    client = ask(writable=True)
    expected = TextClassifier.load(model).teach(["gold", "noon"], ["금", "ham"], sample_weight=[3, 0.5])
    fields = {"texts": ["gold", "noon"], "labels": ["금", "ham"], "weights": [3, 0.5]}
    assert client.post("/teach", json=fields).status_code == 200
    saved = TextClassifier.load(model)
    assert (saved.class_documents_ == expected.class_documents_).all()
    assert client.post("/forget", json={"text": "gold", "label": "금"}).status_code == 422
    assert client.post("/forget", json={"text": "gold", "label": "금", "weight": 3}).status_code == 200
    for weight in (-1, "2", True):
        reply = client.post("/teach", json={"text": "gold", "label": "금", "weight": weight})
        assert reply.json()["error"]["code"] == "request-field"
    assert client.post("/teach", json={**fields, "weights": [1]}).status_code == 422


def test_searching_again(ask, unsettled, model):
    client = ask(unsettled, writable=True)
    client.post("/teach", json={"text": "금 gold", "label": "금"})
    body = client.post("/reconsider", json={}).json()
    assert (body["model"], body["documents"], body["settled"]) == ("any.tb", len(MAIL) + 1, True)
    assert "LinearSVM" in body["recipe"]
    assert 0 <= body["score"] <= 1
    assert ask(unsettled).post("/reconsider", json={}).status_code == 403
    error = ask(model, writable=True).post("/reconsider", json={}).json()["error"]
    assert "not found by a search" in error["why"]


def test_a_change_that_cannot_be_served_is_undone(ask, model, monkeypatch):
    """The file was once left as it was saved, and no server could load it again."""
    events = []
    client, before = ask(writable=True, log=events.append), model.read_bytes()
    loaded = served.load_text_model

    def broken(path):
        if path.read_bytes() != before:
            raise ModelDamagedError(str(path), "its sums cannot be used")
        return loaded(path)

    monkeypatch.setattr(served, "load_text_model", broken)
    reply = client.post("/teach", json=CORRECTION)
    assert (reply.status_code, reply.json()["error"]["code"]) == (500, "server-fault")
    assert model.read_bytes() == before
    assert client.get("/health").json()["classes"] == 5
    monkeypatch.undo()
    assert client.post("/teach", json=CORRECTION).status_code == 200


def test_a_heavy_text_leaves_a_model_that_loads(ask, model):
    client = ask(writable=True)
    for weight in (1e9, 1e-300, 5e-324):
        assert client.post("/teach", json={**CORRECTION, "weight": weight}).status_code in {200, 422}
        assert TextClassifier.load(model).predict_proba(["noon"]).sum() == pytest.approx(1)


def test_a_file_that_changes_during_a_change(ask, model, monkeypatch):
    """By a program that does not know the lock."""
    client, teach = ask(writable=True), TextClassifier.teach

    def interrupted(classifier, *arguments):
        TextClassifier("multinomial").fit(["one", "two"], ["x", "y"]).save(model.parent / "other.tb")
        os.replace(model.parent / "other.tb", model)
        return teach(classifier, *arguments)

    monkeypatch.setattr(TextClassifier, "teach", interrupted)
    reply = client.post("/teach", json=CORRECTION)
    assert (reply.status_code, reply.json()["error"]["code"]) == (503, "model-changed")
    assert reply.headers["retry-after"] == "1"
    assert str(model.parent) not in reply.text
    assert TextClassifier.load(model).classes_.tolist() == ["x", "y"]


def test_reloading(model):
    file = ModelFile(model)
    first = file.current
    assert not file.reload()
    assert not file.follow()
    TextClassifier.load(model).teach(["gold"], ["금"]).save(model)
    assert file.follow()
    assert file.current is not first
    assert "금" in file.current.classes
    assert "금" not in first.classes
    assert not file.reload()


def test_a_file_that_cannot_be_loaded_is_tried_once(model):
    file, contents = ModelFile(model), model.read_bytes()
    first = file.current
    (model.parent / "bad.tb").write_bytes(contents[:-10])
    os.replace(model.parent / "bad.tb", model)
    with pytest.raises(ModelDamagedError):
        file.follow()
    assert not file.follow()
    with pytest.raises(ModelDamagedError):
        file.reload()
    assert file.current is first
    (model.parent / "good.tb").write_bytes(contents)
    os.replace(model.parent / "good.tb", model)
    assert file.follow()


def test_reloading_a_file_of_another_kind(ask, model):
    client, before = ask(), model.read_bytes()
    save(MultinomialNB().fit([[1, 0], [0, 1]], ["a", "b"]), model.parent / "counts.tb")
    os.replace(model.parent / "counts.tb", model)
    reply = client.post("/reload", json={})
    assert (reply.status_code, reply.json()["error"]["code"]) == (500, "server-fault")
    assert client.get("/health").json()["classes"] == 5
    assert model.read_bytes() != before


def test_a_pipeline_learns_nothing_and_its_folder_is_not_told(ask, tmp_path):
    path = tmp_path / "pipeline.tb"
    pipeline = make_pipeline(TextCounter(), MultinomialNB()).fit(*zip(*MAIL, strict=True))
    save(pipeline, path)
    reply = ask(path, writable=True).post("/teach", json=CORRECTION)
    assert reply.status_code == 422
    assert str(tmp_path) not in reply.text
