"""Scores of a structural Poisson mixture: the numerator of eq. 13 of Grim 2008."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from textbayes._native import MixtureScorer as NativeScorer
from textbayes._native import available_threads
from textbayes.counts import Rows
from textbayes.scores.explanation import Contributions, linear_contributions
from textbayes.scores.posterior import log_softmax
from textbayes.weights import MixtureModel, Mixtures

Reals = NDArray[np.float64]


class ComponentParts(NamedTuple):
    """The contributions of a row to the components of a class.

    Parameters
    ----------
    responsibilities : array of shape (components,)
        q(m|x) of eq. 16.
    bias : array of shape (components,)
        log f(m).
    entries : array of shape (entries of the row, components)
        The contribution of each entry to log f(m) G(x|θ_m, φ_m): x_n times log θ_mn/θ_0n, if there is a
        parameter, plus x_n times Σ (θ_0 − θ_m) over all parameters.
    """

    responsibilities: Reals
    bias: Reals
    entries: Reals

    @property
    def scores(self) -> Reals:
        """log f(m) G(x|θ_m, φ_m)."""
        return np.asarray(self.bias + self.entries.sum(axis=0))


class MixtureScorer:
    """Scores rows by mixtures: log p(c) + log Σ_m f(m) G(x|θ_m, φ_m).

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
        """Score every row in every class; −∞ if every component has θ = 0 for some term of the row."""
        flat = self._scorer.scores(rows, available_threads())
        return flat.reshape(len(rows), len(self.log_priors))

    def scores(self, rows: Rows) -> Reals:
        """Score every row in every class; log p(c) for a row that is impossible in all classes."""
        scores = self.likelihoods(rows)
        scores[np.isneginf(scores).all(axis=1)] = self.log_priors
        return scores

    def best(self, rows: Rows, k: int) -> tuple[NDArray[np.intp], Reals]:
        """Return the ``k`` best classes of each row and their scores, best first."""
        k = min(k, len(self.log_priors))
        flat = self._scorer.best(rows, k, available_threads())
        best, scores = flat[0].reshape(len(rows), k).astype(np.intp), flat[1].reshape(len(rows), k)
        impossible = np.isneginf(scores[:, 0])
        likely = np.argsort(-self.log_priors, kind="stable")[:k]
        best[impossible], scores[impossible] = likely, self.log_priors[likely]
        return best, scores

    def first(self, rows: Rows) -> NDArray[np.intp]:
        """Return the best class of each row."""
        return self.best(rows, 1)[0][:, 0]

    def responsibilities(self, rows: Rows, group: int) -> Reals:
        """q(m|x) of eq. 16 for the components of a class; f(m) for a row that is impossible in all."""
        size = int(self.sizes[group])
        flat = self._scorer.component_scores(rows, group, available_threads())
        scores = flat.reshape(len(rows), size)
        scores[np.isneginf(scores).all(axis=1)] = self.log_weights[group]
        return np.exp(log_softmax(scores))

    def component_parts(self, row: Rows) -> list[ComponentParts]:
        """Return the contributions of a row to the components of each class, in order."""
        everything = linear_contributions(_Components(self._scorer, int(self.sizes.sum())), row)
        ends = np.cumsum(self.sizes).tolist()
        found = []
        for start, end in zip([0, *ends], ends, strict=False):
            bias, entries = everything.bias[start:end], everything.entries[:, start:end]
            scores = bias + entries.sum(axis=0)
            # If the row is impossible in all components, their responsibilities are their weights.
            of = bias if np.isneginf(scores).all() else scores
            found.append(ComponentParts(np.exp(log_softmax(of[None, :])[0]), bias, entries))
        return found

    def contributions(self, row: Rows) -> Contributions:
        """Return the contributions to the scores of a row, averaged over components by responsibility.

        log Σ_m f(m) G_m = Σ_m q(m|x) log G_m − Σ_m q(m|x) log q(m|x)/f(m), where log G_m is a sum over the
        entries. The second part is not; it is in the bias, with log p(c).
        """
        found = self.likelihood_contributions(row)
        if np.isneginf(found.scores).all():
            return Contributions(self.log_priors, np.zeros_like(found.entries))
        return found

    def likelihood_contributions(self, row: Rows) -> Contributions:
        """Return the contributions to the likelihoods; an entry that is impossible in a class adds −∞."""
        bias, entries = self.log_priors.copy(), np.empty((len(row.columns), len(self.log_priors)))
        for group, parts in enumerate(self.component_parts(row)):
            q = parts.responsibilities
            bias[group] -= np.sum(q * _log_ratio(q, parts.bias))
            # Skip components with responsibility 0: their entries may be −∞.
            responsible = q > 0
            entries[:, group] = (parts.entries[:, responsible] * q[responsible]).sum(axis=1)
        return Contributions(bias, entries)


class _Components:
    """log f(m) G(x|θ_m, φ_m) of all components of all classes: linear in the row."""

    def __init__(self, scorer: NativeScorer, count: int) -> None:
        self._scorer, self._count = scorer, count

    def scores(self, rows: Rows) -> Reals:
        """Score every row by every component."""
        flat = self._scorer.component_scores(rows, None, available_threads())
        return flat.reshape(len(rows), self._count)


def _log_ratio(q: Reals, log_weights: Reals) -> Reals:
    """log q/f, and 0 where q is 0."""
    return np.log(q, where=q > 0, out=log_weights.copy()) - log_weights


def mixture_scorer(model: MixtureModel) -> MixtureScorer:
    """Return the scorer of the classes of a model."""
    return MixtureScorer(model.own, model.background, model.log_priors)


def mixture_odds_scorer(model: MixtureModel, own: MixtureScorer) -> MixtureOddsScorer | None:
    """Return the scorer of each class against the rest; None for one label per document."""
    if model.rest is None:
        return None
    return MixtureOddsScorer(own, MixtureScorer(model.rest, model.background, model.rest_log_priors))


class MixtureOddsScorer:
    """log p(c) P(x|c) − log p(c̄) P(x|c̄): each class against the mixture of the documents without it."""

    def __init__(self, own: MixtureScorer, rest: MixtureScorer) -> None:
        self.own, self.rest = own, rest

    def scores(self, rows: Rows) -> Reals:
        """Return the log odds of every row and class; the prior odds if the row is impossible in both."""
        own, rest = self.own.likelihoods(rows), self.rest.likelihoods(rows)
        impossible = np.isneginf(own) & np.isneginf(rest)
        own, rest = (
            np.where(impossible, scorer.log_priors, scores)
            for scorer, scores in ((self.own, own), (self.rest, rest))
        )
        return own - rest

    def contributions(self, row: Rows) -> Contributions:
        """Return the contributions to the log odds of a row: those of each class minus those of the rest."""
        own, rest = (scorer.likelihood_contributions(row) for scorer in (self.own, self.rest))
        impossible = np.isneginf(own.scores) & np.isneginf(rest.scores)
        for parts in (own, rest):
            parts.entries[:, impossible] = 0.0
        return Contributions(own.bias - rest.bias, own.entries - rest.entries)
