"""Weights of classes: how often a document of a class counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from textbayes.errors import ParameterError
from textbayes.errors.checks import check_number
from textbayes.measures.indicators import Flags, Reals

# Beyond these, single-precision sums lose one class or the other.
_LEAST, _MOST = 1e-6, 1e6


def check_class_weight(class_weight: Any) -> None:
    """Raise an error for class weights that no labels could have.

    Examples
    --------
    >>> from textbayes.measures import check_class_weight
    >>> check_class_weight({"spam": 10.0, "ham": 0.0})
    Traceback (most recent call last):
    textbayes.errors.ParameterError: class_weight['ham']=0.0 is not allowed.
      The result is not defined for any other value.
      Pass a finite number from 1e-06 to 1e+06.    [parameter-value]
    """
    if class_weight is None or (isinstance(class_weight, str) and class_weight == "balanced"):
        return
    if not isinstance(class_weight, Mapping):
        options = ("None", "balanced", "a dict of labels and weights")
        raise ParameterError("class_weight", class_weight, options)
    for label, weight in class_weight.items():
        check_number(f"class_weight[{label!r}]", weight, least=_LEAST, most=_MOST)


def class_weights(class_weight: Any, classes: Sequence[Any]) -> Reals | str | None:
    """Return the weight of each class; None and "balanced" stay.

    Parameters
    ----------
    class_weight : None, "balanced", or dict
        No weights; weights that make all classes equally large; or the weights of some labels, the others
        having 1.
    classes : sequence
        The labels.

    Raises
    ------
    ParameterError
        For a weight of a label that is not among the classes.

    Examples
    --------
    >>> from textbayes.measures import class_weights
    >>> class_weights({"spam": 5}, ["ham", "spam"])
    array([1., 5.])
    """
    check_class_weight(class_weight)
    if class_weight is None or isinstance(class_weight, str):
        return class_weight
    known = set(classes)
    for label in class_weight:
        if label not in known:
            name, value = f"class_weight[{label!r}]", class_weight[label]
            why = "No document has this label, so its weight would do nothing"
            raise ParameterError(
                name, value, f"weights of labels that documents have{_nearest(label, classes)}", why
            )
    return np.array([float(class_weight.get(label, 1.0)) for label in classes])


def balanced_weights(truth: Flags, weights: Reals | None, multilabel: bool) -> Reals:
    """Return class weights that make all classes equally large.

    For one label per document this is scikit-learn's "balanced", n / (C n_c). With several labels each class
    is decided on its own, and its documents get as much weight as those without it: (n - n_c) / n_c.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.measures import balanced_weights
    >>> balanced_weights(np.eye(2, dtype=bool)[[0, 0, 0, 1]], None, multilabel=False).round(2)
    array([0.67, 2.  ])
    """
    each = np.ones(len(truth)) if weights is None else weights
    sizes: Reals = np.asarray(each @ truth)
    used = sizes > 0
    others = each.sum() - sizes if multilabel else np.full_like(sizes, each.sum() / max(used.sum(), 1))
    return np.clip(np.divide(others, sizes, out=np.ones_like(sizes), where=used), _LEAST, _MOST)


def cell_weights(truth: Flags, weights: Reals | None, class_weight: Reals | None, multilabel: bool) -> Any:
    """Return how often each document counts, in which its class weight is included.

    Parameters
    ----------
    truth : array of bool, shape (documents, classes)
        Which classes a document has.
    weights : array of shape (documents,), optional
        The weights of the documents.
    class_weight : array of shape (classes,), optional
        The weights of the classes.
    multilabel : bool
        With one label per document, a document has the weight of its class. Otherwise each class is decided
        on its own, and a document that has a class counts there by the weight of the class.

    Returns
    -------
    None, array of shape (documents,), or array of shape (documents, classes)

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.measures import cell_weights
    >>> truth = np.array([[True, False], [True, True]])
    >>> cell_weights(truth, None, np.array([2.0, 5.0]), multilabel=True)
    array([[2., 1.],
           [2., 5.]])
    """
    if class_weight is None:
        return weights
    if not multilabel:
        own = class_weight[truth.argmax(axis=1)] if len(truth) else np.zeros(0)
        return own if weights is None else own * weights
    cells = np.where(truth, class_weight, 1.0)
    return cells if weights is None else cells * weights[:, None]


def weighted_counts(weights: Reals, flags: Flags) -> Reals:
    """Return the weight of the documents of each class, by the weights of documents or of cells.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.measures import weighted_counts
    >>> weighted_counts(np.array([1.0, 2.0]), np.array([[True, False], [True, True]]))
    array([3., 2.])
    """
    if weights.ndim == 1:
        return np.asarray(weights @ flags)
    return np.asarray(np.einsum("dc,dc->c", weights, flags))


def _nearest(label: Any, classes: Sequence[Any]) -> str:
    """The labels closest to one that is unknown, or some of them."""
    shown = [str(one) for one in classes]
    close = get_close_matches(str(label), shown, n=1)
    return f", perhaps {close[0]!r}" if close else f", such as {', '.join(map(repr, classes[:5]))}"
