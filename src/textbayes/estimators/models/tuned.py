"""TunedClassifier."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import get_tags

from textbayes.answering import TunedAnswers, checked_best
from textbayes.counts import Rows
from textbayes.decisions import (
    Calibration,
    SharedOdds,
    Tuned,
    reject_unsure,
    tune_indicator,
    tune_labels,
)
from textbayes.decisions.calibration import CALIBRATIONS
from textbayes.errors import MergeError, ParameterError, UnfittedError
from textbayes.errors.checks import check_number, check_option, check_switch
from textbayes.estimators.base.changing import changes, reads
from textbayes.estimators.base.counts_model import CountsModel, as_model
from textbayes.estimators.base.inputs import any_rows
from textbayes.estimators.base.naive_bayes import NaiveBayesClassifier
from textbayes.estimators.base.storing import (
    check_file,
    restore_estimator,
    storable,
    store_estimator,
    verify_file,
)
from textbayes.measures import two_columns
from textbayes.persistence import Stored
from textbayes.scores import ComponentParts, Contributions
from textbayes.statistics import Documents, LabelledRows, as_targets, check_mergeable_labels
from textbayes.statistics.lock import Lock

Reals = NDArray[np.float64]

RULES = ("scut", "pcut", "rcut", "fixed")


@dataclass(eq=False)
class _Latest:
    """The decisions, until documents or parameters change; tuned when first needed.

    They are not an attribute of the model: for scikit-learn, predictions leave the attributes as they are.
    """

    tuned: Tuned | None = None
    lock: Lock = field(default_factory=Lock)


@storable
class TunedClassifier(CountsModel, ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose decisions are tuned on its leave-one-out scores.

    With one label per document, each class gets the bias that makes the fewest errors, and probabilities are
    calibrated. With label indicators, each class gets a threshold. No documents are held out: leave-one-out
    scores are those of models that have not seen the document.

    Parameters
    ----------
    estimator : classifier of textbayes
        The classifier to tune. It is cloned; the fitted one is ``estimator_``.
    rule : {"scut", "pcut", "rcut", "fixed"}, default="scut"
        How label indicators are decided:

        - "scut": the threshold with the largest F1, for rare classes shrunk towards a shared one;
        - "pcut": as many documents get a class as have it, times ``value`` (1);
        - "rcut": the ``value`` (1) best classes of each document;
        - "fixed": above ``value`` (0), one for all or one for each class.
    value : float, int or array, optional
        Parameter of the rule.
    shrinkage : float, default=10.0
        Of "scut": weight of the threshold shared by all classes, in documents.
    biases : bool, default=True
        Whether single labels are decided with a bias for each class.
    calibration : {"auto", "temperature", "isotonic"}, default="auto"
        How probabilities are calibrated; "auto" takes the one with the lower log loss.

    Attributes
    ----------
    estimator_ : classifier
        The fitted classifier.
    classes_ : array
        The labels, sorted.
    thresholds_, biases_ : array of shape (classes,)
        Thresholds of label indicators, biases of single labels.
    calibration_ : Calibration
        Converts scores to probabilities.

    Notes
    -----
    Thresholds and biases are not sums over documents, so the model keeps its training documents as compressed
    rows. ``partial_fit``, ``forget`` and ``merge`` update the classifier, and decisions are tuned again
    before the next prediction that needs them.

    With label indicators, the probability of a class is a logistic function of the score's distance from the
    threshold, in standard deviations of the class's scores. Its two parameters are fitted by log loss and
    shared by all classes. A document of weight 2 is left out as a whole, unlike two documents.

    Examples
    --------
    >>> from textbayes import MultinomialNB, TextCounter, TunedClassifier
    >>> texts = ["cheap pills", "cheap offer", "cheap pills offer", "meeting at noon", "noon lunch", "lunch"]
    >>> labels = ["spam"] * 3 + ["ham"] * 3
    >>> counter = TextCounter()
    >>> model = TunedClassifier(MultinomialNB()).fit(counter.fit_transform(texts), labels)
    >>> model.predict(counter.transform(["a cheap offer", "zebra"]), reject_below=0.8).tolist()
    ['spam', None]
    """

    _latest: _Latest

    def __init__(
        self,
        estimator: Any,
        rule: str = "scut",
        value: Any = None,
        shrinkage: float = 10.0,
        biases: bool = True,
        calibration: str = "auto",
    ) -> None:
        self.estimator = estimator
        self.rule = rule
        self.value = value
        self.shrinkage = shrinkage
        self.biases = biases
        self.calibration = calibration

    # Learning.

    @changes
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from documents, as the classifier does, and tune."""
        self.check_parameters()
        estimator: NaiveBayesClassifier = clone(self.estimator)
        estimator.fit(X, y, sample_weight)
        self.estimator_ = estimator
        documents = _labelled(X, y, sample_weight)
        self._documents = Documents(documents.targets.multilabel)
        self._documents.add(documents)
        self._accept()
        return self

    @changes
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more documents."""
        if not hasattr(self, "estimator_"):
            return self.fit(X, y, sample_weight)
        if not hasattr(self.estimator_, "partial_fit"):
            self._documents.add(_labelled(X, y, sample_weight))
            return self._refit()
        self.estimator_.partial_fit(X, y, classes, sample_weight)
        self._documents.add(_labelled(X, y, sample_weight))
        self._accept()
        return self

    @changes
    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Forget documents: the rows, labels and weights that were learned."""
        self._check_fitted("forget")
        places = self._documents.find_learned(_labelled(X, y, sample_weight))
        if not hasattr(self.estimator_, "forget"):
            self._documents.remove(places)
            return self._refit()
        self.estimator_.forget(X, y, sample_weight)
        self._documents.remove(places)
        self._accept()
        return self

    @changes
    def merge(self, other: Self) -> Self:
        """Learn the documents of another model."""
        self._check_fitted("merge")
        if type(self) is not type(other):
            raise MergeError("their kind", type(self).__name__, type(other).__name__)
        other = other.snapshot()
        other._check_fitted("merge")
        verify_file(other)
        if not hasattr(self.estimator_, "merge"):
            if repr(self.estimator_) != repr(other.estimator_):
                raise MergeError("estimator", self.estimator_, other.estimator_)
            check_mergeable_labels(self.classes_.tolist(), other.classes_.tolist())
            self._documents.join(other._documents)
            return self._refit()
        self.estimator_.merge(other.estimator_)
        self._documents.join(other._documents)
        self._accept()
        return self

    def _refit(self) -> Self:
        """Refit a classifier that is not a sum over documents."""
        learned = self._documents.labelled()
        self.estimator_.fit(learned.rows.matrix, learned.targets.labels(), learned.sample_weight)
        self._accept()
        return self

    # Scoring and deciding.

    @reads
    def decision_function(self, X: Any) -> Reals:
        """Score documents: the classifier's scores, plus the biases or minus the thresholds.

        Returns
        -------
        array of shape (documents,) with two classes, else (documents, classes)
            As for the classifier. The rule "rcut" has no thresholds and leaves the scores unchanged.
        """
        return self._answers("decision_function").decision_function(X)

    @reads
    def predict_log_proba(self, X: Any) -> Reals:
        """Return the log of predict_proba."""
        return self._answers("predict_log_proba").predict_log_proba(X)

    def predict_proba(self, X: Any) -> Reals:
        """Return calibrated probabilities, shape (documents, classes)."""
        return np.exp(self.predict_log_proba(X))

    @reads
    def predict(self, X: Any, reject_below: float | None = None) -> NDArray[Any]:
        """Return the label of each document, or a label indicator if the model learned from one.

        Parameters
        ----------
        X : sparse matrix or array of shape (documents, terms)
            Documents.
        reject_below : float, optional
            Mask decisions whose probability is lower: the result is then a masked array, with ``None`` in
            ``tolist()``.
        """
        found = self._answers("predict").predict(X)
        if reject_below is None:
            return found
        return reject_unsure(found, self.predict_proba(X), reject_below, self.multilabel_)

    @reads
    def top_k(self, X: Any, k: int) -> tuple[NDArray[Any], Reals]:
        """Return each document's ``k`` best labels and their scores, best first."""
        return self._answers("top_k").top_k(X, k)

    def _answers(self, method: str) -> TunedAnswers:
        self._check_fitted(method)
        best = self._checked_value() if self.multilabel_ and self.rule == "rcut" else None
        return TunedAnswers(
            self.classes_, self.multilabel_, self.estimator_.decision_function, _lengths, self._tuned, best
        )

    # Looking inside.

    @property
    def scoring_model(self) -> Any:
        """The classifier that is tuned: no term contributes to biases and thresholds."""
        return as_model(self.estimator_).scoring_model

    @reads
    def contributions(self, row: Rows) -> Contributions:
        """Return what each entry of one row adds to each class; biases and thresholds are in the bias."""
        parts = self.estimator_.decision_contributions(row)
        return self._tuned.contributions(parts, self.multilabel_)

    def component_parts(self, row: Rows) -> list[ComponentParts]:
        """Return what each entry of one row adds to the components of each class; empty if there are none."""
        found: list[ComponentParts] = self.estimator_.component_parts(row)
        return found

    @property
    def class_documents_(self) -> Reals:
        """Number of documents of each class (the sum of sample weights)."""
        self._check_fitted("class_documents_")
        return self.estimator_.class_documents_

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels, sorted; of a label indicator, its columns."""
        if not hasattr(self, "estimator_"):
            raise UnfittedError.of_attribute(type(self).__name__, "classes_")
        return self.estimator_.classes_

    @property
    def thresholds_(self) -> Reals:
        """The threshold of each class, for label indicators."""
        self._check_fitted("thresholds_")
        return self._tuned.thresholds

    @property
    def biases_(self) -> Reals:
        """The bias of each class, for single labels."""
        self._check_fitted("biases_")
        return self._tuned.biases

    @property
    def calibration_(self) -> Calibration | SharedOdds:
        """Converts scores to probabilities."""
        self._check_fitted("calibration_")
        return self._tuned.odds if self.multilabel_ else self._tuned.calibration

    # Tuning.

    @property
    def _tuned(self) -> Tuned:
        latest = self._latest
        with latest.lock:
            if latest.tuned is None:
                self.check_parameters()
                latest.tuned = self._tune()
            return latest.tuned

    def _tune(self) -> Tuned:
        documents = self._documents.labelled()
        rows, weights, labels = documents.rows, documents.sample_weight, documents.targets.labels()
        # Pass rows: a matrix would lose the names of columns.
        scores = two_columns(self.estimator_.loo_scores(rows, labels, weights))
        if self.multilabel_:
            shrinkage, value = float(self.shrinkage), self._checked_value()
            return tune_indicator(scores, labels.toarray() > 0, weights, self.rule, value, shrinkage)
        classes = np.searchsorted(self.classes_, labels)
        return tune_labels(scores, classes, rows.sums(), weights, bool(self.biases), self.calibration)

    def _checked_value(self) -> Any:
        """Return the rule's value, or its default."""
        if self.rule == "rcut":
            return checked_best(self.value)
        if self.rule == "pcut":
            return check_number("value", 1.0 if self.value is None else self.value, above=0)
        return 0.0 if self.value is None else self.value

    def check_parameters(self) -> None:
        """Raise an error that names the parameter when one cannot be used."""
        if not hasattr(self.estimator, "loo_scores"):
            raise ParameterError(
                "estimator", self.estimator, ("MultinomialNB()", "ComplementNB()", "PoissonNB()")
            )
        check_option("rule", self.rule, RULES)
        check_option("calibration", self.calibration, CALIBRATIONS)
        check_switch("biases", self.biases)
        check_number("shrinkage", self.shrinkage, least=0, most=inf, allowed="a number from 0 to infinity")
        self._checked_value()

    # In a model file.

    @reads
    def store(self) -> Stored:
        """Return what was learned, for a model file."""
        if not hasattr(self, "estimator_"):
            return Stored()
        stored = Stored({}).with_part("estimator", store_estimator(self.estimator_))
        stored = stored.with_part("documents", self._documents.store())
        return stored.with_part("tuned", self._tuned.store()) if len(self.classes_) else stored

    def restore(self, stored: Stored) -> None:
        """Load what ``store`` returned; refuse an invalid file."""
        if not stored.has_part("estimator"):
            return
        estimator = restore_estimator(stored.part("estimator"))
        fits = type(estimator) is type(self.estimator) and hasattr(estimator, "n_features_in_")
        stored.check(fits, "its fitted classifier is not of the class that it tunes")
        self.estimator_ = estimator
        self._documents = Documents.restore(stored.part("documents"), estimator.n_features_in_)
        self._accept()
        targets, classes = self._documents.targets, estimator.classes_
        live = targets.classes if targets.multilabel else targets.classes[np.unique(targets.codes)]
        stored.check(
            live.tolist() == classes.tolist(), "its documents and its model do not have the same classes"
        )
        if stored.has_part("tuned"):
            self._latest = _Latest(Tuned.restore(stored.part("tuned"), len(classes), targets.multilabel))

    # Plumbing.

    def fork(self) -> Self:
        """Return a model with its own classifier and documents."""
        twin = super().fork()
        if self.__sklearn_is_fitted__():
            twin.estimator_, twin._documents = self.estimator_.fork(), self._documents.fork()
        return twin

    @property
    def multilabel_(self) -> bool:
        """Whether labels were an indicator."""
        return self._documents.multilabel

    def _check_fitted(self, method: str) -> None:
        if not hasattr(self, "estimator_"):
            raise UnfittedError(type(self).__name__, method)
        check_file(self)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimator_")

    def _accept(self) -> None:
        """Expect the classifier's columns, and tune again before the next prediction."""
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        self._latest = _Latest()

    @changes
    def set_params(self, **params: Any) -> Self:
        """Set parameters, and tune again before the next prediction."""
        super().set_params(**params)
        if self.__sklearn_is_fitted__():
            self._latest = _Latest()
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags, tags.classifier_tags = inner.input_tags, inner.classifier_tags
        return tags


def _labelled(X: Any, y: Any, sample_weight: Any) -> LabelledRows:
    weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    return LabelledRows(any_rows(X), as_targets(y), weights)


def _lengths(X: Any) -> Reals:
    return any_rows(X).sums()
