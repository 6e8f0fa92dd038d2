"""CentroidClassifier: its parameter, its lengths, and cosines."""

import numpy as np
import pytest
from sklearn.preprocessing import normalize

from reference.cases import assert_close
from reference.variants import documents
from textbayes import CentroidClassifier
from textbayes.errors import ParameterError

X = np.array([[3.0, 0, 1], [1, 1, 0], [0, 2, 1], [0, 0, 0]])
Y = np.array(["a", "a", "b", "silent"])


@pytest.mark.parametrize("norm", ["l3", "L2", None, 2, True, ["l2"]])
def test_norm_out_of_range(norm):
    with pytest.raises(ParameterError, match="l1"):
        CentroidClassifier(norm=norm).fit(X, Y)


@pytest.mark.parametrize(("norm", "order"), [("l2", 2), ("l1", 1)])
def test_centroids_have_length_1(norm, order):
    model = CentroidClassifier(norm=norm).fit(X, Y)
    assert_close(np.linalg.norm(model.weights_, ord=order, axis=1), [1, 1, 0])
    assert_close(model.decision_function(X), X @ model.weights_.T)
    assert_close(model.decision_function(X)[:, 2], np.zeros(4))


def test_with_unit_documents_the_scores_are_cosines():
    counts, labels = documents(80, 30, 4)
    unit = normalize(counts)
    model = CentroidClassifier().fit(unit, labels)
    means = np.array([np.asarray(unit[labels == label].mean(axis=0)).ravel() for label in model.classes_])
    expected = unit @ normalize(means).T
    assert_close(model.decision_function(unit), expected)
    assert model.decision_function(unit).max() <= 1 + 1e-12


@pytest.mark.parametrize("norm", ["l2", "l1"])
def test_the_length_of_a_class_does_not_matter(norm):
    scaled = X * np.array([[5.0], [5.0], [0.01], [1.0]])
    model = CentroidClassifier(norm=norm)
    assert_close(model.fit(scaled, Y).weights_, model.fit(X, Y).weights_)


@pytest.mark.parametrize("norm", ["l2", "l1"])
def test_an_indicator_is_decided_by_the_nearer_of_two_centroids(norm):
    counts, labels = documents(40, 15, 3, multilabel=True)
    model = CentroidClassifier(norm=norm).fit(counts, labels)
    dense = counts.toarray()
    expected = np.empty((40, 3))
    for column in range(3):
        own = normalize([dense[labels[:, column] == 1].sum(axis=0)], norm)[0]
        rest = normalize([dense[labels[:, column] == 0].sum(axis=0)], norm)[0]
        expected[:, column] = dense @ (own - rest)
    assert np.array_equal(model.predict(counts), (expected > 0).astype(int))
    assert_close(np.log(model.predict_proba(counts) / (1 - model.predict_proba(counts))), expected, 1e-9)
