"""Structural Poisson mixtures (Grim 2008): documents → components, by the modified EM of eqs. 15–21."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from textbayes._native import MixtureSettings, available_threads, fit_mixtures, mixture_background
from textbayes.counts import Rows
from textbayes.statistics import Targets
from textbayes.weights.component_counts import component_counts

Reals = NDArray[np.float64]
Numbers = NDArray[np.uint32]
Watched = Callable[[str, int], AbstractContextManager[Callable[[int], object] | None]]

# The strength of each smoothing unless another is given: experiments/mixture_defaults.py.
SMOOTHINGS = {"prior": 30.0, "mix": 0.2}
INITS = ("random",)


class MixtureComponent(NamedTuple):
    """One component of a class's mixture.

    Parameters
    ----------
    weight : float
        f(m), its share of the class.
    documents : float
        Σ q(m|x), the documents it is made of.
    terms : array of int
        The columns of the terms with a parameter, rising.
    theta : array
        θ_mn of those.
    """

    weight: float
    documents: float
    terms: NDArray[np.int64]
    theta: Reals


@dataclass(frozen=True)
class Mixtures:
    """The mixtures of some groups of documents, as columns of numbers; groups, then components, in order.

    A component's parameters are those listed for it, and by default θ = unseen_ratios · θ_0 for each of the
    ``unseen_terms`` most frequent terms that is neither listed nor bare. The default is used where it is the
    shorter list, so there are never more entries than parameters, nor more than the pairs seen.

    Parameters
    ----------
    sizes : array of shape (groups,)
        How many components each group has.
    weights, documents : arrays of shape (components,)
        f(m), and Σ q(m|x).
    slopes : array of shape (components,)
        Σ (θ_0n − θ_mn) over the parameters: what a word of length adds to log G.
    parameters : array of shape (components,)
        How many parameters each has.
    unseen_ratios, unseen_terms : arrays of shape (components,)
        θ/θ_0 of the parameters that are not listed, and how far down the terms these go.
    listed : array of shape (components,)
        How many parameters are listed: ``terms`` and ``theta`` of them all.
    bares : array of shape (components,)
        How many of the frequent terms have no parameter: ``bare_terms`` of them all.
    given : array of shape (groups,)
        How many components each group started with.
    iterations : array of shape (groups,)
        How many criteria each group has: ``criteria``, and ``criteria_parameters``, the parameters then.
    """

    sizes: Numbers
    weights: Reals
    documents: Reals
    slopes: Reals
    parameters: Numbers
    unseen_ratios: Reals
    unseen_terms: Numbers
    listed: Numbers
    terms: Numbers
    theta: Reals
    bares: Numbers
    bare_terms: Numbers
    given: Numbers
    iterations: Numbers
    criteria: Reals
    criteria_parameters: NDArray[np.uint64]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Every column by its name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def histories(self) -> list[Reals]:
        """The criterion of each group at the start and after every iteration."""
        return np.split(self.criteria, np.cumsum(self.iterations)[:-1])

    @property
    def parameter_histories(self) -> list[NDArray[np.uint64]]:
        """The number of parameters of each group, at the same times."""
        return np.split(self.criteria_parameters, np.cumsum(self.iterations)[:-1])

    def components(self, background: Reals) -> list[list[MixtureComponent]]:
        """Every group's components, with all their parameters listed."""
        frequent = np.argsort(-background, kind="stable")[: np.count_nonzero(background)]
        listed = np.split(np.arange(len(self.terms)), np.cumsum(self.listed)[:-1])
        bare = np.split(self.bare_terms, np.cumsum(self.bares)[:-1])
        all_components = []
        for at, places in enumerate(listed):
            theta = np.full(len(background), np.nan)
            default = frequent[: self.unseen_terms[at]]
            theta[default] = self.unseen_ratios[at] * background[default]
            theta[bare[at]] = np.nan
            theta[self.terms[places]] = self.theta[places]
            terms = np.flatnonzero(~np.isnan(theta))
            weight, documents = float(self.weights[at]), float(self.documents[at])
            all_components.append(MixtureComponent(weight, documents, terms, theta[terms]))
        ends = np.cumsum(self.sizes).tolist()
        return [all_components[end - size : end] for size, end in zip(self.sizes, ends, strict=True)]


