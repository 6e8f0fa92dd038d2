"""TextClassifier: raw text in, labels out."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from textbayes.answering import CompactClassifier, labels_above, most_likely, prediction_frame
from textbayes.errors import (
    DocumentsNotKeptError,
    MergeError,
    ModelKindError,
    ModelUnsavableError,
    ParameterConflictError,
    ParameterError,
    ShapeError,
    UnfittedError,
)
from textbayes.errors.checks import check_labels_passed, check_switch
from textbayes.estimators.base.changing import Forkable, changes, reads, writer_lock
from textbayes.estimators.base.files import load, save
from textbayes.estimators.base.storing import (
    check_file,
    describe_estimator,
    same_parameters,
    storable,
    verify_file,
)
from textbayes.estimators.models.left_out import LeaveOneOut
from textbayes.estimators.text.compacting import compact_model
from textbayes.estimators.text.consistency import check_sizes, check_sums
from textbayes.estimators.text.counter import TextCounter
from textbayes.estimators.text.model_names import find_variant, make_parts
from textbayes.estimators.text.pipelines import parts_of_pipeline
from textbayes.estimators.text.streaming import fit_in_batches, reads_again
from textbayes.estimators.text.text_model import TextModel
from textbayes.estimators.views.explanation import Explanation, explain_text
from textbayes.estimators.views.inspection import Inspection, inspect_model
from textbayes.persistence import Stored
from textbayes.statistics import LabelledRows, as_label_targets

Reals = NDArray[np.float64]
# Methods that change what was learned.
_CHANGES = {"teach", "forget", "relabel", "merge", "settle", "reconsider"}


@storable
class TextClassifier(Forkable, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Classify texts.

    Parameters
    ----------
    model : str or classifier, default="auto"
        The name of a variant, such as "twcnb" (``textbayes.estimators.VARIANTS`` lists them), or a classifier
        of counts, such as ``MultinomialNB(alpha=0.1)``. "auto" is ``AutoNB(random_state=0)``: it searches for
        the best model, which takes seconds to minutes; "complement" is fast.
    counter : TextCounter, optional
        How texts are counted. The default is ``TextCounter()``, which handles every script; for AutoNB also
        ``ngram_range=(1, 2)`` and ``characters=(2, 5)``: word pairs and character n-grams.
    transform : transformer, optional
        Transforms counts, such as ``FrequencyTransform()``. The default is that of the variant.
    keep_documents : bool, default=True
        Keep the counts of the documents, not the texts. Then after any teaching and forgetting the
        classifier equals a fresh fit on the remaining texts. Without them the model is smaller, but document
        frequencies, mean lengths and cuts (``min_df``, …) stay as ``fit`` found them, and with any of these
        new words are ignored; forgotten words still count as terms in smoothing; and ``forget`` cannot tell a
        text from others with the same sums.
    calibrate : bool, default=True
        Calibrate probabilities, so that of the texts with probability .8 about 80 % are right. With lists of
        labels, also choose the threshold of each class. Both come from held-out scores of the documents:
        leave-one-out scores, or where these have no closed form, those of models without some documents.
        False returns the posterior of the model. "auto" is always calibrated, by its search, and a classifier
        that is not of textbayes never.

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    class_documents_ : array
        Number of documents of each class.
    documents_ : int
        Number of documents learned.
    multilabel_ : bool
        Whether texts have lists of labels.
    thresholds_ : array or None
        With lists of labels: the score above which each class is predicted; None if the model decides.
    is_settled_ : bool
        Whether the classifier equals a fresh fit on its texts.
    counter_, transform_, model_ : estimators
        The fitted parts.

    Notes
    -----
    Give one label for each text, or a list of labels for each. With lists a text has any number of labels,
    ``predict`` returns lists, and ``predict_proba`` judges each class on its own.

    With "auto", or any AutoNB, ``teach``, ``forget`` and ``merge`` keep the recipe chosen by ``fit``;
    ``reconsider`` searches again. ``teach`` takes effect at once. If the statistics of the recipe add
    (``model_.updates_`` is "exact"), the classifier always equals a fresh fit. Otherwise ``teach`` adjusts
    some weights approximately, and ``settle`` learns them from all texts again.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> texts = ["wheat and corn", "wheat harvest 밀", "crude oil", "oil output"]
    >>> classifier = TextClassifier().fit(texts, ["grain", "grain", "oil", "oil"])
    >>> classifier.predict(["corn harvest", "crude"])
    array(['grain', 'oil'], dtype='<U5')
    >>> classifier.teach(["gold mine"], ["gold"]).predict(["a mine of gold"])
    array(['gold'], dtype='<U5')
    >>> classifier.forget(["gold mine"], ["gold"]).classes_
    array(['grain', 'oil'], dtype='<U5')
    """

    # Parameters that older model files lack, with the values that they had.
    ADDED_PARAMETERS: ClassVar = {"calibrate": False}

    _learned: TextModel
    # The file whose sums were not compared with its documents yet.
    _unchecked: str | None = None

    def __init__(
        self,
        model: Any = "auto",
        counter: TextCounter | None = None,
        transform: Any = None,
        keep_documents: bool = True,
        calibrate: bool = True,
    ) -> None:
        self.model = model
        self.counter = counter
        self.transform = transform
        self.keep_documents = keep_documents
        self.calibrate = calibrate

    # Learning.

    def fit(self, texts: Any, labels: Any, sample_weight: Any = None) -> Self:
        """Learn from texts.

        Parameters
        ----------
        texts : iterable of str, or column
            In any form that :class:`TextCounter` takes.
        labels : iterable
            One label for each text, or a list of labels for each.
        sample_weight : array-like, optional
            A weight for each text. A text of weight 2 counts as two, also in document frequencies and mean
            lengths; one of weight 0 is ignored. The cuts of the counter (``min_df``, …) and
            :class:`TermSelector` ignore weights.
        """
        with writer_lock(self):
            self.check_parameters()
            learned = self.new_model()
            learned.add(texts, self._targets(labels), sample_weight)
            self._learned = learned
        return self

    def fit_batches(self, batches: Any, folder: str | os.PathLike[str] | None = None) -> Self:
        """Learn from texts that come in batches, and may be more than memory holds.

        The classifier equals one that was fitted on all texts at once. One batch of texts is in memory at a
        time. Documents that are kept are packed into a temporary file; without them, memory holds the
        vocabulary and the sums of each class, and with ``TextCounter(dimensions=...)`` no vocabulary.

        Parameters
        ----------
        batches : iterable of (texts, labels)
            Texts and labels as ``fit`` takes them; some ten thousand texts, or megabytes, make a good batch.
        folder : path, optional
            The folder for temporary files, by default that of the system. They have no names, or are deleted
            when the classifier is.

        Raises
        ------
        ParameterError
            If ``batches`` is an iterator, and must be read again: with ``keep_documents=False``, document
            frequencies, mean lengths and cuts need a pass over the texts before the sums.

        Notes
        -----
        "auto", "mixture", "linear-svm" and transforms other than :class:`FrequencyTransform` learn from all
        documents at once. The counts of all documents are then in memory, though not the texts.

        Examples
        --------
        >>> from textbayes import TextClassifier
        >>> batches = [(["wheat and corn", "crude oil"], ["grain", "oil"]), (["oil output"], ["oil"])]
        >>> classifier = TextClassifier("complement").fit_batches(batches)
        >>> classifier.predict(["corn", "crude"])
        array(['grain', 'oil'], dtype='<U5')
        """
        return self.fit_by(lambda learned: fit_in_batches(learned, batches, folder))

    def fit_by(self, learn: Callable[[TextModel], None]) -> Self:
        """Fit by a function that teaches a model which has learned nothing, such as from other machines."""
        with writer_lock(self):
            self.check_parameters()
            learned = self.new_model()
            learn(learned)
            self._learned = learned
        return self

    @property
    def reads_texts_again(self) -> bool:
        """Whether ``fit_batches`` iterates over its batches more than once."""
        return reads_again(self.new_model())

    @changes
    def teach(self, texts: Any, labels: Any, sample_weight: Any = None) -> Self:
        """Learn from more texts, which may have new labels and new words."""
        if not hasattr(self, "_learned"):
            return self.fit(texts, labels, sample_weight)
        self._check_fitted("teach")
        self._learned.add(texts, self._targets(labels), sample_weight)
        return self

    @changes
    def teach_by(self, learn: Callable[[TextModel], None]) -> Self:
        """Learn by a function that gets what was learned and adds to it, such as sums of other machines."""
        self._check_fitted("teach")
        learn(self._learned)
        return self

    @changes
    def prepare(self, changes: bool = True) -> Self:
        """Get ready for many requests after loading. A server calls this before it accepts any.

        The terms of a file get a table in memory, by which texts of characters are classified in half of the
        time. The classifier answers the same as before.

        Parameters
        ----------
        changes : bool, default=True
            Also compute what the first ``teach`` or ``forget`` would: the sums of the documents.

        Examples
        --------
        >>> from textbayes import TextClassifier
        >>> TextClassifier().fit(["wheat corn", "crude oil"], ["grain", "oil"]).save("news.tb")
        >>> TextClassifier.load("news.tb").prepare().teach(["gold"], ["gold"]).classes_
        array(['gold', 'grain', 'oil'], dtype='<U5')
        """
        check_switch("changes", changes)
        self._check_fitted("teach" if changes else "predict")
        self._learned.prepare(bool(changes))
        return self

    @changes
    def settle(self, always: bool = False) -> Self:
        """Learn from all texts again what ``teach`` only adjusted: see ``is_settled_``.

        The classifier then equals one that was fitted on its texts, to the bit.

        Parameters
        ----------
        always : bool, default=False
            Refit even a classifier that equals a fresh fit. Its answers stay the same, and its model file is
            then the same, to the byte, in whatever order its texts were taught and forgotten.
        """
        self._check_fitted("settle")
        check_switch("always", always)
        self._learned.settle(bool(always))
        return self

    @changes
    def forget(self, texts: Any, labels: Any, sample_weight: Any = None, settle: bool = True) -> Self:
        """Forget texts, as if they had never been learned.

        Parameters
        ----------
        texts, labels, sample_weight
            Texts as they were learned, with their labels and weights.
        settle : bool, default=True
            Leave no trace of the texts. With False, weights that do not add still know them until ``settle``
            is called: faster, if there is more to forget.

        Raises
        ------
        NotLearnedError
            If one was never learned. Nothing is changed.
        """
        self._check_fitted("forget")
        check_switch("settle", settle)
        self._learned.remove(texts, self._targets(labels), sample_weight, bool(settle))
        return self

    @changes
    def reconsider(self) -> Self:
        """Search again for the recipe that suits the current texts: for "auto" and AutoNB.

        Raises
        ------
        ParameterError
            If the model was not found by a search.
        """
        self._check_fitted("reconsider")
        self._learned.reconsider()
        return self

    def merge(self, other: Self) -> Self:
        """Learn everything that another classifier has learned.

        If both searched, the recipe of the first is kept, whatever their settings of the search.

        Raises
        ------
        MergeError
            If the two have different parameters.
        """
        self._check_fitted("merge")
        if type(other) is not type(self):
            raise MergeError("their kind", type(self).__name__, type(other).__name__)
        other._check_fitted("merge")
        verify_file(other)
        # Another thread may merge them the other way round, so neither waits for the other's lock.
        return self._merge(other.snapshot())

    @changes
    def _merge(self, other: Self) -> Self:
        searched = self._learned.model.searches and other._learned.model.searches
        for name in self.get_params(deep=False):
            if searched and name == "counter" and self._counts_like(other):
                continue
            if not (searched and name == "model") and not same_parameters(self, other, name):
                raise MergeError(name, getattr(self, name), getattr(other, name))
        self._learned.join(other._learned)
        return self

    @reads
    def compact(self, max_loss: float | None = None, size: int | str | None = None) -> CompactClassifier:
        """Return a small classifier that learns nothing more.

        It keeps the terms that matter most, their weights in 8 bits if possible, and no documents. The loss
        is measured: the model is fitted on four fifths of the documents, and both it and its compact form
        classify the others. The classifier itself does not change.

        Parameters
        ----------
        max_loss : float, optional
            The largest loss of macro F1 on the held-out documents, 0.002 by default. The result is the
            smallest model that was found within it.
        size : int or str, optional
            The largest size of the file, in bytes or such as "5MB". The result is the best model that fits.

        Returns
        -------
        CompactClassifier
            Its ``summary()`` says how many terms it has, the loss that was measured and its size.

        Raises
        ------
        ParameterError
            If the model cannot be compacted: its scores must be linear in the counts.
        DocumentsNotKeptError
            If there are no documents to measure on.

        Examples
        --------
        >>> from textbayes import TextClassifier
        >>> texts = ["wheat corn", "corn harvest", "wheat and corn", "crude oil", "oil output", "oil and gas"]
        >>> classifier = TextClassifier("complement").fit(texts, ["grain"] * 3 + ["oil"] * 3)
        >>> small = classifier.compact(max_loss=0.01)
        >>> small.predict(["corn", "oil"])
        array(['grain', 'oil'], dtype='<U5')
        """
        return compact_model(self._ready("compact"), max_loss, size)

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
        predicted = self._answers("predict", texts)
        if not self.multilabel_:
            return predicted
        classes = self.classes_
        return [classes[np.flatnonzero(row)].tolist() for row in predicted]

    @reads
    def predict_proba(self, texts: Any) -> Reals:
        """Return the probability of each class, shape (texts, classes), in the order of ``classes_``."""
        return np.asarray(self._answers("predict_proba", texts))

    @reads
    def predict_log_proba(self, texts: Any) -> Reals:
        """Return the log of predict_proba."""
        return np.asarray(self._answers("predict_log_proba", texts))

    @reads
    def decision_function(self, texts: Any) -> Reals:
        """Score texts: the larger, the better. With two classes, the score is the lead of the second."""
        return np.asarray(self._answers("decision_function", texts))

    @reads
    def top_k(self, texts: Any, k: int, proba: bool = False) -> tuple[NDArray[Any], Reals]:
        """Return each text's ``k`` best labels and their scores, best first: two arrays (texts, k).

        With ``proba``, the most likely labels and their probabilities.
        """
        check_switch("proba", proba)
        if proba:
            return most_likely(self, texts, k)
        labels, scores = self._answers("top_k", texts, k)
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

    @reads
    def describe(self) -> dict[str, Any]:
        """Return the size, the state and the configuration of the model, ready for JSON."""
        model = self._ready("describe").estimator
        try:
            documents = self.documents_
        except DocumentsNotKeptError:
            documents = None
        return {
            "model": repr(model),
            "documents": documents,
            "vocabulary": model.n_features_in_,
            "settled": self.is_settled_,
            "updates": getattr(model, "updates_", None),
            "configuration": self._configuration(),
        }

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

    # Other ways to learn.

    def partial_fit(self, texts: Any, labels: Any, classes: Any = None, sample_weight: Any = None) -> Self:  # noqa: ARG002
        """Learn from more texts: ``teach``, by the name that scikit-learn uses for streams.

        Parameters
        ----------
        texts, labels, sample_weight
            As for fit.
        classes : ignored
            For scikit-learn's convention; classes need not be announced.
        """
        return self.teach(texts, labels, sample_weight)

    @changes
    def relabel(
        self, texts: Any, labels: Any, new_labels: Any, sample_weight: Any = None, settle: bool = True
    ) -> Self:
        """Correct the labels of texts: forget them with the old labels and learn them with the new ones.

        Parameters
        ----------
        texts, labels, sample_weight
            Texts as they were learned, with their labels and weights.
        new_labels : iterable
            The right label for each text, or a list of labels for each.
        settle : bool, default=True
            Leave no trace of the old labels, as for ``forget``.

        Raises
        ------
        NotLearnedError
            If a text was never learned with its label.

        Notes
        -----
        After any error nothing has changed.

        Examples
        --------
        >>> from textbayes import TextClassifier
        >>> texts, labels = ["wheat corn", "corn", "crude oil"], ["grain", "oil", "oil"]
        >>> classifier = TextClassifier("complement").fit(texts, labels)
        >>> classifier.relabel(["corn"], ["oil"], ["grain"]).class_documents_
        array([2., 1.])
        """
        self._check_fitted("relabel")
        check_switch("settle", settle)
        before, after = self._targets(labels), self._targets(new_labels)
        self._learned.relabel(texts, before, after, sample_weight, bool(settle))
        return self

    @classmethod
    def from_pipeline(cls, pipeline: Any) -> Self:
        """Make a classifier of a fitted pipeline: a TextCounter, transforms if any, and a classifier.

        Parameters
        ----------
        pipeline : scikit-learn Pipeline
            The pipeline. Its parts are used, not copied.

        Returns
        -------
        TextClassifier
            It answers and explains as the pipeline does, has no documents, and its probabilities are those of
            the pipeline: ``keep_documents=False, calibrate=False``. If the pipeline learned from a label
            indicator, its labels are the numbers of the columns.

        Raises
        ------
        ParameterError
            If the steps are others, or not fitted.

        Examples
        --------
        >>> from sklearn.pipeline import make_pipeline
        >>> from textbayes import ComplementNB, TextClassifier, TextCounter
        >>> pipeline = make_pipeline(TextCounter(), ComplementNB())
        >>> pipeline = pipeline.fit(["wheat corn", "crude oil"], ["grain", "oil"])
        >>> TextClassifier.from_pipeline(pipeline).explain("corn").label
        'grain'
        """
        counter, transform, model = parts_of_pipeline(pipeline)
        made = cls(model, counter, transform, keep_documents=False, calibrate=False)
        made._learned = TextModel.of_fitted(counter, transform, model)
        return made

    # In a model file.

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the classifier to one file: see :func:`textbayes.save`."""
        save(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], verify: bool = True, mmap: bool = False) -> Self:
        """Load a classifier that was saved: see :func:`textbayes.load`."""
        loaded = load(path, verify, mmap)
        if not isinstance(loaded, cls):
            raise ModelKindError(os.fspath(path), f"a {type(loaded).__name__}", f"a {cls.__name__}")
        return loaded

    def store(self) -> Stored:
        """Return what was learned, for a model file."""
        if not hasattr(self, "_learned"):
            return Stored()
        if self._ready("save").must_rebuild_to_store:
            self._rebuild()
        return self._learned.store()

    @changes
    def _rebuild(self) -> None:
        self._learned.rebuild()

    def restore(self, stored: Stored) -> None:
        """Load what ``store`` returned; refuse an invalid file."""
        if stored.has_part("documents"):
            self.check_parameters()
            self._learned = TextModel.restore(stored, bool(self.keep_documents), bool(self.calibrate))
            self._unchecked = stored.path

    def check_contents(self) -> None:
        """Refuse a file whose sums are not those of its documents, before it is changed or saved; once."""
        if self._unchecked is not None and hasattr(self, "_learned"):
            check_sizes(self._learned, self._unchecked)
        self._unchecked = None

    def check_sums(self, path: str) -> tuple[int | None, bool]:
        """Compare all sums with the documents; return the number of documents, and whether that can be told.

        Raises ModelDamagedError, which names ``path``, if they differ.
        """
        if not hasattr(self, "_learned") or not self.keep_documents:
            return None, False
        return self.documents_, check_sums(self._learned, path)

    # Plumbing.

    @changes
    def set_params(self, **params: Any) -> Self:
        """Set parameters, including those of default parts, such as ``counter__min_df``."""
        whole = {name: params.pop(name) for name in list(params) if "__" not in name}
        super().set_params(**whole)
        for part in {name.partition("__")[0] for name in params} & {"counter", "transform", "model"}:
            if not hasattr(getattr(self, part), "set_params"):
                # A variant's name sets both the transform and the model.
                found = self._parts()
                self.transform = found["transform"] if part != "counter" else self.transform
                setattr(self, part, found[part])
        super().set_params(**params)
        return self

    def new_model(self) -> TextModel:
        """Return a model with these parameters that has learned nothing."""
        kept, calibrated = bool(self.keep_documents), bool(self.calibrate)
        return TextModel(**self._parts(), keep_documents=kept, calibrates=calibrated)

    def _counts_like(self, other: Self) -> bool:
        """Return whether the fitted counters differ at most in the kinds of terms, which a search chooses."""
        chosen = self._learned.representation.chosen_terms
        own, others = (dict(one.counter_.get_params()) for one in (self, other))
        return bool({**own, **chosen} == {**others, **chosen})

    def _parts(self) -> dict[str, Any]:
        return make_parts(self.model, self.counter, self.transform)

    def check_parameters(self) -> None:
        """Raise an error that names the parameter when one cannot be used."""
        check_switch("keep_documents", self.keep_documents)
        check_switch("calibrate", self.calibrate)
        if not isinstance(self.model, str) and not hasattr(self.model, "predict"):
            find_variant(self.model)  # raises an error that lists the names
        terms = getattr(self.model, "terms", None)
        if terms is not None:
            why = "terms describes the columns of a counter that is fitted later"
            raise ParameterConflictError("terms", terms, "counter", self.counter, why)
        if self.counter is not None and not isinstance(self.counter, TextCounter):
            raise ParameterError("counter", self.counter, ["None", "a TextCounter"])
        if self.transform is not None and not hasattr(self.transform, "fit_transform"):
            raise ParameterError("transform", self.transform, ["None", "a transformer"])

    def _configuration(self) -> dict[str, Any]:
        try:
            return describe_estimator(self)
        except ModelUnsavableError:  # a part that is not of textbayes
            parameters = {name: repr(value) for name, value in self.get_params(deep=False).items()}
            return {"kind": type(self).__name__, "parameters": parameters}

    def _targets(self, labels: Any) -> Any:
        check_labels_passed(type(self).__name__, labels)
        return as_label_targets(labels)

    def _answers(self, method: str, texts: Any, *given: Any) -> Any:
        """Call a method of the model on texts; for none, on one, because many models take at least one."""
        learned = self._ready(method)
        counts = learned.representation.read_counts(texts)
        asked = counts if len(counts) else learned.representation.read_counts([""])
        found = learned.answer(method, asked, *given)
        if len(counts):
            return found
        return tuple(each[:0] for each in found) if isinstance(found, tuple) else found[:0]

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

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_learned")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.classifier_tags.multi_label = True
        return tags
