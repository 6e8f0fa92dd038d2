"""The answer of each route, compared with the library."""

import html.parser
import json
import platform

import pytest
from served_mail import MAIL

import textbayes
from textbayes import TextClassifier

TEXTS = ["cheap prize", "회의 자료", "اجتماع", "बैठक 🙂", "zzz", "", "a\0b", "\ufeffnoon\u202e"]


def test_health(client):
    reply = client.get("/health")
    assert reply.status_code == 200
    assert reply.headers["content-type"] == "application/json"
    assert reply.json() == {
        "ready": True,
        "model": "메일",
        "classes": 5,
        "writable": False,
        "models": ["메일"],
        "versions": {"textbayes": textbayes.__version__, "python": platform.python_version()},
    }
    assert client.head("/health").status_code == 200


def test_model_is_a_summary_of_the_inspection(client, model):
    body, classifier = client.get("/model").json(), TextClassifier.load(model)
    inspected = json.loads(json.dumps(classifier.inspect().to_dict()))
    assert {name: body[name] for name in ("model", "documents", "vocabulary")} == {
        name: inspected[name] for name in ("model", "documents", "vocabulary")
    }
    assert body["classes"] == [
        {"label": one["label"], "documents": one["documents"]} for one in inspected["classes"]
    ]
    assert body["multilabel"] is False
    assert body["configuration"]["kind"] == "TextClassifier"
    assert body["configuration"]["parameters"]["model"] == "multinomial"


def test_predict_matches_the_library(client, model):
    classifier = TextClassifier.load(model)
    body = client.post("/predict", json={"texts": TEXTS}).json()
    assert body == {"predictions": [{"label": label} for label in classifier.predict(TEXTS).tolist()]}
    assert client.post("/predict", json={"texts": []}).json() == {"predictions": []}


def test_predict_one_text(client, model):
    body = client.post("/predict", json={"text": "회의 자료", "proba": True, "top": 2}).json()
    row = TextClassifier.load(model).predict_proba(["회의 자료"])[0]
    assert body["label"] == "업무"
    assert body["probability"] == row.max()
    assert body["top"][0] == {"label": "업무", "probability": row.max()}
    assert len(body["top"]) == 2
    assert client.post("/predict", json={"text": "회의", "top": None, "proba": None}).json() == {
        "label": "업무"
    }


def test_predict_matches_the_command_line(client, model, capsys, tmp_path):
    from textbayes.cli.predict import predict_command

    lines = "".join(json.dumps({"text": text}) + "\n" for text in TEXTS)
    (tmp_path / "texts.jsonl").write_text(lines, encoding="utf-8")
    fields = {"top": 3, "proba": True, "reject_below": 0.5}
    predict_command(model, str(tmp_path / "texts.jsonl"), **fields)
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    body = client.post("/predict", json={"texts": TEXTS, **fields}).json()["predictions"]
    # The command line rounds probabilities.
    shown = json.loads(json.dumps(body), parse_float=lambda number: round(float(number), 4))
    assert [{"id": str(number), **each} for number, each in enumerate(shown, start=1)] == printed
    assert any(each["label"] is None for each in body)


def test_several_labels(ask, several):
    client, classifier = ask(several), TextClassifier.load(several)
    body = client.post("/predict", json={"texts": TEXTS, "proba": True}).json()["predictions"]
    assert [each["labels"] for each in body] == classifier.predict(TEXTS)
    assert all(len(each["labels"]) == len(each["probabilities"]) for each in body)
    assert client.get("/model").json()["multilabel"] is True


@pytest.mark.parametrize("text", TEXTS)
def test_explain_adds_up(client, model, text):
    body = client.post("/explain", json={"text": text}).json()
    assert body == json.loads(TextClassifier.load(model).explain(text).to_json())
    for one in body["classes"]:
        added = one["bias"] + sum(token["contributions"][one["label"]] for token in body["tokens"])
        assert added == pytest.approx(one["score"], abs=1e-9)


def test_explain_some_classes(client):
    whole = client.post("/explain", json={"text": "cheap noon"}).json()
    best = sorted(whole["classes"], key=lambda one: -one["score"])
    body = client.post("/explain", json={"text": "cheap noon", "top": 2}).json()
    assert body["classes"] == best[:2]
    body = client.post("/explain", json={"text": "cheap noon", "classes": ["업무", "ham"]}).json()
    assert [one["label"] for one in body["classes"]] == ["업무", "ham"]
    assert all(list(token["contributions"]) == ["업무", "ham"] for token in body["tokens"])


class Tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))


@pytest.mark.parametrize("classes", [None, ["ham"], ["ham", "업무"], ["ham", "ham"]])
def test_explain_as_html(client, classes):
    fields = {"text": "<script>alert(1)</script> cheap & noon", "classes": classes}
    reply = client.post("/explain", json=fields, headers={"Accept": "text/html"})
    assert reply.status_code == 200
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in reply.headers["content-security-policy"]
    assert "&lt;" in reply.text
    parser = Tags()
    parser.feed(reply.text)
    assert "script" not in {tag for tag, _ in parser.tags}
    assert not any("src" in attributes or "href" in attributes for _, attributes in parser.tags)
    if classes is not None:
        other = " over 업무" if classes[1:] == ["업무"] else ""
        assert f"<title>ham{other}" in reply.text


