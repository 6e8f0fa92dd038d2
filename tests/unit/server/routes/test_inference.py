"""The Open Inference Protocol: tensors in, tensors out, and errors in its shape."""

import json

import pytest

from textbayes import TextClassifier

NAME = "메일"
INFER = f"/v2/models/{NAME}/infer"


def tensor(texts, **changed):
    return {
        "inputs": [{"name": "text", "shape": [len(texts)], "datatype": "BYTES", "data": texts, **changed}]
    }


def test_the_server_says_what_it_is_and_that_it_is_there(client):
    found = client.get("/v2").json()
    assert {*found} == {"name", "version", "extensions"}
    assert found["name"] == "textbayes"
    assert client.get("/v2/health/live").json() == {"live": True}
    assert client.get("/v2/health/ready").json()["ready"] is True


def test_a_model_says_what_it_takes_and_gives(client):
    assert client.get(f"/v2/models/{NAME}").json() == {
        "name": NAME,
        "platform": "textbayes",
        "inputs": [{"name": "text", "datatype": "BYTES", "shape": [-1]}],
        "outputs": [
            {"name": "label", "datatype": "BYTES", "shape": [-1]},
            {"name": "probability", "datatype": "FP64", "shape": [-1]},
        ],
    }
    assert client.get(f"/v2/models/{NAME}/ready").json() == {"name": NAME, "ready": True}


def test_predictions_are_those_of_the_library(client, model):
    texts, classifier = ["cheap prize", "회의 자료", "बैठक 🙂"], TextClassifier.load(model)
    found = client.post(INFER, json={"id": "42 é", **tensor(texts)}).json()
    assert (found["model_name"], found["id"]) == (NAME, "42 é")
    label, probability = found["outputs"]
    assert label == {
        "name": "label",
        "datatype": "BYTES",
        "shape": [3],
        "data": classifier.predict(texts).tolist(),
    }
    assert probability["datatype"] == "FP64"
    assert probability["data"] == classifier.predict_proba(texts).max(axis=1).tolist()


def test_the_best_classes(client, model):
    found = client.post(INFER, json={"parameters": {"top": 2}, **tensor(["cheap prize", "회의"])}).json()
    label, probability = found["outputs"]
    assert label["shape"] == probability["shape"] == [2, 2]
    assert [label["data"][0], label["data"][2]] == TextClassifier.load(model).predict(
        ["cheap prize", "회의"]
    ).tolist()
    assert probability["data"][0] >= probability["data"][1]
    many = client.post(INFER, json={"parameters": {"top": 99}, **tensor(["cheap"])}).json()
    assert many["outputs"][0]["shape"] == [1, 5]


def test_nested_data_other_parameters_and_chosen_outputs(client):
    sent = tensor([["cheap"], ["noon"]], shape=[2, 1], parameters={"content_type": "str"})
    found = client.post(
        INFER, json={**sent, "outputs": [{"name": "probability"}], "parameters": {"x": 1}}
    ).json()
    assert [output["name"] for output in found["outputs"]] == ["probability"]
    assert "id" not in found
    assert client.post(INFER, json=tensor([])).json()["outputs"][0]["data"] == []


def test_several_labels_are_lists(ask, several):
    client = ask(several)
    found = client.post("/v2/models/several/infer", json=tensor(["cheap prize"])).json()
    (labels,) = found["outputs"]
    assert labels["name"] == "labels"
    assert isinstance(json.loads(labels["data"][0]), list)
    assert client.get("/v2/models/several").json()["outputs"] == [
        {"name": "labels", "datatype": "BYTES", "shape": [-1]}
    ]


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"inputs": []},
        {"inputs": tensor(["a"])["inputs"] * 2},
        {"inputs": ["a"]},
        tensor(["a"], datatype="FP32"),
        tensor(["a"], shape=[2]),
        tensor(["a"], shape="1"),
        tensor(["a"], shape=[True]),
        tensor(["a"], shape=[-1]),
        tensor([1]),
        tensor([None]),
        tensor(["a"], data="a"),
        tensor(["a"], data=[[[[[[[[[["a"]]]]]]]]]]),
        {**tensor(["a"]), "outputs": [{"name": "score"}]},
        {**tensor(["a"]), "outputs": 5},
        {**tensor(["a"]), "outputs": []},
        {**tensor(["a"]), "parameters": {"top": -1}},
        {**tensor(["a"]), "parameters": {"top": "2"}},
    ],
)
def test_requests_that_are_refused_in_the_shape_of_the_protocol(client, sent):
    reply = client.post(INFER, json=sent)
    assert reply.status_code == 400, reply.text
    assert {*reply.json()} == {"error"}
    assert isinstance(reply.json()["error"], str)


def test_other_errors_have_its_shape_too(ask, tmp_path):
    client = ask(texts=2)
    for reply, status in [
        (client.get("/v2/models/none"), 404),
        (client.post("/v2/models/none/infer", json=tensor(["a"])), 404),
        (client.post(INFER, json=tensor(["a"] * 3)), 413),
        (client.post(INFER, content=b"{", headers={"content-type": "application/json"}), 400),
        (client.post(INFER, content=b"\xff", headers={"content-type": "application/octet-stream"}), 415),
        (client.post(INFER, content=b"{}", headers={"inference-header-content-length": "2"}), 415),
    ]:
        assert reply.status_code == status, reply.text
        assert isinstance(reply.json()["error"], str)
    empty = ask((), store=tmp_path / "empty.store")
    name = empty.get("/health").json()["model"]
    reply = empty.get(f"/v2/models/{name}/ready")
    assert (reply.status_code, reply.json()) == (503, {"name": name, "ready": False})
    reply = empty.post(f"/v2/models/{name}/infer", json=tensor(["a"]))
    assert (reply.status_code, type(reply.json()["error"])) == (409, str)
    assert empty.get("/v2/health/ready").status_code == 200
