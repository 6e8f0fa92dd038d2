"""TextClassifier: raw text in, labels out."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, ClassVar, Self

from sklearn.base import BaseEstimator, ClassifierMixin

from textbayes.answering import CompactClassifier
from textbayes.errors import (
    DocumentsNotKeptError,
    MergeError,
    ModelKindError,
    ModelUnsavableError,
    ParameterConflictError,
    ParameterError,
)
from textbayes.errors.checks import check_switch
from textbayes.estimators.base.changing import changes, reads, writer_lock
from textbayes.estimators.base.files import load, save
from textbayes.estimators.base.storing import (
    describe_estimator,
    same_parameters,
    storable,
    verify_file,
)
from textbayes.estimators.text.compacting import compact_model
from textbayes.estimators.text.consistency import check_sums
from textbayes.estimators.text.counter import TextCounter
from textbayes.estimators.text.model_names import find_variant, make_parts
from textbayes.estimators.text.pipelines import parts_of_pipeline
from textbayes.estimators.text.streaming import fit_in_batches, reads_again
from textbayes.estimators.text.text_answers import TextAnswers
from textbayes.estimators.text.text_model import TextModel
from textbayes.persistence import Stored


@storable
class TextClassifier(TextAnswers, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
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

    # Other forms.

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

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.classifier_tags.multi_label = True
        return tags
