"""Labels of texts: one per text, or a list per text."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from textbayes.errors import LabelsError
from textbayes.statistics.targets import Targets, as_targets

_SEVERAL = (list, tuple, set, frozenset, np.ndarray)


def as_label_targets(labels: Any) -> Targets:
    """Convert labels in any form: one label per text, a list of labels per text, or a label indicator.

    Parameters
    ----------
    labels : iterable
        Labels; or lists, tuples or sets of them, each with none, one or several; or a 0/1 matrix, whose
        columns are the classes.

    Examples
    --------
    >>> from textbayes.statistics import as_label_targets
    >>> as_label_targets([["wheat", "corn"], [], ["wheat"]]).classes.tolist()
    ['corn', 'wheat']
    """
    if isinstance(labels, Targets):
        return labels
    if sparse.issparse(labels) or getattr(labels, "ndim", 1) == 2:
        return as_targets(labels)
    if isinstance(labels, str | bytes):
        raise LabelsError(f"one {type(labels).__name__}, {labels!r}, for all texts")
    some = labels.tolist() if hasattr(labels, "tolist") else list(labels)
    if not any(isinstance(label, _SEVERAL) for label in some):
        return as_targets(some if some else np.empty(0, dtype=str))
    for position, label in enumerate(some):
        if not isinstance(label, _SEVERAL):
            raise LabelsError(f"lists of labels, though labels[{position}] is {label!r}")
    return _from_lists([list(dict.fromkeys(own)) for own in some])


def _from_lists(lists: list[list[Any]]) -> Targets:
    flat = as_targets([label for own in lists for label in own] or np.empty(0, dtype=str))
    starts = np.concatenate([[0], np.cumsum([len(own) for own in lists])]).astype(np.int64)
    return Targets(flat.classes, starts, flat.codes, True)
