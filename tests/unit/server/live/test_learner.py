"""A learner has the model that the rows give, whatever the number of rows that come at a time."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from textbayes import TextClassifier
from textbayes.server.live.learner import Learner
from textbayes.server.store import Change, State

TEXTS = [
    "wheat corn",
    "corn harvest 밀",
    "crude oil",
    "output नमस्ते",
    "gold mine",
    "gold 🙂 price",
    "سوق النفط",
]
LABELS = ["grain", "oil", "gold"]
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def row(version, before, after, request=None, document=None, kind="teach"):
    return Change(version, request or version, kind, document or f"d{version}", before, after, "me", NOW)


def digest(classifier, folder):
    classifier.settle(always=True).save(folder / "model.tb")
    return hashlib.sha256((folder / "model.tb").read_bytes()).hexdigest()


@st.composite
def histories(draw):
    """Rows of requests, each of one to three changes, as a store writes them."""
    states: dict[str, State] = {}
    rows: list[Change] = []
    some = st.builds(State, st.sampled_from(TEXTS), st.sampled_from(LABELS), st.sampled_from([1.0, 2.0]))
    for _ in range(draw(st.integers(1, 8))):
        request = len(rows) + 1
        for _ in range(draw(st.integers(1, 3))):
            document, after = draw(st.sampled_from([*"abcde"])), draw(st.none() | some)
            before = states.pop(document, None)
            if before != after:
                rows.append(row(len(rows) + 1, before, after, request, document))
            if after is not None:
                states[document] = after
    return rows, list(states.values())


def cut(rows, places):
    """Cut rows into lists that end where a request ends."""
    ends = [
        place
        for place in sorted(places)
        if place < len(rows) and rows[place].request != rows[place - 1].request
    ]
    return [rows[start:end] for start, end in zip([0, *ends], [*ends, len(rows)], strict=True) if start < end]


@settings(max_examples=examples(40), deadline=None)
@given(histories(), st.sets(st.integers(1, 20)), st.sampled_from(["complement", "twcnb", "linear-svm"]))
def test_rows_give_the_same_model_however_many_come_at_a_time(tmp_path_factory, history, places, recipe):
    folder = tmp_path_factory.mktemp("learner")
    rows, states = history
    whole, parts = Learner(TextClassifier(recipe)), Learner(TextClassifier(recipe))
    whole.learn(rows)
    for some in cut(rows, places):
        parts = parts.fork()
        parts.learn(some)
    assert whole.version == parts.version == len(rows)
    assert whole.failed == parts.failed == []
    assert whole.is_empty == parts.is_empty == (not states)
    if states:
        assert digest(whole.classifier, folder) == digest(parts.classifier, folder)
        columns = ([state.text for state in states], [state.labels for state in states])
        fresh = TextClassifier(recipe).fit(*columns, [state.weight for state in states])
        assert np.array_equal(whole.classifier.classes_, fresh.classes_)
        found, expected = whole.classifier.predict_proba(TEXTS), fresh.predict_proba(TEXTS)
        assert np.allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_a_model_begins_with_the_first_request_not_with_what_comes_together(tmp_path):
    rows = [row(place + 1, None, State(text, LABELS[place % 3])) for place, text in enumerate(TEXTS)]
    together, apart = Learner(TextClassifier()), Learner(TextClassifier())
    together.learn(rows)
    for each in rows:
        apart.learn([each])
    assert digest(together.classifier, tmp_path) == digest(apart.classifier, tmp_path)


def test_texts_without_terms_are_learned_as_soon_as_there_are_terms():
    learner = Learner(TextClassifier("complement"))
    learner.learn([row(1, None, State("a", "one"))])
    assert learner.is_empty
    assert learner.version == 1
    learner.learn([row(2, None, State("wheat", "grain"))])
    assert learner.classifier.documents_ == 2
    assert learner.classifier.classes_.tolist() == ["grain", "one"]


def test_a_text_that_was_held_can_be_forgotten():
    learner = Learner(TextClassifier("complement"))
    learner.learn([row(1, None, State("a", "one"))])
    learner.learn([row(2, State("a", "one"), None), row(3, None, State("wheat", "grain"))])
    assert learner.classifier.classes_.tolist() == ["grain"]


def test_a_row_that_cannot_be_learned_harms_no_other():
    learner = Learner(TextClassifier("complement"))
    learner.learn([row(1, None, State("wheat", "grain")), row(2, None, State("oil", "oil"), request=1)])
    texts = [State("corn", "grain"), State("number", 7), State("gold", "gold")]
    learner.learn([row(3 + place, None, state) for place, state in enumerate(texts)])
    assert learner.failed == [4]
    assert learner.version == 5
    assert learner.classifier.documents_ == 4


@pytest.mark.parametrize("weight", [1.0, 3.0])
def test_another_text_or_weight_is_learned_in_place_of_the_old_one(weight):
    learner = Learner(TextClassifier("complement"))
    before, after = State("wheat", "grain"), State("corn", "grain", weight)
    learner.learn([row(1, None, before), row(2, None, State("oil", "oil"), request=1), row(3, before, after)])
    fresh = TextClassifier("complement").fit(["oil", "corn"], ["oil", "grain"], [1.0, weight])
    assert np.array_equal(learner.classifier.predict_proba(TEXTS), fresh.predict_proba(TEXTS))


def test_several_labels():
    learner = Learner(TextClassifier("complement"))
    learner.learn(
        [row(1, None, State("wheat corn", ("grain", "corn"))), row(2, None, State("oil", ("oil",)))]
    )
    assert learner.classifier.multilabel_
    assert learner.classifier.classes_.tolist() == ["corn", "grain", "oil"]


def test_rows_of_erased_documents_change_nothing():
    learner = Learner(TextClassifier("complement"))
    learner.learn([row(1, None, State("wheat", "grain")), row(2, None, None, kind="erased")])
    assert learner.classifier.documents_ == 1
    assert learner.version == 2
