"""The scores of several models blended into one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from textbayes.scores import Contributions

Reals = NDArray[np.float64]
Scores = NDArray[np.floating]
Truth = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Blend:
    """A blend of the scores of several models: f_c = b_c + Σ_k w_k z_kc.

    z_k are the scores of the k-th model, centred and scaled: by class, which keeps how confident a model is
    in each document; or by document, where the scores of a document are centred and divided by their
    spread over the classes. Scaling by document helps if confidence grows with the length of a document: a
    model that counts every word would otherwise dominate.

    Parameters
    ----------
    weights : array of shape (models,)
        w, never negative.
    biases : array of shape (classes,)
        b.
    scales : array of shape (models, classes)
        The divisors of the centred scores of each model and class; one number if documents are scaled.
    centres : array of shape (models, classes)
        The numbers subtracted from each class's scores; 0 if documents are centred.
    by_document : bool
        True if scores are centred and scaled by document, False if by class.
    """

    weights: Reals
    biases: Reals
    scales: Reals
    centres: Reals
    by_document: bool

    def __call__(self, parts: Sequence[Scores]) -> Reals:
        """Blend scores, one array of shape (documents, classes) per model.

        Examples
        --------
        >>> import numpy as np
        >>> from textbayes.decisions import Blend
        >>> blend = Blend(np.array([1.0, 3.0]), np.zeros(2), np.ones((2, 2)), np.zeros((2, 2)), False)
        >>> blend([np.array([[0.0, 4.0]]), np.array([[2.0, 0.0]])])
        array([[6., 4.]])
        """
        total = np.repeat(self.biases[None, :], len(parts[0]), axis=0)
        settings = zip(self.weights, self.scales, self.centres, parts, strict=True)
        for weight, scale, centre, scores in settings:
            if weight > 0:
                total += weight * (standardise(finite_scores(scores), centre, self.by_document) / scale)
        return total

    def contributions(self, parts: Sequence[Contributions]) -> Contributions:
        """Blend the contributions of the entries of one row.

        The result sums to the blended score. If scores are standardised by document, the centre and spread of
        the row are constants.

        Parameters
        ----------
        parts : sequence of Contributions
            For each model, the contributions of the entries to its scores, over the same classes.

        Examples
        --------
        >>> import numpy as np
        >>> from textbayes.decisions import Blend
        >>> from textbayes.scores import Contributions
        >>> blend = Blend(np.array([2.0]), np.zeros(3), np.ones((1, 3)), np.zeros((1, 3)), True)
        >>> parts = Contributions(np.zeros(3), np.array([[3.0, 0.0, 0.0], [1.0, 2.0, 0.0]]))
        >>> blend.contributions([parts]).entries.round(2)
        array([[ 2.45, -1.22, -1.22],
               [ 0.  ,  1.22, -1.22]])
        >>> bool(np.allclose(blend.contributions([parts]).scores, blend([parts.scores[None, :]])))
        True
        """
        bias, entries = self.biases.astype(np.float64), np.zeros_like(parts[0].entries)
        settings = zip(self.weights, self.scales, self.centres, parts, strict=True)
        for weight, scale, centre, part in settings:
            if weight > 0:
                own = _standardise_parts(_finite_parts(part), centre, self.by_document)
                bias = bias + weight * own.bias / scale
                entries = entries + weight * own.entries / scale
        return Contributions(bias, entries)


def standardise(scores: Reals, centre: Reals, by_document: bool) -> Reals:
    """Centre scores by class; or centre and scale each document's scores."""
    if not by_document:
        return scores - centre
    scores = scores - scores.mean(axis=1, keepdims=True)
    own = np.sqrt(np.mean(scores**2, axis=1, keepdims=True))
    return np.divide(scores, own, out=np.zeros_like(scores), where=own > 0)


def finite_scores(scores: Scores) -> Reals:
    """Replace −∞ by the lowest score of the document: an unknown class comes last."""
    doubles: Reals = np.asarray(scores, dtype=np.float64)
    finite = np.isfinite(doubles)
    if finite.all():
        return doubles
    least = np.where(finite, doubles, np.inf).min(axis=1, keepdims=True)
    return np.where(finite, doubles, np.where(np.isfinite(least), least, 0.0))


def _standardise_parts(parts: Contributions, centre: Reals, by_document: bool) -> Contributions:
    if not by_document:
        return Contributions(parts.bias - centre, parts.entries)
    bias = parts.bias - parts.bias.mean()
    entries = parts.entries - parts.entries.mean(axis=1, keepdims=True)
    spread = float(np.sqrt(np.mean((bias + entries.sum(axis=0)) ** 2)))
    if not spread > 0:
        return Contributions(np.zeros_like(bias), np.zeros_like(entries))
    return Contributions(bias / spread, entries / spread)


def _finite_parts(parts: Contributions) -> Contributions:
    """Give a class with an infinite score the lowest score of the others, without entries."""
    finite = np.isfinite(parts.scores)
    if finite.all():
        return parts
    least = parts.scores[finite].min() if finite.any() else 0.0
    return Contributions(np.where(finite, parts.bias, least), np.where(finite, parts.entries, 0.0))
