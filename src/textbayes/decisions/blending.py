"""Fit a blend: a weight for each model and a bias for each class, by penalised log loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from textbayes.decisions.blend import Blend, Reals, Scores, Truth, finite_scores
from textbayes.measures import weighted_counts

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

Singles = NDArray[np.float32]

# Chosen in experiments/auto_blend.py.
WEIGHT_PENALTY = 100.0
BIAS_PENALTY = 3.0

_MOST_STEPS = 100
# Relative precision of the loss; a rough one is enough where only decisions count.
_PRECISION = 1e-7
_ROUGH = 1e-5
# A penalty that fixes a parameter.
_FIXED = 1e9
# A score that gives a class the probability 0.
_LOWEST = -1e30


def fit_blend(
    parts: Sequence[Scores],
    truth: Truth,
    multilabel: bool,
    *,
    weight_penalty: float = WEIGHT_PENALTY,
    bias_penalty: float = BIAS_PENALTY,
    prior_weights: Reals | None = None,
    sample_weight: Reals | None = None,
) -> Blend:
    """Learn weights and biases by penalised log loss.

    Parameters
    ----------
    parts : sequence of array of shape (documents, classes)
        The held-out scores of each model, such as leave-one-out scores.
    truth : array of bool, shape (documents, classes)
        Which classes a document has.
    multilabel : bool
        Whether each class is decided separately (logistic loss) or all against each other (multinomial).
    weight_penalty, bias_penalty : float
        How strongly the weights are drawn to the prior weights, and the biases to 0, in documents.
    prior_weights : array of shape (models,), optional
        The weights to which the penalty draws; equal ones by default.
    sample_weight : array of shape (documents,) or (documents, classes), optional
        How often each document counts, with several labels also for each class; once by default.

    Notes
    -----
    The objective is Σ_d loss(f_d) + p_w/2 Σ_k (w_k − u_k)² + p_b/2 Σ_c b_c² with w ≥ 0 and the prior weights
    u. Without documents the weights are the prior ones. With one label per document, a document that is the
    only one of its class scores −∞ there; it is left out, and a class without other documents keeps bias 0.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import fit_blend
    >>> truth = np.eye(3, dtype=bool)[[0, 1, 2, 0, 1, 2]]
    >>> right, random = truth + 0.0, np.random.default_rng(0).normal(size=truth.shape)
    >>> fit_blend([right, random], truth, multilabel=False).weights.round(1)
    array([0.6, 0.5])
    """
    known, prepared = _prepare(parts, truth, multilabel, sample_weight)
    penalties = (weight_penalty, bias_penalty)
    each = None if sample_weight is None else sample_weight[known]
    problem = _Problem(prepared.standardised, truth[known], multilabel, penalties, prior_weights, each)
    return prepared.blend(*problem.solution(None))


def blend_out_of_sample(
    parts: Sequence[Scores],
    truth: Truth,
    multilabel: bool,
    fold_of: NDArray[np.intp],
    *,
    weight_penalty: float = WEIGHT_PENALTY,
    bias_penalty: float = BIAS_PENALTY,
    prior_weights: Reals | None = None,
    sample_weight: Reals | None = None,
) -> tuple[Blend, Reals]:
    """Learn a blend, and score every document by weights and biases learned from the other folds.

    Parameters
    ----------
    parts, truth, multilabel, weight_penalty, bias_penalty, prior_weights, sample_weight
        As for :func:`fit_blend`.
    fold_of : array of int, shape (documents,)
        The fold of each document.

    Returns
    -------
    blend : Blend
        Learned from all documents.
    scores : array of shape (documents, classes)
        Blended scores to be measured. Only centres and scales, which use no labels, are those of all folds.
    """
    penalties = (weight_penalty, bias_penalty)
    known, prepared = _prepare(parts, truth, multilabel, sample_weight)
    own_truth, own_folds = truth[known], fold_of[known]
    shape = (len(parts), *own_truth.shape)
    counted = None if sample_weight is None else sample_weight[known]
    whole = _Problem(prepared.standardised, own_truth, multilabel, penalties, prior_weights, counted)
    found = whole.solution(None)
    scores = np.empty(truth.shape)
    for fold in np.unique(fold_of):
        others = own_folds != fold
        left = prepared.standardised.reshape(shape)[:, others].reshape(len(parts), -1)
        each = None if counted is None else counted[others]
        if not multilabel:
            each = _restoring(own_truth, others, counted)
        problem = _Problem(left, own_truth[others], multilabel, penalties, prior_weights, each)
        if multilabel:
            problem.hold_constant_classes(found[1])
        learned = problem.solution(found, _ROUGH)
        own = fold_of == fold
        scores[own] = prepared.blend(*learned)([part[own] for part in parts])
    return prepared.blend(*found), scores


def fit_temperature(
    scores: Scores, truth: Truth, multilabel: bool, sample_weight: Reals | None = None
) -> Blend:
    """Learn the factor that makes the scores of one model log probabilities.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import fit_temperature
    >>> scores = np.array([[9.0, 0.0, 1.0], [0.0, 9.0, 1.0], [9.0, 0.0, 1.0]])
    >>> blend = fit_temperature(scores, np.eye(3, dtype=bool)[[0, 1, 1]], multilabel=False)
    >>> np.argmax(blend([scores]), axis=1)
    array([0, 1, 0])
    """
    zeros = np.zeros(truth.shape[1])
    known = np.ones(len(truth), bool) if multilabel else np.isfinite(scores).all(axis=1)
    own = finite_scores(scores[known])
    counted = None if sample_weight is None else sample_weight[known]
    scale = _spread_of(own, False, counted)
    stacked = (own / scale).astype(np.float32).reshape(1, -1)
    problem = _Problem(stacked, truth[known], multilabel, (1.0, _FIXED), each=counted)
    weights, _ = problem.solution(None)
    # With weight 0, all classes would have the same score.
    return Blend(np.maximum(weights, 1e-6), zeros, zeros[None, :] + scale, zeros[None, :])


class _Problem:
    """The penalised loss of weights and biases, in units in which its curvatures are similar."""

    def __init__(
        self,
        standardised: Singles,
        truth: Truth,
        multilabel: bool,
        penalties: tuple[float, float],
        prior_weights: Reals | None = None,
        each: Reals | None = None,
    ) -> None:
        self.parts, self.truth = standardised, truth
        self.each = None if each is None else each.astype(np.float32)
        self.multilabel = multilabel
        models, classes = len(standardised), truth.shape[1]
        self.models = models
        self.penalties = np.repeat(penalties, [models, classes])
        # A class without documents here would only ever be pushed down, so it takes no part.
        self.absent = np.zeros(classes, dtype=bool) if multilabel else ~truth.any(axis=0)
        self.penalties[models:][self.absent] = _FIXED
        prior_weights = np.full(models, 1.0 / max(models, 1)) if prior_weights is None else prior_weights
        self.centre = np.concatenate([prior_weights, np.zeros(classes)])
        # The typical curvature of a document is about a tenth of the largest possible.
        counted = np.ones(len(truth)) if each is None else each
        every = counted.sum() / (1 if counted.ndim == 1 else max(classes, 1))
        curvature = np.concatenate([np.full(models, every), weighted_counts(counted, truth)])
        self.curvature = curvature
        self.unit = 1.0 / np.sqrt(0.1 * curvature + self.penalties)

    def hold_constant_classes(self, biases: Reals) -> None:
        """Hold the biases of classes that all documents have here, or none.

        They would grow without bound, so that the documents left out look least like their own classes.
        """
        constant = self.truth.all(axis=0) | ~self.truth.any(axis=0)
        self.penalties[self.models :][constant] = _FIXED
        self.centre[self.models :][constant] = biases[constant]
        self.unit = 1.0 / np.sqrt(0.1 * self.curvature + self.penalties)

    def solution(
        self, start: tuple[Reals, Reals] | None, precision: float = _PRECISION
    ) -> tuple[Reals, Reals]:
        """Minimise from a start; return the weights and biases."""
        from scipy.optimize import minimize

        first = self.centre if start is None else np.concatenate(start)
        if len(self.truth):
            bounds = [(0.0, None)] * self.models + [(None, None)] * self.truth.shape[1]
            # A matrix-vector product is bound by memory: more threads would only get in each other's way.
            with _thread_pools().limit(limits=1, user_api="blas"):
                found = minimize(
                    self._value,
                    first / self.unit,
                    jac=True,
                    method="L-BFGS-B",
                    bounds=bounds,
                    options={"maxiter": _MOST_STEPS, "ftol": precision},
                )
            first = found.x * self.unit
        return first[: self.models], first[self.models :]

    def _value(self, place: Reals) -> tuple[float, Reals]:
        at = place * self.unit
        weights, biases = at[: self.models].astype(np.float32), at[self.models :].astype(np.float32)
        scores = (weights @ self.parts).reshape(self.truth.shape)
        scores += biases
        scores[:, self.absent] = _LOWEST
        if self.multilabel:
            losses, slopes = _logistic(scores, self.truth, self.each)
        else:
            losses, slopes = _multinomial(scores, self.truth, self.each)
        away = at - self.centre
        gradient = np.concatenate([self.parts @ slopes.ravel(), slopes.sum(axis=0, dtype=np.float64)])
        gradient += self.penalties * away
        loss = float(losses.sum(dtype=np.float64)) + 0.5 * float(self.penalties @ away**2)
        return loss, gradient * self.unit


@cache
def _thread_pools() -> ThreadpoolController:
    """Find the libraries with threads of their own, once: it takes longer than to fit a small blend."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _restoring(truth: Truth, some: NDArray[np.bool_], weights: Reals | None) -> Reals:
    """Weights for some of the documents that restore the class sizes of all documents.

    Biases learn the sizes of classes, and leaving a fold out makes the classes of its documents look smaller.
    """
    counted = np.ones(len(truth)) if weights is None else weights
    sizes, left = counted @ truth, counted[some] @ truth[some]
    grown = np.divide(sizes, left, out=np.ones_like(sizes), where=left > 0)
    return np.asarray(grown[truth[some].argmax(axis=1)] * counted[some])


