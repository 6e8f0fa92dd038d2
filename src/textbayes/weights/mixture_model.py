"""Structural Poisson mixtures (Grim 2008) as values: components, mixtures of classes, and the model."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from textbayes._native import mixture_background
from textbayes.counts import Rows
from textbayes.persistence import Stored
from textbayes.statistics import Targets, restore_labels, store_labels

Reals = NDArray[np.float64]
Numbers = NDArray[np.uint32]

# Shares are at most 1, up to rounding.
_ROUNDING = 1e-6


class MixtureComponent(NamedTuple):
    """A component of the mixture of a class.

    Parameters
    ----------
    weight : float
        f(m), its share of the class.
    documents : float
        Σ q(m|x), the number of its documents.
    terms : array of int
        The columns of the terms with a parameter, sorted.
    theta : array
        θ_mn of these terms.
    """

    weight: float
    documents: float
    terms: NDArray[np.int64]
    theta: Reals


@dataclass(frozen=True)
class Mixtures:
    """The mixtures of several groups of documents, as arrays; ordered by group, then component.

    The parameters of a component are those listed for it, and by default θ = unseen_ratios · θ_0 for each of
    the ``unseen_terms`` most frequent terms that is neither listed nor bare. The default is used if it makes
    the lists shorter, so there are never more entries than parameters, nor more than the pairs seen.

    Parameters
    ----------
    sizes : array of shape (groups,)
        The number of components of each group.
    weights, documents : arrays of shape (components,)
        f(m), and Σ q(m|x).
    slopes : array of shape (components,)
        Σ (θ_0n − θ_mn) over the parameters: the contribution of each word to log G.
    parameters : array of shape (components,)
        The number of parameters of each component.
    unseen_ratios, unseen_terms : arrays of shape (components,)
        θ/θ_0 of the parameters that are not listed, and the number of frequent terms they cover.
    listed : array of shape (components,)
        The number of listed parameters; ``terms`` and ``theta`` list them.
    bares : array of shape (components,)
        The number of frequent terms without a parameter; ``bare_terms`` lists them.
    given : array of shape (groups,)
        The number of components at the start.
    iterations : array of shape (groups,)
        The number of criteria of each group: ``criteria``, and the number of parameters at that time,
        ``criteria_parameters``.
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
        """Return the arrays by name."""
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
        """Return the components of each group, with all their parameters listed."""
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

    def store(self) -> Stored:
        """Return the arrays."""
        return Stored({}, {name: array.astype(_DTYPES[name]) for name, array in self.arrays().items()})

    @classmethod
    def restore(cls, stored: Stored, background: Reals, groups: int) -> Mixtures:
        """Return the mixtures from ``store``, or refuse the file.

        All numbers are checked here; the core checks the lengths of the lists before scoring.
        """
        arrays = {name: stored.array(name, dtype) for name, dtype in _DTYPES.items()}
        made = cls(**arrays | {"criteria_parameters": arrays["criteria_parameters"].astype(np.uint64)})
        stored.check(
            len(made.sizes) == len(made.given) == len(made.iterations) == groups
            and bool(np.all(made.given >= made.sizes))
            and int(made.iterations.sum(dtype=np.uint64)) == len(made.criteria)
            and len(made.criteria) == len(made.criteria_parameters),
            "the number of its mixtures is not the number of its labels",
        )
        stored.check(
            bool(np.all(made.weights > 0))
            and _are_shares(made.weights)
            and _are_shares(made.unseen_ratios)
            and bool(np.all(np.abs(made.slopes) <= 1 + _ROUNDING))
            and bool(np.all((made.documents >= 0) & np.isfinite(made.documents))),
            "a component of its mixtures is invalid",
        )
        stored.check(made._has_finite_ratios(background), "a parameter of its mixtures is invalid")
        return made

    def _has_finite_ratios(self, background: Reals) -> bool:
        """Return whether every parameter is a share with a finite ratio to the term's share of all words."""
        terms = self.terms
        if (
            len(terms) != len(self.theta)
            or not np.all(terms < len(background))
            or not _are_shares(self.theta)
        ):
            return False
        with np.errstate(all="ignore"):
            return bool(np.all(np.isfinite(self.theta / background[terms])))


