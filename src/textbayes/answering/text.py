"""Answers for texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes._native import Vocabulary
from textbayes.answering.calibrated import CalibratedAnswers
from textbayes.answering.prediction import check_methods
from textbayes.answering.rows import RowAnswerer, ScorerAnswers
from textbayes.counts import Rows, TextReader
from textbayes.decisions import Tuned
from textbayes.persistence.digests import FileDigests

Reals = NDArray[np.float64]
Transform = Callable[[Rows], Rows]


@dataclass(frozen=True, eq=False)
class TextAnswerer:
    """A text classifier that answers and learns nothing: it needs neither scikit-learn nor its documents.

    Its answers have the same bits as those of the :class:`textbayes.TextClassifier` in the same file.

    Parameters
    ----------
    reader : TextReader
        Counts the terms of texts.
    vocabulary : Vocabulary
        The terms of the model; empty for hashed columns.
    transforms : tuple of functions
        From rows to rows, in order.
    model : RowAnswerer
        Answers for rows.
    classes_ : array
        The labels, sorted.
    tuned : Tuned or None
        The calibration of probabilities, and the thresholds of several labels; None for the answers of the
        model itself.
    file : FileDigests or None
        The file that it was loaded from.
    """

    reader: TextReader
    vocabulary: Vocabulary
    transforms: tuple[Transform, ...]
    model: RowAnswerer
    classes_: NDArray[Any]
    tuned: Tuned | None = None
    file: FileDigests | None = None

    @property
    def multilabel_(self) -> bool:
        """Whether texts have lists of labels."""
        return self.model.multilabel

    def answer(self, texts: Any, *methods: str) -> list[Any]:
        """Return what each of some methods returns for texts, which are counted and scored once."""
        check_methods(methods)
        counts = self._counts(texts)
        model, rows = self._model(counts, once=len(methods) > 1), self._transformed(counts)
        return [self._called(model, method, rows) for method in methods]

    def predict(self, texts: Any) -> Any:
        """Classify texts: one label for each, or a list of labels for each."""
        return self.answer(texts, "predict")[0]

    def predict_proba(self, texts: Any) -> Reals:
        """Return the probability of each class, shape (texts, classes), in the order of ``classes_``."""
        return np.asarray(self.answer(texts, "predict_proba")[0])

    def predict_log_proba(self, texts: Any) -> Reals:
        """Return the log of predict_proba."""
        return np.asarray(self.answer(texts, "predict_log_proba")[0])

    def decision_function(self, texts: Any) -> Reals:
        """Score texts: the larger, the better. With two classes, the score is the lead of the second."""
        return np.asarray(self.answer(texts, "decision_function")[0])

    def top_k(self, texts: Any, k: int) -> tuple[NDArray[Any], Reals]:
        """Return each text's ``k`` best labels and their scores, best first: two arrays (texts, k)."""
        counts = self._counts(texts)
        return self._model(counts).top_k(self._transformed(counts), k)

    def rows(self, texts: Any) -> Rows:
        """Return texts as the rows that the model takes."""
        return self._transformed(self._counts(texts))

    def _counts(self, texts: Any) -> Rows:
        if self.file is not None:
            self.file.check_unchanged()
        return self.reader.read(texts, self.vocabulary)

    def _transformed(self, rows: Rows) -> Rows:
        for transform in self.transforms:
            rows = transform(rows)
        return rows

    def _model(self, counts: Rows, once: bool = False) -> RowAnswerer:
        """Return what answers for rows of counts: the model, or its calibrated answers."""
        model = self.model
        if not isinstance(model, ScorerAnswers):
            return model
        # Scores of all classes take longer than the best class alone, so they are kept for several answers.
        model = model.scoring_once() if once else model
        return model if self.tuned is None else CalibratedAnswers(model, self.tuned, counts.sums())

    def _called(self, model: RowAnswerer, method: str, rows: Rows) -> Any:
        if method == "predict_proba":
            return np.exp(model.predict_log_proba(rows))
        found = getattr(model, method)(rows)
        if method == "predict" and self.multilabel_:
            return [self.classes_[np.flatnonzero(row)].tolist() for row in found]
        return found