def test_inspect(client, model):
    inspection = TextClassifier.load(model).inspect(3)
    body = client.get("/inspect", params={"terms": 3}).json()
    assert body == json.loads(json.dumps(inspection.to_dict()))
    one = client.get("/inspect", params={"class": "업무", "terms": 2}).json()
    assert one["label"] == "업무"
    assert one["terms"] == next(each for each in body["classes"] if each["label"] == "업무")["terms"][:2]
    apart = client.get("/inspect?between=ham&between=spam&terms=4").json()
    assert apart["between"] == ["ham", "spam"]
    assert apart["terms"] == [list(pair) for pair in inspection.between("ham", "spam", 4)]


def test_numbers_as_labels(ask, tmp_path):
    path = tmp_path / "numbers.tb"
    TextClassifier("multinomial").fit(["wheat corn", "crude oil"], [1, 2]).save(path)
    client = ask(path, writable=True)
    assert client.post("/predict", json={"text": "oil"}).json() == {"label": 2}
    assert client.get("/inspect?class=2").json()["label"] == 2
    body = client.post("/teach", json={"text": "gold", "label": 3, "wait": 30}).json()
    assert (body["taught"], body["applied"]) == (1, True)
    assert client.get("/model").json()["classes"][-1] == {"label": 3, "documents": 1}
    assert client.post("/explain", json={"text": "oil", "classes": [2]}).status_code == 200
    assert (
        client.post("/teach", json={"text": "gold", "label": "gold"}).json()["error"]["code"]
        == "labels-unusable"
    )


def test_a_label_without_utf8(ask, tmp_path):
    path = tmp_path / "broken.tb"
    TextClassifier("multinomial").fit(["wheat corn", "crude oil"], ["\ud800", "oil"]).save(path)
    reply = ask(path).post("/predict", json={"text": "corn"})
    assert json.loads(reply.content) == {"label": "\ud800"}
    assert (
        ask(path).post("/explain", json={"text": "corn"}, headers={"Accept": "text/html"}).status_code == 200
    )


def test_infinite_scores_are_null(ask, tmp_path):
    path = tmp_path / "mixture.tb"
    texts = ["wheat corn wheat", "corn wheat rice", "crude oil oil", "oil crude gas"] * 3
    TextClassifier("mixture").fit(texts, ["grain", "grain", "oil", "oil"] * 3).save(path)
    reply = ask(path).post("/explain", json={"text": "corn oil unheard"})
    assert reply.status_code == 200
    json.loads(reply.content, parse_constant=pytest.fail)


# Labels that are numbers.


def test_numbers_are_taught_and_named(ask, tmp_path):
    path = tmp_path / "numbers.tb"
    texts = [text for text, _ in MAIL]
    TextClassifier("multinomial").fit(texts, list(range(len(MAIL)))).save(path)
    client = ask(path, writable=True)
    # JSON's numbers are labels; a string is taken for the number that it spells.
    for label in (12, "12"):
        client.post("/teach", json={"text": "golden offer", "label": label, "wait": 30})
        assert client.post("/predict", json={"text": "golden"}).json()["label"] == 12
        fields = {"text": "golden offer", "label": label, "new_label": "-4", "wait": 30, "settle": False}
        done = client.post("/relabel", json=fields).json()
        assert (done["relabelled"], done["applied"]) == (1, True)
        assert client.get("/documents").json()["documents"][0]["labels"] == -4
        fields = {"text": "golden offer", "label": -4, "wait": 30, "settle": False}
        assert client.post("/forget", json=fields).json()["forgot"] == 1
    classes = [each["label"] for each in client.get("/model").json()["classes"]]
    assert classes == list(range(len(MAIL)))
    for classes in ([3], ["3"]):
        found = client.post("/explain", json={"text": "team", "classes": classes}).json()
        assert [each["label"] for each in found["classes"]] == [3]
    assert client.get("/inspect?class=3").json()["label"] == 3
    assert client.get("/inspect?between=3&between=1").json()["between"] == [3, 1]
    for label in ("ham", "1.5", True):
        done = client.post("/teach", json={"text": "golden", "label": label})
        assert (done.status_code, done.json()["error"]["code"]) == (422, "labels-unusable")
    for classes in (["ham"], [99], [True]):
        done = client.post("/explain", json={"text": "team", "classes": classes})
        assert done.status_code == 422


def test_true_and_false_are_labels(ask, tmp_path):
    path = tmp_path / "truth.tb"
    TextClassifier("multinomial").fit(["cheap pills", "noon"], [True, False]).save(path)
    client = ask(path, writable=True)
    assert client.post("/predict", json={"text": "cheap"}).json()["label"] is True
    for label in (False, "false"):
        done = client.post("/teach", json={"text": "lunch", "label": label, "wait": 30})
        assert (done.status_code, client.get("/health").json()["classes"]) == (200, 2)
    assert client.post("/teach", json={"text": "lunch", "label": 1}).status_code == 422
