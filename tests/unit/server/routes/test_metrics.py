"""The figures of a running application."""

from prometheus_client.parser import text_string_to_metric_families
from recorded import messages


def read(client):
    reply = client.get("/metrics")
    assert reply.status_code == 200
    assert reply.headers["content-type"].startswith("text/plain")
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(reply.text)
        for sample in family.samples
    }


def test_requests_predictions_and_changes_are_counted(ask):
    client, named = ask(writable=True), ("model", "메일")
    client.post("/predict", json={"text": "cheap prize"})
    client.post("/models/메일/predict", json={"texts": ["cheap", "회의", "zzz"]})
    client.post("/v2/models/메일/infer", json={
        "inputs": [{"name": "text", "shape": [1], "datatype": "BYTES", "data": ["cheap"]}]
    })  # fmt: skip
    client.post("/predict", json={"txet": "x"})
    client.get("/nowhere")
    client.put("/documents/a", json={"text": "밀", "label": "ham"})
    client.put("/documents/a", json={"text": "밀", "label": "spam"})
    client.put("/documents/a", json={"text": "밀", "label": "spam"})
    client.delete("/documents/a")
    client.post("/label-studio/webhook", json=messages("ANNOTATION_CREATED")[0])
    found = read(client)
    route = ("route", "/predict")
    assert found["textbayes_requests_total", ("method", "POST"), route, ("status", "200")] == 1
    assert found["textbayes_requests_total", ("method", "POST"), route, ("status", "422")] == 1
    deep = ("route", "/models/{name}/predict")
    assert found["textbayes_requests_total", ("method", "POST"), deep, ("status", "200")] == 1
    assert found["textbayes_requests_total", ("method", "GET"), ("route", "unknown"), ("status", "404")] == 1
    assert found["textbayes_request_seconds_count", route] == 2
    assert found["textbayes_texts_total", named] == 5
    assert found["textbayes_predictions_total", ("class", "업무"), named] >= 1
    assert found["textbayes_changes_total", ("change", "taught"), named] == 2
    assert found["textbayes_changes_total", ("change", "relabelled"), named] == 1
    assert found["textbayes_changes_total", ("change", "forgot"), named] == 1
    assert 0 < found["textbayes_unknown_terms_share", named] < 1
    assert found["textbayes_classes", named] >= 5


def test_each_application_has_its_own_figures(ask):
    one, other = ask(), ask()
    one.post("/predict", json={"text": "cheap"})
    assert ("textbayes_texts_total", ("model", "메일")) in read(one)
    assert ("textbayes_texts_total", ("model", "메일")) not in read(other)


def test_texts_are_not_in_the_figures(ask):
    client = ask()
    client.post("/predict", json={"text": "geheimnis"})
    assert "geheimnis" not in client.get("/metrics").text
