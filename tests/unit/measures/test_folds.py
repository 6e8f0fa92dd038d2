"""Documents dealt to folds and drawn for samples: every class has its share."""

import numpy as np
import pytest

from textbayes.measures import deal_folds, sample_in_proportion, shuffled_strata, strata
from textbayes.statistics import as_label_targets, as_targets

y = np.repeat(["a", "b", "c", "d"], 30)


def test_in_turn_by_the_first_class():
    targets = as_label_targets([["b", "a"], [], ["a"], ["b"], ["a", "c"]])
    assert [group.tolist() for group in strata(targets, by="first")] == [[1], [2, 4], [0, 3]]
    assert deal_folds(strata(targets, by="first"), 2).tolist() == [1, 0, 1, 0, 0]


def test_groups_are_by_the_rarest_class_and_those_without_one_come_last():
    targets = as_label_targets([["b", "a"], [], ["a"], ["b"], ["a", "c"], ["a"]])
    assert [group.tolist() for group in strata(targets)] == [[2, 5], [0, 3], [4], [1]]


@pytest.mark.parametrize("by", ["first", "rarest"])
def test_no_documents(by):
    assert strata(as_label_targets([]), by) == []
    assert deal_folds([], 3).tolist() == []


def test_a_generator_shuffles_within_groups():
    groups = strata(as_targets(y))
    dealt = [deal_folds(groups, 4, np.random.default_rng(seed)) for seed in (0, 0, 1)]
    assert np.array_equal(dealt[0], dealt[1])
    assert not np.array_equal(dealt[0], dealt[2])
    for fold_of in dealt:
        assert np.bincount(fold_of).tolist() == [30] * 4
        assert all(np.ptp(np.bincount(fold_of[y == label])) <= 1 for label in "abcd")


def test_folds_deal_every_class_evenly():
    targets = as_targets(y)
    fold_of = deal_folds(shuffled_strata(targets, 0), 5)
    for label in np.unique(y):
        assert np.bincount(fold_of[y == label], minlength=5).tolist() == [6] * 5


def test_folds_deal_documents_of_several_classes_by_the_rarest():
    # All have the first class; the documents of the second would share folds if only that one counted.
    truth = np.zeros((40, 4), dtype=int)
    truth[:, 0], truth[3:8, 1], truth[30:40, 2], truth[5, 3], truth[20:25] = 1, 1, 1, 1, 0
    for seed in range(5):
        fold_of = deal_folds(shuffled_strata(as_targets(truth), seed), 5)
        assert np.bincount(fold_of[truth[:, 2] > 0], minlength=5).tolist() == [2] * 5
        # The one with the rarest class of all is dealt for that class.
        assert len(set(fold_of[[3, 4, 6, 7]])) == 4
        assert len(set(fold_of[20:25])) == 5
        assert np.bincount(fold_of).tolist() == [8] * 5


def test_a_sample_has_every_class_and_the_proportions_of_all():
    labels = np.array(["rare"] * 5 + ["common"] * 500 + ["usual"] * 100)
    drawn = sample_in_proportion(as_targets(labels), 105, 0)
    names, counts = np.unique(labels[drawn], return_counts=True)
    found = dict(zip(names.tolist(), counts.tolist(), strict=True))
    assert found["rare"] >= 2
    assert abs(found["common"] - 5 * found["usual"]) <= 10
    assert len(drawn) == 105
    assert np.array_equal(sample_in_proportion(as_targets(labels), 605, 0), np.arange(605))


def test_a_sample_of_many_classes_takes_them_at_random():
    labels = np.repeat(np.arange(1000), 2)
    assert len(sample_in_proportion(as_targets(labels), 10, 0)) == 2000
    drawn = labels[sample_in_proportion(as_targets(labels), 100, 0, least=0)]
    assert len(drawn) == 100
    assert drawn.max() > 800
