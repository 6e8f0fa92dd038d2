"""Divisions of documents: nothing on both sides, classes spread evenly, the same again with the same seed."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from examples import examples
from textbayes.errors import (
    NoDocumentsError,
    ParameterError,
)
from textbayes.evaluation import FixedSplit, LearningCurve, RepeatedHoldOut, StratifiedFolds

LAW = settings(max_examples=examples(60), deadline=None)
NAMES = ["oil", "밀", "قمح", "🌾", "गेहूँ"]
LABELS = st.lists(st.sampled_from(NAMES), min_size=12, max_size=60)
SETS = st.lists(st.sets(st.sampled_from(NAMES), max_size=3).map(tuple), min_size=12, max_size=60)
PROTOCOLS = [StratifiedFolds(4), RepeatedHoldOut(3), LearningCurve((1, 2), runs=2)]


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=["folds", "hold-out", "curve"])
@LAW
@given(labels=st.one_of(LABELS, SETS))
def test_no_document_is_on_both_sides(protocol, labels):
    if max(Counter(label for each in labels for label in np.atleast_1d(each)).values(), default=0) < 6:
        return  # too few for the curve's second point
    for name, train, test in protocol.divide(labels):
        assert name
        assert not set(train.tolist()) & set(test.tolist())
        assert len(train)
        assert len(test)
        for side in (train, test):
            assert np.all(np.diff(side) > 0)
            assert side[0] >= 0
            assert side[-1] < len(labels)


@LAW
@given(LABELS, st.integers(2, 6))
def test_folds(labels, folds):
    runs = list(StratifiedFolds(folds).divide(labels))
    assert np.array_equal(np.sort(np.concatenate([run.test for run in runs])), np.arange(len(labels)))
    for run in runs:
        assert len(run.train) + len(run.test) == len(labels)
    for label, size in Counter(labels).items():
        here = [sum(labels[at] == label for at in run.test) for run in runs]
        assert max(here) - min(here) <= 1
        assert sum(here) == size
    assert np.ptp([len(run.test) for run in runs]) <= 1


@LAW
@given(LABELS, st.sampled_from([0.1, 0.34, 0.5, 0.9]))
def test_hold_out_takes_each_classs_share(labels, share):
    sizes = Counter(labels)
    if max(sizes.values()) < 2:
        return
    for run in RepeatedHoldOut(3, share).divide(labels):
        tested = Counter(labels[at] for at in run.test)
        for label, size in sizes.items():
            assert tested[label] == 0 if size == 1 else 1 <= tested[label] <= size - 1
            assert abs(tested[label] - share * size) <= 1.0 or tested[label] in (1, size - 1)


def test_many_single_documents_do_not_empty_a_class():
    labels = [f"a{at}" for at in range(100)] + ["밀"] * 10
    (run,) = RepeatedHoldOut(1).divide(labels)
    assert [labels[at] for at in run.test].count("밀") == len(run.test)
    assert 3 <= len(run.test) <= 4


def test_the_papers_hold_out():
    labels = ["a"] * 500 + ["b"] * 300 + ["c"] * 200
    runs = list(RepeatedHoldOut().divide(labels))
    assert len(runs) == 10
    assert {len(run.test) for run in runs} == {340}
    assert len({tuple(run.test.tolist()) for run in runs}) == 10


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=["folds", "hold-out", "curve"])
def test_seeds(protocol):
    labels = ["a", "b", "b"] * 20
    divided = [[run.test.tolist() for run in each.divide(labels)] for each in (protocol, protocol)]
    assert divided[0] == divided[1]
    fields = {name: getattr(protocol, name) for name in protocol.__dataclass_fields__}
    other = type(protocol)(**{**fields, "seed": 1})
    assert divided[0] != [run.test.tolist() for run in other.divide(labels)]


def test_a_run_is_the_same_for_any_number_of_runs():
    labels = ["a", "b", "b"] * 20
    many = [run.test.tolist() for run in RepeatedHoldOut(7).divide(labels)]
    assert [run.test.tolist() for run in RepeatedHoldOut(3).divide(labels)] == many[:3]


@LAW
@given(st.one_of(LABELS, SETS))
def test_a_curves_points_hold_the_points_before(labels):
    sets = [each if isinstance(each, tuple) else (each,) for each in labels]
    curve = LearningCurve((1, 2, 4), runs=2)
    try:
        runs = list(curve.divide(labels))
    except ParameterError:
        return
    for small, large in pairwise(runs):
        if large.documents_per_class != 1:
            assert set(small.train.tolist()) < set(large.train.tolist()) or len(small.train) == len(
                large.train
            )
            assert np.array_equal(small.test, large.test)
    for run in runs:
        pool = [at for at in range(len(sets)) if at not in set(run.test.tolist())]
        available = Counter(label for at in pool for label in sets[at])
        learned = Counter(label for at in run.train.tolist() for label in sets[at])
        for label, count in available.items():
            assert learned[label] >= min(count, run.documents_per_class)
            if all(len(each) == 1 for each in sets):
                assert learned[label] == min(count, run.documents_per_class)


def test_a_point_that_no_class_can_fill():
    with pytest.raises(ParameterError, match=r"documents_per_class=50 (.|\n)*largest class has 7"):
        list(LearningCurve().divide(["a"] * 10 + ["b"] * 5))


def test_fixed_split():
    (run,) = FixedSplit("dev", "test").divide("abcd", ["test", None, "dev", "test"])
    assert (run.train.tolist(), run.test.tolist()) == ([2], [0, 3])


@pytest.mark.parametrize(
    ("splits", "missing"),
    [(None, "train"), (["train", "train"], "test"), ([None, "test"], "train")],
    ids=["none", "train", "test"],
)
def test_no_such_split(splits, missing):
    with pytest.raises(ParameterError, match=f"^split='{missing}'"):
        list(FixedSplit().divide(["a", "b"], splits))


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: StratifiedFolds(1), "folds"),
        (lambda: StratifiedFolds(2.0), "folds"),
        (lambda: StratifiedFolds(seed=-1), "seed"),
        (lambda: RepeatedHoldOut(0), "runs"),
        (lambda: RepeatedHoldOut(test_share=34), "test_share"),
        (lambda: RepeatedHoldOut(test_share="a third"), "test_share"),
        (lambda: LearningCurve(()), "documents_per_class"),
        (lambda: LearningCurve((5, 2)), "documents_per_class"),
        (lambda: LearningCurve((0, 2)), "documents_per_class"),
        (lambda: list(StratifiedFolds(5).divide(["a"] * 4)), "folds"),
        (lambda: list(RepeatedHoldOut().divide(["a", "b"])), "labels"),
    ],
    ids=[
        "1-fold",
        "2.0",
        "seed",
        "0-runs",
        "34",
        "words",
        "no-points",
        "falling",
        "0-point",
        "few",
        "singles",
    ],
)
def test_invalid_settings(make, name):
    with pytest.raises(ParameterError, match=f"^{name}="):
        make()


def test_no_documents():
    with pytest.raises(NoDocumentsError, match="labels holds no documents"):
        list(RepeatedHoldOut().divide([]))


def test_indicators():
    indicator = np.array([[1, 0], [0, 1], [1, 1], [0, 0]] * 3)
    sets = [(0,), (1,), (0, 1), ()] * 3
    for form in (indicator, sparse.csr_array(indicator)):
        assert [run.test.tolist() for run in StratifiedFolds(3).divide(form)] == [
            run.test.tolist() for run in StratifiedFolds(3).divide(sets)
        ]


def test_numpy_labels_and_none():
    runs = list(StratifiedFolds(2).divide(np.array([1, 2, 1, 2])))
    assert [sorted(run.test.tolist()) for run in runs] != []
    assert sum(len(run.test) for run in StratifiedFolds(2).divide(["a", None, "a", None])) == 4
