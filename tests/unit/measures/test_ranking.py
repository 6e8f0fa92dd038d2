"""Break-even and AUC: hand-worked rankings, brute force, and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from sklearn.metrics import precision_recall_curve, roc_auc_score, top_k_accuracy_score

from examples import examples
from textbayes.errors import LabelsError, NoDocumentsError, ParameterError, ShapeError
from textbayes.evaluation import (
    BestClasses,
    break_even,
    one_vs_rest_auc,
    precision_recall_at,
    recall_at_break_even,
)

LAW = settings(max_examples=examples(60), deadline=None)
SCORES = np.array([[3.0, 0.1], [2.0, 0.9], [1.0, 0.2]])
TRUTH = np.array([[1, 0], [0, 1], [1, 0]])


def literal_break_even(truth, scores):
    """Cut sorted lists, one class at a time."""
    hits, sizes = [], []
    for true, said in zip(truth.T.tolist(), scores.T.tolist(), strict=True):
        ranking = sorted(range(len(true)), key=lambda at: (-said[at], at))
        sizes.append(sum(true))
        hits.append(sum(true[at] for at in ranking[: sum(true)]))
    found = [hit / size for hit, size in zip(hits, sizes, strict=True) if size]
    return sum(hits) / sum(sizes), sum(found) / len(found)


@st.composite
def problems(draw):
    shape = draw(st.tuples(st.integers(1, 25), st.integers(1, 5)))
    truth = draw(arrays(np.int8, shape, elements=st.integers(0, 1)))
    # Few values, so that there are ties; and scores without end, as unseen terms give.
    few = st.sampled_from([-np.inf, -1.5, 0.0, 0.25, 2.0, np.inf])
    return truth, draw(arrays(np.float64, shape, elements=few))


def test_by_hand():
    found = break_even(TRUTH, SCORES)
    assert found.per_class.tolist() == [0.5, 1.0]
    assert (found.micro, found.macro) == (2 / 3, 0.75)


@LAW
@given(problems(), st.integers(1, 7))
def test_brute_force_and_blocks(problem, rows):
    truth, scores = problem
    if not truth.any():
        return
    found = break_even(truth, scores)
    assert (found.micro, found.macro) == pytest.approx(literal_break_even(truth, scores))
    blocks = (scores[start : start + rows] for start in range(0, len(scores), rows))
    again = break_even(sparse.csc_matrix(truth), blocks)
    np.testing.assert_array_equal(again.per_class, found.per_class)
    assert (again.micro, again.macro) == (found.micro, found.macro)


def test_precision_equals_recall_there():
    random = np.random.default_rng(0)
    truth = random.random(400) < 0.2
    scores = random.normal(size=400) + truth
    precision, recall, _ = precision_recall_curve(truth, scores)
    (crossing,) = set(precision[np.flatnonzero(precision == recall)[:1]].tolist())
    assert break_even(truth, scores).macro == pytest.approx(crossing)


def test_of_equal_scores_the_first_document():
    assert break_even([1, 0], [0.0, 0.0]).macro == 1.0
    assert break_even([0, 1], [0.0, 0.0]).macro == 0.0


def test_a_class_without_documents_is_left_out_of_macro():
    found = break_even([[1, 0], [0, 0]], [[2.0, 1.0], [1.0, 2.0]])
    assert found.macro == found.micro == 1.0
    assert np.isnan(found.per_class[1])


def test_each_problem_has_its_own_documents():
    found = recall_at_break_even(
        iter([([1, 1, 0, 0], [2.0, -1.0, 0.5, -3.0]), ([0, 0, 1], [-1.0, -2.0, 4.0])])
    )
    assert found.per_class.tolist() == [0.5, 1.0]
    assert (found.micro, found.macro) == (2 / 3, 0.75)


@LAW
@given(problems())
def test_problems_side_by_side(problem):
    truth, scores = problem
    if truth.any():
        found = recall_at_break_even(zip(truth.T, scores.T, strict=True))
        assert str(found) == str(break_even(truth, scores))


@LAW
@given(problems())
def test_auc_is_scikit_learns(problem):
    truth, scores = problem
    if not truth.any():
        return
    found = one_vs_rest_auc(truth, scores)
    finite = np.clip(scores, -9, 9)  # scikit-learn takes no infinities; the order is the same
    for at, area in enumerate(found.per_class):
        mixed = 0 < truth[:, at].sum() < len(truth)
        expected = roc_auc_score(truth[:, at], finite[:, at]) if mixed else np.nan
        assert area == pytest.approx(expected, nan_ok=True)
    if np.isfinite(found.per_class).all():
        assert found.macro == pytest.approx(roc_auc_score(truth, finite, average="macro"))
        assert found.micro == pytest.approx(roc_auc_score(truth, finite, average="micro"))


@pytest.mark.parametrize("metric", [break_even, one_vs_rest_auc])
@pytest.mark.parametrize(
    ("truth", "scores", "error", "message"),
    [
        (TRUTH, SCORES[:2], ShapeError, r"^scores has shape \(2, 2\)"),
        (TRUTH, SCORES[:, :1], ShapeError, r"^scores has shape \(3, 1\)"),
        (TRUTH, [SCORES, SCORES], ShapeError, r"^scores has shape \(6, 2\)"),
        (TRUTH, np.zeros((3, 2, 1)), ShapeError, r"^scores has shape \(3, 2, 1\)"),
        (TRUTH * 0, SCORES, NoDocumentsError, "truth holds no document with a class"),
        (TRUTH * 2, SCORES, LabelsError, "other values than 0 and 1"),
        (["oil", "밀", "oil"], SCORES[:, 0], LabelsError, "an indicator is needed"),
        (TRUTH, np.where(TRUTH, SCORES, np.nan), ParameterError, r"^scores\[\d, \d\]=nan"),
    ],
    ids=["rows", "columns", "blocks", "cube", "no-truth", "twos", "labels", "nan"],
)
def test_what_cannot_be_measured(metric, truth, scores, error, message):
    with pytest.raises(error, match=message):
        metric(truth, scores)


def test_the_error_names_the_cell():
    with pytest.raises(ParameterError, match=r"scores\[2, 0\]=nan"):
        break_even(TRUTH, [SCORES[:2], [[np.nan, 1.0]]])


def test_no_problem_with_documents():
    with pytest.raises(NoDocumentsError, match="truth holds no document of its class"):
        recall_at_break_even([([0, 0], [1.0, 2.0])])


def test_best_classes_are_those_of_scikit_learn():
    random = np.random.default_rng(0)
    scores, labels = random.normal(size=(200, 7)), random.integers(0, 7, 200)
    for k in (1, 2, 5):
        found = precision_recall_at(np.eye(7)[labels], scores, k)
        assert found.recall == pytest.approx(top_k_accuracy_score(labels, scores, k=k, labels=range(7)))
        assert found.precision == pytest.approx(found.recall / k)


def test_best_classes_of_several_labels():
    truth = np.array([[1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]])
    scores = np.array([[0.9, 0.1, 0.8, 0.7], [0.5, 0.5, 0.5, 0.4], [0.1, 0.2, 0.3, 0.4]])
    # The third document has no class, so it counts in precision only; of equal scores the first class ranks.
    assert precision_recall_at(truth, scores, 2) == BestClasses(2, 1 / 6, 0.25)
    assert precision_recall_at(truth, iter([scores[:1], scores[1:]]), 3) == BestClasses(3, 2 / 9, 0.75)


def test_best_classes_are_at_most_all():
    with pytest.raises(ParameterError, match=r"^k=3"):
        precision_recall_at(TRUTH, SCORES, 3)
    with pytest.raises(NoDocumentsError):
        precision_recall_at(np.zeros((0, 2)), np.zeros((0, 2)), 1)
