"""Weights and biases of a blend."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax

from textbayes.decisions import Blend, blend_out_of_sample, fit_blend, fit_temperature


def problem(seed=0, documents=200, classes=4, multilabel=False):
    """Scores of a good model, a fair one and noise."""
    random = np.random.default_rng(seed)
    codes = random.integers(0, classes, documents)
    truth = np.eye(classes, dtype=bool)[codes]
    if multilabel:
        truth = random.random((documents, classes)) < 0.3
    noise = random.normal(size=(3, documents, classes))
    return [50 * (truth + 0.4 * noise[0]), 3 + 0.1 * (truth + noise[1]), noise[2]], truth


def standardised(scores):
    scores = scores - scores.mean(axis=0, keepdims=True)
    return scores / np.sqrt(np.mean(scores**2))


@pytest.mark.parametrize("usual", [None, np.array([0.7, 0.1, 0.2])], ids=["equal", "unequal"])
def test_it_is_the_minimum_of_the_penalised_log_loss(usual):
    parts, truth = problem()
    stacked = np.stack([standardised(part) for part in parts])
    towards = np.full(3, 1 / 3) if usual is None else usual

    def value(place):
        weights, biases = place[:3], place[3:]
        scores = np.tensordot(weights, stacked, 1) + biases
        penalty = 0.5 * (2.0 * np.sum((weights - towards) ** 2) + 3.0 * np.sum(biases**2))
        return -log_softmax(scores, axis=1)[truth].sum() + penalty

    bounds = [(0, None)] * 3 + [(None, None)] * 4
    expected = minimize(value, np.zeros(7), bounds=bounds, method="L-BFGS-B", options={"ftol": 1e-12}).x
    settings = {
        "weight_penalty": 2.0,
        "bias_penalty": 3.0,
        "prior_weights": usual,
    }
    blend = fit_blend(parts, truth, multilabel=False, **settings)
    np.testing.assert_allclose([*blend.weights, *blend.biases], expected, atol=2e-3)


@pytest.mark.parametrize("multilabel", [False, True], ids=["labels", "indicator"])
def test_a_better_model_weighs_more_and_no_weight_is_negative(multilabel):
    parts, truth = problem(1, 500, multilabel=multilabel)
    weights = fit_blend([*parts, -parts[0]], truth, multilabel).weights
    assert weights[0] > weights[1] > weights[2] >= 0
    assert weights[3] == 0


def test_a_class_without_documents_does_not_lift_the_others():
    parts, truth = problem(3)
    more = [np.column_stack([part, np.full(len(part), part.max())]) for part in parts]
    blend = fit_blend(more, np.column_stack([truth, np.zeros(len(truth), bool)]), multilabel=False)
    assert blend.biases[-1] == pytest.approx(0.0, abs=1e-6)
    assert blend.biases[:-1].sum() == pytest.approx(0.0, abs=0.05)


def test_without_evidence_it_is_the_plain_mean():
    parts, truth = problem(0, 12)
    gone = [np.where(truth, -np.inf, part) for part in parts]
    blend = fit_blend(gone, truth, multilabel=False)
    np.testing.assert_allclose(blend.weights, 1 / 3)
    assert not blend.biases.any()
    # Scales are there all the same: a model's units do not matter.
    other = fit_blend([1000 * gone[0], *gone[1:]], truth, multilabel=False)
    np.testing.assert_allclose(other([1000 * parts[0], *parts[1:]]), blend(parts), rtol=1e-6)


def test_units_of_a_model_do_not_matter():
    parts, truth = problem(2)
    others = [1000 * parts[0] + 7, 0.001 * parts[1] - 3, parts[2]]
    one, other = (fit_blend(scores, truth, multilabel=False) for scores in (parts, others))
    np.testing.assert_allclose(one(parts), other(others), atol=1e-3)


def test_two_classes_keep_the_confidence_of_a_model():
    random = np.random.default_rng(0)
    codes = random.integers(0, 2, 300)
    lead = 3 * (2 * codes - 1) * random.random(300) + random.normal(size=300)
    scores = np.column_stack([-lead, lead])
    blend = fit_blend([scores], np.eye(2, dtype=bool)[codes], multilabel=False)
    order = np.argsort(lead)
    assert np.all(np.diff(np.diff(blend([scores])[order], axis=1).ravel()) >= 0)


def test_out_of_sample_scores_come_from_the_other_folds():
    parts, truth = problem(3, 120)
    fold_of = np.arange(120) % 3
    blend, scores = blend_out_of_sample(parts, truth, False, fold_of)
    np.testing.assert_allclose(blend.weights, fit_blend(parts, truth, False).weights, atol=1e-3)
    # Other labels in a fold, as many of each, change nothing in the fold's own scores.
    shuffled = truth.copy()
    shuffled[fold_of == 0] = np.random.default_rng(0).permutation(shuffled[fold_of == 0])
    _, others = blend_out_of_sample(parts, shuffled, False, fold_of)
    np.testing.assert_allclose(others[fold_of == 0], scores[fold_of == 0], atol=0.05)
    assert np.abs(others[fold_of != 0] - scores[fold_of != 0]).max() > 0.1


def test_a_class_does_not_seem_smaller_for_the_documents_that_are_judged():
    # Two documents a class, of which nothing is known: a document's own class has one left to learn from.
    truth = np.repeat(np.eye(6, dtype=bool), 2, axis=0)
    parts = [np.random.default_rng(at).normal(size=truth.shape) * 1e-6 + truth for at in range(2)]
    for folds in (2, 3, 12):
        _, scores = blend_out_of_sample([0 * part for part in parts], truth, False, np.arange(12) % folds)
        np.testing.assert_allclose(scores, 0.0, atol=1e-3)
    fold_of = np.arange(12) % 3
    _, scores = blend_out_of_sample(parts, truth, False, fold_of)
    assert (scores.argmax(axis=1) == truth.argmax(axis=1)).all()
    spread = [scores[fold_of == fold][truth[fold_of == fold]] for fold in range(3)]
    assert np.ptp(np.concatenate(spread)) < 0.05


def test_temperature_keeps_every_decision():
    parts, truth = problem(4)
    scores = parts[0] * 1000
    blend = fit_temperature(scores, truth, multilabel=False)
    assert np.array_equal(blend([scores]).argmax(axis=1), scores.argmax(axis=1))
    confident = np.exp(log_softmax(blend([scores]), axis=1)).max(axis=1).mean()
    right = (scores.argmax(axis=1) == truth.argmax(axis=1)).mean()
    assert abs(confident - right) < 0.05


def test_a_model_of_weight_zero_is_not_used():
    blend = Blend(np.array([1.0, 0.0]), np.zeros(3), np.ones((2, 3)), np.zeros((2, 3)))
    parts = [np.array([[1.0, 2.0, 4.0]]), np.full((1, 3), np.nan)]
    assert np.isfinite(blend(parts)).all()


@pytest.mark.parametrize("multilabel", [False, True], ids=["labels", "indicator"])
def test_a_weight_is_a_number_of_repetitions(multilabel):
    parts, truth = problem(5, 150, multilabel=multilabel)
    weights = np.random.default_rng(0).integers(1, 4, 150)
    repeated = np.repeat(np.arange(150), weights)
    often = [part[repeated] for part in parts]
    weighted = fit_blend(parts, truth, multilabel, sample_weight=weights.astype(float))
    twice = fit_blend(often, truth[repeated], multilabel)
    np.testing.assert_allclose(weighted.centres, twice.centres)
    np.testing.assert_allclose(weighted.scales, twice.scales)
    np.testing.assert_allclose(weighted.weights, twice.weights, atol=2e-3)
    np.testing.assert_allclose(weighted.biases, twice.biases, atol=5e-3)
    fold_of = np.arange(150) % 3
    _, scores = blend_out_of_sample(parts, truth, multilabel, fold_of, sample_weight=weights.astype(float))
    _, others = blend_out_of_sample(often, truth[repeated], multilabel, fold_of[repeated])
    np.testing.assert_allclose(scores[repeated], others, atol=0.05)
    one = fit_temperature(parts[0], truth, multilabel, weights.astype(float))
    other = fit_temperature(often[0], truth[repeated], multilabel)
    np.testing.assert_allclose(one(parts[:1]), other(parts[:1]), rtol=1e-2, atol=1e-2)


def test_a_label_of_one_document_does_not_count_against_it():
    """Without the document, no other has the label; its bias stays that of all documents."""
    truth = np.eye(3, dtype=bool)
    parts = [np.zeros((3, 3)), np.zeros((3, 3))]
    blend, scores = blend_out_of_sample(parts, truth, True, np.arange(3))
    np.testing.assert_allclose(np.diag(scores), blend.biases, atol=1e-3)
