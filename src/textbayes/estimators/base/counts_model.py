"""The interface between TextClassifier and its model, with defaults for scikit-learn's classifiers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from textbayes.counts import Rows
from textbayes.decisions import Tuned
from textbayes.errors import ParameterError
from textbayes.estimators.base.changing import Forkable
from textbayes.scores import ComponentParts, Contributions
from textbayes.statistics import ClassStatistics, LabelledRows, Targets


class CountsModel(Forkable):
    """A classifier of counts, as TextClassifier uses it.

    The classifiers of textbayes derive from it; ``ForeignModel`` wraps any other classifier.

    Attributes
    ----------
    searches : bool
        Whether fit searches for a model, so that ``reconsider`` can search again.
    refits : bool
        Whether the weights are fitted again when documents change.
    takes_targets : bool
        Whether fit takes labels as Targets, with their names; if not, as an array or an indicator.
    calibratable : bool
        Whether its documents can be scored by models without them, to calibrate its probabilities.
    """

    searches = False
    refits = False
    takes_targets = False
    calibratable = False

    @property
    def learns_in_place(self) -> bool:
        """Whether ``partial_fit``, ``forget`` and ``merge`` give the model of a fresh fit."""
        return False

    @property
    def learns_warmly(self) -> bool:
        """Whether documents can be learned without a fit, approximately: see ``is_settled_``."""
        return False

    @property
    def is_settled_(self) -> bool:
        """Whether the model equals a fresh fit."""
        return True

    def new_statistics(self, columns: int, multilabel: bool) -> ClassStatistics | None:  # noqa: ARG002
        """Return empty sums, for ``use_statistics`` once all documents are added; None without such sums."""
        return None

    def fit_documents(
        self,
        documents: LabelledRows,
        read: Callable[[], LabelledRows],  # noqa: ARG002
        kinds: Any,  # noqa: ARG002
    ) -> None:
        """Fit on documents that the caller keeps.

        Parameters
        ----------
        documents : LabelledRows
            The documents.
        read : function without arguments
            Returns the documents again, for a model that needs them later.
        kinds : array of int, optional
            The kinds of the columns: words, word pairs, character n-grams.
        """
        fit_on(self, documents)

    def prepare(self) -> None:
        """Compute what the first change after loading needs; most models need nothing."""

    def learn_documents(self, documents: LabelledRows, kinds: NDArray[np.uint8] | None) -> None:  # noqa: ARG002
        """Learn documents that the caller keeps; ``kinds`` are those of the columns that are new."""
        labels = documents.targets
        self.partial_fit(documents.rows.matrix, labels, sample_weight=documents.weights)  # type: ignore[attr-defined]

    def forget_documents(self, documents: LabelledRows) -> None:
        """Forget documents that the caller keeps no more."""
        labels = documents.targets
        self.forget(documents.rows.matrix, labels, sample_weight=documents.weights)  # type: ignore[attr-defined]

    def forked(self) -> Any:
        """Return a fork of the classifier, to learn or forget documents."""
        return self.fork()

    def to_refit(self) -> Any:
        """Return the classifier to be fitted by ``fit_documents``, of a fork: itself."""
        return self

    def with_columns(self, order: NDArray[np.uint32]) -> Any:
        """Return a copy whose columns are these columns, in this order."""
        raise NotImplementedError

    def borrow(self, read: Callable[[], LabelledRows] | None) -> Self:  # noqa: ARG002
        """Use ``read`` to get the documents again; None if they are not kept."""
        return self

    def without_documents(self) -> Any:
        """Return the classifier to be stored beside its documents."""
        return self

    @property
    def takes_weights(self) -> bool:
        """Whether documents may have weights."""
        return bool(has_fit_parameter(self, "sample_weight"))

    @property
    def statistics_(self) -> ClassStatistics | None:
        """The sums that the model is computed from; None if it is not."""
        return None

    @property
    def tuned_(self) -> Tuned | None:
        """The calibration that the model itself found; None if its probabilities come from its scores."""
        return None

    def has_all(self, columns: NDArray[np.integer]) -> bool:
        """Return whether every class, and each of these terms, has a document left."""
        return self.statistics_ is None or self.statistics_.has_all(columns)

    @property
    def scoring_model(self) -> Any:
        """The model before tuning, whose scores are sums over terms; None if there is none."""
        return None

    def model_input(self, rows: Rows) -> Any:
        """Rows as ``predict`` takes them."""
        return rows.matrix

    def contributions(self, row: Rows) -> Contributions:  # noqa: ARG002
        """Return what each entry of one row adds to each class."""
        raise ParameterError("model", self, ("a classifier of textbayes",))

    def component_parts(self, row: Rows) -> list[ComponentParts]:  # noqa: ARG002
        """Return what each entry of one row adds to the components of each class; empty if there are none."""
        return []


class ForeignModel(CountsModel):
    """A classifier that is not of textbayes, such as one of scikit-learn.

    Parameters
    ----------
    estimator : classifier
        The classifier: any with ``fit`` and ``predict``.
    """

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    @property
    def takes_weights(self) -> bool:
        """Whether documents may have weights."""
        return bool(has_fit_parameter(self.estimator, "sample_weight"))

    def fit_documents(
        self,
        documents: LabelledRows,
        read: Callable[[], LabelledRows],  # noqa: ARG002
        kinds: Any,  # noqa: ARG002
    ) -> None:
        """Learn documents."""
        fit_on(self.estimator, documents)

    def forked(self) -> Any:
        """Return the classifier itself: no change but a fit touches it."""
        return self.estimator

    def to_refit(self) -> Any:
        """Return an unfitted clone, because others may use the classifier."""
        return clone(self.estimator)

    def without_documents(self) -> Any:
        """Return the classifier itself."""
        return self.estimator

    def contributions(self, row: Rows) -> Contributions:  # noqa: ARG002
        """Raise ParameterError: the scores of other classifiers cannot be split."""
        raise ParameterError("model", self.estimator, ("a classifier of textbayes",))


def as_model(estimator: Any) -> CountsModel:
    """Return a classifier as a CountsModel: itself, if it is one."""
    return estimator if isinstance(estimator, CountsModel) else ForeignModel(estimator)


def fit_on(estimator: Any, documents: LabelledRows, method: str = "fit") -> Any:
    """Fit an estimator on documents, with labels and weights as it takes them."""
    weights = {}
    if documents.weights is not None and has_fit_parameter(estimator, "sample_weight"):
        weights = {"sample_weight": documents.weights}
    labels = _labels_for(estimator, documents.targets)
    return getattr(estimator, method)(documents.rows.matrix, labels, **weights)


def _labels_for(estimator: Any, targets: Targets) -> Any:
    if getattr(estimator, "takes_targets", False):
        return targets
    if not targets.multilabel:
        return targets.classes[targets.codes]
    return targets.indicator().astype(np.int64)
