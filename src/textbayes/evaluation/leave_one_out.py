"""Leave-one-out evaluation of a fitted classifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textbayes.counts import as_rows
from textbayes.errors import ShapeError
from textbayes.estimators import TextClassifier
from textbayes.estimators.models.left_out import LeaveOneOut, leave_out
from textbayes.statistics import LabelledRows, as_label_targets


def leave_one_out(
    classifier: TextClassifier, texts: Sequence[str], labels: Sequence[Any]
) -> LeaveOneOut | None:
    """Measure a classifier on the texts it learned, each classified by the model without it.

    The representation (vocabulary, document frequencies) is held fixed.

    Parameters
    ----------
    classifier : TextClassifier
        A fitted classifier; it is not changed.
    texts, labels
        All texts and labels that it learned. For a classifier that keeps its documents,
        ``inspect().leave_one_out`` is the same and needs no texts.

    Returns
    -------
    LeaveOneOut or None
        None for a model that cannot forget a document, and with fewer than two classes or documents.

    Notes
    -----
    If a model decides by its ``loo_scores``, all texts are left out at once. Other models (PoissonNB, and
    with several labels per text all but ComplementNB) forget and relearn each text, up to 500 texts. With
    more texts, and for models that would have to be refitted (DiscriminativeNB, LinearSVM, PoissonMixtureNB),
    ten folds are left out instead.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.evaluation import leave_one_out
    >>> texts, labels = ["wheat corn", "corn wheat", "crude oil", "oil crude"], ["grain"] * 2 + ["oil"] * 2
    >>> leave_one_out(TextClassifier("complement").fit(texts, labels), texts, labels).accuracy
    1.0
    """
    targets = as_label_targets(labels)
    rows = classifier.counter_.transform(texts)
    if rows.shape[0] != len(targets):
        raise ShapeError("texts", (rows.shape[0],), "labels", (len(targets),))
    if classifier.transform_ is not None:
        rows = classifier.transform_.transform(rows)
    left = leave_out(classifier.model_, LabelledRows(as_rows(rows), targets), classifier.thresholds_)
    return None if left is None else left.quality
