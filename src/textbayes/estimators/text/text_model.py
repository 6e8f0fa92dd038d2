"""The learned state of a TextClassifier: documents, their representation, and a model."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from textbayes.answering import CalibratedAnswers
from textbayes.counts import Rows
from textbayes.counts.selection import known_entries, move_columns
from textbayes.decisions import Tuned, restored_calibration
from textbayes.errors import (
    DocumentsNotKeptError,
    LabelsError,
    MergeError,
    NoDocumentsError,
    NotLearnedError,
    ParameterConflictError,
    ParameterError,
    ShapeError,
    UnfittedError,
)
from textbayes.estimators.base.borrowed import Reader
from textbayes.estimators.base.counts_model import CountsModel, as_model
from textbayes.estimators.base.inputs import checked_weights
from textbayes.estimators.base.storing import restore_estimator, store_estimator
from textbayes.estimators.models.left_out import LeaveOneOut, leave_out
from textbayes.estimators.models.left_out_blocks import leave_out_blocks
from textbayes.estimators.text.calibrating import Calibrator
from textbayes.estimators.text.counter import TextCounter
from textbayes.estimators.text.narrowing import narrow_terms
from textbayes.estimators.text.text_representation import TextRepresentation
from textbayes.persistence import Stored
from textbayes.scores import Contributions
from textbayes.statistics import (
    ClassStatistics,
    Documents,
    LabelledRows,
    Targets,
    check_mergeable_labels,
    restore_labels,
    restored_separator,
    store_labels,
)
from textbayes.statistics.lock import Lock
from textbayes.statistics.sample import Sample
from textbayes.text import kept_texts

Reals = NDArray[np.float64]

# Number of terms added since the columns were last sorted. With more of them everything is refitted, so that
# putting a text's terms in order stays cheap.
_MOST_LATE_TERMS = 1 << 16
_PROBABILITIES = ("predict_proba", "predict_log_proba")


class TextModel:
    """Documents, their representation, and a model, kept consistent.

    If documents are kept, everything global (the terms, the limits of the counter, document frequencies,
    lengths) is refitted on all of them, when a prediction needs it and something has changed. If the row of a
    text depends on that text only, the model learns and forgets in place.

    Parameters
    ----------
    counter, transform, model : estimators
        The parts; they are cloned.
    keep_documents : bool
        Whether documents are kept.
    narrows : bool, default=False
        Whether a search may drop kinds of terms that do not pay from the counter.
    calibrates : bool, default=True
        Whether probabilities are calibrated, and thresholds of several labels tuned.
    """

    # Which hashed columns have documents; None until it is needed.
    _known_columns: NDArray[np.bool_] | None = None
    # What separated the labels of a text in the file that the model was trained on.
    label_separator: str | None = None

    def __init__(
        self,
        counter: TextCounter,
        transform: Any,
        model: Any,
        keep_documents: bool,
        narrows: bool = False,
        calibrates: bool = True,
    ) -> None:
        self.representation = TextRepresentation(counter, transform)
        self.narrows = narrows
        self.estimator = clone(model)
        self.keeps = keep_documents
        self.documents: Documents | None = None
        self.is_stale = False
        # Whether documents with fractional weights were learned or forgotten in place.
        self._is_rounded = False
        self._calibrator = Calibrator() if calibrates and self.model.calibratable else None
        # The labels of the indicator's columns, for a model that learned from one and keeps no documents.
        self.columns_of_labels: NDArray[Any] | None = None
        # Held while a stale model is refitted.
        self.lock = Lock()

    @property
    def model(self) -> CountsModel:
        """The classifier as a CountsModel."""
        return as_model(self.estimator)

    @property
    def is_multilabel(self) -> bool:
        """Whether texts have lists of labels."""
        return self.documents is not None and self.documents.multilabel

    def fork(self) -> Self:
        """Return a model that shares everything with this one until one of them changes."""
        twin = copy.copy(self)
        twin.lock = Lock()
        twin.representation, twin.estimator = self.representation.fork(), self.model.forked()
        if self.documents is not None:
            twin.documents = self.documents.fork()
            twin.model.borrow(twin._reader() if self.keeps else None)
        if self._calibrator is not None:
            twin._calibrator = self._calibrator.fork()
        return twin

    # Learning.

    def add(self, texts: Any, targets: Targets, sample_weight: Any = None) -> None:
        """Learn texts."""
        if self.documents is None and self.narrows:
            texts = self._narrow(texts, targets, sample_weight)
        counting = self.representation.count(texts)
        weights = self._checked_weights(len(counting), targets, sample_weight)
        if self.documents is None:
            # Without documents, sums are added in the order of the texts, as those of batches are.
            first = Documents(targets.multilabel, keep_order=not self.keeps and self.fits_in_blocks)
            first.add(_counted(self.representation.grow(counting), targets, weights))
            self.start(first)
            return
        self.check_kind(targets)
        if not len(targets):
            return
        if not self.keeps:
            self._check_in_place("teach")
            grows = self.representation.rows_are_independent
            rows = self.representation.grow(counting) if grows else self.representation.take_known(counting)
            self._learn(_counted(rows, targets, weights))
            return
        self._check_file()
        rows = self.representation.grow(counting)
        documents = _counted(rows, targets, weights)
        # Words of a text of weight 0 are not terms.
        at_once = self._learns_at_once and not self.is_stale and len(documents) == len(rows)
        if at_once:
            self._learn(documents)
        self.documents.add(documents)
        self.is_stale = not at_once or self.representation.vocabulary.late_terms() > _MOST_LATE_TERMS

    def add_sums(self, statistics: ClassStatistics) -> None:
        """Learn the sums of documents, in the columns of the model, which keeps no documents."""
        self._check_in_place("teach")
        self._known_columns = None
        self.estimator.merge(clone(self.estimator).use_statistics(statistics))

    def _narrow(self, texts: Any, targets: Targets, sample_weight: Any) -> Any:
        """Search a sample for the kinds of terms that pay; return the texts, to be read again."""
        texts = kept_texts(texts)
        weights = self._checked_weights(len(texts), targets, sample_weight)
        if len(texts):
            self.representation = narrow_terms(self.estimator, self.representation, texts, targets, weights)
        return texts

    def _learn(self, documents: LabelledRows) -> None:
        self._is_rounded |= documents.weights is not None
        self._known_columns = None
        if self.representation.rows_are_independent:
            self.representation.widen()
        kinds = None
        if self.model.searches:
            kinds = self.representation.new_column_kinds(self.estimator.n_features_in_)
        self.model.learn_documents(
            replace(documents, rows=self.representation.transformed(documents.rows)), kinds
        )
        if self._calibrator is not None:
            self._calibrator.add(self, documents)

    def _checked_weights(self, texts: int, targets: Targets, sample_weight: Any) -> Reals | None:
        if texts != len(targets):
            raise ShapeError("texts", (texts,), "labels", (len(targets),))
        if sample_weight is None:
            return None
        if not self.model.takes_weights:
            name = type(self.estimator).__name__
            raise ParameterConflictError(
                "sample_weight", sample_weight, "model", self.estimator, f"{name}.fit takes no sample_weight"
            )
        if np.ndim(sample_weight) == 1 and len(sample_weight) != texts:
            raise ShapeError("texts", (texts,), "sample_weight", (len(sample_weight),))
        weights = checked_weights(sample_weight, texts)
        return None if np.all(weights == 1.0) else weights

    @property
    def fits_in_blocks(self) -> bool:
        """Whether the model is computed from sums, to which documents can be added some at a time."""
        transform = self.representation.transform
        in_blocks = transform is None or hasattr(transform, "fit_counted")
        return in_blocks and self.model.new_statistics(0, False) is not None

    def start(self, documents: Documents) -> None:
        """Fit on the first documents; their columns are those of the vocabulary."""
        if not len(documents):
            raise NoDocumentsError("texts", "one text or more, with a label and a weight above 0")
        self.documents = documents
        self.rebuild()
        if not self.keeps:
            if documents.multilabel and not self.model.takes_targets:
                self.columns_of_labels = documents.targets.classes
            if self._calibrator is not None:
                self._calibrator.tuned(self)
            self.documents = Documents(documents.multilabel)
            self.representation.drop_documents_terms()
            self.model.borrow(None)

    def remove(self, texts: Any, targets: Targets, sample_weight: Any = None, settle: bool = True) -> None:
        """Forget texts."""
        if self.documents is None:
            raise UnfittedError("TextClassifier", "forget")
        self.check_kind(targets)
        self._check_file()
        texts = list(texts) if isinstance(texts, Iterator) else texts
        rows = self.representation.count_known(texts)
        weights = self._checked_weights(len(rows), targets, sample_weight)
        if not len(rows):
            return
        if not self.keeps:
            self._check_in_place("forget")
            self._forget(_counted(rows, targets, weights))
            return
        places = self._find(texts, LabelledRows(rows, targets, weights))
        # A model that is to be refitted has nothing to forget.
        refits = settle and not self.model.learns_in_place
        if self._learns_at_once and not self.is_stale and not refits:
            self._forget(_counted(rows, targets, weights))
            self.is_stale = self._lost_something(rows) if self._learns_in_place else self._lost_class()
        else:
            self.is_stale = True
        self.documents.remove(places)
        if settle and self.model.learns_warmly and len(self.documents):
            self.ready()

    def relabel(
        self, texts: Any, before: Targets, after: Targets, sample_weight: Any = None, settle: bool = True
    ) -> None:
        """Forget texts with their labels and learn them with others."""
        texts = kept_texts(texts)
        self.check_kind(before)
        self.check_kind(after)
        self._checked_weights(len(texts), before, sample_weight)
        self._checked_weights(len(texts), after, sample_weight)
        if not self.keeps:
            self.remove(texts, before, sample_weight, settle)
            self.add(texts, after, sample_weight)
            return
        # All are found before any is learned. Learning comes first, so that a document is always left.
        self._check_file()
        rows = self.representation.count_known(texts)
        weights = self._checked_weights(len(rows), before, sample_weight)
        self._find(texts, LabelledRows(rows, before, weights))
        self.add(texts, after, sample_weight)
        self.remove(texts, before, sample_weight, settle)

    def _forget(self, documents: LabelledRows) -> None:
        self._is_rounded |= documents.weights is not None
        self._known_columns = None
        rows = self.representation.transformed(documents.rows)
        self.model.forget_documents(replace(documents, rows=rows))
        if self._calibrator is not None:
            self._calibrator.remove(self, documents)

    def _find(self, texts: Any, given: LabelledRows) -> list[tuple[int, int]]:
        assert self.documents is not None
        # A text with words that no document has was never learned, even if its other words were.
        unknown = self.representation.total_counts(texts) != given.rows.sums()
        for position in np.flatnonzero(unknown & (given.sample_weight > 0)).tolist():
            raise _not_learned(given, position)
        try:
            return self.documents.find(given)
        except LookupError as error:
            raise _not_learned(given, error.args[0]) from None

    def _lost_something(self, rows: Rows) -> bool:
        """Return whether a term or a class has lost its last document."""
        columns = np.empty(0, dtype=np.int32) if self.representation.is_hashed else rows.columns
        return not self.model.has_all(columns)

    def _lost_class(self) -> bool:
        """Return whether a class of an indicator has lost its last document; only a refit removes it."""
        return self.is_multilabel and not self.model.has_all(np.empty(0, dtype=np.int32))

    def join(self, other: TextModel) -> None:
        """Merge the documents of another model."""
        if self.documents is None or other.documents is None:
            raise UnfittedError("TextClassifier", "merge")
        self._check_number_of_labels(other.documents)
        check_mergeable_labels(self._some_labels, other._some_labels)
        self._check_terms_of(other)
        if not (self.keeps and other.keeps):
            self._check_in_place("merge")
            other._check_in_place("merge")
            self._known_columns = None
            self.estimator.merge(other.estimator, self.representation.join(other.representation))
            return
        self._check_file()
        other._check_file()
        column_of = self.representation.join(other.representation)
        self.documents.join(self._own_terms(other), column_of, self.representation.width)
        self.is_stale = True

    def _check_terms_of(self, other: TextModel) -> None:
        """Check that another model counts all terms that this one counts: searches may have chosen others."""
        for name, value in self.representation.chosen_terms.items():
            others = other.representation.chosen_terms[name]
            if value not in (None, (1, 1), others):
                raise MergeError(f"{name} of their counters, which their searches chose", value, others)

    def _own_terms(self, other: TextModel) -> Documents:
        """Return the documents of another model without the kinds of terms that this one does not count."""
        assert other.documents is not None
        if self.representation.chosen_terms == other.representation.chosen_terms:
            return other.documents
        width = other.representation.width
        kept = np.isin(other.representation.vocabulary.kinds(), self.representation.counted_kinds)
        labelled = other.documents.labelled(width)
        columns = np.where(kept, np.arange(width), -1).astype(np.int32)[labelled.rows.columns]
        found = Documents(other.documents.multilabel)
        found.add(replace(labelled, rows=move_columns(labelled.rows, columns, width)))
        return found

    # What is global.

    @property
    def _learns_in_place(self) -> bool:
        # A model that refits visits documents in order, so it takes them in the order of a first fit.
        in_place = self.model.learns_in_place and not self.model.refits
        return self.representation.rows_are_independent and in_place

    @property
    def _learns_at_once(self) -> bool:
        warm = self.representation.rows_are_independent and self.model.learns_warmly
        return self._learns_in_place or warm

    @property
    def is_settled(self) -> bool:
        """Whether predictions equal those of a fresh fit."""
        return self.is_stale or self.model.is_settled_

    def prepare(self, changes: bool = True) -> None:
        """Compute what fast predictions and, with ``changes``, the first change after loading need."""
        self.ready()
        self.representation.index_terms()
        if changes:
            self.model.prepare()

    def settle(self, always: bool = False) -> None:
        """Refit unless the model equals a fresh fit; ``always`` if there are documents to refit it on."""
        if self.documents is None:
            raise UnfittedError("TextClassifier", "settle")
        if self.is_stale or not self.model.is_settled_ or (always and self.keeps):
            self.rebuild()

    def _check_in_place(self, what: str) -> None:
        """Check that a model without documents can learn without refitting the representation."""
        if not self.model.learns_in_place:
            name = type(self.estimator).__name__
            raise DocumentsNotKeptError(what, f"{name} learns from all documents at once")
        if what == "merge" and not self.representation.rows_are_independent:
            raise DocumentsNotKeptError(what, "The two classifiers have different representations")

    def ready(self) -> None:
        """Refit if necessary."""
        if self.documents is None:
            raise UnfittedError("TextClassifier", "predict")
        if self.is_stale:
            self.rebuild()

    def rebuild(self) -> None:
        """Fit representation and model on the documents, as a first fit does."""
        assert self.documents is not None
        if not len(self.documents):
            raise UnfittedError("TextClassifier", "predict")
        self.documents.drop_unused_classes()
        represented = self.representation.fit(self.documents)
        kinds = self.representation.column_kinds() if self.model.searches else None
        self.estimator = self.model.to_refit()
        self.model.fit_documents(represented, self._reader(), kinds)
        self.is_stale = self._is_rounded = False
        self._known_columns = None
        if self._calibrator is not None:
            self._calibrator.reset()

    def reconsider(self) -> None:
        """Search again."""
        if not self.model.searches:
            why = "reconsider repeats the search for a recipe, and this model was not found by a search"
            raise ParameterError("model", self.estimator, "'auto' as model= and fit again", why)
        if not self.keeps:
            raise DocumentsNotKeptError("reconsider", "The search evaluates recipes on the documents")
        self.estimator = clone(self.estimator)
        self.rebuild()

    def _check_file(self) -> None:
        """Check the documents of a model file, and the terms if a refit will use them."""
        assert self.documents is not None
        self.documents.read_entries()
        if not self._learns_at_once:
            self.representation.check_terms()

    def check_kind(self, given: Targets) -> None:
        """Raise LabelsError unless these are labels of the kind that was learned."""
        self._check_number_of_labels(given)
        given.check_like(self._some_labels, given.multilabel)

    def _check_number_of_labels(self, given: Targets | Documents) -> None:
        if given.multilabel != self.is_multilabel:
            raise LabelsError(kind_of_labels(given.multilabel), kind_of_labels(self.is_multilabel))

    @property
    def _some_labels(self) -> list[Any]:
        """Labels that were learned, one at least."""
        assert self.documents is not None
        return self.documents.some_labels if self.keeps else list(self.classes.tolist())

    # Reading.

    @property
    def classes(self) -> NDArray[Any]:
        """The labels, sorted."""
        if self.columns_of_labels is not None:
            return self.columns_of_labels
        if not self.model.takes_targets and self.keeps and self.documents is not None:
            return self.documents.targets.of_used_classes().classes
        return np.asarray(self.estimator.classes_)

    def read(self, texts: Any) -> Rows:
        """Represent texts as rows."""
        self.ready()
        return self.represent(self.representation.read_counts(texts))

    def represent(self, counts: Rows) -> Rows:
        """Represent counts of texts as rows; a hashed term that no document has is unknown, and ignored."""
        rows = self.representation.transformed(counts)
        if not self.representation.is_hashed or self.model.statistics_ is None:
            return rows
        if self._known_columns is None:
            self._known_columns = self.term_documents() > 0
        return known_entries(rows, self._known_columns)

    # Answering.

    @property
    def tuned(self) -> Tuned | None:
        """The calibration, and the thresholds of several labels; None for the answers of the model itself."""
        return self.model.tuned_ if self._calibrator is None else self._calibrator.tuned(self)

    @property
    def thresholds(self) -> Reals | None:
        """The tuned thresholds of several labels; None if the model decides by itself."""
        tuned = self.tuned if self.is_multilabel else None
        return None if tuned is None else tuned.thresholds

    @property
    def calibrates(self) -> bool:
        """Whether probabilities are calibrated."""
        return self._calibrator is not None

    def calibrate_on(self, sample: Sample) -> None:
        """Calibrate a model whose documents were read and not kept."""
        if self._calibrator is not None:
            self._calibrator.tune_on(self, sample)

    def answer(self, counts: Rows, *methods: str, given: tuple[Any, ...] = ()) -> list[Any]:
        """Call methods on rows of counts: of the model, or of its calibrated answers."""
        rows = self.represent(counts)
        found = []
        for method in methods:
            # With one label a calibration changes nothing but probabilities.
            if self.tuned is not None and (self.is_multilabel or method in _PROBABILITIES):
                answers = CalibratedAnswers(self.estimator.answers(), self.tuned, counts.sums())
                found.append(getattr(answers, method)(rows, *given))
            else:
                found.append(getattr(self.estimator, method)(self.model.model_input(rows), *given))
        return found

    def contributions(self, row: Rows) -> Contributions:
        """Return what each entry of one row adds to each class; thresholds are in the bias."""
        parts, thresholds = self.model.contributions(row), self.thresholds
        return parts if thresholds is None else Contributions(parts.bias - thresholds, parts.entries)

    # Calibrating.

    def counted_blocks(self) -> Iterator[LabelledRows]:
        """Yield the counts of the documents, before the transform, some at a time."""
        assert self.documents is not None
        return self.representation.counted_blocks(self.documents)

    def term_documents(self) -> NDArray[np.integer]:
        """Return the number of documents with each term of the model."""
        statistics = self.model.statistics_
        if statistics is not None:
            return statistics.sums.terms()[2]
        rows = self.represented().rows
        return np.bincount(rows.columns[rows.values != 0], minlength=rows.width)

    def statistics(self) -> ClassStatistics:
        """Return the statistics of the represented documents: the model's, or new ones."""
        own = self.model.statistics_
        if own is not None:
            return own
        if not self.keeps or self.documents is None:
            name = type(self.estimator).__name__
            raise DocumentsNotKeptError("inspect", f"{name} keeps no statistics")
        documents = self.represented()
        sums = ClassStatistics(documents.rows.width, documents.targets.multilabel)
        sums.add(documents)
        return sums

    def represented(self) -> LabelledRows:
        """Return the documents in the representation of the model."""
        assert self.documents is not None
        return _represented(self.representation, self.documents)

    def _reader(self) -> Reader:
        """Return a function that reads the documents again; it does not hold the model, which holds it."""
        assert self.documents is not None
        return partial(_represented, self.representation, self.documents)

    def leave_one_out(self) -> LeaveOneOut | None:
        """Classify the documents, each by the model without it."""
        assert self.documents is not None
        if not self.keeps:
            raise DocumentsNotKeptError("leave_one_out", "It classifies the documents that were learned")
        if self.model.new_statistics(0, False) is None:
            left = leave_out(self.estimator, self.represented(), self.thresholds)
            return None if left is None else left.quality
        documents, targets = self.documents, self.documents.targets
        blocks = partial(self.representation.represented_blocks, documents)
        return leave_out_blocks(self.estimator, blocks, targets, self.thresholds)

    def counted(self) -> LabelledRows:
        """Return the counts of the documents, before the transform."""
        assert self.documents is not None
        documents = self.representation.counted(self.documents)
        return replace(documents, targets=documents.targets.of_used_classes())

    @property
    def document_count(self) -> int:
        """The number of documents."""
        if self.documents is not None and len(self.documents):
            return len(self.documents)
        if self.model.searches:
            return round(float(self.estimator.documents_))
        if (
            self.model.statistics_ is None
            and not self.is_multilabel
            and hasattr(self.estimator, "class_documents_")
        ):
            return round(float(np.sum(self.estimator.class_documents_)))
        return round(self.statistics().documents)

    # In a model file.

    def store(self) -> Stored:
        """Return everything as a configuration and arrays; ``must_rebuild_to_store`` must be false."""
        assert self.documents is not None
        if self._has_late_terms:
            return self._with_sorted_columns().store()
        tuned = self.tuned
        stored = self.representation.store(self.keeps)
        if tuned is not None:
            stored = stored.with_part("calibration", tuned.store())
        # The file contains the documents only once, as those of the classifier.
        stored = stored.with_part("model", store_estimator(self.model.without_documents()))
        if self.keeps:
            self.documents.order_by(self.representation.order_columns())
            self.documents.drop_unused_classes()
        stored = stored.with_part("documents", self.documents.store())
        if self.columns_of_labels is not None:
            labels = store_labels(self.columns_of_labels.tolist(), self.columns_of_labels.dtype)
            stored = stored.with_part("columns_of_labels", labels)
        if self.label_separator is not None:
            stored.configuration["label_separator"] = self.label_separator
        return stored

    @property
    def must_rebuild_to_store(self) -> bool:
        """Whether a file of a fresh fit would differ from one of this model, though it answers the same."""
        # The last bits of sums of weights depend on the order of adding.
        rounded = self._is_rounded and self.keeps and self._learns_in_place
        return rounded or (self._has_late_terms and not self.model.learns_warmly)

    @property
    def _has_late_terms(self) -> bool:
        return self.keeps and self.representation.vocabulary.late_terms() > 0

    def _with_sorted_columns(self) -> Self:
        """Return a copy with the columns in the order of their terms, without a refit."""
        assert self.documents is not None
        twin = copy.copy(self)
        twin.documents = self.documents.copy()
        twin.representation, order = self.representation.with_sorted_columns(twin.documents)
        twin.estimator = self.model.with_columns(order)
        return twin

    @classmethod
    def of_fitted(cls, counter: TextCounter, transform: Any, model: Any) -> Self:
        """Make a model of fitted parts, without documents."""
        made = cls(counter, None, model, keep_documents=False, calibrates=False)
        made.representation.transform = transform
        if not made.representation.is_hashed:
            made.representation.counter = counter
            made.representation.vocabulary = counter.core_vocabulary
        made.estimator = model
        made.documents = Documents(bool(getattr(model, "multilabel_", False)))
        return made

    @classmethod
    def restore(cls, stored: Stored, keep_documents: bool, calibrates: bool) -> Self:
        """Load everything."""
        made = cls.__new__(cls)
        made.representation = TextRepresentation.restore(stored, keep_documents)
        made.estimator, made.keeps = restore_estimator(stored.part("model")), keep_documents
        stored.check(_is_fitted(made.estimator), "its model is not fitted")
        made.documents = Documents.restore(stored.part("documents"), made.representation.width)
        made.is_stale, made.narrows, made._is_rounded = False, False, False
        made.lock = Lock()
        made.columns_of_labels = _restored_columns(stored, made.estimator)
        made.label_separator = restored_separator(stored)
        made.representation.check_widths(stored, made.estimator)
        made.model.borrow(made._reader() if keep_documents else None)
        made._calibrator = Calibrator() if calibrates and made.model.calibratable else None
        if made._calibrator is not None:
            classes = getattr(made.estimator, "classes_", np.empty(0))
            tuned = restored_calibration(stored, len(classes), made.is_multilabel)
            made._calibrator.use(tuned, classes)
        return made


