"""Structural Poisson mixtures (Grim 2008): documents → components, by the modified EM of eqs. 15–21."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes._native import MixtureSettings, available_threads, fit_mixtures, mixture_background
from textbayes.counts import Rows
from textbayes.statistics import Targets
from textbayes.weights.component_counts import component_counts
from textbayes.weights.mixture_model import MixtureModel, Mixtures, members_by_class

Reals = NDArray[np.float64]
Numbers = NDArray[np.uint32]
Watched = Callable[[str, int], AbstractContextManager[Callable[[int], object] | None]]

# The default strength of each smoothing; see experiments/mixture_defaults.py.
SMOOTHINGS = {"prior": 30.0, "mix": 0.2}
INITS = ("random",)


def learn_mixtures(
    rows: Rows,
    targets: Targets,
    weights: Reals | None,
    n_components: Any,
    settings: MixtureSettings,
    random: np.random.RandomState,
    watched: Watched,
) -> MixtureModel:
    """Fit the mixture of every class in parallel; the number of threads does not change the result.

    Parameters
    ----------
    rows : Rows
        The documents.
    targets : Targets
        Their classes.
    weights : array of shape (documents,) or None
        The weight of each document.
    n_components : int, float, "auto" or mapping
        The number of components of each class; see component_counts.
    settings : MixtureSettings
        Smoothing, structure and stopping rule.
    random : RandomState
        The source of a seed for each class.
    watched : callable
        ``watched(what, total)`` is a context that gives a function of the number of finished mixtures, or
        None. It is called several times per second; an exception from it stops the work.
    """
    each = np.ones(len(rows)) if weights is None else weights
    members = members_by_class(targets, each > 0)
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
