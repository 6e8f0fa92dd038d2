"""Thresholds of multi-label data."""

import numpy as np
import pytest

from textbayes.decisions import best_labels, held_out_thresholds, proportional_thresholds, scut_thresholds


def f1(given, truth):
    return 2 * (given & truth).sum() / max(given.sum() + truth.sum(), 1)


def noisy(documents=400, classes=6, seed=0):
    """Classes of falling frequency, whose documents score about two standard deviations higher."""
    rng = np.random.default_rng(seed)
    truth = rng.random((documents, classes)) < 0.4 ** np.arange(1, classes + 1)
    return rng.normal(size=truth.shape) * np.arange(1, classes + 1) + 2.0 * truth * np.arange(
        1, classes + 1
    ), truth


def test_plain_scut_is_the_greatest_f1():
    scores, truth = noisy()
    cut = scut_thresholds(scores, truth, shrinkage=0.0)
    for column in range(truth.shape[1]):
        own, has = scores[:, column], truth[:, column]
        if not has.sum() >= 4:
            continue
        best = max(f1(own > at, has) for at in own - 1e-9)
        found = f1(own > cut.thresholds[column], has)
        assert found == pytest.approx(best), column


def test_without_votes_of_their_own_all_classes_share_one_ratio():
    scores, truth = noisy()
    cut = scut_thresholds(scores, truth, shrinkage=np.inf)
    given = (scores > cut.thresholds).sum(axis=0)
    assert given.tolist() == np.maximum(np.rint(cut.shared * truth.sum(axis=0)), 1).tolist()
    ratios = np.exp(np.linspace(-np.log(4), np.log(4), 97))
    best = max(f1(scores > proportional_thresholds(scores, truth, ratio), truth) for ratio in ratios)
    assert f1(scores > cut.thresholds, truth) == pytest.approx(best, abs=0.01)


def test_rare_classes_follow_the_shared_rule():
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(1000, 2))
    truth = np.zeros((1000, 2), dtype=bool)
    truth[:300, 0] = True
    scores[:300, 0] += 3.0
    # The only document of the second class ranks 20th: its own F1 would be best at a cut below it.
    truth[np.argsort(-scores[:, 1])[19], 1] = True
    plain = scut_thresholds(scores, truth, shrinkage=0.0)
    shrunk = scut_thresholds(scores, truth)
    assert (scores[:, 1] > plain.thresholds[1]).sum() == 4  # never more than four times as many as have it
    assert (scores[:, 1] > shrunk.thresholds[1]).sum() == 1
    assert shrunk.thresholds[0] == pytest.approx(plain.thresholds[0], abs=0.2)


def test_a_class_without_documents_is_never_given():
    scores, truth = noisy(classes=2)
    truth[:, 1] = False
    for thresholds in (scut_thresholds(scores, truth).thresholds, proportional_thresholds(scores, truth)):
        assert thresholds[1] == np.inf
        assert np.isfinite(thresholds[0])


def test_an_impossible_class_scores_least():
    scores = np.array([[-np.inf], [1.0], [3.0], [2.0]])
    truth = np.array([[True], [False], [True], [False]])
    assert proportional_thresholds(scores, truth).tolist() == [1.5]
    assert np.isfinite(proportional_thresholds(scores, truth, ratio=2.0)).all()


def test_of_equal_scores_the_first_classes():
    assert best_labels(np.zeros((2, 3)), 2).tolist() == [[True, True, False]] * 2
    assert best_labels(np.array([[1.0, 2.0]]), 9).tolist() == [[True, True]]


# Weights.


@pytest.mark.parametrize("shrinkage", [0.0, 10.0, np.inf])
def test_a_weight_is_a_number_of_documents(shrinkage):
    scores, truth = noisy()
    weights = np.random.default_rng(0).integers(1, 4, len(scores))
    repeated = np.repeat(np.arange(len(scores)), weights)
    weighted = scut_thresholds(scores, truth, shrinkage, weights.astype(float))
    often = scut_thresholds(scores[repeated], truth[repeated], shrinkage)
    # The last document above a cut may count in part.
    given, expected = scores > weighted.thresholds, scores > often.thresholds
    assert np.mean(given != expected) < 0.02
    assert weighted.shared == pytest.approx(often.shared, rel=0.1)


def test_equal_weights_change_nothing_but_the_shrinkage():
    scores, truth = noisy()
    plain, twice = (scut_thresholds(scores, truth, 0.0, weights) for weights in (None, np.full(400, 2.0)))
    assert plain.thresholds.tolist() == twice.thresholds.tolist()


def test_a_heavier_class_has_a_lower_threshold():
    scores, truth = noisy()
    plain = scut_thresholds(scores, truth).thresholds
    heavy = scut_thresholds(scores, truth, class_weight=np.array([1.0, 8.0, 1.0, 1.0, 1.0, 1.0])).thresholds
    assert heavy[1] < plain[1]
    assert (scores[:, 1] > heavy[1])[truth[:, 1]].mean() > (scores[:, 1] > plain[1])[truth[:, 1]].mean()


def test_held_out_thresholds_do_not_know_their_documents():
    scores, truth = noisy()
    fold_of = np.arange(len(scores)) % 3
    found = held_out_thresholds(scores, truth, fold_of)
    others = fold_of != 2
    assert np.array_equal(found[2], scut_thresholds(scores[others], truth[others]).thresholds)
    changed = truth.copy()
    changed[fold_of == 2] = ~truth[fold_of == 2]
    assert np.array_equal(held_out_thresholds(scores, changed, fold_of)[~others], found[~others])
