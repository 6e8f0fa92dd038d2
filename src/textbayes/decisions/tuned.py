"""What is tuned on scores that the documents had no part in, together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.decisions.biases import class_biases, held_out_biases
from textbayes.decisions.calibration import Calibration, SharedOdds, fit_calibration, fit_shared_odds
from textbayes.decisions.thresholds import proportional_thresholds, scut_thresholds

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Tuned:
    """Thresholds of label indicators, biases of single labels, and probabilities.

    Parameters
    ----------
    thresholds : array of shape (classes,)
        Of label indicators; else empty.
    biases : array of shape (classes,)
        Of single labels; else empty.
    calibration : Calibration
        Of single labels.
    odds : SharedOdds
        Of label indicators.
    """

    thresholds: Reals
    biases: Reals
    calibration: Calibration
    odds: SharedOdds


def tune_labels(
    scores: Reals, classes: NDArray[np.integer], lengths: Reals, weights: Reals, biased: bool, method: str
) -> Tuned:
    """Tune decisions of one label a document: biases, if wanted, and a calibration of the biased scores.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import tune_labels
    >>> scores = np.array([[2.0, 0.0], [2.0, 1.0], [2.0, 1.5]])
    >>> tune_labels(scores, np.array([0, 1, 1]), np.ones(3), np.ones(3), True, "temperature").biases.tolist()
    [-1.5, 0.0]
    """
    biases, held_out = np.zeros(scores.shape[1]), np.zeros_like(scores)
    if biased:
        biases = class_biases(scores, classes, weights)
        # Biases suit the documents that they were chosen on: those see them from outside.
        held_out = held_out_biases(scores, classes, weights)
    calibration = fit_calibration(scores + held_out, classes, lengths, method, weights)
    return Tuned(np.empty(0), biases, calibration, SharedOdds.none(0))


def tune_indicator(
    scores: Reals, truth: NDArray[np.bool_], weights: Reals, rule: str, value: Any, shrinkage: float
) -> Tuned:
    """Tune decisions of each class on its own: its threshold by a rule, and log odds around that of SCut.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import tune_indicator
    >>> scores, truth = np.array([[3.0], [2.0], [0.5], [0.1]]), np.array([[True], [False], [True], [False]])
    >>> tune_indicator(scores, truth, np.ones(4), "pcut", 1.0, 10.0).thresholds.tolist()
    [1.25]
    """
    cut = scut_thresholds(scores, truth, shrinkage).thresholds
    odds = fit_shared_odds(scores, truth, cut, weights)
    if rule == "pcut":
        cut = proportional_thresholds(scores, truth, float(value))
    elif rule != "scut":
        cut = np.zeros(scores.shape[1]) + (0.0 if rule == "rcut" else np.asarray(value, dtype=float))
    return Tuned(cut, np.empty(0), Calibration(0.0, 1.0), odds)
