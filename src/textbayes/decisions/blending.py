"""Several models' scores → one: a weight for each model and a bias for each class, learned from held-out scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, log_expit, logsumexp

Reals = NDArray[np.float64]
Truth = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Blend:
    """How scores of several models become one.

    f_c = b_c + Σ_k w_k z_kc, z_k being the k-th model's scores, centred and scaled.

    Parameters
    ----------
    weights : array of shape (models,)
        w, never negative.
    biases : array of shape (classes,)
        b.
    scales : array of shape (models,)
        What the scores of each model are divided by, beside ``spread``.
    centres : array of shape (models, classes), or (models, 0)
        What is taken from each class's scores of a label indicator. With one label a document nothing is: the
        scores of each document are centred.
    spread : float
        The power of a document's own spread that its scores are divided by: 0 keeps how sure a model is, 1
        takes it away, so that long documents count no more than short ones.
    """

    weights: Reals
    biases: Reals
    scales: Reals
    centres: Reals
    spread: float

    def __call__(self, parts: Sequence[Reals]) -> Reals:
        """Blend scores, one array (documents, classes) a model.

        Examples
        --------
        >>> import numpy as np
        >>> from textbayes.decisions import Blend
        >>> blend = Blend(np.array([1.0, 3.0]), np.zeros(2), np.ones(2), np.empty((2, 0)), spread=0.0)
        >>> blend([np.array([[0.0, 4.0]]), np.array([[2.0, 0.0]])])
        array([[ 1., -1.]])
        """
        total = np.repeat(self.biases[None, :], len(parts[0]), axis=0)
        for weight, scale, centre, scores in zip(
            self.weights, self.scales, self.centres, parts, strict=True
        ):
            if weight > 0:
                total += weight / scale * _levelled(_finite(scores), centre, self.spread)
        return total


def fit_blend(
    parts: Sequence[NDArray[np.floating]],
    truth: Truth,
    multilabel: bool,
    *,
    spread: float = 0.5,
    weight_penalty: float = 1.0,
    bias_penalty: float = 1.0,
    balance: float = 0.0,
) -> Blend:
    """Learn weights and biases by penalised log loss.

    Parameters
    ----------
    parts : sequence of array of shape (documents, classes)
        Each model's scores of documents that it did not learn, such as its leave-one-out scores.
    truth : array of bool, shape (documents, classes)
        Which classes a document has.
    multilabel : bool
        Whether classes are decided each on its own (logistic loss) or against each other (multinomial).
    spread : float
        See :class:`Blend`.
    weight_penalty, bias_penalty : float
        How many documents' worth of loss draws the weights to be equal, and the biases to 0.
    balance : float
        The power of its class's share by which a document's loss is divided: 0 counts documents alike, 1
        counts classes alike.

    Notes
    -----
    Minimised is Σ_d ω_d loss(f_d) + p_w/2 Σ (w_k − 1/K)² + p_b/2 Σ b_c². With no documents that tell, the blend is
    the plain mean of the standardised scores. A document whose only class is unknown without it (−∞) tells
    nothing and is left out.
    """
    known = np.ones(len(truth), dtype=bool)
    for scores in parts:
        known &= np.isfinite(scores).all(axis=1) if not multilabel else True
    parts = [_finite(scores[known]) for scores in parts]
    truth = truth[known]
    centres = np.array([scores.mean(axis=0) if multilabel and len(scores) else [] for scores in parts])
    if multilabel and not len(truth):
        centres = np.zeros((len(parts), truth.shape[1]))
    levelled = [_levelled(scores, centre, spread) for scores, centre in zip(parts, centres, strict=True)]
    scales = np.array([_spread_of(scores) for scores in levelled])
    stacked = np.stack(
        [(scores / scale).astype(np.float32).ravel() for scores, scale in zip(levelled, scales, strict=True)]
    )
    problem = _Problem(stacked, truth, multilabel, weight_penalty, bias_penalty, _importance(truth, balance))
    weights, biases = problem.solve()
    return Blend(weights, biases, scales, centres, spread)


class _Problem:
    """The penalised loss of weights and biases, and its gradient."""

    def __init__(self, stacked, truth, multilabel, weight_penalty, bias_penalty, importance):
        self.stacked, self.truth, self.multilabel = stacked, truth, multilabel
        self.penalties = (weight_penalty, bias_penalty)
        self.importance = importance
        self.start = 1.0 / max(len(stacked), 1)

    def solve(self) -> tuple[Reals, Reals]:
        models, classes = len(self.stacked), self.truth.shape[1]
        start = np.concatenate([np.full(models, self.start), np.zeros(classes)])
        if not len(self.truth):
            return start[:models], start[models:]
        bounds = [(0.0, None)] * models + [(None, None)] * classes
        found = minimize(
            self.loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 200, "ftol": 1e-9}
        )
        return found.x[:models], found.x[models:]

    def loss(self, x: Reals) -> tuple[float, Reals]:
        models = len(self.stacked)
        weights, biases = x[:models], x[models:]
        scores = (weights.astype(np.float32) @ self.stacked).reshape(self.truth.shape) + biases
        loss, slope = _multinomial_loss(scores, self.truth) if not self.multilabel else _logistic_loss(scores, self.truth)
        loss = float(self.importance @ loss)
        slope = slope * self.importance[:, None]
        away = weights - self.start
        loss += 0.5 * (self.penalties[0] * away @ away + self.penalties[1] * biases @ biases)
        gradient = np.concatenate(
            [
                self.stacked @ slope.astype(np.float32).ravel() + self.penalties[0] * away,
                slope.sum(axis=0) + self.penalties[1] * biases,
            ]
        )
        return loss, gradient


def _multinomial_loss(scores, truth):
    total = logsumexp(scores, axis=1)
    return total - scores[truth], np.exp(scores - total[:, None]) - truth


def _logistic_loss(scores, truth):
    return -log_expit(np.where(truth, scores, -scores)).sum(axis=1), expit(scores) - truth


def _importance(truth: Truth, balance: float) -> Reals:
    if not balance or not len(truth):
        return np.ones(len(truth))
    size = np.maximum(truth.sum(axis=0), 1.0)
    own = (truth / size**balance).sum(axis=1) / np.maximum(truth.sum(axis=1), 1)
    return own / own.mean()


def _levelled(scores: Reals, centre: Reals, spread: float) -> Reals:
    if len(centre):
        return scores - centre
    scores = scores - scores.mean(axis=1, keepdims=True)
    if not spread:
        return scores
    own = np.sqrt(np.mean(scores**2, axis=1, keepdims=True))
    return scores / np.where(own > 0, own, 1.0) ** spread


def _spread_of(scores: Reals) -> float:
    found = float(np.sqrt(np.mean(scores**2))) if scores.size else 0.0
    return found if found > 0 else 1.0


def _finite(scores):
    """Put the least finite score of a row for −∞: the class is unknown, and comes last."""
    scores = np.asarray(scores, dtype=np.float64)
    if np.isfinite(scores).all():
        return scores
    least = np.where(np.isfinite(scores), scores, np.inf).min(axis=1, keepdims=True)
    return np.where(np.isfinite(scores), scores, np.where(np.isfinite(least), least, 0.0))
