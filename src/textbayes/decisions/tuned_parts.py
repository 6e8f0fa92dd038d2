"""What each entry of a row adds to a tuned score."""

from __future__ import annotations

from textbayes.decisions.tuned import Tuned
from textbayes.measures import two_column_parts
from textbayes.scores import Contributions


def tuned_contributions(tuned: Tuned, parts: Contributions, multilabel: bool) -> Contributions:
    """Put biases, or thresholds, into the bias: what entries add stays what it was.

    Parameters
    ----------
    tuned : Tuned
        The biases or thresholds.
    parts : Contributions
        The parts of ``decision_function``: with two classes, of the second's lead over the first.
    multilabel : bool
        Whether each class is decided on its own.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import Calibration, SharedOdds, Tuned, tuned_contributions
    >>> from textbayes.scores import Contributions
    >>> tuned = Tuned(np.empty(0), np.array([0.5, -1.0]), Calibration(0.0, 1.0), SharedOdds.none(0))
    >>> tuned_contributions(tuned, Contributions(np.array([2.0]), np.array([[3.0]])), multilabel=False)
    Contributions(bias=array([-0.5,  0. ]), entries=array([[-1.5,  1.5]]))
    """
    if multilabel:
        return Contributions(parts.bias - tuned.thresholds, parts.entries)
    if len(parts.bias) < len(tuned.biases):
        parts = two_column_parts(parts)
    return Contributions(parts.bias + tuned.biases, parts.entries)
