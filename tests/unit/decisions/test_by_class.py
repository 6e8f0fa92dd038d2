"""The model that suits each class."""

import numpy as np

from textbayes.decisions import best_by_class, scores_by_class


def parts(seed=0, documents=300, classes=6):
    """Scores of two models, each good at every other class."""
    random = np.random.default_rng(seed)
    truth = random.random((documents, classes)) < 0.2
    noise = random.normal(size=(2, documents, classes))
    even = np.arange(classes) % 2 == 0
    return [truth * np.where(even, 3.0, 0.5) + noise[0], truth * np.where(even, 0.5, 3.0) + noise[1]], truth


def test_each_class_gets_the_model_that_ranks_it_best():
    scores, truth = parts()
    chosen = best_by_class(scores, truth)
    assert chosen.tolist() == [0, 1, 0, 1, 0, 1]
    mixed = scores_by_class(scores, chosen)
    assert np.array_equal(mixed[:, ::2], scores[0][:, ::2])
    assert np.array_equal(mixed[:, 1::2], scores[1][:, 1::2])


def test_rare_classes_follow_all_classes():
    scores, truth = parts()
    better = [scores[0], np.where(np.arange(6) < 5, scores[0] - truth, scores[1])]
    truth[:, 5] = False
    truth[0, 5] = True
    assert best_by_class(better, truth, shrinkage=1e6).tolist() == [0] * 6
    better[0][0, 5], better[1][0, 5] = -9.0, 9.0
    assert best_by_class(better, truth, shrinkage=0.0)[5] == 1
    assert best_by_class(better, truth, shrinkage=100.0)[5] == 0
