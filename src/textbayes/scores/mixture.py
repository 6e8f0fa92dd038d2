"""Scores of a structural Poisson mixture: the numerator of eq. 13 of Grim 2008."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax

from textbayes._native import MixtureScorer as NativeScorer
from textbayes._native import available_threads
from textbayes.counts import Rows
from textbayes.weights import Mixtures

Reals = NDArray[np.float64]


class MixtureScorer:
    """Mixtures made ready to score rows: log p(c) + log Σ_m f(m) G(x|θ_m, φ_m).

    Parameters
    ----------
    mixtures : Mixtures
        A group for each class.
    background : array of shape (terms,)
        θ_0.
    log_priors : array of shape (classes,)
        log p(c).
    """

    def __init__(self, mixtures: Mixtures, background: Reals, log_priors: Reals) -> None:
        self.log_priors = log_priors
        self.sizes = mixtures.sizes
        self.log_weights = np.split(np.log(mixtures.weights), np.cumsum(mixtures.sizes)[:-1])
        self._scorer = NativeScorer(mixtures.arrays(), background, log_priors)

    def likelihoods(self, rows: Rows) -> Reals:
        """Score every row in every class; −∞ where each component has a term of the row at θ = 0."""
        flat = self._scorer.scores(*rows.real_triple, available_threads())
        return flat.reshape(len(rows), len(self.log_priors))

    def scores(self, rows: Rows) -> Reals:
        """Score every row in every class; a row that no class can have made says nothing: log p(c)."""
        scores = self.likelihoods(rows)
        scores[np.isneginf(scores).all(axis=1)] = self.log_priors
        return scores

    def best(self, rows: Rows, k: int) -> tuple[NDArray[np.intp], Reals]:
        """Find each row's ``k`` best classes and their scores, best first."""
        k = min(k, len(self.log_priors))
        flat = self._scorer.best(*rows.real_triple, k, available_threads())
        best, scores = flat[0].reshape(len(rows), k).astype(np.intp), flat[1].reshape(len(rows), k)
        impossible = np.isneginf(scores[:, 0])
        likely = np.argsort(-self.log_priors, kind="stable")[:k]
        best[impossible], scores[impossible] = likely, self.log_priors[likely]
        return best, scores

    def first(self, rows: Rows) -> NDArray[np.intp]:
        """Find each row's best class."""
        return self.best(rows, 1)[0][:, 0]

    def responsibilities(self, rows: Rows, group: int) -> Reals:
        """q(m|x) of eq. 16 for the components of a class; f(m) where none can have made the row."""
        size = int(self.sizes[group])
        flat = self._scorer.component_scores(*rows.real_triple, group, available_threads())
        scores = flat.reshape(len(rows), size)
        scores[np.isneginf(scores).all(axis=1)] = self.log_weights[group]
        return np.exp(np.asarray(log_softmax(scores, axis=1)))


class MixtureOddsScorer:
    """log p(c) P(x|c) − log p(c̄) P(x|c̄): each class against the mixture of the documents without it."""

    def __init__(self, own: MixtureScorer, rest: MixtureScorer) -> None:
        self.own, self.rest = own, rest

    def scores(self, rows: Rows) -> Reals:
        """Return the log odds of every row and class; the prior odds where neither can have made the row."""
        own, rest = self.own.likelihoods(rows), self.rest.likelihoods(rows)
        impossible = np.isneginf(own) & np.isneginf(rest)
        own, rest = (
            np.where(impossible, scorer.log_priors, scores)
            for scorer, scores in ((self.own, own), (self.rest, rest))
        )
        return own - rest
