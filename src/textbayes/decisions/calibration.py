"""Scores → calibrated probabilities."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from textbayes.decisions.isotonic import IsotonicMap, fit_isotonic_map
from textbayes.persistence import Stored
from textbayes.scores import log_logistic, log_softmax, log_sum_exp

Reals = NDArray[np.float64]
Classes = NDArray[np.integer]

CALIBRATIONS = ("auto", "temperature", "isotonic")
POWERS = (0.0, 0.25, 0.5, 0.75, 1.0)
_FOLDS = 5
# The temperature is fitted on this many scores, but on no fewer than this many documents.
_CELLS = 1 << 14
_LEAST_DOCUMENTS = 100
_BISECTIONS = 40
# The share of documents that count as short.
_SHORT = 0.05
# The likely decisions about several labels: this many for each that is true.
_LIKELY = 4
# A map of decisions about several labels needs this many that are true.
_LEAST_TRUE = 50
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
    best : IsotonicMap
        From the softmax of the best class to its probability. The other classes keep their proportions; if
        one of them would become the best, the temperature of the document is raised instead.
    shortest : float, default=0.0
        Shorter documents have the temperature of this length: they would be sure with almost no words.
    """

    power: float
    temperature: float
    best: IsotonicMap = field(default_factory=IsotonicMap)
    shortest: float = 0.0

    def log_probabilities(self, scores: Reals, lengths: Reals) -> Reals:
        """Return the log probabilities of the classes; the best class stays the best."""
        grown = _grown(np.maximum(lengths, self.shortest), self.power)
        logs = log_softmax(scores / (self.temperature * grown))
        return self._mapped(logs) if self.best else logs

    def _mapped(self, logs: Reals) -> Reals:
        rows, best = np.arange(len(logs)), np.argmax(logs, axis=1)
        others = logs.copy()
        others[rows, best] = -np.inf
        rest, second = log_sum_exp(others), others.max(axis=1)
        level = np.where(rest > -np.inf, self.best(np.exp(logs[rows, best])), 1.0)
        # A little more than the second best, so that the best class stays the best.
        gap = np.subtract(rest, second, out=np.full_like(rest, np.inf), where=rest > -np.inf)
        least = (1.0 + 1e-9) / (1.0 + np.exp(gap))
        low = np.flatnonzero(level < least)
        with np.errstate(divide="ignore", invalid="ignore"):
            others += np.where(level < 1.0, np.log1p(-level) - rest, -np.inf)[:, None]
            others[rows, best] = np.log(level)
        if low.size:
            others[low] = _cooled(logs[low], level[low])
        return others

    def store(self) -> Stored:
        """Return the parameters as arrays."""
        temperature = np.array([self.power, self.temperature])
        arrays = {"temperature": temperature, "shares": self.best.points, "levels": self.best.levels}
        return Stored({}, {**arrays, "shortest": np.array([self.shortest])})

    @classmethod
    def restore(cls, stored: Stored) -> Calibration:
        """Load a calibration."""
        power, temperature = stored.array("temperature", np.float64, 2).tolist()
        shortest = 0.0
        if "shortest" in stored.arrays:
            shortest = float(stored.array("shortest", np.float64, 1)[0])
        sound = 0 <= power <= 1 and 1.0 / LARGEST <= temperature <= LARGEST and 0 <= shortest <= LARGEST
        stored.check(sound, "its calibration is invalid")
        best = IsotonicMap.restore(stored, "shares", "levels", 0.0, 1.0)
        return cls(power, temperature, best, shortest)


