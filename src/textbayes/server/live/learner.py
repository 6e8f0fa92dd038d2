"""Learner: a classifier that learns the rows of a store, one version after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Self

from sklearn.base import clone

from textbayes.errors import TextbayesError, UnfittedError
from textbayes.estimators import TextClassifier
from textbayes.server.store import Change, State


class Learner:
    """A classifier at one version of a store.

    The result depends on the rows alone, never on how many of them come at a time: so whoever learns the same
    rows, at whatever time, has the same model once it is settled.

    Parameters
    ----------
    classifier : TextClassifier
        A classifier, which may have learned nothing yet.
    version : int
        The last row that it has learned.

    Attributes
    ----------
    failed : list of int
        The rows that it could not learn.
    erased : int
        The last row that erases a document, 0 for none.
    """

    def __init__(self, classifier: TextClassifier, version: int = 0) -> None:
        self.classifier, self.version = classifier, version
        # While nothing is learned: texts that have no terms, or not yet.
        self._held: list[State] = []
        self.failed: list[int] = []
        self.erased = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing is learned."""
        return documents_of(self.classifier) == 0

    @property
    def is_settled(self) -> bool:
        """Whether the classifier equals a fresh fit on its texts."""
        return self.is_empty or self.classifier.is_settled_

    def fork(self) -> Self:
        """Return a learner that shares everything with this one until one of them learns."""
        twin = type(self)(self.classifier.fork(), self.version)
        twin._held, twin.failed, twin.erased = list(self._held), list(self.failed), self.erased
        return twin

    def learn(self, changes: Sequence[Change]) -> None:
        """Learn rows: those of whole requests, in the order of their versions."""
        rest = list(changes)
        self.erased = max((change.version for change in rest if change.kind == "erase"), default=self.erased)
        while rest:
            documents = documents_of(self.classifier)
            if sum(change.before is not None for change in rest) < documents:
                count = len(rest)
            else:  # the model may be empty before the last of them; it then begins with one request
                count = sum(change.request == rest[0].request for change in rest)
            if documents == 0:
                self._begin(rest[:count])
            else:
                self._go_on(rest[:count])
            self.version = rest[count - 1].version
            rest = rest[count:]

    def _begin(self, changes: Iterable[Change]) -> None:
        """Fit on the texts of one request, and of those before it that had no terms."""
        for change in changes:
            if change.before is not None and change.before in self._held:
                self._held.remove(change.before)
            if change.after is not None:
                self._held.append(change.after)
        if self._held:
            try:
                self.classifier = clone(self.classifier).fit(*columns_of(self._held))
            except TextbayesError:
                return
            _forget_times(self.classifier)
            self._held = []

    def _go_on(self, changes: Iterable[Change]) -> None:
        for kind, rows in _calls(changes):
            try:
                self._call(kind, rows)
            except TextbayesError:
                for row in rows:
                    self._call_alone(kind, row)

    def _call(self, kind: str, rows: Sequence[Change]) -> None:
        before = [row.before for row in rows if row.before is not None]
        after = [row.after for row in rows if row.after is not None]
        if kind == "teach":
            self.classifier.teach(*columns_of(after))
        elif kind == "forget":
            self.classifier.forget(*columns_of(before), settle=False)
        else:
            texts, labels, weights = columns_of(before)
            self.classifier.relabel(texts, labels, columns_of(after)[1], weights, settle=False)

    def _call_alone(self, kind: str, row: Change) -> None:
        try:
            self._call(kind, [row])
        except TextbayesError:
            if self.is_empty and row.after is not None:
                self._held.append(row.after)
            else:
                self.failed.append(row.version)


def documents_of(classifier: TextClassifier) -> int:
    """Return how many documents a classifier has learned, 0 if it has learned nothing.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.server.live.learner import documents_of
    >>> documents_of(TextClassifier()), documents_of(TextClassifier("complement").fit(["oil"], ["oil"]))
    (0, 1)
    """
    try:
        return classifier.documents_
    except UnfittedError:
        return 0


def columns_of(states: Iterable[State]) -> tuple[list[str], list[Any], list[float]]:
    """Return texts, labels and weights as a classifier takes them.

    Examples
    --------
    >>> from textbayes.server.live.learner import columns_of
    >>> from textbayes.server.store import State
    >>> columns_of([State("crude oil", ("oil", "trade"))])
    (['crude oil'], [['oil', 'trade']], [1.0])
    """
    found = list(states)
    labels = [list(each.labels) if isinstance(each.labels, tuple) else each.labels for each in found]
    return [each.text for each in found], labels, [each.weight for each in found]


def _forget_times(classifier: TextClassifier) -> None:
    """Forget how long a search took, so that the same rows give the same model file."""
    board = getattr(classifier.model_, "leaderboard_", None)
    if board is not None:
        classifier.model_.leaderboard_ = board.untimed()


def _calls(changes: Iterable[Change]) -> Iterator[tuple[str, list[Change]]]:
    """Split rows into runs that one call of the classifier can learn."""
    run: list[Change] = []
    kind, changed = "", set[str | None]()
    for change in changes:
        for step in _steps(change):
            now = _kind(step)
            # A call forgets first, so a document that changes twice needs two calls.
            again = now == "relabel" and step.document in changed
            if run and (now != kind or again):
                yield kind, run
                run, changed = [], set()
            kind = now
            run.append(step)
            changed.add(step.document)
    if run:
        yield kind, run


def _kind(change: Change) -> str:
    if change.before is None:
        return "teach"
    return "forget" if change.after is None else "relabel"


def _steps(change: Change) -> Iterator[Change]:
    """Split a change of the text or the weight into two: a classifier can only relabel."""
    before, after = change.before, change.after
    if before == after:  # none of a document, or one that was erased
        return
    if before is None or after is None or (before.text, before.weight) == (after.text, after.weight):
        yield change
    else:
        yield replace(change, after=None)
        yield replace(change, before=None)
