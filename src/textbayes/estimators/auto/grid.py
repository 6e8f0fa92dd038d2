"""The plan of the search: which candidates to try, in which order. Among equal scores, the first wins."""

from __future__ import annotations

from dataclasses import dataclass, replace

from textbayes.estimators.auto.candidate import Candidate
from textbayes.estimators.auto.representation import Representation

# Enough on the built-in corpus. The first of each list is the default without data.
FRANK = Representation(log=True, idf=True, length="mean")
REPRESENTATIONS = (
    FRANK,
    Representation(log=True, length="mean"),
    Representation(log=True),
    Representation(),
)
UNIT_LENGTH = (Representation(log=True, idf="smooth", length="unit"), Representation(log=True, length="unit"))
EXACT_REPRESENTATIONS = (
    Representation(log=True, length="unit"),
    Representation(log=True),
    Representation(),
)

# What the search tries: recipes that update exactly, any, or both.
UPDATES = ("auto", "exact", "any")

# Models that learn from their errors. They take documents of length 1.
DISCRIMINATIVE = ("linear-svm", "discriminative")
TERMS = ("chi2", 0.3)


@dataclass(frozen=True)
class Trial:
    """A candidate, and values of its smoothing to try in one pass."""

    candidate: Candidate
    values: tuple[float | None, ...]


def first_trials(multilabel: bool, updates: str, columns: str) -> list[Trial]:
    """Return cheap models on every representation, on a coarse grid."""
    trials = []
    tried = {
        "exact": EXACT_REPRESENTATIONS,
        "any": REPRESENTATIONS,
        "auto": tuple(dict.fromkeys(REPRESENTATIONS + EXACT_REPRESENTATIONS)),
    }
    for representation in tried[updates]:
        representation = replace(representation, columns=columns)
        for kind, parameters in _MULTILABEL if multilabel else _SINGLE:
            candidate = Candidate(kind, representation, parameters)
            trials.append(Trial(candidate, _grid(candidate)))
    return trials


def _grid(candidate: Candidate) -> tuple[float | None, ...]:
    """Values of a candidate's smoothing to try first; (None,) for a model without smoothing."""
    search = candidate.variant.search
    if candidate.variant.smoothing is None or search is None:
        return (None,)
    return search.unit_grid or search.grid if candidate.representation.length == "unit" else search.grid


def later_trials(multilabel: bool, updates: str, columns: str) -> list[Trial]:
    """Return slower models, on the representations that suit them."""
    trials, exact = [], updates == "exact"
    plain, log = Representation(columns=columns), Representation(log=True, columns=columns)
    if multilabel:
        # Information gain takes twice as long, and was the worst of the three on the built-in corpus.
        for weighting, most in (("ratio", None), ("chi2", 1)):
            candidate = Candidate("poisson", plain, (("weighting", weighting),))
            trials.append(Trial(candidate, _grid(candidate)[:most]))
    elif not exact:
        mixtures = (Candidate("mixture", representation) for representation in (log, plain))
        trials += [Trial(candidate, _grid(candidate)) for candidate in mixtures]
    if not exact:
        for kind in DISCRIMINATIVE:
            candidates = (Candidate(kind, replace(unit, columns=columns)) for unit in UNIT_LENGTH)
            trials += [Trial(candidate, _grid(candidate)) for candidate in candidates]
    return trials


def other_parameters(candidate: Candidate) -> list[Candidate]:
    """Return a good candidate with other parameters."""
    return [candidate.with_parameters(norm=True)] if candidate.kind == "complement" else []


def fewer_terms(candidate: Candidate) -> Candidate:
    """Return the candidate on a selection of terms."""
    return replace(candidate, representation=replace(candidate.representation, terms=TERMS))


_SINGLE = (
    ("multinomial", (("class_length", "min"),)),
    ("multinomial", ()),
    ("one-vs-all", ()),
    ("complement", ()),
    ("centroid", ()),
)
_MULTILABEL = (("complement-all", ()), ("one-vs-all", ()), ("centroid", ()))