def _cooled(logs: Reals, level: Reals) -> Reals:
    """Divide the log probabilities of each row by a number, so that its best class has this probability.

    The lowest possible one is that of equal classes.
    """
    # Above 0, so that the order of the classes stays, after rounding too.
    low, high = np.full(len(logs), 1e-6), np.ones(len(logs))
    # log 0 · 0 must stay log 0.
    known = np.where(np.isfinite(logs), logs, 0.0)
    lowest = np.where(np.isfinite(logs), 0.0, -np.inf)
    for _ in range(_BISECTIONS):
        factor = (low + high) / 2.0
        top = np.exp(log_softmax(known * factor[:, None] + lowest).max(axis=1))
        low, high = np.where(top < level, factor, low), np.where(top < level, high, factor)
    return log_softmax(known * high[:, None] + lowest)


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
    # The temperature is one number: some documents are enough to find it.
    some = slice(0, max(_LEAST_DOCUMENTS, _CELLS // scores.shape[1]))
    sample = scores[some], classes[some], lengths[some], weights[some]
    found = min(_fit_temperature(power, *sample) for power in POWERS)
    plain = Calibration(found[1], found[2], shortest=float(np.quantile(lengths, _SHORT)))
    if method == "temperature":
        return plain
    logs = plain.log_probabilities(scores, lengths)
    right = np.argmax(logs, axis=1) == classes
    best = fit_isotonic_map(np.exp(logs.max(axis=1)), right, weights)
    return replace(plain, best=best.from_point(1.0 / scores.shape[1]))


def _fit_temperature(
    power: float, scores: Reals, classes: Classes, lengths: Reals, weights: Reals
) -> tuple[float, float, float]:
    from scipy.optimize import minimize_scalar

    scaled = scores / _grown(lengths, power)
    # A document with an impossible class does not help to find the scale.
    spread = np.ptp(scaled[np.isfinite(scaled).all(axis=1)], axis=1)
    unit = (float(np.median(spread)) if spread.size else 0.0) or 1.0
    # −log P of the true class: the lead of the best class, plus log Σ exp of the scores behind the best.
    best = scaled.max(axis=1)
    lead = (best - scaled[np.arange(len(scaled)), classes]) / unit
    behind = np.ascontiguousarray((scaled - best[:, None]).T) / unit

    def loss(log_temperature: float) -> float:
        cold = np.exp(-log_temperature)
        losses = lead * cold + np.log(np.exp(behind * cold).sum(axis=0))
        return float(np.average(losses, weights=weights))

    found = minimize_scalar(loss, bounds=(-12.0, 8.0), method="bounded", options={"xatol": 1e-2})
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
    """Log odds of each class separately: slope · (score − centre) / spread + shift, then an isotonic map.

    Each class has a centre and a spread; all classes share the slope, the shift and the map, so rare ones
    have them too.

    Parameters
    ----------
    centres, spreads : array of shape (classes,)
        The score of each class at even odds, and a scale of its scores.
    slope, shift : float
        The logistic function.
    chance : IsotonicMap
        From the log odds to the probability.
    """

    centres: Reals
    spreads: Reals
    slope: float
    shift: float
    chance: IsotonicMap = field(default_factory=IsotonicMap)

    @classmethod
    def none(cls, classes: int) -> SharedOdds:
        """Return the identity: scores are log odds."""
        return cls(np.zeros(classes), np.ones(classes), 1.0, 0.0)

    def store(self) -> Stored:
        """Return the parameters as arrays."""
        arrays = {
            "centres": self.centres,
            "spreads": self.spreads,
            "odds": np.array([self.slope, self.shift]),
        }
        if self.chance:
            arrays |= {"odds_points": self.chance.points, "odds_levels": self.chance.levels}
        return Stored({}, arrays)

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
        chance = IsotonicMap.restore(stored, "odds_points", "odds_levels", -LARGEST, LARGEST)
        return cls(centres, spreads, slope, shift, chance)

    def standard(self, scores: Reals) -> Reals:
        """Standardise scores; −∞ for a class without documents."""
        known = np.isfinite(self.centres)
        standard = (scores - np.where(known, self.centres, 0.0)) / self.spreads
        return np.where(known, standard, -np.inf)

    def log_odds(self, scores: Reals) -> Reals:
        """Return the log odds of each class, before the map."""
        return self.slope * self.standard(scores) + self.shift

    def log_probabilities(self, scores: Reals) -> Reals:
        """Return the log probability of each class."""
        odds = self.log_odds(scores)
        if not self.chance:
            return log_logistic(odds)
        known = np.isfinite(self.centres)
        with np.errstate(divide="ignore"):
            return np.where(known, np.log(self.chance(odds)), -np.inf)


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
    [[0.7], [0.3]]
    """
    spreads, scored = np.ones(scores.shape[1]), np.isfinite(scores).any(axis=0)
    finite = np.where(np.isfinite(scores), scores, np.nan)[:, scored]
    spreads[scored] = np.nanstd(finite, axis=0)
    plain = SharedOdds(centres, np.where(spreads > 0, spreads, 1.0), 1.0, 0.0)
    standard = plain.standard(scores)
    used = np.isfinite(standard)
    z, given = np.clip(standard[used], -50.0, 50.0), truth[used].astype(np.float64)
    every = np.ones(len(scores)) if weights is None else weights
    each = np.broadcast_to(every[:, None], scores.shape)[used]
    # Two numbers: some of the decisions are enough to find them.
    some = slice(None, None, max(1, len(z) // _CELLS))
    slope, shift = _fit_logistic(z[some], given[some], each[some])
    found = SharedOdds(plain.centres, plain.spreads, slope, shift)
    return replace(found, chance=fit_chance(slope * z + shift, given, each)) if slope > 0 else found


def fit_chance(log_odds: Reals, came_true: Reals, weights: Reals) -> IsotonicMap:
    """Fit a map from log odds to probabilities, with one point for all decisions that are unlikely.

    It is empty if too few decisions are true: log odds are then taken as they are. Most decisions about
    several labels are clear ones against a class. Bins of equal size would leave almost none for the others.
    """
    if not _LEAST_TRUE <= came_true.sum() < len(came_true):
        return IsotonicMap()
    likely = min(_LIKELY * round(came_true.sum()), len(log_odds))
    near = np.zeros(len(log_odds), dtype=bool)
    near[np.argpartition(-log_odds, likely - 1)[:likely]] = True
    prior = float(np.average(came_true, weights=weights))
    found = fit_isotonic_map(log_odds[near], came_true[near], weights[near], prior)
    if near.all():
        return found
    far = ~near
    level = float(weights[far] @ came_true[far] + prior) / float(weights[far].sum() + 1.0)
    points = np.concatenate([[min(log_odds[far].max(), found.points[0])], found.points])
    return IsotonicMap(points, np.maximum.accumulate(np.concatenate([[level], found.levels])))


def _fit_logistic(z: Reals, given: Reals, weights: Reals) -> tuple[float, float]:
    """Newton's method on two parameters, with a small ridge penalty so that it converges."""
    from scipy.special import expit

    parameters, ridge = np.array([1.0, 0.0]), 1e-3
    if not 0 < given.sum() < len(given):
        return 1.0, 0.0
    # Platt's targets: a few decisions do not make others certain.
    true = given.sum()
    given = np.where(given > 0, (true + 1.0) / (true + 2.0), 1.0 / (len(given) - true + 2.0))
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
