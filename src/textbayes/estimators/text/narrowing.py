"""Which kinds of terms are worth counting: a search on samples of the texts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from textbayes.estimators.auto.auto_nb import AutoNB
from textbayes.estimators.auto.column_kinds import CHARACTERS, PAIR, column_kinds
from textbayes.estimators.auto.rounds import SECOND_ENTRIES
from textbayes.estimators.text.counter import TextCounter
from textbayes.estimators.text.text_representation import TextRepresentation
from textbayes.measures import sample_in_proportion
from textbayes.statistics import Documents, LabelledRows, Targets
from textbayes.text import take_texts

Reals = NDArray[np.float64]

# The first round looks at texts of about this many characters; with all kinds of terms, its entries.
_MOST_CHARACTERS = 1_200_000
# The length of texts is estimated from this many.
_MEASURED = 1_000


def narrow_terms(
    model: AutoNB,
    representation: TextRepresentation,
    texts: Any,
    targets: Targets,
    weights: Reals | None,
) -> TextRepresentation:
    """Search samples of the texts, and return a representation without the terms that the recipe ignores.

    Parameters
    ----------
    model : AutoNB
        The model. It keeps the recipe.
    representation : TextRepresentation
        Counts all kinds of terms.
    texts : list or Arrow column
        The texts.
    targets, weights
        Their labels and weights.
    """
    places = _first_sample(texts, targets)
    sample = _Sample(representation, texts, targets, weights, places)
    if not len(sample.documents):
        return representation
    growth = len(targets) / len(places)
    used = model.race(sample.documents, sample.kinds, growth)
    if not hasattr(model, "recipe_"):
        entries = sample.entries_of(used) / len(places)
        places = sample_in_proportion(targets, max(int(SECOND_ENTRIES / max(entries, 1.0)), 1), seed=0)
        narrowed = TextRepresentation(_narrowed(representation.counter, used), representation.transform)
        sample = _Sample(narrowed, texts, targets, weights, places)
        used = model.decide(sample.documents, sample.kinds, len(targets) / len(places))
    return TextRepresentation(_narrowed(representation.counter, used), representation.transform)


class _Sample:
    """Some of the texts, counted."""

    def __init__(
        self,
        representation: TextRepresentation,
        texts: Any,
        targets: Targets,
        weights: Reals | None,
        places: NDArray[np.intp],
    ) -> None:
        rows = representation.grow(representation.count(take_texts(texts, places)))
        own = LabelledRows(rows, targets.take(places), None if weights is None else weights[places])
        documents = Documents(targets.multilabel)
        documents.add(own.counted())
        documents.drop_unused_classes()
        self.documents, self.kinds = own.take(np.arange(0)), np.zeros(0, np.uint8)
        if len(documents):
            self.documents = representation.fit(documents)
            self.kinds = column_kinds(representation.column_kinds(), self.documents.rows.width)

    def entries_of(self, kinds: set[int]) -> int:
        """Return the number of counts of terms of these kinds."""
        return int(np.count_nonzero(np.isin(self.kinds, list(kinds))[self.documents.rows.columns]))


def _first_sample(texts: Any, targets: Targets) -> NDArray[np.intp]:
    """Draw texts of about the number of characters that the first round looks at."""
    number = len(targets)
    probe = np.unique(np.linspace(0, number - 1, _MEASURED).astype(np.intp))
    lengths = [len(text) for text in take_texts(texts, probe) if isinstance(text, str)]
    mean = max(float(np.mean(lengths)) if lengths else 1.0, 1.0)
    return sample_in_proportion(targets, max(int(_MOST_CHARACTERS / mean), 1), seed=0)


def _narrowed(counter: TextCounter, used: set[int]) -> TextCounter:
    """Return the counter without word pairs, and without character n-grams, unless they are used."""
    changed: dict[str, Any] = {}
    if CHARACTERS not in used:
        changed["characters"] = None
    if PAIR not in used:
        changed["ngram_range"] = (1, 1)
    narrowed: TextCounter = clone(counter).set_params(**changed)
    return narrowed
