"""The step of a warm update."""

import numpy as np
import pytest

from textbayes import AutoNB, TextClassifier
from textbayes.estimators.auto.folding import LearnedPart, lacking


def part(C=2.0, length=1.0):
    zeros = np.zeros(3)
    return LearnedPart(0, length, 1.0, C, zeros, zeros.copy(), zeros.copy())


def test_the_own_class_should_lead_the_best_other_by_a_margin():
    scores, signs = np.array([0.5, 2.0, 1.0]), np.array([-1.0, -1.0, 1.0])
    moved = scores + lacking(scores, signs, 3.0, multilabel=False)
    np.testing.assert_allclose(moved, [0.0, 0.0, 3.0])
    assert not lacking(np.array([5.0, 1.0]), np.array([1.0, -1.0]), 3.9, multilabel=False).any()
    assert not lacking(np.array([-5.0]), np.array([1.0]), 1.0, multilabel=False).any()


def test_a_new_class_is_predicted_at_once():
    texts = ["wheat field", "wheat crop", "crude well", "crude rig", "gold mine", "gold bar", "team lunch"]
    model = AutoNB(candidates=["linear-svm"], updates="any", random_state=0)
    classifier = TextClassifier(model).fit(texts, list("aabbccd"))
    for text in ("zinc smelter", "wheat crude gold"):
        assert classifier.teach([text], ["new"]).predict([text]) == ["new"]
    assert not classifier.is_settled_


def test_with_several_labels_every_class_should_have_the_margin():
    scores, signs = np.array([0.5, -2.0, 0.5, 1.95]), np.array([1.0, -1.0, -1.0, 1.0])
    np.testing.assert_allclose(lacking(scores, signs, 2.0, multilabel=True), [1.5, 0.0, -2.5, 0.0])


def test_weights_of_frequent_terms_move_less():
    values, frequencies = np.array([0.5, 0.5, 0.5, 0.5, 0.0]), np.array([0.0, 1.0, 2.0, 1000.0, 7.0])
    moved = part(length=2.0).direction(values, frequencies)
    assert moved[0] == moved[1] == 0.5
    assert moved[2] == pytest.approx(0.5 / (1.0 + 2 * 2.0 * 1.0))
    assert 0 < moved[3] < 0.001
    assert moved[4] == 0.0
    np.testing.assert_array_equal(part().direction(np.zeros(2), np.ones(2)), np.zeros(2))


def test_a_correction_moves_one_text_and_not_texts_without_its_words():
    texts = [f"{word} {other}" for word in ("wheat", "corn", "rice") for other in ("field", "price", "crop")]
    oil = [f"{word} {other}" for word in ("crude", "gas", "diesel") for other in ("well", "price", "rig")]
    model = AutoNB(candidates=["linear-svm"], updates="any", random_state=0)
    classifier = TextClassifier(model).fit(texts + oil, ["grain"] * 9 + ["oil"] * 9)
    unrelated, before = ["wheat field", ""], ["crude gusher derrick"]
    scores = classifier.decision_function(unrelated)
    assert classifier.predict(before) == ["oil"]
    classifier.teach(before, ["grain"])
    assert classifier.predict(before) == ["grain"]
    np.testing.assert_allclose(classifier.decision_function(unrelated), scores, atol=1e-9)
