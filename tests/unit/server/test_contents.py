"""No content of a request makes the server fail: random values in every field, for labels of each kind."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import examples
from textbayes import TextClassifier
from textbayes.server.routes.changes import LabelledTexts, RelabelFields, TeachFields, UndoFields
from textbayes.server.routes.documents import DocumentFields
from textbayes.server.routes.predict import ExplainFields, PredictFields

TEXTS = ["cheap pills, cheap offer", "win a cheap prize now", "meeting at noon", "team lunch"]
LABELS = {
    "strings": ["spam", "spam", "ham", "ham"],
    "numbers": [1, 1, 2, 2],
    "truths": [True, True, False, False],
    "lists": [["spam"], ["spam", "new"], ["ham"], []],
    "lists of numbers": [[1], [1, 3], [2], []],
}
PLAIN = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([0, 1, 2**63 - 1, -(2**63), 2**63, 10**400, 1e308, 5e-324, 1.5, 2.0])
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
    | st.sampled_from([*TEXTS, "ham", "spam", "1", "true", "1.0", "", " ", "\0", "a\0", "\ud800", "\u202e"])
)
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=6,
)
BODIES = {
    "POST /predict": PredictFields,
    "POST /explain": ExplainFields,
    "POST /teach": TeachFields,
    "POST /forget": LabelledTexts,
    "POST /relabel": RelabelFields,
    "POST /undo": UndoFields,
    "PUT /documents/a": DocumentFields,
}


@pytest.fixture(params=LABELS)
def kind(request):
    return request.param


@pytest.fixture
def fresh(kind, tmp_path, ask):
    path = tmp_path / "any.tb"
    TextClassifier("multinomial").fit(TEXTS, LABELS[kind]).save(path)
    return ask(path, writable=True)


def valid(labels):
    """Fields that are valid, some of which are then replaced."""
    one = {"text": "team lunch", "label": labels[3], "new_label": labels[0], "weight": 1}
    several = {"texts": TEXTS[2:], "labels": labels[2:], "new_labels": labels[:2], "weights": [1, 1]}
    return st.sampled_from([one, several])


@pytest.mark.parametrize("route", BODIES)
@settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_any_content_is_answered_or_refused(fresh, kind, route, data):
    method, path = route.split()
    known = [name for name in BODIES[route].model_fields if name not in ("settle", "wait")]
    chosen = data.draw(valid(LABELS[kind]))
    fields = {name: value for name, value in chosen.items() if name in known}
    fields |= data.draw(st.dictionaries(st.sampled_from(known), VALUES, min_size=1, max_size=2))
    if "settle" in BODIES[route].model_fields:
        fields["settle"] = False
    before = fresh.get("/versions").json()["version"]
    reply = fresh.request(
        method, path, content=json.dumps(fields).encode(), headers={"Content-Type": "application/json"}
    )
    assert reply.status_code in {200, 400, 404, 409, 413, 422}, (fields, reply.text)
    after = fresh.get("/versions").json()["version"]
    if reply.status_code != 200 or route in ("POST /predict", "POST /explain"):
        assert after == before
    else:
        assert after == reply.json()["version"]


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("strings", [5, True, 1.5, {}, ["ham"], [], [None], 2**70, [["ham"]], ["ham", 5]]),
        ("numbers", ["ham", True, 1.5, {}, [1], [], [None], 2**70, "1.5", "9" * 40, [True, 1]]),
        ("truths", ["ham", 1, 0, 1.5, {}, [True], [], [None], "yes"]),
        ("lists", ["ham", 5, [5], [True], ["ham", 5], [1.5], {}, [["ham"]], [None]]),
        ("lists of numbers", [1, "1", ["ham"], [True], [1, True], [1.5], {}, [[1]], [None]]),
    ],
)
def test_labels_of_the_wrong_kind(ask, tmp_path, kind, wrong):
    labels = LABELS[kind]
    path = tmp_path / "any.tb"
    TextClassifier("multinomial").fit(TEXTS, labels).save(path)
    client = ask(path, writable=True)
    for label in wrong:
        for route, fields in [
            ("/teach", {"text": "a", "label": label}),
            ("/teach", {"texts": ["a", "b"], "labels": [labels[0], label]}),
            ("/forget", {"text": TEXTS[0], "label": label}),
            ("/forget", {"texts": TEXTS[:2], "labels": [labels[0], label]}),
            ("/relabel", {"text": TEXTS[0], "label": label, "new_label": labels[2]}),
            ("/relabel", {"text": TEXTS[0], "label": labels[0], "new_label": label}),
            ("/relabel", {"texts": TEXTS[:1], "labels": [labels[0]], "new_labels": [label]}),
        ]:
            reply = client.post(route, json={**fields, "settle": False})
            assert reply.status_code == 422, (route, fields, reply.text)
            assert reply.json()["error"]["code"] in {"request-field", "labels-unusable"}, (fields, reply.text)
    assert client.get("/changes").json()["changes"] == []
