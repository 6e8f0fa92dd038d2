"""Candidates, recipes and leaderboards as they stand in a model file."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.counts.frequency import SMOOTH
from textbayes.errors import ModelDamagedError, TextbayesError
from textbayes.estimators.auto.candidate import Candidate
from textbayes.estimators.auto.leaderboard import Entry, Leaderboard
from textbayes.estimators.auto.recipe import Recipe
from textbayes.estimators.auto.representation import COLUMNS, Representation
from textbayes.estimators.base.parameter_storing import VALUES, ParameterReader, ParameterWriter, Value
from textbayes.estimators.models.variants import SEARCHED, VARIANTS
from textbayes.estimators.text.frequency import LENGTHS
from textbayes.persistence import Stored, pack_texts, unpack_texts
from textbayes.statistics import restore_labels, store_labels
from textbayes.terms import SCORES
from textbayes.weights.poisson import WEIGHTINGS

# The weighting of a class, as a number: 0 for none.
_WEIGHTINGS = (None, *WEIGHTINGS)
# Beyond, products of them would overflow.
_LARGEST = 1e100
_NUMBERS = ("score", "low", "high", "seconds")


# Candidates.


def store_candidate(candidate: Candidate) -> Stored:
    """Return a candidate as plain values; choices by class, of which there may be many, as arrays."""
    given, writer = dict(candidate.parameters), ParameterWriter(lambda *_: None)
    choices = given.pop("choices", None)
    parameters = {name: writer.written(f"a candidate's {name!r}", value) for name, value in given.items()}
    plain = {"kind": candidate.kind, "parameters": parameters}
    stored = Stored({**plain, "representation": asdict(candidate.representation)})
    return stored if choices is None else stored.with_part("choices", _store_choices(choices))


def restore_candidate(stored: Stored) -> Candidate:
    """Take a candidate back; one whose model would not take its parameters is refused."""
    kind, parameters = stored.value("kind", str), stored.value("parameters", dict)
    stored.check(kind in SEARCHED, f"{kind[:20]!r} is no kind of model")
    reader = ParameterReader(stored, lambda *_: stored.refuse("a candidate's parameter is an estimator"))
    found = {name: reader.read(value) for name, value in parameters.items()}
    if stored.has_part("choices"):
        found["choices"] = _restore_choices(stored.part("choices"))
    known = set(found) <= set(VARIANTS[kind].estimator._get_param_names())
    hashable = not any(isinstance(value, list | dict | set) for value in found.values())
    stored.check(known and hashable, "the parameters of a candidate are not sound")
    representation = _restore_representation(stored, stored.value("representation", dict))
    candidate = Candidate(kind, representation, tuple(sorted(found.items())))
    try:
        candidate.model()._check_parameters()
    except ModelDamagedError:
        raise
    except (TextbayesError, TypeError, ValueError):
        stored.refuse("the parameters of a candidate are not sound")
    return candidate


def _restore_representation(stored: Stored, values: dict[str, Any]) -> Representation:
    fields = asdict(Representation())
    stored.check(set(values) <= set(fields), "the representation of a candidate is not sound")
    values = {**fields, **values}
    terms = values["terms"]
    sound = (
        isinstance(values["log"], bool)
        and (isinstance(values["idf"], bool) or values["idf"] == SMOOTH)
        and values["length"] in (None, *LENGTHS)
        and values["columns"] in COLUMNS
        and (terms is None or _is_share(terms))
    )
    stored.check(sound, "the representation of a candidate is not sound")
    return Representation(**{**values, "terms": None if terms is None else (terms[0], float(terms[1]))})


def _is_share(terms: Any) -> bool:
    match terms:
        case [str(score), float() | int() as share]:
            return score in SCORES and 0 < share <= 1
    return False


def _store_choices(choices: tuple[tuple[Any, str | None, float], ...]) -> Stored:
    weightings = np.array([_WEIGHTINGS.index(weighting) for _, weighting, _ in choices], dtype=np.uint8)
    thetas = np.array([theta for *_, theta in choices], dtype=np.float64)
    labels = store_labels([label for label, *_ in choices], None)
    return Stored({}, {"weightings": weightings, "thetas": thetas}).with_part("labels", labels)


def _restore_choices(stored: Stored) -> tuple[tuple[Any, str | None, float], ...]:
    labels, _ = restore_labels(stored.part("labels"))
    weightings = stored.array("weightings", np.uint8, len(labels))
    thetas = stored.array("thetas", np.float64, len(labels))
    known = bool(np.all(weightings < len(_WEIGHTINGS)))
    stored.check(known and len(set(labels)) == len(labels), "the choices of its classes are not sound")
    names = [_WEIGHTINGS[number] for number in weightings.tolist()]
    return tuple(zip(labels, names, thetas.tolist(), strict=True))


# Recipes.


def store_recipe(recipe: Recipe) -> Stored:
    """Return a recipe: its candidates, and the blend as arrays."""
    arrays = {
        "weights": _reals(recipe.weights),
        "biases": _reals(recipe.biases),
        "centres": _reals(recipe.centres).ravel(),
        "scales": _reals(recipe.scales).ravel(),
    }
    stored = Stored({"by_document": recipe.by_document, "members": len(recipe.members)}, arrays)
    stored = stored.with_part("labels", store_labels(list(recipe.classes), None))
    for number, member in enumerate(recipe.members):
        stored = stored.with_part(f"member{number}", store_candidate(member))
    return stored


def restore_recipe(stored: Stored) -> Recipe:
    """Take a recipe back."""
    # As many as have a weight: whatever the header says, there is no list longer than the file.
    weights = stored.array("weights", np.float64)
    size = stored.size("members")
    stored.check(0 < size == len(weights), "the members of its recipe and their weights are not as many")
    members = tuple(restore_candidate(stored.part(f"member{number}")) for number in range(size))
    labels, _ = restore_labels(stored.part("labels"))
    biases = stored.array("biases", np.float64, len(labels))
    centres = stored.array("centres", np.float64, size * len(labels))
    scales = stored.array("scales", np.float64, size * len(labels))
    sound = (
        all(bool(np.all(np.abs(array) <= _LARGEST)) for array in (weights, biases, centres, scales))
        and bool(np.all(weights >= 0) and np.all(scales >= 1.0 / _LARGEST))
        and len(set(labels)) == len(labels)
    )
    stored.check(sound, "the blend of its recipe is not sound")
    shape = (size, len(labels))
    return Recipe(
        members,
        tuple(weights.tolist()),
        tuple(labels),
        tuple(biases.tolist()),
        _tuples(centres, shape),
        _tuples(scales, shape),
        stored.value("by_document", bool),
    )


def _reals(values: Any) -> NDArray[np.float64]:
    return np.asarray(values, dtype=np.float64)


def _tuples(values: NDArray[np.float64], shape: tuple[int, int]) -> tuple[tuple[float, ...], ...]:
    return tuple(map(tuple, values.reshape(shape).tolist()))


# Leaderboards.


def store_leaderboard(board: Leaderboard) -> Stored:
    """Return a leaderboard: names and numbers as arrays, and its candidates."""
    lines = [(entry.score, *entry.interval, entry.seconds) for entry in board]
    columns = zip(_NUMBERS, _reals(lines).reshape(-1, len(_NUMBERS)).T, strict=True)
    arrays = {name: column.copy() for name, column in columns}
    chosen = np.array([entry.chosen for entry in board], dtype=np.uint8)
    names = pack_texts("names", [entry.name for entry in board])
    stored = Stored({"metric": board.metric}, {**arrays, **names, "chosen": chosen})
    for number, entry in enumerate(board):
        if entry.candidate is not None:
            stored = stored.with_part(str(number), store_candidate(entry.candidate))
    return stored


def restore_leaderboard(stored: Stored) -> Leaderboard:
    """Take a leaderboard back."""
    names = unpack_texts(stored, "names")
    score, low, high, seconds = (stored.array(name, np.float64, len(names)).tolist() for name in _NUMBERS)
    chosen = stored.array("chosen", np.uint8, len(names))
    sound = bool(np.all(chosen <= 1)) and not np.isnan([score, low, high, seconds]).any()
    stored.check(sound, "its leaderboard is not sound")
    entries = [
        Entry(
            name,
            score[number],
            (low[number], high[number]),
            seconds[number],
            restore_candidate(stored.part(str(number))) if stored.has_part(str(number)) else None,
            bool(chosen[number]),
        )
        for number, name in enumerate(names)
    ]
    return Leaderboard(stored.value("metric", str), entries)


VALUES["Candidate"] = Value(Candidate, store_candidate, restore_candidate)
VALUES["Recipe"] = Value(Recipe, store_recipe, restore_recipe)
