"""What a fitted TextClassifier answers and shows."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from textbayes.answering import check_methods, labels_above, most_likely, prediction_frame
from textbayes.errors import ParameterError, ShapeError, UnfittedError
from textbayes.errors.checks import check_labels_passed, check_switch
from textbayes.estimators.base.changing import Forkable, changes, reads
from textbayes.estimators.base.storing import check_file
from textbayes.estimators.models.left_out import LeaveOneOut
from textbayes.estimators.text.consistency import check_sizes
from textbayes.estimators.text.counter import TextCounter
from textbayes.estimators.text.text_model import TextModel
from textbayes.estimators.views.explanation import Explanation, explain_text
from textbayes.estimators.views.inspection import Inspection, inspect_model
from textbayes.statistics import LabelledRows, as_label_targets

Reals = NDArray[np.float64]
# Methods that change what was learned.
_CHANGES = {"teach", "forget", "relabel", "merge", "settle", "reconsider"}


class TextAnswers(Forkable):
    """The methods of :class:`textbayes.TextClassifier` that leave what it has learned as it is."""

    _learned: TextModel
    # The file whose sums were not compared with its documents yet.
    _unchecked: str | None = None

    # Classifying.

    @reads
    def predict(self, texts: Any, reject_below: float | None = None) -> Any:
        """Classify texts.

        Parameters
        ----------
        texts : iterable of str, or column
            The texts.
        reject_below : float, optional
            Give no label whose probability is lower: None, or a shorter list.

        Returns
        -------
        array of labels, or list of lists
            One label for each text; lists if the labels were lists.

        Examples
        --------
        >>> from textbayes import TextClassifier
        >>> classifier = TextClassifier("multinomial").fit(["wheat corn", "crude oil"], ["grain", "oil"])
        >>> classifier.predict(["corn", "something else"], reject_below=0.6)
        array(['grain', None], dtype=object)
        """
        if reject_below is not None:
            return labels_above(self, texts, reject_below)
        return self.answer(texts, "predict")[0]

    @reads
    def predict_proba(self, texts: Any) -> Reals:
        """Return the probability of each class, shape (texts, classes), in the order of ``classes_``."""
        return np.asarray(self.answer(texts, "predict_proba")[0])

    @reads
    def predict_log_proba(self, texts: Any) -> Reals:
        """Return the log of predict_proba."""
        return np.asarray(self.answer(texts, "predict_log_proba")[0])

    @reads
    def decision_function(self, texts: Any) -> Reals:
        """Score texts: the larger, the better. With two classes, the score is the lead of the second."""
        return np.asarray(self.answer(texts, "decision_function")[0])

    @reads
    def answer(self, texts: Any, *methods: str) -> list[Any]:
        """Return what each of some methods returns for texts, which are counted once.

        Parameters
        ----------
        texts : iterable of str, or column
            The texts.
        *methods : {"predict", "predict_proba", "predict_log_proba", "decision_function"}
            The names of the methods.

        Returns
        -------
        list
            What each of them returns, all by the same state of the model, whatever other threads teach it.

        Examples
        --------
        >>> from textbayes import TextClassifier
        >>> classifier = TextClassifier("multinomial").fit(["wheat corn", "crude oil"], ["grain", "oil"])
        >>> labels, probabilities = classifier.answer(["corn"], "predict", "predict_proba")
        >>> labels.tolist(), probabilities.round(2).tolist()
        (['grain'], [[0.67, 0.33]])
        """
        check_methods(methods)
        found = dict(zip(methods, self._answers(texts, *methods), strict=True))
        if self.multilabel_ and "predict" in found:
            classes = self.classes_
            found["predict"] = [classes[np.flatnonzero(row)].tolist() for row in found["predict"]]
        return [found[method] for method in methods]

    @reads
    def top_k(self, texts: Any, k: int, proba: bool = False) -> tuple[NDArray[Any], Reals]:
        """Return each text's ``k`` best labels and their scores, best first: two arrays (texts, k).

        With ``proba``, the most likely labels and their probabilities.
        """
        check_switch("proba", proba)
        if proba:
            return most_likely(self, texts, k)
        ((labels, scores),) = self._answers(texts, "top_k", given=(k,))
        return labels, scores

    @reads
    def score(self, texts: Any, labels: Any, sample_weight: Any = None) -> float:
        """Return the accuracy. With lists, all labels of a text must be right."""
        predicted, targets = self.predict(texts), self._targets(labels)
        self._learned.check_kind(targets)
        if self.multilabel_:
            expected = targets.in_order().label_lists()
            right: Any = [ours == theirs for ours, theirs in zip(predicted, expected, strict=True)]
        else:
            right = predicted == targets.classes[targets.codes]
        return float(np.average(right, weights=sample_weight))

    @reads
    def predict_frame(
        self,
        texts: Any,
        top_k: int = 0,
        reject_below: float | None = None,
        with_text: bool = False,
        backend: str | None = None,
    ) -> Any:
        """Classify texts and return a data frame with a row for each.

        Parameters
        ----------
        texts : iterable of str, or column
            The texts.
        top_k : int, default=0
            Add this many of the most likely classes, in the columns ``label_1``, ``probability_1``, ….
        reject_below : float, optional
            Give no label whose probability is lower.
        with_text : bool, default=False
            Repeat the texts in the column ``text``.
        backend : {"pandas", "polars", "pyarrow"}, optional
            The library of the data frame. The default is the library of ``texts`` if that is a column, with
            the index of a pandas Series, and "pyarrow" otherwise.

        Returns
        -------
        data frame
            With the columns ``label`` and ``probability``: the predicted label, or null if it was rejected,
            and the probability of that class. With lists of labels, the columns ``labels`` and
            ``probabilities`` hold lists.

        Examples
        --------
        >>> from textbayes import TextClassifier
        >>> classifier = TextClassifier("multinomial").fit(["wheat corn", "crude oil"], ["grain", "oil"])
        >>> print(classifier.predict_frame(["corn", "oil oil"], backend="pandas").round(2))
           label  probability
        0  grain         0.67
        1    oil         0.80
        """
        return prediction_frame(self, texts, top_k, reject_below, with_text, backend)

    # Looking inside.

    @reads
    def explain(self, text: str, label: Any = None, against: Any = None) -> Explanation:
        """Show the evidence of each token of a text for each class.

        Parameters
        ----------
        text : str
            The text.
        label, against : label, optional
            The class to show the evidence for, and the one over which; by default the best class and the best
            other one. The explanation has the contributions to all classes.

        Examples
        --------
        >>> from textbayes import TextClassifier
        >>> texts, labels = ["wheat and corn", "crude oil", "oil output"], ["grain", "oil", "oil"]
        >>> explanation = TextClassifier("multinomial").fit(texts, labels).explain("Corn oil!")
        >>> for token, lead in explanation.leads():
        ...     print(f"{explanation.text[token.start : token.end]} {lead:+.2f}")
        Corn -0.80
        oil +0.99
        """
        return explain_text(text, self._ready("explain")).of_class(label, against)

    @reads
    def inspect(
        self, terms: int = 10, leave_one_out: bool = True, texts: Any = None, labels: Any = None
    ) -> Inspection:
        """Show what the model has learned: class sizes, strongest terms, confusions.

        Parameters
        ----------
        terms : int, default=10
            Number of strongest terms of each class.
        leave_one_out : bool, default=True
            Classify the learned documents, each by the model without it, to find confusions. This costs
            about as much as classifying them; for models that refit, ten fits.
        texts, labels : optional
            All texts that were learned, for ``keep_documents=False``.

        Examples
        --------
        >>> from textbayes import TextClassifier
        >>> texts = ["wheat and corn", "wheat harvest", "crude oil", "oil harvest", "corn oil"]
        >>> labels = ["grain", "grain", "oil", "oil", "grain"]
        >>> found = TextClassifier("multinomial").fit(texts, labels).inspect()
        >>> found.leave_one_out.accuracy
        0.2
        >>> found.confusions[0]
        Confusion(label='grain', other='oil', documents=2, share=0.6666666666666666)
        """
        learned = self._ready("inspect")
        check_switch("leave_one_out", leave_one_out)
        documents: LabelledRows | None = None
        if leave_one_out and texts is not None:
            documents = LabelledRows(learned.read(texts), self._targets(labels))
            if len(documents) != len(documents.targets):
                raise ShapeError("texts", (len(documents),), "labels", (len(documents.targets),))
        elif leave_one_out and learned.keeps:
            documents = learned.represented()
        return inspect_model(learned, terms, documents)

    @reads
    def leave_one_out(self) -> LeaveOneOut | None:
        """Estimate the accuracy: classify the learned documents, each by the model without it.

        Like ``inspect().leave_one_out``, but if the model is computed from sums, the documents are read some
        at a time, so they may be more than memory holds.

        Returns
        -------
        LeaveOneOut or None
            None for a model that cannot forget a document, and with fewer than two classes or documents.

        Raises
        ------
        DocumentsNotKeptError
            If there are no documents.

        Examples
        --------
        >>> from textbayes import TextClassifier
        >>> texts, labels = ["wheat corn", "corn wheat", "crude oil", "oil crude"], ["a", "a", "b", "b"]
        >>> print(TextClassifier("complement").fit(texts, labels).leave_one_out())
        Leave-one-out: accuracy 100.0%, macro F1 1.000 on 4 documents (always the largest class: 50.0%).
        """
        return self._ready("leave_one_out").leave_one_out()

    # What was learned.

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels, sorted."""
        if not hasattr(self, "_learned"):
            raise UnfittedError.of_attribute(type(self).__name__, "classes_")
        return np.asarray(self._ready("classes_").classes)

    @property
    def class_documents_(self) -> Reals:
        """Number of documents of each class."""
        return np.asarray(self._ready("class_documents_").estimator.class_documents_)

    @property
    def documents_(self) -> int:
        """Number of documents learned."""
        return self._ready("documents_").document_count

    @property
    def thresholds_(self) -> Reals | None:
        """The tuned threshold of each class, with lists of labels; None if the model decides by itself."""
        return self._ready("thresholds_").thresholds

    @property
    def multilabel_(self) -> bool:
        """Whether texts have lists of labels."""
        self._check_fitted("multilabel_")
        return self._learned.is_multilabel

    @property
    def label_separator(self) -> str | None:
        """What separates several labels in one field of a file, such as ";"; None if nothing does.

        ``textbayes train --separator`` sets it. It is saved with the model, and commands that read labels
        for the model split them by it. In Python it changes nothing: labels are lists.
        """
        self._check_fitted("label_separator")
        return self._learned.label_separator

    @label_separator.setter
    @changes
    def label_separator(self, separator: str | None) -> None:
        self._check_fitted("label_separator")
        if separator is not None and (not isinstance(separator, str) or not separator):
            raise ParameterError("label_separator", separator, "a string that is not empty, or None")
        self._learned.label_separator = separator

    @property
    def is_settled_(self) -> bool:
        """Whether the classifier equals a fresh fit on its texts; if not, ``settle`` makes it so."""
        self._check_fitted("is_settled_")
        return self._learned.is_settled

    @property
    def counter_(self) -> TextCounter:
        """The counter, with its vocabulary."""
        return self._ready("counter_").representation.counter

    @property
    def transform_(self) -> Any:
        """The transform, fitted, or None."""
        return self._ready("transform_").representation.transform

    @property
    def model_(self) -> Any:
        """The classifier of counts."""
        return self._ready("model_").estimator

    # Plumbing.

    def _targets(self, labels: Any) -> Any:
        check_labels_passed(type(self).__name__, labels)
        return as_label_targets(labels)

    def _answers(self, texts: Any, *methods: str, given: tuple[Any, ...] = ()) -> list[Any]:
        """Call methods of the model on texts; for none, on one, because many models take at least one."""
        learned = self._ready(methods[0] if methods else "predict")
        counts = learned.representation.read_counts(texts)
        asked = counts if len(counts) else learned.representation.read_counts([""])
        answers = learned.answer(asked, *methods, given=given)
        if len(counts):
            return answers
        return [tuple(each[:0] for each in own) if isinstance(own, tuple) else own[:0] for own in answers]

    def _ready(self, method: str) -> TextModel:
        """Return what was learned, refitted if documents changed."""
        self._check_fitted(method)
        stale = self._learned
        if not stale.is_stale:
            return stale
        with stale.lock:
            # Another thread may have refitted it in the meantime.
            if self._learned is stale:
                refitted = stale.fork()
                refitted.ready()
                self._learned = refitted
        return self._learned

    def fork(self) -> Self:
        """Return a classifier that shares everything with this one until one of them changes."""
        twin = super().fork()
        if hasattr(self, "_learned"):
            twin._learned = self._learned.fork()
        return twin

    def _check_fitted(self, method: str) -> None:
        if not hasattr(self, "_learned"):
            raise UnfittedError(type(self).__name__, method)
        check_file(self)
        if method in _CHANGES:
            self.check_contents()

    def check_contents(self) -> None:
        """Refuse a file whose sums are not those of its documents, before it is changed or saved; once."""
        if self._unchecked is not None and hasattr(self, "_learned"):
            check_sizes(self._learned, self._unchecked)
        self._unchecked = None

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_learned")
