"""A document of a class of weight w counts as w documents."""

import numpy as np
import pytest
from sklearn.utils.class_weight import compute_class_weight

from textbayes.errors import ParameterError
from textbayes.measures import (
    SEARCHED_METRICS,
    CostMatrix,
    balanced_weights,
    cell_weights,
    check_class_weight,
    class_weights,
    objective,
    quality,
)

CLASSES = ["a/b", "a/c", "ö", "ö/名"]


def drawn(seed=0, documents=120):
    random = np.random.default_rng(seed)
    codes = random.choice(4, documents, p=[0.5, 0.3, 0.15, 0.05])
    truth = np.eye(4, dtype=bool)[codes]
    return truth + random.normal(size=truth.shape), truth, codes


@pytest.mark.parametrize(
    "metric", [*SEARCHED_METRICS, CostMatrix(3 * np.ones((4, 4)) - 3 * np.eye(4), CLASSES)]
)
def test_a_weight_is_a_number_of_documents(metric):
    scores, truth, codes = drawn()
    own = objective(metric, CLASSES, class_weight={"ö": 3, "ö/名": 2})
    repeated = np.repeat(np.arange(len(codes)), np.array([1, 1, 3, 2])[codes])
    weighted = quality(scores, truth, own, False, own.document_weights(truth, False, None))
    often = quality(scores[repeated], truth[repeated], objective(metric, CLASSES), False)
    assert weighted.value == pytest.approx(often.value, rel=1e-12)


def test_balanced_is_that_of_scikit_learn():
    _, truth, codes = drawn()
    expected = compute_class_weight("balanced", classes=np.arange(4), y=codes)
    assert balanced_weights(truth, None, multilabel=False) == pytest.approx(expected)
    weights = np.random.default_rng(0).integers(1, 4, len(codes))
    repeated = np.repeat(codes, weights)
    expected = compute_class_weight("balanced", classes=np.arange(4), y=repeated)
    assert balanced_weights(truth, weights.astype(float), multilabel=False) == pytest.approx(expected)


def test_balanced_documents_of_a_class_weigh_as_much_as_the_others():
    truth = np.random.default_rng(0).random((200, 3)) < [0.5, 0.1, 0.02]
    found = balanced_weights(truth, None, multilabel=True)
    cells = cell_weights(truth, None, found, multilabel=True)
    np.testing.assert_allclose((cells * truth).sum(axis=0), (cells * ~truth).sum(axis=0))


def test_a_class_without_documents_has_weight_one():
    truth = np.zeros((4, 2), dtype=bool)
    truth[:, 0] = True
    assert balanced_weights(truth, None, multilabel=False)[1] == 1
    assert balanced_weights(truth, None, multilabel=True)[1] == 1


def test_several_labels_count_where_their_class_is_decided():
    """F1 of a class whose documents count w times is 2wh / (wh + wrong + wn)."""
    random = np.random.default_rng(0)
    truth = random.random((80, 2)) < 0.3
    scores = truth + random.normal(size=truth.shape)
    own = objective("macro_f1", ["名", "x"], True, {"名": 4})
    found = quality(scores, truth, own, True, own.document_weights(truth, True, None))
    each = []
    for column, weight in ((0, 4), (1, 1)):
        order = np.argsort(-scores[:, column])
        cells = np.where(truth[order, column], weight, 1)
        given = np.cumsum(cells) - cells / 2 <= weight * truth[:, column].sum()
        hits, wrong = (given & truth[order, column]).sum(), (given & ~truth[order, column]).sum()
        each.append(2 * weight * hits / (weight * hits + wrong + weight * truth[:, column].sum()))
    assert found.value == pytest.approx(np.mean(each))
    assert found.influences.sum() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("metric", ["micro_f1", "macro_f1", "accuracy", "log_loss", "tree_f1"])
def test_class_weights_of_one_change_nothing(metric):
    random = np.random.default_rng(0)
    truth = random.random((80, 4)) < 0.3
    scores = truth + random.normal(size=truth.shape)
    own = objective(metric, CLASSES, True, {"ö": 1.0})
    plain = quality(scores, truth, own, True)
    ones = quality(scores, truth, own, True, own.document_weights(truth, True, None))
    assert ones.value == pytest.approx(plain.value)
    np.testing.assert_allclose(ones.influences, plain.influences, atol=1e-12)


def test_document_weights_multiply():
    truth = np.eye(2, dtype=bool)[[0, 1, 1]]
    weights = np.array([1.0, 2.0, 3.0])
    assert cell_weights(truth, weights, np.array([1.0, 5.0]), False).tolist() == [1, 10, 15]
    assert cell_weights(truth, weights, np.array([1.0, 5.0]), True).tolist() == [[1, 1], [2, 10], [3, 15]]
    assert cell_weights(truth, weights, None, True) is weights


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"名": 0}, r"class_weight\['名'\]=0"),
        ({"名": -1}, r"class_weight\['名'\]=-1"),
        ({"a": float("nan")}, r"class_weight\['a'\]=nan"),
        ({"a": float("inf")}, r"class_weight\['a'\]=inf"),
        ({"a": "2"}, r"class_weight\['a'\]='2'"),
        ({"a": True}, r"class_weight\['a'\]=True"),
        ({3: 1e9}, r"class_weight\[3\]=1000000000.0"),
        ("balancd", "class_weight='balancd'.*Did you mean 'balanced'"),
        ([1, 2], r"class_weight=\[1, 2\]"),
    ],
)
def test_bad_weights_are_named(given, named):
    with pytest.raises(ParameterError, match=named):
        check_class_weight(given)


def test_unknown_labels_are_named():
    with pytest.raises(ParameterError, match=r"class_weight\['Größe'\]=2(.|\n)*perhaps 'größe'"):
        class_weights({"Größe": 2}, ["größe", "名"])
    with pytest.raises(ParameterError, match=r"class_weight\[7\]=2"):
        class_weights({7: 2}, ["7", "8"])
    assert class_weights({}, ["a"]).tolist() == [1.0]
    assert class_weights(None, ["a"]) is None
