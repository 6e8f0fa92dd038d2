"""What a compact model keeps, and its form in a file."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes._native import CompiledWeights, Vocabulary, hashed_column
from textbayes.answering.rows import ScorerAnswers
from textbayes.answering.text import TextAnswerer
from textbayes.counts import restore_reader, select_columns
from textbayes.decisions import Tuned, restored_calibration
from textbayes.persistence import Stored, narrowed, widened
from textbayes.scores import CompiledScorer
from textbayes.statistics import restore_labels, store_labels
from textbayes.weights import RowForm, pack_compiled_weights, unpack_compiled_weights

Reals = NDArray[np.float64]
KIND = "CompactClassifier"
_INVALID = "what it says about its compaction is invalid"


@dataclass(frozen=True)
class Compaction:
    """What was left out of a model, and what that costs.

    Parameters
    ----------
    terms, all_terms : int
        The number of terms kept, and of all terms.
    bits : int
        Bits of a weight.
    held_out : int
        The number of held-out documents. 0 if no class has two documents: then nothing was measured.
    score, whole_score : float
        Macro F1 on the held-out documents: after the same compaction, and before.
    error : float
        The standard error of the loss.

    Examples
    --------
    >>> from textbayes.answering import Compaction
    >>> print(Compaction(4_100, 26_000, 8, 500, 0.845, 0.846, 0.0007))
    4,100 of 26,000 terms, 8 bits a weight; macro F1 on 500 held-out documents .845, a loss of .0010 ± .0007
    """

    terms: int
    all_terms: int
    bits: int
    held_out: int = 0
    score: float = 0.0
    whole_score: float = 0.0
    error: float = 0.0

    @property
    def loss(self) -> float | None:
        """The loss of macro F1 on held-out documents; None if it was not measured."""
        return self.whole_score - self.score if self.held_out else None

    def __str__(self) -> str:
        kept = f"{self.terms:,} of {self.all_terms:,} terms, {self.bits} bits a weight"
        if self.loss is None:
            return f"{kept}; no loss was measured, because no class has two documents"
        change = f"a {'gain' if self.loss < 0 else 'loss'} of {_decimals(abs(self.loss), 4)}"
        change = f"{change} ± {_decimals(self.error, 4)}"
        score = _decimals(self.score, 3)
        return f"{kept}; macro F1 on {self.held_out:,} held-out documents {score}, {change}"

    @classmethod
    def restore(cls, stored: Stored) -> Compaction:
        """Load it from a model file; refuse an invalid one."""
        sizes = [stored.size(name) for name in ("terms", "all_terms", "bits", "held_out")]
        scores = [stored.value(name, float) for name in ("score", "whole_score", "error")]
        stored.check(all(0 <= score <= 1 for score in scores), _INVALID)
        return cls(*sizes, *scores)


def _decimals(number: float, places: int) -> str:
    return f"{number:.{places}f}".removeprefix("0")


@dataclass(frozen=True, eq=False)
class CompactParts:
    """The parts of a compact model.

    Parameters
    ----------
    counter : Stored
        The parameters of the counter.
    vocabulary : Vocabulary
        The terms, sorted; empty for hashed columns.
    hashed : array of bool or None
        For hashed columns, a mask of those that are kept.
    weights : CompiledWeights
        The weights of the terms.
    forms : sequence of RowForm
        The forms of a row that the weights use.
    documents : float
        The number of documents learned.
    classes, class_documents : arrays
        The labels, sorted, and their numbers of documents.
    multilabel : bool
        Whether texts have lists of labels.
    tuned : Tuned or None
        The calibration of probabilities; None if the scores are log probabilities.
    label_separator : str, optional
        What separated the labels of a text in the file that the model was trained on.
    """

    counter: Stored
    vocabulary: Vocabulary
    hashed: NDArray[np.bool_] | None
    weights: CompiledWeights
    forms: tuple[RowForm, ...]
    documents: float
    classes: NDArray[Any]
    class_documents: Reals
    multilabel: bool
    tuned: Tuned | None = None
    label_separator: str | None = None

    def store(self, compaction: Compaction) -> Stored:
        """Return the contents of a model file."""
        settings: dict[str, Any] = {"kind": KIND, "multilabel": self.multilabel}
        if self.label_separator is not None:
            settings["label_separator"] = self.label_separator
        arrays: dict[str, NDArray[Any]] = {"class_documents": self.class_documents.astype(np.float64)}
        if self.hashed is None:
            state = self.vocabulary.state()
            lengths = np.diff(np.concatenate([np.zeros(1, np.int64), state["ends"]]))
            arrays |= {"term_bytes": state["bytes"], "term_lengths": narrowed(lengths)}
        else:
            arrays["hashed"] = np.packbits(self.hashed)
        weights = pack_compiled_weights(self.weights, self.forms, self.documents)
        labels = store_labels(self.classes.tolist(), self.classes.dtype)
        stored = Stored({**settings, **asdict(compaction)}, arrays).with_part("counter", self.counter)
        if self.tuned is not None:
            stored = stored.with_part("calibration", self.tuned.store())
        return stored.with_part("labels", labels).with_part("weights", weights)


@dataclass(frozen=True, eq=False)
class CompactContents:
    """What answers from the file of a compact model."""

    answers: TextAnswerer
    scorer: CompiledScorer
    weights: CompiledWeights
    hashed: NDArray[np.bool_] | None

    @classmethod
    def restore(cls, stored: Stored) -> CompactContents:
        """Load it; refuse an invalid file."""
        reader, labels = restore_reader(stored.part("counter")), stored.part("labels")
        values, dtype = restore_labels(labels)
        classes = np.array(values, dtype=dtype)
        sound = len(classes) > 0 and bool(np.all(classes[1:] > classes[:-1]))
        stored.check(sound, "its labels are not sorted")
        weights = unpack_compiled_weights(stored.part("weights"))
        hashed, vocabulary = None, Vocabulary()
        if reader.dimensions is None:
            vocabulary = _vocabulary(stored)
        else:
            hashed = _hashed(stored, reader.dimensions)
        width = len(vocabulary) if hashed is None else int(hashed.sum())
        order = stored.part("weights").array("order", np.uint32)
        fits = weights.width == width and len(order) == len(classes)
        stored.check(fits, "its weights do not fit its terms and its labels")
        scorer = CompiledScorer(weights, len(classes))
        model = ScorerAnswers(classes, stored.value("multilabel", bool), lambda: scorer, lambda: scorer)
        transforms = () if hashed is None else (partial(select_columns, mask=hashed),)
        tuned = restored_calibration(stored, len(classes), model.multilabel)
        answers = TextAnswerer(reader, vocabulary, transforms, model, classes, tuned, stored.file)
        return cls(answers, scorer, weights, hashed)

    def columns_of(self, terms: list[str]) -> list[int | None]:
        """Return the column of each term; None for a term that was left out."""
        if self.hashed is None:
            return [self.answers.vocabulary.column(term) for term in terms]
        places = np.cumsum(self.hashed) - 1
        columns = [hashed_column(term, len(self.hashed)) for term in terms]
        return [int(places[column]) if self.hashed[column] else None for column in columns]

    def terms(self) -> list[str]:
        """Return the terms; a hashed column is named by its number."""
        if self.hashed is None:
            return self.answers.vocabulary.terms()
        return [f"hashed{column}" for column in np.flatnonzero(self.hashed).tolist()]


def _vocabulary(stored: Stored) -> Vocabulary:
    lengths, data = widened(stored, "term_lengths"), stored.array("term_bytes", np.uint8)
    order = np.arange(len(lengths), dtype=np.uint32)
    try:
        return Vocabulary.mapped(data, np.cumsum(lengths, dtype=np.int64), order)
    except ValueError as error:
        stored.refuse(str(error))


def _hashed(stored: Stored, dimensions: int) -> NDArray[np.bool_]:
    packed = stored.array("hashed", np.uint8, (dimensions + 7) // 8)
    return np.unpackbits(packed, count=dimensions).astype(bool)