def _is_fitted(estimator: Any) -> bool:
    return bool(getattr(estimator, "__sklearn_is_fitted__", lambda: True)())


def _restored_columns(stored: Stored, model: Any) -> NDArray[Any] | None:
    if not stored.has_part("columns_of_labels"):
        return None
    labels, dtype = restore_labels(stored.part("columns_of_labels"))
    fit = len(labels) == len(getattr(model, "classes_", ()))
    stored.check(fit, "the number of its labels is not the number of its classes")
    return np.array(labels, dtype=dtype)


def _represented(representation: TextRepresentation, documents: Documents) -> LabelledRows:
    found = representation.represent(documents)
    return replace(found, targets=found.targets.of_used_classes())


def kind_of_labels(multilabel: bool) -> str:
    """Return the kind of labels, for messages."""
    return "a list of labels per text" if multilabel else "one label per text"


def _counted(rows: Rows, targets: Targets, weights: Reals | None) -> LabelledRows:
    """Return the documents without those of weight 0, and without classes that only these have."""
    documents = LabelledRows(rows, targets, weights)
    counted = documents.counted()
    return documents if counted is documents else replace(counted, targets=counted.targets.of_used_classes())


def _not_learned(given: LabelledRows, position: int) -> NotLearnedError:
    own = given.targets.take(np.array([position]))
    labels = own.label_lists()[0]
    label = labels if own.multilabel else labels[0]
    return NotLearnedError.of_text(position, label, float(given.sample_weight[position]))
