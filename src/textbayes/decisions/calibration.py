"""Scores → calibrated probabilities."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from textbayes.persistence import Stored
from textbayes.scores import log_logistic, log_softmax, log_sum_exp

Reals = NDArray[np.float64]
Classes = NDArray[np.integer]

CALIBRATIONS = ("auto", "temperature", "isotonic")
POWERS = (0.0, 0.25, 0.5, 0.75, 1.0)
_FOLDS = 5
# Products of larger numbers would overflow.
LARGEST = 1e100


@dataclass(frozen=True)
class Calibration:
    """softmax(score / (temperature · (1 + length)^power)), then an isotonic map of the best probability.

    Naive Bayes counts every word as independent evidence, so its log odds grow with the length of a document
    and it becomes overconfident. A temperature that grows with the length corrects this.

    Parameters
    ----------
    power, temperature : float
        The temperature, and how it grows with the length of a document; with power 0 it is constant.
    shares, levels : array
        The isotonic map, linear between its points: from the softmax of the best class to its probability.
        The other classes keep their proportions. Empty for no map.
    """

    power: float
    temperature: float
    shares: Reals = field(default_factory=lambda: np.empty(0))
    levels: Reals = field(default_factory=lambda: np.empty(0))

    def log_probabilities(self, scores: Reals, lengths: Reals) -> Reals:
        """Return the log probabilities of the classes; the best class stays the best."""
        logs = log_softmax(scores / (self.temperature * _grown(lengths, self.power)))
        return self._stepped(logs) if self.shares.size else logs

    def _stepped(self, logs: Reals) -> Reals:
        rows, best = np.arange(len(logs)), np.argmax(logs, axis=1)
        top = logs[rows, best]
        others = logs.copy()
        others[rows, best] = -np.inf
        rest, second = log_sum_exp(others), others.max(axis=1)
        # A little more than the second best, so that the best class stays the best.
        gap = np.subtract(rest, second, out=np.full_like(rest, np.inf), where=rest > -np.inf)
        least = (1.0 + 1e-9) / (1.0 + np.exp(gap))
        level = np.clip(np.interp(np.exp(top), self.shares, self.levels), least, 1.0)
        level = np.where(rest > -np.inf, level, 1.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            others += np.where(level < 1.0, np.log1p(-level) - rest, -np.inf)[:, None]
            others[rows, best] = np.log(level)
        return others

    def store(self) -> Stored:
        """Return the parameters as arrays."""
        temperature = np.array([self.power, self.temperature])
        return Stored({}, {"temperature": temperature, "shares": self.shares, "levels": self.levels})

    @classmethod
    def restore(cls, stored: Stored) -> Calibration:
        """Load a calibration."""
        power, temperature = stored.array("temperature", np.float64, 2).tolist()
        shares = stored.array("shares", np.float64)
        levels = stored.array("levels", np.float64, len(shares))
        sound = (
            0 <= power <= 1
            and 1.0 / LARGEST <= temperature <= LARGEST
            and _are_steps(shares)
            and _are_steps(levels)
        )
        stored.check(sound, "its calibration is invalid")
        return cls(power, temperature, shares, levels)


def _are_steps(values: Reals) -> bool:
    """Whether these are probabilities that never fall."""
    return bool(np.all((values >= 0) & (values <= 1)) and np.all(np.diff(values) >= 0))


def fit_calibration(
    scores: Reals, classes: Classes, lengths: Reals, method: str = "auto", weights: Reals | None = None
) -> Calibration:
    """Fit a calibration by log loss.

    Parameters
    ----------
    scores : array of shape (documents, classes)
        Held-out scores, such as ``loo_scores``.
    classes : array of int of shape (documents,)
        The column of each document's class.
    lengths : array of shape (documents,)
        The lengths of the documents.
    method : {"auto", "temperature", "isotonic"}, default="auto"
        "temperature" alone, "isotonic" on top of it, or the one with the lower log loss in five folds.
    weights : array of shape (documents,), optional
        The weights of the documents.

    Examples
    --------
    Log odds of ±4 claim 98 %, but three of four are right:

    >>> import numpy as np
    >>> from textbayes.decisions import fit_calibration
    >>> scores = np.tile([[4.0, 0.0], [0.0, 4.0]], (20, 1))
    >>> classes = np.where(np.arange(40) % 4 == 3, 0, np.argmax(scores, axis=1))
    >>> found = fit_calibration(scores, classes, np.ones(40), "temperature")
    >>> np.exp(found.log_probabilities(scores[:1], np.ones(1))).round(2)
    array([[0.75, 0.25]])
    """
    reachable = np.isfinite(scores[np.arange(len(scores)), classes])
    weights = np.ones(len(scores)) if weights is None else weights
    known = scores[reachable], classes[reachable], lengths[reachable], weights[reachable]
    if len(known[1]) < 2:
        return Calibration(0.0, 1.0)
    if method == "auto":
        method = min(("temperature", "isotonic"), key=lambda one: _cross_loss(one, known))
    return _fit(method, *known)


def _fit(method: str, scores: Reals, classes: Classes, lengths: Reals, weights: Reals) -> Calibration:
    from sklearn.isotonic import IsotonicRegression

    found = min(_fit_temperature(power, scores, classes, lengths, weights) for power in POWERS)
    plain = Calibration(found[1], found[2])
    if method == "temperature":
        return plain
    logs = plain.log_probabilities(scores, lengths)
    best = np.argmax(logs, axis=1)
    # Never exactly 0 or 1: the next document may differ.
    margin = 1.0 / (len(scores) + 2.0)
    steps = IsotonicRegression(y_min=margin, y_max=1.0 - margin)
    steps.fit(np.exp(logs.max(axis=1)), best == classes, sample_weight=weights)
    return Calibration(plain.power, plain.temperature, steps.X_thresholds_, steps.y_thresholds_)


def _fit_temperature(
    power: float, scores: Reals, classes: Classes, lengths: Reals, weights: Reals
) -> tuple[float, float, float]:
    from scipy.optimize import minimize_scalar

    scaled = scores / _grown(lengths, power)
    rows = np.arange(len(scores))
    # A document with an impossible class does not help to find the scale.
    spread = np.ptp(scaled[np.isfinite(scaled).all(axis=1)], axis=1)
    unit = (float(np.median(spread)) if spread.size else 0.0) or 1.0

    def loss(log_temperature: float) -> float:
        logs = log_softmax(scaled / (unit * np.exp(log_temperature)))
        return -float(np.average(logs[rows, classes], weights=weights))

    found = minimize_scalar(loss, bounds=(-12.0, 8.0), method="bounded", options={"xatol": 1e-4})
    return float(found.fun), power, unit * float(np.exp(found.x))


def _cross_loss(method: str, known: tuple[Reals, Classes, Reals, Reals]) -> float:
    """Cross-validated log loss of a calibration."""
    fold = np.arange(len(known[1])) % _FOLDS
    total = 0.0
    for number in range(_FOLDS):
        scores, classes, lengths, weights = (array[fold == number] for array in known)
        if not len(classes) or not (fold != number).any():
            continue
        calibration = _fit(method, *(array[fold != number] for array in known))
        logs = calibration.log_probabilities(scores, lengths)[np.arange(len(classes)), classes]
        total -= float(weights @ np.maximum(logs, -50.0))
    return total


def _grown(lengths: Reals, power: float) -> Reals:
    return np.asarray((1.0 + lengths) ** power)[:, None]


@dataclass(frozen=True)
class SharedOdds:
    """Log odds of each class separately: slope · (score − centre) / spread + shift.

    Each class has a centre and a spread; all classes share the slope and the shift, so rare ones have them
    too.
    """

    centres: Reals
    spreads: Reals
    slope: float
    shift: float

    @classmethod
    def none(cls, classes: int) -> SharedOdds:
        """Return the identity: scores are log odds."""
        return cls(np.zeros(classes), np.ones(classes), 1.0, 0.0)

    def store(self) -> Stored:
        """Return the parameters as arrays."""
        odds = np.array([self.slope, self.shift])
        return Stored({}, {"centres": self.centres, "spreads": self.spreads, "odds": odds})

    @classmethod
    def restore(cls, stored: Stored, classes: int) -> SharedOdds:
        """Load the log odds of ``classes`` classes."""
        centres = stored.array("centres", np.float64, classes)
        spreads = stored.array("spreads", np.float64, classes)
        slope, shift = stored.array("odds", np.float64, 2).tolist()
        sound = (
            not np.isnan(centres).any()
            and bool(np.all(np.abs(centres[np.isfinite(centres)]) <= LARGEST))
            and bool(np.all((spreads >= 1.0 / LARGEST) & (spreads <= LARGEST)))
            and max(abs(slope), abs(shift)) <= LARGEST
        )
        stored.check(sound, "its log odds are invalid")
        return cls(centres, spreads, slope, shift)

    def standard(self, scores: Reals) -> Reals:
        """Standardise scores; −∞ for a class without documents."""
        known = np.isfinite(self.centres)
        standard = (scores - np.where(known, self.centres, 0.0)) / self.spreads
        return np.where(known, standard, -np.inf)

    def log_probabilities(self, scores: Reals) -> Reals:
        """Return the log probability of each class."""
        return log_logistic(self.slope * self.standard(scores) + self.shift)


def fit_shared_odds(
    scores: Reals, truth: NDArray[np.bool_], centres: Reals, weights: Reals | None = None
) -> SharedOdds:
    """Fit slope and shift by the log loss of all decisions together.

    Parameters
    ----------
    scores, truth : array of shape (documents, classes)
        Held-out scores; the label indicator.
    centres : array of shape (classes,)
        The score of each class at even odds, such as its threshold.
    weights : array of shape (documents,), optional
        The weights of the documents.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import fit_shared_odds
    >>> scores = np.array([[3.0], [2.0], [2.5], [0.5], [1.0], [1.5]])
    >>> truth = np.array([[True], [True], [False], [False], [False], [True]])
    >>> odds = fit_shared_odds(scores, truth, np.array([1.75]))
    >>> np.exp(odds.log_probabilities(np.array([[3.0], [0.5]]))).round(1).tolist()
    [[0.8], [0.2]]
    """
    finite = np.where(np.isfinite(scores), scores, np.nan)
    spreads = np.nanstd(finite, axis=0) if len(scores) else np.ones(scores.shape[1])
    plain = SharedOdds(centres, np.where(spreads > 0, spreads, 1.0), 1.0, 0.0)
    standard = plain.standard(scores)
    used = np.isfinite(standard)
    z, given = np.clip(standard[used], -50.0, 50.0), truth[used].astype(np.float64)
    every = np.ones(len(scores)) if weights is None else weights
    slope, shift = _fit_logistic(z, given, np.broadcast_to(every[:, None], scores.shape)[used])
    return SharedOdds(plain.centres, plain.spreads, slope, shift)


def _fit_logistic(z: Reals, given: Reals, weights: Reals) -> tuple[float, float]:
    """Newton's method on two parameters, with a small ridge penalty so that it converges."""
    from scipy.special import expit

    parameters, ridge = np.array([1.0, 0.0]), 1e-3
    if not 0 < given.sum() < len(given):
        return 1.0, 0.0
    design = np.stack([z, np.ones_like(z)])
    for _ in range(50):
        odds = parameters @ design
        chance = expit(odds)
        gradient = design @ (weights * (given - chance)) - ridge * (parameters - [1.0, 0.0])
        curve = (design * (weights * chance * (1.0 - chance))) @ design.T + ridge * np.eye(2)
        step = np.linalg.solve(curve, gradient)
        # Limit the step, so that it does not overshoot.
        parameters = parameters + step * min(1.0, 2.0 / max(np.abs(step).max(), 1e-12))
        if np.abs(step).max() < 1e-9:
            break
    return float(parameters[0]), float(parameters[1])
