"""What a text classifier asks of its model."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB as Theirs
from sklearn.neighbors import KNeighborsClassifier

from textbayes import (
    AutoNB,
    LinearSVM,
    MultinomialNB,
    PoissonMixtureNB,
    TermSelector,
    TextClassifier,
    TunedClassifier,
)
from textbayes.counts import as_rows
from textbayes.errors import DocumentsNotKeptError, ParameterError
from textbayes.estimators.base.counts_model import ForeignModel, as_model, fit_on
from textbayes.statistics import LabelledRows, as_label_targets

COUNTS = as_rows(np.array([[2, 0, 1], [0, 3, 0], [1, 1, 0]]))
LISTS = [["b", "a"], [], ["b"]]


def labelled(labels, weights=None):
    return LabelledRows(COUNTS, as_label_targets(labels), weights)


@pytest.mark.parametrize(
    ("estimator", "in_place", "searches", "targets", "weights"),
    [
        (MultinomialNB(), True, False, True, True),
        (LinearSVM(), True, False, True, True),
        (PoissonMixtureNB(), False, False, True, True),
        (AutoNB(), False, True, True, True),
        (TunedClassifier(MultinomialNB()), False, False, False, True),
        (Theirs(), False, False, False, True),
        (KNeighborsClassifier(), False, False, False, False),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "fit") else "",
)
def test_properties(estimator, in_place, searches, targets, weights):
    model = as_model(estimator)
    assert (model is estimator) == type(estimator).__module__.startswith("textbayes")
    assert model.learns_in_place is in_place
    assert model.searches is searches
    assert model.takes_targets is targets
    assert model.takes_weights is weights


class Recorder:
    """Keeps what it is fitted on."""

    def fit(self, X, y, sample_weight=None):
        self.given = X.toarray().tolist(), y, sample_weight
        return self


def test_labels_and_weights_as_an_estimator_takes_them():
    weights = np.array([1.0, 2.0, 0.5])
    X, y, given = fit_on(Recorder(), labelled(["b", "a", "b"], weights)).given
    assert COUNTS.matrix.toarray().tolist() == X
    assert y.tolist() == ["b", "a", "b"]
    assert given is weights
    _, y, given = fit_on(Recorder(), labelled(LISTS)).given
    assert y.tolist() == [[1, 1], [0, 0], [0, 1]]
    assert given is None
    named = Recorder()
    named.takes_targets = True
    assert fit_on(named, labelled(LISTS)).given[1].classes.tolist() == ["a", "b"]
    selector = TermSelector("chi2", k=1)
    assert fit_on(selector, labelled(["b", "a", "b"]), "fit_transform").shape == (3, 1)


def test_a_classifier_of_scikit_learn():
    texts, labels = ["wheat corn", "corn", "crude oil", "oil"], ["grain", "grain", "oil", "oil"]
    classifier = TextClassifier(LogisticRegression()).fit(texts, labels)
    assert type(classifier.model_) is LogisticRegression
    assert classifier.predict(["corn", "oil"]).tolist() == ["grain", "oil"]
    assert classifier.teach(["gold"], ["metal"]).forget(["gold"], ["metal"]).documents_ == 4
    with pytest.raises(ParameterError, match="LogisticRegression"):
        classifier.explain("corn")
    with pytest.raises(DocumentsNotKeptError, match="LogisticRegression"):
        classifier.inspect()


def test_defaults():
    model = ForeignModel(Theirs())
    assert model.statistics_ is None
    assert model.scoring_model is None
    assert model.component_parts(COUNTS) == []
    assert model.borrow(None) is model
    assert model.without_documents() is model.estimator
    assert model.model_input(COUNTS).toarray().tolist() == COUNTS.matrix.toarray().tolist()
