"""The candidates that are tried first, in their order: of equal ones the earlier is chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from textbayes.estimators.auto.candidate import Candidate
from textbayes.estimators.auto.representation import Representation

# Seen to suffice on the built-in corpus. The first of each list serves when there is nothing to choose by.
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

ALPHAS = (0.1, 0.01, 1.0)
# A document of length 1 has about a tenth of the mass of one of the mean length.
UNIT_ALPHAS = (0.01, 0.001, 0.1)
OPPOSED_ALPHAS = (0.03,)
COSTS = (2.0, 10.0, 0.5)
THETAS = (0.0003, 0.001)
BACKGROUNDS = (100.0, 30.0)
TERMS = ("chi2", 0.3)


@dataclass(frozen=True)
class Trial:
    """A candidate with values of its smoothing that share one pass."""

    candidate: Candidate
    values: tuple[float | None, ...]


def first_trials(multilabel: bool, exact: bool, columns: str) -> list[Trial]:
    """Every model on every representation, at a coarse grid."""
    trials = []
    for representation in EXACT_REPRESENTATIONS if exact else REPRESENTATIONS:
        alphas = UNIT_ALPHAS if representation.length == "unit" else ALPHAS
        representation = replace(representation, columns=columns)
        models = _MULTILABEL if multilabel else _SINGLE
        for kind, parameters in models:
            values = (None,) if kind == "centroid" else alphas
            trials.append(Trial(Candidate(kind, representation, parameters), values))
    return trials


def later_trials(multilabel: bool, exact: bool, columns: str) -> list[Trial]:
    """Models that take more time, on the representations that suit them."""
    trials = []
    plain, log = Representation(columns=columns), Representation(log=True, columns=columns)
    if multilabel:
        # Information gain took twice as long, and was the worst of the three on the built-in corpus.
        for weighting, thetas in (("ratio", THETAS), ("chi2", THETAS[:1])):
            trials.append(Trial(Candidate("poisson", plain, (("weighting", weighting),)), thetas))
    elif not exact:
        trials += [
            Trial(Candidate("mixture", log), BACKGROUNDS),
            Trial(Candidate("mixture", plain), BACKGROUNDS),
        ]
    if not exact:
        for kind, values in (("linear-svm", COSTS), ("discriminative", OPPOSED_ALPHAS)):
            trials += [Trial(Candidate(kind, replace(unit, columns=columns)), values) for unit in UNIT_LENGTH]
    return trials


def variants(candidate: Candidate) -> list[Candidate]:
    """Other parameters of a good candidate."""
    return [candidate.with_parameters(norm=True)] if candidate.kind == "complement" else []


def fewer_terms(candidate: Candidate) -> Candidate:
    """The candidate on a part of the terms."""
    return replace(candidate, representation=replace(candidate.representation, terms=TERMS))


_SINGLE = (
    ("multinomial", (("class_length", "min"),)),
    ("multinomial", ()),
    ("one-vs-all", ()),
    ("complement", ()),
    ("centroid", ()),
)
_MULTILABEL = (("all-vs-rest", ()), ("one-vs-all", ()), ("centroid", ()))
