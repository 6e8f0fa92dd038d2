"""What a compact classifier is made from: a recipe, its compiled table and its documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import DocumentsNotKeptError, ParameterConflictError, ParameterError
from textbayes.estimators.auto import AutoNB, Candidate, Recipe, Representation
from textbayes.estimators.auto.column_kinds import Kinds, column_kinds
from textbayes.estimators.auto.compiled_blend import CompiledBlend
from textbayes.estimators.models.variants import NAMED, VARIANTS
from textbayes.estimators.text.frequency import FrequencyTransform
from textbayes.estimators.text.text_model import TextModel
from textbayes.statistics import LabelledRows

COMPACTED = ("auto", *(name for name in NAMED if VARIANTS[name].folds))
"""The models that can be compacted, by name."""


@dataclass(frozen=True, eq=False)
class CompactSource:
    """A fitted recipe with its documents.

    Parameters
    ----------
    blend : CompiledBlend
        The recipe, fitted and compiled.
    documents : LabelledRows
        The documents that it was fitted on.
    kinds : array of int
        The kinds of the columns.
    places : array of int
        For each column, its column in the counts.
    """

    blend: CompiledBlend
    documents: LabelledRows
    kinds: Kinds
    places: NDArray[np.intp]


def compact_source(learned: TextModel) -> CompactSource:
    """Return the compiled table of a model, and its documents; compile a model that has none."""
    if not learned.keeps or learned.documents is None:
        raise DocumentsNotKeptError("compact", "The loss of quality is measured on held-out documents")
    estimator, transform = learned.estimator, learned.representation.transform
    searched = isinstance(estimator, AutoNB)
    if searched and transform is not None and not hasattr(transform, "get_support"):
        why = "The table of an AutoNB is compiled for counts"
        raise ParameterConflictError("transform", transform, "compact", "AutoNB", why)
    frequencies = type(transform) is FrequencyTransform
    documents = learned.counted() if frequencies else learned.represented()
    width = documents.rows.width
    places = np.arange(width)
    if transform is not None and hasattr(transform, "get_support"):
        places = transform.get_support(indices=True)
    if searched:
        blend = estimator.compiled_blend()
        if blend is None:
            why = "Its recipe has models whose weights do not fold into one table"
            raise ParameterError("model", estimator, COMPACTED, why)
        kinds = column_kinds(learned.representation.column_kinds(), width)
    else:
        representation = _representation(transform) if frequencies or transform is None else Representation()
        if not (frequencies or transform is None or hasattr(transform, "get_support")):
            raise ParameterError("transform", transform, ("None", "FrequencyTransform", "TermSelector"))
        kinds = np.zeros(width, dtype=np.uint8)
        blend = _compiled(estimator, representation, documents, kinds)
    return CompactSource(blend, documents, kinds, places)


def _representation(transform: FrequencyTransform | None) -> Representation:
    if transform is None:
        return Representation()
    return Representation(bool(transform.log), transform.idf, transform.length)


def _compiled(
    estimator: Any, representation: Representation, documents: LabelledRows, kinds: Kinds
) -> CompiledBlend:
    """Compile one model, as a recipe with one member."""
    names = [name for name, row in VARIANTS.items() if row.folds and row.estimator is type(estimator)]
    if not names:
        raise ParameterError("model", estimator, COMPACTED, "Its weights do not fold into one sparse table")
    if documents.targets.multilabel:
        why = "With several labels per text, only the thresholds of a search decide by one table"
        raise ParameterError("model", estimator, ("auto",), why)
    parameters = estimator.get_params(deep=False)
    seed = parameters.pop("random_state", None)
    candidate = Candidate(names[0], representation, tuple(sorted(parameters.items())))
    classes, none = documents.targets.classes.tolist(), (0.0,) * len(documents.targets.classes)
    recipe = Recipe((candidate,), (1.0,), tuple(classes), none, (none,), ((1.0,) * len(classes),), (False,))
    blend = CompiledBlend(recipe, seed if isinstance(seed, int) else 0)
    blend.fit(documents, kinds)
    return blend
