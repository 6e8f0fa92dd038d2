"""CompactClassifier: a small classifier of texts that learns nothing more."""

from __future__ import annotations

import os
from dataclasses import replace
from importlib import import_module
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from textbayes._native import CompiledWeights
from textbayes.answering.compaction import KIND, CompactContents, Compaction, CompactParts
from textbayes.answering.frames import prediction_frame
from textbayes.answering.prediction import labels_above, most_likely
from textbayes.errors import CompactModelError, ModelKindError, TextsError
from textbayes.persistence import Stored, model_file_size, read_model, write_model
from textbayes.scores import CompiledScorer
from textbayes.statistics import restored_separator

Reals = NDArray[np.float64]


class CompactClassifier:
    """A small classifier of texts that learns nothing more.

    :meth:`textbayes.TextClassifier.compact` makes it. It keeps the terms that matter most and their weights
    in few bits, but no documents. It needs neither scikit-learn nor scipy.

    Parameters
    ----------
    stored : Stored
        The contents of its file: use ``TextClassifier.compact`` or ``CompactClassifier.load``.

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    class_documents_ : array
        Number of documents of each class that were learned.
    label_separator : str or None
        What separates several labels in one field of a file: see :class:`textbayes.TextClassifier`.
    compaction_ : Compaction
        What was left out, and the loss that was measured on held-out documents.

    Examples
    --------
    >>> from textbayes import CompactClassifier, TextClassifier
    >>> texts = ["wheat and corn", "wheat harvest", "corn harvest", "crude oil", "oil output", "crude output"]
    >>> whole = TextClassifier().fit(texts, ["grain"] * 3 + ["oil"] * 3)
    >>> whole.compact(max_loss=0.002).save("small.tb")
    >>> small = CompactClassifier.load("small.tb")
    >>> small.predict(["the corn harvest", "crude"])
    array(['grain', 'oil'], dtype='<U5')
    """

    def __init__(self, stored: Stored) -> None:
        stored.check(stored.value("kind", str) == KIND, "it is not a compact model")
        self._stored = stored
        self.compaction_ = Compaction.restore(stored)
        self._contents = CompactContents.restore(stored)
        self._answers = self._contents.answers
        self.classes_ = self._answers.classes_
        sizes = stored.array("class_documents", np.float64, len(self.classes_))
        stored.check(bool(np.all((sizes >= 0) & (sizes < 2.0**53))), "the sizes of its classes are invalid")
        self.class_documents_ = sizes
        self.label_separator = restored_separator(stored)

    @classmethod
    def of(cls, parts: CompactParts, compaction: Compaction) -> Self:
        """Make a compact classifier of its parts."""
        return cls(parts.store(compaction))

    # Classifying.

    @property
    def multilabel_(self) -> bool:
        """Whether texts have lists of labels."""
        return self._answers.multilabel_

    def predict(self, texts: Any, reject_below: float | None = None) -> Any:
        """Classify texts: one label for each, or a list of labels for each.

        With ``reject_below``, labels with a lower probability are left out, or None.
        """
        if reject_below is not None:
            return labels_above(self, texts, reject_below)
        return self._answers.predict(texts)

    def predict_frame(
        self,
        texts: Any,
        top_k: int = 0,
        reject_below: float | None = None,
        with_text: bool = False,
        backend: str | None = None,
    ) -> Any:
        """Return predictions as a data frame: see :meth:`textbayes.TextClassifier.predict_frame`."""
        return prediction_frame(self, texts, top_k, reject_below, with_text, backend)

    def answer(self, texts: Any, *methods: str) -> list[Any]:
        """Return what each of some methods returns for texts: see :meth:`textbayes.TextClassifier.answer`."""
        return self._answers.answer(texts, *methods)

    def predict_proba(self, texts: Any) -> Reals:
        """Return the probability of each class, shape (texts, classes), in the order of ``classes_``."""
        return self._answers.predict_proba(texts)

    def predict_log_proba(self, texts: Any) -> Reals:
        """Return the log of predict_proba."""
        return self._answers.predict_log_proba(texts)

    def decision_function(self, texts: Any) -> Reals:
        """Score texts: the larger, the better. With two classes, the score is the lead of the second."""
        return self._answers.decision_function(texts)

    def top_k(self, texts: Any, k: int, proba: bool = False) -> tuple[NDArray[Any], Reals]:
        """Return each text's ``k`` best labels and their scores, best first: two arrays (texts, k).

        With ``proba``, the most likely labels and their probabilities.
        """
        return most_likely(self, texts, k) if proba else self._answers.top_k(texts, k)

    # Looking inside.

    def explain(self, text: str, label: Any = None, against: Any = None) -> Any:
        """Show the evidence of each token of a text for each class, as an :class:`textbayes.Explanation`.

        A token whose term was left out counts as unknown. The evidence sums to the score. It shows the
        evidence for the best class, or for ``label``, over the best other one, or over ``against``.

        Examples
        --------
        >>> from textbayes import TextClassifier
        >>> texts, labels = ["wheat and corn", "crude oil", "oil output"], ["grain", "oil", "oil"]
        >>> small = TextClassifier("complement").fit(texts, labels).compact()
        >>> small.explain("Corn and wheat!").label
        'grain'
        """
        if not isinstance(text, str):
            raise TextsError.of_item(0, text)
        # Views stand above this package and import scikit-learn.
        views = import_module("textbayes.estimators.views.explanation")
        row, spans = self._answers.rows([text]), self._answers.reader.rules.spans(text)
        predicted, probabilities = self.answer([text], "predict", "predict_proba")
        explanation = views.explain_row(
            text,
            row,
            spans,
            self._contents.columns_of([term for _, _, term in spans]),
            self._contents.scorer.contributions(row),
            views.Decided(
                predicted[0] if self.multilabel_ else predicted.tolist()[0],
                probabilities[0],
                self.classes_.tolist(),
                self.multilabel_,
            ),
        )
        return explanation.of_class(label, against)

    def inspect(self, terms: int = 10, leave_one_out: bool = False) -> Any:  # noqa: ARG002
        """Show what the model has learned, as an :class:`textbayes.Inspection`.

        The strongest terms are those with the largest weights, times the documents that they are in. There
        are no documents to find confused classes with.

        Parameters
        ----------
        terms : int, default=10
            Number of strongest terms of each class.
        leave_one_out : ignored
            As for :class:`textbayes.TextClassifier`.

        Examples
        --------
        >>> from textbayes import TextClassifier
        >>> texts, labels = ["wheat and wheat", "wheat", "oil", "crude oil"], ["grain", "grain", "oil", "oil"]
        >>> small = TextClassifier("complement").fit(texts, labels).compact(size="1MB")
        >>> [(one.label, one.terms[0][0]) for one in small.inspect().classes]
        [('grain', 'wheat'), ('oil', 'oil')]
        """
        views = import_module("textbayes.estimators.views.compact_inspection")
        return views.inspect_compact(self, terms)

    @property
    def weights(self) -> CompiledWeights:
        """The weights of the terms."""
        return self._contents.weights

    @property
    def scorer(self) -> CompiledScorer:
        """The scorer of rows."""
        return self._contents.scorer

    def terms(self) -> list[str]:
        """Return the terms; a hashed column is named by its number."""
        return self._contents.terms()

    def summary(self) -> str:
        """Describe it in a line: terms, the loss on held-out documents, and the size of its file.

        Examples
        --------
        >>> from textbayes import TextClassifier
        >>> small = TextClassifier("complement").fit(["wheat corn", "crude oil"], ["grain", "oil"]).compact()
        >>> small.summary().split("; ")[:2]
        ['4 of 4 terms, 16 bits a weight', 'no loss was measured, because no class has two documents']
        """
        return f"{self.compaction_}; {self.nbytes / 1e6:,.3f} MB"

    @property
    def nbytes(self) -> int:
        """The size of its file in bytes."""
        return model_file_size(self._stored)

    @property
    def documents_(self) -> int:
        """Number of documents that were learned."""
        return round(self._stored.part("weights").value("documents", float))

    def describe(self) -> dict[str, Any]:
        """Return the size and the configuration of the model, ready for JSON."""
        given = self._stored.configuration.items()
        return {
            "model": repr(self),
            "documents": self.documents_,
            "vocabulary": self.compaction_.terms,
            "settled": True,
            "updates": None,
            "configuration": {name: value for name, value in given if name != "parts"},
        }

    def __repr__(self) -> str:
        return f"CompactClassifier({self.summary()})"

    # In a model file.

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the classifier to one file: see :func:`textbayes.save`."""
        written, origin = write_model(self._stored, path), self._stored.origin
        if origin is not None:
            self._stored = replace(self._stored, origin=origin.saved(path, written))

    @classmethod
    def load(cls, path: str | os.PathLike[str], verify: bool = True, mmap: bool = False) -> Self:
        """Load a compact classifier, without scikit-learn: see :func:`textbayes.load`."""
        stored = read_model(path, verify, mmap)
        kind = stored.configuration.get("kind")
        if kind != KIND:
            raise ModelKindError(stored.path, f"a {str(kind)[:40]}", f"a {cls.__name__}")
        with stored.restoring():
            return cls(stored)

    def store(self) -> Stored:
        """Return the contents of its file."""
        return self._stored

    def __reduce__(self) -> tuple[Any, ...]:
        if self._stored.file is not None:
            self._stored.file.verify_all()
        arrays = {name: np.array(array) for name, array in self._stored.arrays.items()}
        return type(self), (Stored(self._stored.configuration, arrays, origin=self._stored.origin),)

    # Learning.

    def _refuse(self, what: str) -> NoReturn:
        raise CompactModelError(what)

    def fit(self, *_args: Any, **_named: Any) -> NoReturn:
        """Raise CompactModelError: a compact model learns nothing."""
        self._refuse("fit")

    def teach(self, *_args: Any, **_named: Any) -> NoReturn:
        """Raise CompactModelError: a compact model learns nothing."""
        self._refuse("teach")

    def forget(self, *_args: Any, **_named: Any) -> NoReturn:
        """Raise CompactModelError: a compact model has no documents to forget."""
        self._refuse("forget")

    def partial_fit(self, *_args: Any, **_named: Any) -> NoReturn:
        """Raise CompactModelError: a compact model learns nothing."""
        self._refuse("partial_fit")

    def relabel(self, *_args: Any, **_named: Any) -> NoReturn:
        """Raise CompactModelError: a compact model has no documents to relabel."""
        self._refuse("relabel")

    def merge(self, *_args: Any, **_named: Any) -> NoReturn:
        """Raise CompactModelError: a compact model has no documents to merge."""
        self._refuse("merge")

    def settle(self) -> NoReturn:
        """Raise CompactModelError: a compact model has no documents to learn from."""
        self._refuse("settle")

    def reconsider(self) -> NoReturn:
        """Raise CompactModelError: a compact model has no documents to search with."""
        self._refuse("reconsider")

    def compact(self, *_args: Any, **_named: Any) -> NoReturn:
        """Raise CompactModelError: the loss of another compaction cannot be measured without documents."""
        self._refuse("compact")
