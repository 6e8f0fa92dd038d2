"""The plan of the search: which candidates to try, in which order. Among equal scores, the first wins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from textbayes.estimators.auto.candidate import Candidate
from textbayes.estimators.auto.column_kinds import CHARACTERS, PAIR, WORD, Kinds
from textbayes.estimators.auto.representation import Representation

# The kinds of models that are tried by default, chosen in experiments/characters.py.
DEFAULT = ("one-vs-all", "complement-all", "centroid", "linear-svm")
# The same without the linear SVM.
BAYES = ("multinomial", "one-vs-all", "complement", "complement-all", "centroid", "discriminative")
# The kinds that are tried on representations with exact updates.
EXACT = ("multinomial", "one-vs-all", "complement", "complement-all", "centroid")
PLANS = {"default": DEFAULT, "bayes": BAYES}

# Enough on the built-in corpus. The first of each list is the default without data.
FRANK = Representation(log=True, idf=True, length="mean")
REPRESENTATIONS = (
    FRANK,
    Representation(log=True, length="mean"),
    Representation(log=True),
    Representation(),
)
UNIT_LENGTH = Representation(log=True, idf="smooth", length="unit")
EXACT_REPRESENTATIONS = (
    Representation(log=True, length="unit"),
    Representation(log=True),
    Representation(),
)
# Kinds that other representations do not suit (experiments/characters.py).
_SUITED = {"one-vs-all": REPRESENTATIONS[:2], "complement-all": REPRESENTATIONS[:2], "centroid": (FRANK,)}

# What the search tries: recipes that update exactly, any, or both.
UPDATES = ("auto", "exact", "any")

# Models that learn from their errors, and the documents of length 1 that suit them.
DISCRIMINATIVE = {"linear-svm": (UNIT_LENGTH,), "discriminative": (UNIT_LENGTH, EXACT_REPRESENTATIONS[0])}


@dataclass(frozen=True)
class Trial:
    """A candidate, and values of its smoothing to try in one pass."""

    candidate: Candidate
    values: tuple[float | None, ...]


def searched_columns(kinds: Kinds) -> list[str]:
    """Return the columns to try models on: words first, then words and pairs, then character n-grams.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.estimators.auto.grid import searched_columns
    >>> searched_columns(np.array([0, 0, 1])), searched_columns(np.array([0, 0]))
    (['words', 'pairs'], ['words'])
    """
    named = (("words", WORD), ("pairs", PAIR), ("characters", CHARACTERS))
    return [name for name, kind in named if np.any(kinds == kind)] or ["words"]


def first_trials(kinds: Sequence[str], multilabel: bool, updates: str, columns: str) -> list[Trial]:
    """Return cheap models on the representations that suit them, on a coarse grid."""
    tried = _SEVERAL if multilabel else _SINGLE
    found: list[Trial] = []
    if updates != "exact":
        for kind, parameters in tried:
            if kind in kinds:
                suited = _SUITED.get(kind, REPRESENTATIONS)
                found += _on(kind, parameters, suited, columns)
    if updates != "any":
        exact = EXACT if updates == "auto" and tuple(kinds) in PLANS.values() else kinds
        for kind, parameters in tried:
            if kind in exact:
                found += _on(kind, parameters, EXACT_REPRESENTATIONS, columns)
    # Candidates with the same representation follow each other.
    order = {one.candidate.representation: at for at, one in reversed(list(enumerate(found)))}
    return sorted(dict.fromkeys(found), key=lambda trial: order[trial.candidate.representation])


def _on(
    kind: str, parameters: tuple[tuple[str, Any], ...], suited: Sequence[Representation], columns: str
) -> Iterator[Trial]:
    for representation in suited:
        candidate = Candidate(kind, replace(representation, columns=columns), parameters)
        yield Trial(candidate, _grid(candidate))


def _grid(candidate: Candidate) -> tuple[float | None, ...]:
    """Values of a candidate's smoothing to try first; (None,) for a model without smoothing."""
    search = candidate.variant.search
    if candidate.variant.smoothing is None or search is None:
        return (None,)
    return search.unit_grid or search.grid if candidate.representation.length == "unit" else search.grid


def later_trials(kinds: Sequence[str], multilabel: bool, updates: str, columns: str) -> list[Trial]:
    """Return slower models, on the representations that suit them."""
    found: list[Trial] = []
    exact = updates == "exact"
    plain, log = Representation(columns=columns), Representation(log=True, columns=columns)
    if multilabel and "poisson" in kinds:
        # Information gain takes twice as long, and was the worst of the three on the built-in corpus.
        for weighting, most in (("ratio", None), ("chi2", 1)):
            candidate = Candidate("poisson", plain, (("weighting", weighting),))
            found.append(Trial(candidate, _grid(candidate)[:most]))
    if exact:
        return found
    if not multilabel and "mixture" in kinds:
        mixtures = (Candidate("mixture", representation) for representation in (log, plain))
        found += [Trial(candidate, _grid(candidate)) for candidate in mixtures]
    for kind, suited in DISCRIMINATIVE.items():
        for representation in suited if kind in kinds else ():
            candidate = Candidate(kind, replace(representation, columns=columns))
            found.append(Trial(candidate, _grid(candidate)))
    return found


_SINGLE = (
    ("multinomial", (("class_length", "min"),)),
    ("multinomial", ()),
    ("one-vs-all", ()),
    ("complement", ()),
    ("centroid", ()),
)
_SEVERAL = (("complement-all", ()), ("one-vs-all", ()), ("centroid", ()))