_DTYPES: dict[str, Any] = dict.fromkeys((field.name for field in fields(Mixtures)), np.uint32) | {
    **dict.fromkeys(
        ("weights", "documents", "slopes", "unseen_ratios", "theta", "criteria"),
        np.float64,
    ),
    # Model files have no unsigned 64-bit integers.
    "criteria_parameters": np.int64,
}


@dataclass(frozen=True)
class MixtureModel:
    """The learned state of a mixture classifier, as arrays.

    Parameters
    ----------
    classes : array
        The labels, sorted.
    multilabel : bool
        Whether the classes are the columns of an indicator.
    class_documents : array of shape (classes,)
        The number of documents of each class.
    documents : float
        The number of documents.
    background : array of shape (terms,)
        θ_0n = x̄_n / |x̄|, the share of each term of all words (section 3).
    own : Mixtures
        The mixture of each class.
    rest : Mixtures or None
        For a label indicator, the mixture of the documents without each class.
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
        """log p(c), the share of each class of the documents."""
        return _log_share(self.class_documents, self.documents)

    @property
    def rest_log_priors(self) -> Reals:
        """log p(c̄), the share of the documents without each class."""
        return _log_share(self.documents - self.class_documents, self.documents)

    def difference(self, rows: Rows, targets: Targets, weights: Reals | None) -> str | None:
        """Describe how documents differ from the learned ones, by their sums; None if they do not."""
        each = np.ones(len(rows)) if weights is None else weights
        members = members_by_class(targets, each > 0)
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

    def store(self) -> Stored:
        """Return the model as a configuration and arrays."""
        arrays = {"class_documents": self.class_documents, "background": self.background}
        stored = Stored({"multilabel": self.multilabel, "documents": self.documents}, arrays)
        stored = stored.with_part("labels", store_labels(self.classes.tolist(), self.classes.dtype))
        stored = stored.with_part("own", self.own.store())
        return stored if self.rest is None else stored.with_part("rest", self.rest.store())

    @classmethod
    def restore(cls, stored: Stored, columns: int) -> MixtureModel:
        """Return the model from ``store``, with ``columns`` terms, or refuse the file."""
        multilabel = stored.value("multilabel", bool)
        labels, dtype = restore_labels(stored.part("labels"))
        rising = all(one < other for one, other in pairwise(labels))
        stored.check(rising, "its labels are not sorted")
        documents = stored.value("documents", float)
        of_class = stored.array("class_documents", np.float64, len(labels))
        most = documents * (1 + _ROUNDING)
        sound = 0 <= documents < np.inf and bool(np.all((of_class >= 0) & (of_class <= most)))
        stored.check(sound, "its numbers of documents are invalid")
        background = stored.array("background", np.float64, columns)
        stored.check(_are_shares(background), "its background is not a probability distribution")
        own = Mixtures.restore(stored.part("own"), background, len(labels))
        stored.check(stored.has_part("rest") == multilabel, "its mixtures do not fit its kind of labels")
        rest = Mixtures.restore(stored.part("rest"), background, len(labels)) if multilabel else None
        return cls(np.array(labels, dtype=dtype), multilabel, of_class, documents, background, own, rest)


def members_by_class(targets: Targets, counts: NDArray[np.bool_]) -> list[Numbers]:
    """Return the documents of each class whose weight is not 0."""
    documents = np.repeat(np.arange(len(targets), dtype=np.uint32), np.diff(targets.starts))
    counted = counts[documents]
    codes, documents = targets.codes[counted], documents[counted]
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=len(targets.classes)))
    return np.split(documents[order], ends[:-1])


def _log_share(part: Reals, whole: float) -> Reals:
    tiny = np.finfo(np.float64).tiny
    return np.log(np.maximum(part / max(whole, tiny), tiny))


def _are_shares(values: Reals) -> bool:
    return bool(np.all((values >= 0) & (values <= 1 + _ROUNDING)))
