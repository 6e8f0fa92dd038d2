"""Calibrated probabilities."""

import numpy as np
import pytest
from scipy.special import log_softmax

from textbayes.decisions import fit_calibration, fit_shared_odds


def drawn(documents, temperature, power, seed=0):
    """Scores that are too sure by a known temperature, and classes drawn by the true probabilities."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 300, documents).astype(float)
    true = 1.5 * rng.normal(size=(documents, 4))
    chances = np.exp(log_softmax(true, axis=1))
    classes = (rng.random(documents)[:, None] > np.cumsum(chances, axis=1)).sum(axis=1)
    return true * temperature * ((1 + lengths) ** power)[:, None], classes, lengths


@pytest.mark.parametrize(("temperature", "power"), [(1.0, 0.0), (20.0, 0.0), (3.0, 0.5), (0.1, 1.0)])
def test_a_known_temperature_is_found(temperature, power):
    found = fit_calibration(*drawn(4000, temperature, power), "temperature")
    assert found.power == power
    assert found.temperature == pytest.approx(temperature, rel=0.1)


def expected_calibration_error(logs, classes):
    sure, right = np.exp(logs).max(axis=1), np.argmax(logs, axis=1) == classes
    bins = np.minimum((sure * 10).astype(int), 9)
    return sum(abs(sure[bins == b].sum() - right[bins == b].sum()) for b in range(10)) / len(sure)


@pytest.mark.parametrize("method", ["temperature", "isotonic", "auto"])
def test_probabilities_are_calibrated(method):
    scores, classes, lengths = drawn(6000, 8.0, 0.25)
    found = fit_calibration(scores[:4000], classes[:4000], lengths[:4000], method)
    logs = found.log_probabilities(scores[4000:], lengths[4000:])
    assert expected_calibration_error(log_softmax(scores[4000:], axis=1), classes[4000:]) > 0.2
    assert expected_calibration_error(logs, classes[4000:]) < 0.04
    np.testing.assert_allclose(np.exp(logs).sum(axis=1), 1.0)
    assert np.array_equal(np.argmax(logs, axis=1), np.argmax(scores[4000:], axis=1))


def test_steps_are_taken_where_a_temperature_is_not_enough():
    rng = np.random.default_rng(1)
    lead = rng.uniform(0, 6, 3000)
    right = rng.random(3000) < np.where(lead > 3, 0.95, 0.55)  # a step, not a curve
    scores = np.column_stack([lead, np.zeros(3000)])
    found = fit_calibration(scores, np.where(right, 0, 1), np.ones(3000), "auto")
    assert found.best
    assert np.exp(found.log_probabilities(scores[lead > 4][:5], np.ones(5)))[:, 0] == pytest.approx(
        0.95, abs=0.03
    )


def test_impossible_classes_and_too_few_documents():
    scores = np.array([[-np.inf, 0.0], [2.0, 0.0], [0.0, 2.0], [1.0, 0.0]])
    found = fit_calibration(scores, np.array([0, 0, 1, 1]), np.ones(4), "auto")
    assert np.isfinite(found.temperature)
    alone = fit_calibration(scores[:1], np.array([0]), np.ones(1))
    assert (alone.power, alone.temperature) == (0.0, 1.0)


def test_odds_shared_by_rare_and_frequent_classes():
    rng = np.random.default_rng(2)
    chances = np.array([0.5, 0.1, 0.01])
    truth = rng.random((5000, 3)) < chances
    centres = np.array([0.0, 5.0, -3.0])
    scores = centres + [1, 10, 0.1] * (rng.normal(size=truth.shape) + 1.5 * (2 * truth - 1))
    found = fit_shared_odds(scores, truth, np.append(centres[:2], np.inf))
    probabilities = np.exp(found.log_probabilities(scores))
    assert (probabilities[:, 2] == 0).all()  # nothing is known of it
    assert probabilities[:, :2].mean() == pytest.approx(truth[:, :2].mean(), abs=0.01)
