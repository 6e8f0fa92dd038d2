"""The quality of a model is that of models without the texts that they classify."""

from __future__ import annotations

import random

import pytest

from textbayes import TextClassifier
from textbayes.server.live.measuring import measure
from textbayes.server.store import State

WORDS = {"grain": ["wheat", "corn", "밀", "harvest"], "oil": ["crude", "barrel", "नमस्ते", "opec"]}


def texts(count, wrong=0):
    draw = random.Random(1)
    labels = ["grain" if place % 2 else "oil" for place in range(count)]
    found = [State(" ".join(draw.choices(WORDS[label], k=4)), label) for label in labels]
    other = {"grain": "oil", "oil": "grain"}
    return [
        State(each.text, other[each.labels]) if place < wrong else each for place, each in enumerate(found)
    ]


def fitted(recipe, states):
    return TextClassifier(recipe).fit([each.text for each in states], [each.labels for each in states])


@pytest.mark.parametrize("recipe", ["complement", "auto", "linear-svm"])
def test_texts_with_wrong_labels_are_found_wrong(recipe):
    states = texts(60, wrong=6)
    found = measure(fitted(recipe, states), states)
    assert found["documents"] == 60
    assert found["accuracy"] == pytest.approx(0.9, abs=0.04)
    assert 0.8 < found["macro_f1"] < 0.95
    assert sum(pair["documents"] for pair in found["confusions"]) == round(60 * (1 - found["accuracy"]))


def test_the_model_does_not_change():
    states = texts(40)
    model = fitted("auto", states)
    before = model.predict_proba(["wheat", "crude"]).tolist()
    measure(model, states)
    assert model.predict_proba(["wheat", "crude"]).tolist() == before
    assert model.documents_ == 40


def test_several_labels():
    states = [State(each.text, (each.labels, "news")) for each in texts(30)]
    model = TextClassifier().fit([each.text for each in states], [list(each.labels) for each in states])
    found = measure(model, states)
    assert found["accuracy"] > 0.9
    assert found["macro_f1"] > 0.9


def test_few_texts_are_not_measured():
    states = texts(6)
    assert set(measure(fitted("auto", states), states)) == {"documents", "seconds"}


@pytest.mark.parametrize("several", [False, True])
def test_classes_that_no_text_has_do_not_count(several):
    """A model file may know many classes, and the store texts of few of them."""
    others = [State(f"{word} {place}", word) for place in range(3) for word in ("gold", "opec", "밀")]
    few = [each for each in texts(40) if each.labels == "oil"] + [State("opec gold", "oil")] * 2
    columns = [*texts(40), *others, *few[-2:]]
    if several:
        few, columns = ([State(each.text, (each.labels,)) for each in some] for some in (few, columns))
    labels = [list(each.labels) if several else each.labels for each in columns]
    found = measure(TextClassifier().fit([each.text for each in columns], labels), few)
    assert found["accuracy"] > 0.5
    assert found["macro_f1"] >= found["accuracy"]