def _multinomial(scores: Singles, truth: Truth, each: Singles | None) -> tuple[Singles, Singles]:
    """log Σ_c e^f − f of the true class, and its gradient, weighted; overwrites the scores."""
    scores -= scores.max(axis=1, keepdims=True)
    own = scores[truth]
    np.exp(scores, out=scores)
    total = scores.sum(axis=1, keepdims=True)
    scores /= total
    scores[truth] -= 1.0
    losses = np.log(total[:, 0]) - own
    if each is not None:
        losses *= each
        scores *= each[:, None]
    return losses, scores


def _logistic(scores: Singles, truth: Truth, each: Singles | None) -> tuple[Singles, Singles]:
    """Σ_c log(1 + e^∓f), and its gradient, weighted by document or by cell."""
    signed = np.where(truth, -scores, scores)
    slopes: Singles = np.asarray(0.5 * (1.0 + np.tanh(0.5 * signed)), dtype=np.float32)
    losses: Singles = np.logaddexp(0.0, signed, dtype=np.float32)
    np.negative(slopes, where=truth, out=slopes)
    if each is not None:
        cells = each if each.ndim == 2 else each[:, None]
        losses *= cells
        slopes *= cells
    return losses.sum(axis=1), slopes


@dataclass(frozen=True, eq=False)
class _Prepared:
    """The centred and scaled scores of several models, a row for each model."""

    standardised: Singles
    scales: Reals
    centres: Reals

    def blend(self, weights: Reals, biases: Reals) -> Blend:
        return Blend(weights, biases, self.scales, self.centres)


