"""The scores of several models blended into one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from textbayes.decisions.isotonic import IsotonicMap
from textbayes.scores import Contributions

Reals = NDArray[np.float64]
Scores = NDArray[np.floating]
Truth = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Blend:
    """A blend of the scores of several models: f_c = b_c + Σ_k w_k z_kc.

    z_k are the scores of the k-th model, centred by class and scaled. If every model is linear in its row, so
    is the blend.

    Parameters
    ----------
    weights : array of shape (models,)
        w, never negative.
    biases : array of shape (classes,)
        b.
    scales : array of shape (models, classes)
        The divisors of the centred scores of each model and class.
    centres : array of shape (models, classes)
        The numbers subtracted from each class's scores.
    by_document : bool, default=False
        Whether the scores of each document are centred, and divided by their spread over the classes. Such a
        blend is not linear; only recipes of older model files have it.
    chance : IsotonicMap
        From the softmax of the best class to its probability; for several labels, from log odds to
        probabilities. Empty if the scores are log probabilities or log odds.
    """

    weights: Reals
    biases: Reals
    scales: Reals
    centres: Reals
    by_document: bool = False
    chance: IsotonicMap = field(default_factory=IsotonicMap)

    def __call__(self, parts: Sequence[Scores]) -> Reals:
        """Blend scores, one array of shape (documents, classes) per model.

        Examples
        --------
        >>> import numpy as np
        >>> from textbayes.decisions import Blend
        >>> blend = Blend(np.array([1.0, 3.0]), np.zeros(2), np.ones((2, 2)), np.zeros((2, 2)))
        >>> blend([np.array([[0.0, 4.0]]), np.array([[2.0, 0.0]])])
        array([[6., 4.]])
        """
        total = np.repeat(self.biases[None, :], len(parts[0]), axis=0)
        settings = zip(self.weights, self.scales, self.centres, parts, strict=True)
        for weight, scale, centre, scores in settings:
            if weight > 0:
                own = finite_scores(scores) - centre
                total += weight * (_by_spread(own) if self.by_document else own) / scale
        return total

    def contributions(self, parts: Sequence[Contributions]) -> Contributions:
        """Blend the contributions of the entries of one row.

        The result sums to the blended score.

        Parameters
        ----------
        parts : sequence of Contributions
            For each model, the contributions of the entries to its scores, over the same classes.

        Examples
        --------
        >>> import numpy as np
        >>> from textbayes.decisions import Blend
        >>> from textbayes.scores import Contributions
        >>> blend = Blend(np.array([2.0]), np.zeros(3), np.ones((1, 3)), np.zeros((1, 3)))
        >>> parts = Contributions(np.zeros(3), np.array([[3.0, 0.0, 0.0], [1.0, 2.0, 0.0]]))
        >>> blend.contributions([parts]).entries
        array([[6., 0., 0.],
               [2., 4., 0.]])
        >>> bool(np.allclose(blend.contributions([parts]).scores, blend([parts.scores[None, :]])))
        True
        """
        bias, entries = self.biases.astype(np.float64), np.zeros_like(parts[0].entries)
        settings = zip(self.weights, self.scales, self.centres, parts, strict=True)
        for weight, scale, centre, part in settings:
            if weight > 0:
                own = _finite_parts(part)
                own = Contributions(own.bias - centre, own.entries)
                own = _parts_by_spread(own) if self.by_document else own
                bias = bias + weight * own.bias / scale
                entries = entries + weight * own.entries / scale
        return Contributions(bias, entries)


def _by_spread(scores: Reals) -> Reals:
    """Centre the scores of each document, and divide them by their spread."""
    scores = scores - scores.mean(axis=1, keepdims=True)
    own = np.sqrt(np.mean(scores**2, axis=1, keepdims=True))
    return np.divide(scores, own, out=np.zeros_like(scores), where=own > 0)


def _parts_by_spread(parts: Contributions) -> Contributions:
    """Do the same to contributions: the centre and the spread of the row are constants."""
    bias = parts.bias - parts.bias.mean()
    entries = parts.entries - parts.entries.mean(axis=1, keepdims=True)
    spread = float(np.sqrt(np.mean((bias + entries.sum(axis=0)) ** 2)))
    factor = 1.0 / spread if spread > 0 else 0.0
    return Contributions(factor * bias, factor * entries)


def finite_scores(scores: Scores) -> Reals:
    """Replace −∞ by the lowest score of the document: an unknown class comes last."""
    doubles: Reals = np.asarray(scores, dtype=np.float64)
    finite = np.isfinite(doubles)
    if finite.all():
        return doubles
    least = np.where(finite, doubles, np.inf).min(axis=1, keepdims=True)
    return np.where(finite, doubles, np.where(np.isfinite(least), least, 0.0))


def _finite_parts(parts: Contributions) -> Contributions:
    """Give a class with an infinite score the lowest score of the others, without entries."""
    finite = np.isfinite(parts.scores)
    if finite.all():
        return parts
    least = parts.scores[finite].min() if finite.any() else 0.0
    return Contributions(np.where(finite, parts.bias, least), np.where(finite, parts.entries, 0.0))
