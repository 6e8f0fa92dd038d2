"""Measures of decisions and their standard errors."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, f1_score, log_loss

from textbayes.decisions import fit_temperature
from textbayes.measures import (
    SEARCHED_METRICS,
    Quality,
    break_even_decisions,
    is_clearly_better,
    is_expected_better,
    objective,
    quality,
)


def scored(seed=0, documents=400, classes=6):
    random = np.random.default_rng(seed)
    codes = random.choice(classes, documents, p=np.arange(1, classes + 1) / (classes * (classes + 1) / 2))
    truth = np.eye(classes, dtype=bool)[codes]
    return truth + random.normal(scale=0.6, size=truth.shape), truth


@pytest.mark.parametrize("seed", range(3))
def test_values_are_those_of_scikit_learn(seed):
    scores, truth = scored(seed)
    y, given = truth.argmax(axis=1), scores.argmax(axis=1)
    macro = f1_score(y, given, average="macro")
    assert quality(scores, truth, "macro_f1", False).value == pytest.approx(macro)
    assert quality(scores, truth, "micro_f1", False).value == pytest.approx(accuracy_score(y, given))
    assert quality(scores, truth, "accuracy", False).value == pytest.approx(accuracy_score(y, given))


@pytest.mark.parametrize("metric", ["macro_f1", "micro_f1", "accuracy"])
def test_errors_are_those_of_the_bootstrap(metric):
    scores, truth = scored(5, documents=1500)
    random = np.random.default_rng(0)
    samples = [random.integers(0, len(truth), len(truth)) for _ in range(300)]
    spread = np.std([quality(scores[rows], truth[rows], metric, False).value for rows in samples])
    assert quality(scores, truth, metric, False).error == pytest.approx(spread, rel=0.15)


def test_break_even_gives_a_class_as_often_as_it_occurs():
    scores, _ = scored(1)
    truth = np.random.default_rng(1).random(scores.shape) < 0.1
    truth[:, 2] = False
    given = break_even_decisions(np.round(scores), truth)
    assert np.array_equal(given.sum(axis=0), truth.sum(axis=0))
    found = quality(scores, truth, "macro_f1", True).value
    given = break_even_decisions(scores, truth)
    precision = [np.mean(truth[given[:, c], c]) for c in range(6) if c != 2]
    assert found == pytest.approx(np.mean(precision))


def test_log_loss_is_negative_and_independent_of_units():
    scores, truth = scored()
    scaled = (fit_temperature(scores * by, truth, False)([scores * by]) for by in (1.0, 50.0))
    one, other = (quality(each, truth, "log_loss", False).value for each in scaled)
    assert one == pytest.approx(other, abs=1e-3)
    assert -np.log(6) < one < 0


def test_log_loss_is_that_of_scikit_learn():
    scores, truth = scored()
    chances = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    expected = log_loss(truth.argmax(axis=1), chances)
    assert quality(scores, truth, "log_loss", False).value == pytest.approx(-expected)
    expected = log_loss(truth.ravel(), 1 / (1 + np.exp(-scores.ravel())))
    assert quality(scores, truth, "log_loss", True).value == pytest.approx(-expected)


def test_no_documents():
    assert quality(np.zeros((0, 3)), np.zeros((0, 3), bool), "macro_f1", False).value == 0


@pytest.mark.parametrize("metric", ["macro_f1", "micro_f1", "accuracy"])
def test_a_lead_has_the_error_of_the_difference(metric):
    random = np.random.default_rng(1)
    truth = np.eye(4, dtype=bool)[random.integers(4, size=800)]
    one = truth + random.normal(size=truth.shape)
    other = one + 0.3 * random.normal(size=truth.shape)
    found, rival = (quality(scores, truth, metric, False) for scores in (one, other))
    lead, error = found.lead(rival)
    assert lead == found.value - rival.value
    drawn = [random.integers(800, size=800) for _ in range(300)]
    differences = [
        quality(one[at], truth[at], metric, False).value - quality(other[at], truth[at], metric, False).value
        for at in drawn
    ]
    assert error == pytest.approx(np.std(differences), rel=0.2)
    assert error < 0.8 * found.error
    assert found.lead(found) == (0.0, 0.0)


@pytest.mark.parametrize(("documents", "expected"), [(20, False), (20_000, True)])
def test_another_blend_must_lead_by_more_the_fewer_documents_there_are(documents, expected):
    random = np.random.default_rng(0)
    steady = Quality(0.80, random.normal(size=documents) / documents)
    freer = Quality(0.81, random.normal(size=documents) / documents)
    assert is_expected_better(freer, steady) is expected
    assert not is_expected_better(steady, freer)
    assert not is_clearly_better(freer, Quality(0.80, random.normal(size=documents) / documents)) or expected


def test_the_best_alone_needs_three_standard_errors():
    influences = np.full(10_000, 0.4e-4)
    blend = Quality(0.80, np.zeros(10_000))
    assert blend.lead(blend) == (0.0, 0.0)
    assert not is_clearly_better(Quality(0.811, influences), blend)
    assert is_clearly_better(Quality(0.813, influences), blend)
    # Influences of 0 are no certainty.
    assert not is_clearly_better(Quality(0.811, np.zeros(10_000)), blend)
    assert is_clearly_better(Quality(-0.5, np.zeros(10_000)), Quality(-0.6, np.zeros(10_000)))


@pytest.mark.parametrize("metric", SEARCHED_METRICS)
@pytest.mark.parametrize("multilabel", [False, True], ids=["labels", "indicator"])
def test_a_weight_is_a_number_of_repetitions(metric, multilabel):
    random = np.random.default_rng(1)
    truth = random.random((80, 4)) < 0.3 if multilabel else np.eye(4, dtype=bool)[random.integers(4, size=80)]
    scores, weights = truth + random.normal(size=truth.shape), random.integers(0, 4, 80)
    repeated = np.repeat(np.arange(80), weights)
    metric = objective(metric, ["a/b", "a/c", "ö", "ö/名"], multilabel)
    weighted = quality(scores, truth, metric, multilabel, weights.astype(float))
    often = quality(scores[repeated], truth[repeated], metric, multilabel)
    # At break-even, the last document given a class may count in part.
    close = 0.02 if multilabel and metric.name != "log_loss" else 1e-12
    assert weighted.value == pytest.approx(often.value, abs=close)
    ones = quality(scores, truth, metric, multilabel, np.ones(80))
    plain = quality(scores, truth, metric, multilabel)
    assert ones.value == pytest.approx(plain.value)
    np.testing.assert_allclose(ones.influences, plain.influences, atol=1e-12)
    # A document of weight 0 moves nothing.
    assert not weighted.influences[weights == 0].any()