def _prepare(
    parts: Sequence[Scores], truth: Truth, multilabel: bool, weights: Reals | None
) -> tuple[NDArray[np.bool_], _Prepared]:
    """Find the documents that can be learned from, and standardise their scores."""
    known = np.ones(len(truth), dtype=bool)
    if not multilabel:
        known = np.logical_and.reduce([np.isfinite(scores).all(axis=1) for scores in parts])
    classes = truth.shape[1]
    centres, scales = np.zeros((len(parts), classes)), np.ones((len(parts), classes))
    stacked = np.empty((len(parts), int(known.sum()) * classes), dtype=np.float32)
    for at, part in enumerate(parts):
        scores = finite_scores(part)
        if len(scores):
            centres[at] = np.average(scores, axis=0, weights=weights)
        centred = scores - centres[at]
        scales[at] = _spread_of(centred, multilabel, weights)
        stacked[at] = (centred[known] / scales[at]).ravel()
    return known, _Prepared(stacked, scales, centres)


def _spread_of(scores: Reals, each: bool, weights: Reals | None) -> Reals:
    """The root mean square of each class, or of all scores."""
    if not scores.size:
        return np.ones(1)
    squares = np.average(scores**2, axis=0, weights=weights)
    found = np.sqrt(squares if each else np.atleast_1d(squares.mean()))
    return np.where(found > 0, found, 1.0)