@dataclass(frozen=True)
class MixtureModel:
    """Everything that is learned, as arrays: what a saved model holds.

    Parameters
    ----------
    classes : array
        The labels, sorted.
    multilabel : bool
        Whether they are the columns of an indicator.
    class_documents : array of shape (classes,)
        How many documents each class has.
    documents : float
        How many documents there are.
    background : array of shape (terms,)
        θ_0n = x̄_n / |x̄|, each term's share of all words (section 3).
    own : Mixtures
        The mixture of each class.
    rest : Mixtures or None
        Of a label indicator, the mixture of the documents without each class.
    """

    classes: NDArray[Any]
    multilabel: bool
    class_documents: Reals
    documents: float
    background: Reals
    own: Mixtures
    rest: Mixtures | None

    @property
    def log_priors(self) -> Reals:
        """log p(c), a class's share of the documents."""
        return _log_share(self.class_documents, self.documents)

    @property
    def rest_log_priors(self) -> Reals:
        """log p(c̄), the share of the documents without a class."""
        return _log_share(self.documents - self.class_documents, self.documents)

    def difference(self, rows: Rows, targets: Targets, weights: Reals | None) -> str | None:
        """Say in what documents differ from those that were learned, by their sums; None if in nothing."""
        each = np.ones(len(rows)) if weights is None else weights
        members = _members(targets, each > 0)
        labels = zip(targets.classes.tolist(), members, strict=True)
        given = {label: float(each[own].sum()) for label, own in labels if targets.multilabel or len(own)}
        learned = dict(zip(self.classes.tolist(), self.class_documents.tolist(), strict=True))
        for label in [*(label for label in given if label not in learned), *learned]:
            here, before = given.get(label, 0.0), learned.get(label, 0.0)
            if not np.isclose(here, before, rtol=1e-9, atol=0):
                return f"class {label!r} has {here:g} documents, not {before:g}"
        background = mixture_background(rows, weights)
        if not np.allclose(background, self.background, rtol=1e-9, atol=0):
            column = int(np.argmax(np.abs(background - self.background)))
            here, before = background[column], self.background[column]
            return f"column {column} is {here:.3g} of all words, not {before:.3g}"
        return None


def learn_mixtures(
    rows: Rows,
    targets: Targets,
    weights: Reals | None,
    n_components: Any,
    settings: MixtureSettings,
    random: np.random.RandomState,
    watched: Watched,
) -> MixtureModel:
    """Fit the mixture of every class, on all cores; their number changes no bit.

    Parameters
    ----------
    rows : Rows
        The documents.
    targets : Targets
        Their classes.
    weights : array of shape (documents,) or None
        How many documents each counts as.
    n_components : int, float, "auto" or mapping
        How many components a class gets: see component_counts.
    settings : MixtureSettings
        Smoothing, structure, and when to stop.
    random : RandomState
        Gives every class a seed of its own.
    watched : callable
        ``watched(what, total)`` is a context that gives a function of how many mixtures are done, or None. It
        is called some times a second; what it raises ends the work.
    """
    each = np.ones(len(rows)) if weights is None else weights
    members = _members(targets, each > 0)
    here = [at for at, own in enumerate(members) if targets.multilabel or len(own)]
    classes, members = targets.classes[here], [members[at] for at in here]
    background = mixture_background(rows, weights)

    def fitted(groups: list[Numbers], what: str) -> Mixtures:
        counts = component_counts(
            n_components, classes, np.array([len(own) for own in groups], dtype=np.intp)
        )
        seeds = random.randint(0, 2**64 - 1, size=len(groups), dtype=np.uint64)
        starts = np.cumsum([0, *(len(own) for own in groups)], dtype=np.int64)
        joined = np.concatenate([np.empty(0, np.uint32), *groups])
        with watched(what, len(groups)) as watch:
            found = fit_mixtures(
                (rows, weights),
                background,
                (starts, joined, np.array(counts, dtype=np.int64), seeds),
                settings,
                available_threads(),
                watch,
            )
        return Mixtures(**found)

    own = fitted(members, "classes")
    everything = np.flatnonzero(each > 0).astype(np.uint32)
    rest = None
    if targets.multilabel:
        rest = fitted([np.setdiff1d(everything, group) for group in members], "documents without each class")
    class_documents = np.array([each[group].sum() for group in members])
    return MixtureModel(
        classes, targets.multilabel, class_documents, float(each.sum()), background, own, rest
    )


def _members(targets: Targets, counts: NDArray[np.bool_]) -> list[Numbers]:
    """The documents of each class that count for something."""
    documents = np.repeat(np.arange(len(targets), dtype=np.uint32), np.diff(targets.starts))
    counted = counts[documents]
    codes, documents = targets.codes[counted], documents[counted]
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=len(targets.classes)))
    return np.split(documents[order], ends[:-1])


def _log_share(part: Reals, whole: float) -> Reals:
    tiny = np.finfo(np.float64).tiny
    return np.log(np.maximum(part / max(whole, tiny), tiny))
