"""The step of a warm update."""

import numpy as np
import pytest

from textbayes import AutoNB, TextClassifier
from textbayes.estimators.auto.folding import LearnedPart


def part(unit=1.0, C=2.0, length=1.0):
    zeros = np.zeros(3)
    return LearnedPart(0, length, unit, C, zeros, zeros.copy(), zeros.copy())


def test_a_step_restores_the_margin_as_far_as_the_penalty_allows():
    values, frequencies = np.array([0.6, 0.8]), np.ones(2)
    direction = part().direction(values, frequencies)
    np.testing.assert_array_equal(direction, values)
    steps = part().step(np.array([-1.0, 0.5, 3.0]), float(values @ direction))
    np.testing.assert_allclose(steps, np.array([2.0, 0.5, 0.0]) / (1.0 + 0.25))
    # With an infinite penalty, the margin is then exactly 1.
    (step,) = part(C=1e12).step(np.array([-1.0]), 1.0)
    assert -1.0 + step == pytest.approx(1.0)


def test_steps_are_in_the_unit_of_the_blend_and_follow_the_weight():
    margins = np.array([0.0])
    assert part(unit=3.0).step(margins, 1.0) == pytest.approx(3.0 * part().step(margins, 1.0))
    assert part(C=2.0).step(margins, 1.0, weight=3.0) == pytest.approx(part(C=6.0).step(margins, 1.0))
    assert part().step(np.array([0.95]), 1.0) == 0.0


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
