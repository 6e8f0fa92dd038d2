"""Decisions tuned on held-out scores: thresholds or biases, and probabilities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.decisions.biases import class_biases, held_out_biases
from textbayes.decisions.calibration import (
    LARGEST,
    Calibration,
    SharedOdds,
    fit_calibration,
    fit_shared_odds,
)
from textbayes.decisions.thresholds import proportional_thresholds, scut_thresholds
from textbayes.measures import two_column_parts
from textbayes.persistence import Stored
from textbayes.scores import Contributions

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Tuned:
    """Tuned thresholds or biases, and calibrated probabilities.

    Parameters
    ----------
    thresholds : array of shape (classes,)
        For several labels per document; otherwise empty.
    biases : array of shape (classes,)
        For one label per document; otherwise empty.
    calibration : Calibration
        Probabilities for one label per document.
    odds : SharedOdds
        Probabilities for several labels per document.
    """

    thresholds: Reals
    biases: Reals
    calibration: Calibration
    odds: SharedOdds

    def contributions(self, parts: Contributions, multilabel: bool) -> Contributions:
        """Add biases, or subtract thresholds, in the bias of a row's parts. Entries do not change.

        Parameters
        ----------
        parts : Contributions
            Parts of ``decision_function``: with two classes, of the second's lead over the first.
        multilabel : bool
            Whether each class is decided separately.

        Examples
        --------
        >>> import numpy as np
        >>> from textbayes.decisions import Calibration, SharedOdds, Tuned
        >>> from textbayes.scores import Contributions
        >>> tuned = Tuned(np.empty(0), np.array([0.5, -1.0]), Calibration(0.0, 1.0), SharedOdds.none(0))
        >>> tuned.contributions(Contributions(np.array([2.0]), np.array([[3.0]])), multilabel=False)
        Contributions(bias=array([-0.5,  0. ]), entries=array([[-1.5,  1.5]]))
        """
        if multilabel:
            return Contributions(parts.bias - self.thresholds, parts.entries)
        if len(parts.bias) < len(self.biases):
            parts = two_column_parts(parts)
        return Contributions(parts.bias + self.biases, parts.entries)

    def for_classes(self, before: NDArray[Any], now: NDArray[Any]) -> Tuned:
        """Return the same for other classes; a new class gets the median of the known ones.

        Examples
        --------
        >>> import numpy as np
        >>> from textbayes.decisions import Calibration, SharedOdds, Tuned
        >>> tuned = Tuned(np.array([1.0, 3.0]), np.empty(0), Calibration(0.0, 1.0), SharedOdds.none(2))
        >>> tuned.for_classes(np.array(["a", "b"]), np.array(["b", "c"])).thresholds.tolist()
        [3.0, 2.0]
        """
        if self.biases.size:
            return replace(self, biases=_moved(self.biases, before, now))
        centres, spreads = (_moved(each, before, now) for each in (self.odds.centres, self.odds.spreads))
        odds = replace(self.odds, centres=centres, spreads=spreads)
        return replace(self, thresholds=_moved(self.thresholds, before, now), odds=odds)

    def store(self) -> Stored:
        """Return everything as arrays."""
        arrays = {"thresholds": self.thresholds, "biases": self.biases if self.biases.any() else np.empty(0)}
        arrays |= self.odds.store().arrays if self.thresholds.size else self.calibration.store().arrays
        return Stored(
            {}, {name: np.asarray(array, np.float64) for name, array in arrays.items() if array.size}
        )

    @classmethod
    def restore(cls, stored: Stored, classes: int, multilabel: bool) -> Tuned:
        """Load what was tuned for ``classes`` classes."""
        of_labels, of_indicators = (0, classes) if multilabel else (classes, 0)
        thresholds = stored.array("thresholds", np.float64, of_indicators) if multilabel else np.empty(0)
        biases = np.zeros(of_labels)
        if "biases" in stored.arrays:
            biases = stored.array("biases", np.float64, of_labels)
        # The threshold of a class without documents is infinite.
        sound = not np.isnan(thresholds).any() and bool(np.all(np.abs(biases) <= LARGEST))
        stored.check(sound, "its thresholds or biases are invalid")
        if multilabel:
            return cls(thresholds, biases, Calibration(0.0, 1.0), SharedOdds.restore(stored, classes))
        return cls(thresholds, biases, Calibration.restore(stored), SharedOdds.none(0))


def restored_calibration(stored: Stored, classes: int, multilabel: bool) -> Tuned | None:
    """Load the calibration of a model file for ``classes`` classes; None if it has none."""
    if not stored.has_part("calibration"):
        return None
    return Tuned.restore(stored.part("calibration"), classes, multilabel)


def _moved(values: Reals, before: NDArray[Any], now: NDArray[Any]) -> Reals:
    """Return the values of classes in another order; a new class gets the median of the finite ones."""
    finite = values[np.isfinite(values)]
    of_class = dict(zip(before.tolist(), values.tolist(), strict=True))
    other = float(np.median(finite)) if finite.size else 0.0
    return np.array([of_class.get(label, other) for label in now.tolist()], dtype=np.float64)


def tune_labels(
    scores: Reals, classes: NDArray[np.integer], lengths: Reals, weights: Reals, biased: bool, method: str
) -> Tuned:
    """Tune for one label per document: biases if ``biased``, and a calibration of the biased scores.

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
        # Biases fit the documents they were chosen on, so the calibration needs held-out ones.
        held_out = held_out_biases(scores, classes, weights)
    calibration = fit_calibration(scores + held_out, classes, lengths, method, weights)
    return Tuned(np.empty(0), biases, calibration, SharedOdds.none(0))


def tune_indicator(
    scores: Reals,
    truth: NDArray[np.bool_],
    weights: Reals,
    rule: str,
    value: Any,
    shrinkage: float,
    present: NDArray[np.bool_] | None = None,
) -> Tuned:
    """Tune each class separately: its threshold by a rule, and log odds around the threshold of SCut.

    Parameters
    ----------
    scores, truth, weights
        Held-out scores, the label indicator, and the weights of the documents.
    rule, value, shrinkage
        As for :class:`textbayes.TunedClassifier`.
    present : array of bool of shape (classes,), optional
        Which classes have documents, if these are only some of them. A class without one here is then given
        to documents that score above the best of these; a class without scores has the median threshold.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import tune_indicator
    >>> scores, truth = np.array([[3.0], [2.0], [0.5], [0.1]]), np.array([[True], [False], [True], [False]])
    >>> tune_indicator(scores, truth, np.ones(4), "pcut", 1.0, 10.0).thresholds.tolist()
    [1.25]
    """
    scored = np.isfinite(scores).any(axis=0)
    cut = np.full(scores.shape[1], np.inf)
    cut[scored] = scut_thresholds(scores[:, scored], truth[:, scored], shrinkage).thresholds
    if present is not None:
        known = cut[np.isfinite(cut)]
        best = np.full(scores.shape[1], np.median(known) if known.size else 0.0)
        own = scores[:, scored]
        best[scored] = own.max(axis=0, where=np.isfinite(own), initial=-LARGEST)
        cut = np.where(present & ~np.isfinite(cut), best, cut)
    odds = fit_shared_odds(scores, truth, cut, weights)
    if rule == "pcut":
        cut = proportional_thresholds(scores, truth, float(value))
    elif rule != "scut":
        cut = np.zeros(scores.shape[1]) + (0.0 if rule == "rcut" else np.asarray(value, dtype=float))
    return Tuned(cut, np.empty(0), Calibration(0.0, 1.0), odds)
