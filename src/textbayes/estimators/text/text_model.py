"""What a TextClassifier has learned: documents, their representation, and a model of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import _check_sample_weight, has_fit_parameter

from textbayes._native import Vocabulary
from textbayes.counts import Rows, TextReader, as_rows
from textbayes.errors import (
    DocumentsNotKeptError,
    LabelsError,
    NoTermsLeftError,
    NotLearnedError,
    ParameterConflictError,
    ParameterError,
    ShapeError,
    UnfittedError,
)
from textbayes.estimators.auto import AutoNB
from textbayes.estimators.auto.pairs import pair_mask
from textbayes.estimators.base.classifier import CountsClassifier
from textbayes.estimators.base.naive_bayes import NaiveBayesClassifier
from textbayes.estimators.models.mixture import PoissonMixtureNB
from textbayes.estimators.text.counter import TextCounter
from textbayes.estimators.text.frequency import FrequencyTransform
from textbayes.estimators.text.term_selection import TermSelector
from textbayes.persistence import Stored
from textbayes.statistics import ClassStatistics, Documents, LabelledRows, Targets

Reals = NDArray[np.float64]

# Terms that came since the columns were last sorted. With more of them all is worked out anew, so that
# sorting them after each text stays cheap.
_MOST_LATE_TERMS = 4096


class TextModel:
    """Documents, their representation, and a model of it, kept in step.

    With documents kept, what is global (which terms there are and which of them the counter's cuts leave,
    document frequencies, lengths) is worked out from all of them, when a prediction needs it and something
    has changed. Where each text's row depends on that text alone, the model learns and forgets in place.
    """

    def __init__(self, counter: TextCounter, transform: Any, model: Any, keep_documents: bool) -> None:
        self.counter, self.model = clone(counter), clone(model)
        self.transform = None if transform is None else clone(transform)
        self.keeps = keep_documents
        self.documents: Documents | None = None
        # Of the documents; the counter has another when cuts leave some of its terms out.
        self.vocabulary = Vocabulary()
        self.is_stale = False
        self.unchecked: Stored | None = None
        # The names of an indicator's columns, for a model that learned from one and has no documents to ask.
        self.columns_of_labels: NDArray[Any] | None = None
        self.prepare()

    def prepare(self) -> None:
        """Make the reader that the counter's settings ask for."""
        settings, self.cuts, threads = self.counter._checked()
        self.reader = TextReader(settings.rules(), threads, self.counter.dimensions)

    # Learning.

    def add(self, texts: Any, targets: Targets, sample_weight: Any = None) -> None:
        """Learn texts; nothing is changed when an error is raised."""
        counting = self.reader.count(texts)
        weights = self._checked_weights(len(counting), targets, sample_weight)
        if self.documents is None:
            first = Documents(targets.multilabel)
            first.add(_counted(self.reader.grow(counting, self.vocabulary), targets, weights))
            self._start(first)
            return
        self._check_kind(targets)
        if not self.keeps:
            self._check_in_place("teach")
            self._learn(_counted(self._grown_or_known(counting), targets, weights))
            return
        self.check_documents()
        rows = self.reader.grow(counting, self.vocabulary)
        documents = _counted(rows, targets, weights)
        # Words of a text of weight 0 are not terms.
        in_place = self._learns_in_place and not self.is_stale and len(documents) == len(rows)
        if in_place:
            self._learn(documents)
        self.documents.add(documents)
        self.is_stale = not in_place or self.vocabulary.late_terms() > _MOST_LATE_TERMS

    def _learn(self, documents: LabelledRows) -> None:
        self._widen_transform(documents.rows.width)
        rows = self._transformed(documents.rows).matrix
        self.model.partial_fit(rows, documents.targets, sample_weight=documents.weights)

    def _checked_weights(self, texts: int, targets: Targets, sample_weight: Any) -> Reals | None:
        if texts != len(targets):
            raise ShapeError("texts", (texts,), "labels", (len(targets),))
        if sample_weight is None:
            return None
        if not has_fit_parameter(self.model, "sample_weight"):
            name = type(self.model).__name__
            raise ParameterConflictError(
                "sample_weight", sample_weight, "model", self.model, f"{name}.fit takes no sample_weight"
            )
        weights: Reals = _check_sample_weight(
            sample_weight, np.empty(texts), dtype=np.float64, ensure_non_negative=True
        )
        return None if np.all(weights == 1.0) else weights

    def _widen_transform(self, width: int) -> None:
        if self.transform is not None and self._rows_are_their_own:
            self.transform._widen(width)

    def _start(self, first: Documents) -> None:
        self.documents = first
        try:
            self.rebuild()
        except BaseException:
            self.documents, self.vocabulary = None, Vocabulary()
            raise
        if not self.keeps:
            if first.multilabel and not _takes_targets(self.model):
                self.columns_of_labels = first.targets.of_used_classes().classes
            self.documents, self.vocabulary = Documents(first.multilabel), self.counter_vocabulary

    def remove(self, texts: Any, targets: Targets, sample_weight: Any = None) -> None:
        """Forget texts; nothing is changed when one was never learned."""
        if self.documents is None:
            raise UnfittedError("TextClassifier", "forget")
        self._check_kind(targets)
        self.check_documents()
        texts = list(texts) if isinstance(texts, Iterator) else texts
        rows = self.reader.read(texts, self.vocabulary)
        weights = self._checked_weights(len(rows), targets, sample_weight)
        if not self.keeps:
            self._check_in_place("forget")
            self._forget(_counted(rows, targets, weights))
            return
        places = self._find(texts, LabelledRows(rows, targets, weights))
        if self._learns_in_place and not self.is_stale:
            self._forget(_counted(rows, targets, weights))
            self.is_stale = self._lost_something(rows)
        else:
            self.is_stale = True
        self.documents.remove(places)

    def _forget(self, documents: LabelledRows) -> None:
        rows = self._transformed(documents.rows).matrix
        self.model.forget(rows, documents.targets, sample_weight=documents.weights)

    def _find(self, texts: Any, given: LabelledRows) -> list[tuple[int, int]]:
        assert self.documents is not None
        # A text with words that no document has was never learned, though its other words may have been.
        terms = replace(self.reader, dimensions=2**31 - 1).read(texts, self.vocabulary).sums()
        for position in np.flatnonzero((terms != given.rows.sums()) & (given.sample_weight > 0)).tolist():
            raise _not_learned(given, position)
        try:
            return self.documents.find(given)
        except LookupError as error:
            raise _not_learned(given, error.args[0]) from None

    def _lost_something(self, rows: Rows) -> bool:
        """Tell whether a term or a class has no document any more: then there is one fewer."""
        columns = rows.columns if self.reader.dimensions is None else np.empty(0, dtype=np.int32)
        return not self.model._statistics.has_all(columns)

    def join(self, other: TextModel) -> None:
        """Learn what another has learned."""
        if self.documents is None or other.documents is None:
            raise UnfittedError("TextClassifier", "merge")
        if self.documents.multilabel != other.documents.multilabel:
            raise LabelsError(_kind(other.documents.multilabel), _kind(self.documents.multilabel))
        if not (self.keeps and other.keeps):
            self._check_in_place("merge")
            other._check_in_place("merge")
            column_of = None if self.reader.dimensions else self.vocabulary.join(other.vocabulary)
            with self.model._changing() as statistics:
                statistics.merge(other.model._statistics, column_of)
            self.model.n_features_in_ = self.model._statistics.columns
            return
        self.check_documents()
        other.check_documents()
        width = other.reader.width(other.vocabulary)
        column_of = np.arange(width, dtype=np.uint32)
        if self.reader.dimensions is None:
            column_of = self.vocabulary.join(other.vocabulary)
        self.documents.join(other.documents, column_of, self.reader.width(self.vocabulary))
        self.is_stale = True

    # What is global.

    @property
    def _rows_are_their_own(self) -> bool:
        """True when a text's row depends on nothing but that text and the terms there are."""
        alone = self.transform is None or (
            isinstance(self.transform, FrequencyTransform)
            and not self.transform.idf
            and self.transform.length != "mean"
        )
        return alone and not self.cuts.active

    @property
    def _learns_in_place(self) -> bool:
        return self._rows_are_their_own and isinstance(self.model, NaiveBayesClassifier)

    def _check_in_place(self, what: str) -> None:
        """Without documents, other texts must leave the representation as it is."""
        if not isinstance(self.model, NaiveBayesClassifier):
            raise DocumentsNotKeptError(
                what, f"{type(self.model).__name__} learns from all documents at once"
            )
        if what == "merge" and not self._rows_are_their_own:
            raise DocumentsNotKeptError(what, "The two classifiers have representations of their own")

    def _grown_or_known(self, counting: Any) -> Rows:
        if self._rows_are_their_own:
            return self.reader.grow(counting, self.vocabulary)
        counting.name_by(self.vocabulary)
        return self.reader.take(counting, self.vocabulary)

    def ready(self) -> None:
        """Work out what is global, if something has changed."""
        if self.documents is None:
            raise UnfittedError("TextClassifier", "predict")
        if self.is_stale:
            self.check_documents()
            self.rebuild()

    def rebuild(self) -> None:
        """Work out vocabulary, representation and model from the documents, as a first fit does."""
        assert self.documents is not None
        documents = self.documents
        if not len(documents):
            raise UnfittedError("TextClassifier", "predict")
        if self.reader.dimensions is None:
            self._sort_columns()
        documents.drop_unused_classes()
        rows = documents.labelled(self.reader.width(self.vocabulary)).rows
        if self.reader.dimensions is None:
            rows, self.counter._vocabulary = self._cut(rows)
        transformed = rows
        if self.transform is not None:
            labels, weights = self._labels_for(self.transform), self._weights_for(self.transform)
            transformed = as_rows(self.transform.fit_transform(rows.matrix, labels, **weights))
        if isinstance(self.model, AutoNB):
            self._fit_automatic(self.model, transformed)
        else:
            labels, weights = self._labels_for(self.model), self._weights_for(self.model)
            self.model.fit(transformed.matrix, labels, **weights)
        self.is_stale = False

    def _weights_for(self, estimator: Any) -> dict[str, Reals]:
        """The documents' weights, if they have any and the estimator takes them."""
        assert self.documents is not None
        weights = self.documents.weights
        if weights is None or not has_fit_parameter(estimator, "sample_weight"):
            return {}
        return {"sample_weight": weights}

    def _fit_automatic(self, model: AutoNB, rows: Rows) -> None:
        """Search the first time, and from then on learn by the recipe that was found."""
        documents = LabelledRows(rows, self._labels_for(model))
        model.fit_borrowed(documents, self.kept, self._pair_columns())
        self.lend()

    def lend(self) -> None:
        """Let an automatic choice read the documents, which are kept here: once is enough."""
        if isinstance(self.model, AutoNB):
            self.model.borrow(self.kept if self.keeps else None)

    def reconsider(self) -> None:
        """Search again; nothing is changed when an error is raised."""
        before = self.model
        if not isinstance(before, AutoNB):
            why = "reconsider repeats the search for a recipe, and this model was not found by a search"
            raise ParameterError("model", before, "'auto' as model= and fit again", why)
        if not self.keeps:
            raise DocumentsNotKeptError("reconsider", "What suits the documents is searched among recipes")
        self.check_documents()
        self.model = clone(before)
        try:
            self.rebuild()
        except BaseException:
            self.model = before
            raise

    def _pair_columns(self) -> NDArray[np.bool_] | None:
        """Which columns of the model hold word pairs: those whose terms have a space between two tokens."""
        counter = self.counter
        if self.reader.dimensions is not None or counter.unit != "word" or counter.ngram_range[0] > 1:
            return None
        if counter.ngram_range[1] == 1 or not hasattr(self.transform or counter, "get_feature_names_out"):
            return None
        terms = self._terms()
        pairs = pair_mask(terms, len(terms))
        return None if pairs.all() else pairs

    def _sort_columns(self) -> None:
        """Leave out terms that no document has any more, and put the others in order."""
        assert self.documents is not None
        width = len(self.vocabulary)
        live = np.zeros(width, dtype=bool)
        live[self.documents.labelled(width).rows.columns] = True
        if not live.any():
            raise NoTermsLeftError(len(self.documents), 0)
        if live.all() and not self.vocabulary.late_terms():
            return
        order = self.vocabulary.sorted()
        order = order[live[order]]
        column_of = np.zeros(width, dtype=np.int64)
        column_of[order] = np.arange(len(order))
        self.documents.renumber(column_of, len(order))
        self.vocabulary = self.vocabulary.select(order)

    def _cut(self, rows: Rows) -> tuple[Rows, Vocabulary]:
        """Leave out the terms that the counter's cuts leave out."""
        if not self.cuts.active:
            return rows, self.vocabulary
        documents_with = np.bincount(rows.columns, minlength=rows.width).astype(np.uint64)
        occurrences = np.bincount(rows.columns, rows.values, minlength=rows.width).astype(np.uint64)
        keep = self.cuts.kept(documents_with, occurrences, len(rows))
        return as_rows(rows.matrix[:, keep]), self.vocabulary.select(np.flatnonzero(keep).astype(np.uint32))

    def _labels_for(self, estimator: Any) -> Any:
        """Labels as our own estimators take them, or scikit-learn's: one a document, or an indicator."""
        assert self.documents is not None
        targets = self.documents.targets
        if _takes_targets(estimator):
            return targets
        if not targets.multilabel:
            return targets.classes[targets.codes]
        return targets.indicator().astype(np.int64)

    def _check_kind(self, targets: Targets) -> None:
        assert self.documents is not None
        if targets.multilabel != self.documents.multilabel:
            raise LabelsError(_kind(targets.multilabel), _kind(self.documents.multilabel))

    # Reading.

    @property
    def classes(self) -> NDArray[Any]:
        """The labels, sorted."""
        if self.columns_of_labels is not None:
            return self.columns_of_labels
        if not isinstance(self.model, NaiveBayesClassifier) and self.keeps and self.documents is not None:
            self.check_documents()
            return self.documents.targets.of_used_classes().classes
        return np.asarray(self.model.classes_)

    @property
    def counter_vocabulary(self) -> Vocabulary:
        """The terms of the representation."""
        hashed = self.reader.dimensions is not None
        found: Vocabulary = self.vocabulary if hashed else self.counter._vocabulary
        return found

    def read(self, texts: Any) -> Rows:
        """Represent texts as the model takes them."""
        self.ready()
        return self._transformed(self.reader.read(texts, self.counter_vocabulary))

    def _transformed(self, rows: Rows) -> Rows:
        if self.transform is None:
            return rows
        if isinstance(self.transform, FrequencyTransform):
            return self.transform._transform_rows(rows)
        return as_rows(self.transform.transform(rows.matrix))

    def term_names(self) -> Callable[[int], str]:
        """Return what gives the name of a column of the model."""
        if self.reader.dimensions is not None:
            return lambda column: f"hashed{column}"
        names = self._terms()
        return lambda column: str(names[column])

    def _terms(self) -> NDArray[Any]:
        """The terms of the model's columns."""
        names = self.counter.get_feature_names_out()
        return names if self.transform is None else np.asarray(self.transform.get_feature_names_out(names))

    def as_input(self, rows: Rows) -> Any:
        """Rows as the model takes them."""
        return rows if isinstance(self.model, CountsClassifier) else rows.matrix

    def statistics(self) -> ClassStatistics:
        """Sums of the documents as the model takes them: its own, or worked out from those kept."""
        if isinstance(self.model, NaiveBayesClassifier):
            return self.model._statistics
        if not self.keeps or self.documents is None:
            raise DocumentsNotKeptError("inspect", f"{type(self.model).__name__} keeps no sums of its own")
        documents = self.kept()
        sums = ClassStatistics(documents.rows.width, documents.targets.multilabel)
        sums.add(documents)
        return sums

    def kept(self) -> LabelledRows:
        """The documents that are kept, as the model takes them."""
        assert self.documents is not None
        self.check_documents()
        documents = self.documents.labelled(self.reader.width(self.vocabulary))
        rows = documents.rows
        if self.reader.dimensions is None:
            rows, _ = self._cut(rows)
        return replace(documents, rows=self._transformed(rows), targets=documents.targets.of_used_classes())

    @property
    def document_count(self) -> int:
        """How many documents were learned."""
        if self.keeps and self.documents is not None:
            return len(self.documents)
        return round(self.statistics().documents)

    def check_documents(self) -> None:
        """Check the documents of a file, before they are first used."""
        if self.unchecked is not None and self.documents is not None:
            if not self._learns_in_place:
                # Terms are found by bisection, which does not see one that is there twice; a rebuild does.
                terms = np.arange(len(self.vocabulary), dtype=np.uint32)
                distinct = len(self.vocabulary.select(terms)) == len(terms)
                self.unchecked.check(distinct, "a term is in its vocabulary twice")
            self.unchecked = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "reader": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.prepare()


def _takes_targets(estimator: Any) -> bool:
    """Tell whether an estimator learns labels by their names; others learn the columns of an indicator."""
    return isinstance(estimator, NaiveBayesClassifier | PoissonMixtureNB | TermSelector | AutoNB)


def _kind(multilabel: bool) -> str:
    return "a list of labels a text" if multilabel else "one label a text"


def _counted(rows: Rows, targets: Targets, weights: Reals | None) -> LabelledRows:
    """The documents without those of weight 0, and without classes of these alone."""
    documents = LabelledRows(rows, targets, weights)
    counted = documents.counted()
    return documents if counted is documents else replace(counted, targets=counted.targets.of_used_classes())


def _not_learned(given: LabelledRows, position: int) -> NotLearnedError:
    label, weight = _label_of(given.targets, position), float(given.sample_weight[position])
    return NotLearnedError(label, position=int(position), weight=weight)


def _label_of(targets: Targets, position: int) -> Any:
    own = targets.classes[targets.codes[targets.starts[position] : targets.starts[position + 1]]].tolist()
    return own if targets.multilabel else own[0]
