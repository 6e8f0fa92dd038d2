"""Inspection: what a text classifier has learned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text
from scipy import sparse

from textbayes.counts import Rows, as_rows
from textbayes.errors import DocumentsNotKeptError, ParameterError
from textbayes.errors.checks import check_whole
from textbayes.errors.printable import printable, printable_text
from textbayes.estimators.auto import Leaderboard, described_updates
from textbayes.estimators.models.left_out import LeaveOneOut, LeftOut, leave_out
from textbayes.estimators.views.ranking import strongest_terms
from textbayes.measures import metric_title, most_confused
from textbayes.statistics import ClassStatistics, LabelledRows

if TYPE_CHECKING:
    from textbayes.estimators.text.text_model import TextModel

Reals = NDArray[np.float64]

# Number of terms of a class whose weights are compared: those most typical of it, by their counts.
_CANDIDATES = 500
_MOST_CONFUSED = 10
_BEST_TRIED = 5
_RULED_OUT = 1e3


@dataclass(frozen=True)
class InspectedClass:
    """One class.

    Parameters
    ----------
    label : label
        The label.
    documents : float
        Number of documents.
    terms : list of (str, float)
        Its strongest terms, with their evidence for the class over the average class, per hundred words.
        Character n-grams come after the words, if there are too few words.
    """

    label: Any
    documents: float
    terms: list[tuple[str, float]]


@dataclass(frozen=True)
class Confusion:
    """Documents of one class that the model confuses with another, in leave-one-out.

    Parameters
    ----------
    label, other : label
        True and predicted class.
    documents : int
        Number of documents.
    share : float
        Share of the documents of the class.
    """

    label: Any
    other: Any
    documents: int
    share: float


@dataclass(frozen=True)
class ClosePair:
    """Two classes with similar weights.

    Parameters
    ----------
    label, other : label
        A class, and one that is close to it.
    lead : float
        Mean lead of the first over the second, per hundred words of its documents, in the unit of the scores;
        small if they are close.
    share : float
        The lead as a share of the mean lead over all pairs of classes, which has no unit.
    """

    label: Any
    other: Any
    lead: float
    share: float


@dataclass(frozen=True)
class Inspection:
    """What a model has learned: sizes, strongest terms of each class, confusions.

    Parameters
    ----------
    model : str
        The model as code.
    documents : float
        Number of documents learned.
    vocabulary : int
        Number of terms.
    classes : list of InspectedClass
        The classes.
    closest : list of ClosePair
        Pairs of classes with the closest weights, the closest first.
    leave_one_out : LeaveOneOut or None
        Leave-one-out figures. None without documents, for a model that cannot leave documents out, and if
        not requested.
    confusions : list of Confusion or None
        Confusions in leave-one-out, the most frequent first; None if ``leave_one_out`` is.
    settled : bool
        Whether the model equals a fresh fit on its documents; if not, ``settle`` makes it so.
    recipe : str or None
        The recipe of an automatic model.
    updates : {"exact", "any"} or None
        Whether the recipe is updated exactly, or approximately until it is settled.
    leaderboard : Leaderboard or None
        The best candidates of the search.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> texts = ["wheat and corn", "wheat and rice", "crude and oil", "oil and gas"]
    >>> found = TextClassifier("complement").fit(texts, ["grain", "grain", "oil", "oil"]).inspect(terms=1)
    >>> [(one.label, one.documents, one.terms[0][0]) for one in found.classes]
    [('grain', 2.0, 'wheat'), ('oil', 2.0, 'oil')]
    >>> found.leave_one_out.accuracy, found.confusions
    (1.0, [])
    >>> found.between("grain", "oil", terms=2)[0][0]
    'oil'
    """

    model: str
    documents: float
    vocabulary: int
    classes: list[InspectedClass]
    closest: list[ClosePair]
    leave_one_out: LeaveOneOut | None = None
    confusions: list[Confusion] | None = None
    settled: bool = True
    recipe: str | None = None
    updates: str | None = None
    leaderboard: Leaderboard | None = None
    _view: Any = field(repr=False, compare=False, default=None)

    def between(self, label: Any, other: Any, terms: int = 10) -> list[tuple[str, float]]:
        """Return the terms that separate two classes.

        Returns
        -------
        list of (str, float)
            The strongest first: evidence per hundred words, positive for ``label``, negative for ``other``.
        """
        return self._view.between(label, other, check_whole("terms", terms))  # type: ignore[no-any-return]

    def to_dict(self) -> dict[str, Any]:
        """Return a dict of plain values, ready for JSON."""
        whole: dict[str, Any] = {
            "model": self.model,
            "documents": self.documents,
            "vocabulary": self.vocabulary,
            "settled": self.settled,
        }
        if self.recipe is not None:
            whole |= {"recipe": self.recipe, "updates": self.updates}
            whole |= {"metric": None, "leaderboard": [], "compared": None}
        if self.leaderboard is not None:
            whole |= {"metric": self.leaderboard.metric, "leaderboard": self.leaderboard.to_dicts()}
            compared = self.leaderboard.compared
            whole["compared"] = None if compared is None else compared._asdict()
        return {
            **whole,
            "classes": [asdict(one) for one in self.classes],
            "closest": [asdict(one) for one in self.closest],
            "leave_one_out": None if self.leave_one_out is None else asdict(self.leave_one_out),
            "confusions": None if self.confusions is None else [asdict(one) for one in self.confusions],
        }

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(
            f"{printable(self.model)}: {self.documents:,.0f} documents, {self.vocabulary:,} terms", "bold"
        )
        if not self.settled:
            yield Text("Not settled: it approximates a fresh fit until it is settled.", "yellow")
        yield Text()
        if self.recipe is not None:
            yield from self._search()
        table = _table("class", "documents", "strongest terms")
        for one in self.classes:
            terms = Text(", ".join(printable(term) for term, _ in one.terms))
            table.add_row(Text(printable(one.label)), f"{one.documents:,.0f}", terms)
        yield table
        yield Text()
        yield from self._confused() if self.leave_one_out is not None else self._close()

    def _confused(self) -> Iterator[Text | Table]:
        yield Text(str(self.leave_one_out))
        if not self.confusions:
            return
        yield Text("\nConfused most often, each document by the model without it; share of the class:")
        table = _table("class", "documents", "taken for", "share")
        for pair in self.confusions:
            one, other = Text(printable(pair.label)), Text(printable(pair.other))
            table.add_row(one, f"{pair.documents:,}", other, f"{pair.share:.0%}")
        yield table

    def _close(self) -> Iterator[Text | Table]:
        if not self.closest:
            return
        yield Text("Closest classes by their weights, without leave-one-out; 100 % is the average pair:")
        table = _table("class", "lead", "over")
        for pair in self.closest:
            table.add_row(Text(printable(pair.label)), f"{pair.share:.0%}", Text(printable(pair.other)))
        yield table

    def _search(self) -> Iterator[Table | Text]:
        """The recipe, and the best candidates of the search."""
        yield Text(f"recipe with {described_updates(self.updates)}" if self.updates else "recipe", "dim")
        yield Text(printable_text(f"{self.recipe}\n"))
        if self.leaderboard is None:
            return
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for column in (metric_title(self.leaderboard.metric), "95 % interval", "seconds"):
            table.add_column(column, justify="right", no_wrap=True)
        table.add_column("best candidates; * is in the recipe", overflow="fold")
        for entry in self.leaderboard:
            score, low, high = self.leaderboard.shown(entry)
            name = Text(f"{'*' if entry.chosen else ' '} {printable(entry.name)}")
            table.add_row(f"{score:.3f}", f"{low:.3f} – {high:.3f}", f"{entry.seconds:.2f}", name)
        yield table
        if self.leaderboard.compared is not None:
            yield Text(f"\n{self.leaderboard.compared}")
        yield Text()


def _table(first: str, number: str, *others: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(first, overflow="fold")
    table.add_column(number, justify="right", no_wrap=True)
    for other in others:
        table.add_column(other, overflow="fold")
    return table


def inspect_model(learned: TextModel, terms: int, documents: LabelledRows | None) -> Inspection:
    """Inspect a model; with documents, leave each of them out."""
    if learned.model.scoring_model is None:
        raise DocumentsNotKeptError("inspect", f"{type(learned.estimator).__name__} keeps no statistics")
    statistics = learned.statistics()
    view = _View(learned, statistics)
    sizes = learned.estimator.class_documents_.tolist()
    classes = [
        InspectedClass(label, size, view.strongest(number, check_whole("terms", terms)))
        for number, (label, size) in enumerate(zip(view.labels, sizes, strict=True))
    ]
    left = None if documents is None else leave_out(learned.estimator, documents, learned.thresholds)
    return Inspection(
        repr(learned.estimator),
        statistics.documents,
        view.width,
        classes,
        view.closest(),
        None if left is None else left.quality,
        None if left is None else _confusions(left, view.labels),
        learned.is_settled,
        *_searched(learned.estimator),
        view,
    )


def _confusions(left: LeftOut, labels: list[Any]) -> list[Confusion]:
    pairs = most_confused(left.truth, left.decided, _MOST_CONFUSED)
    return [Confusion(labels[one], labels[two], count, share) for one, two, count, share in pairs]


def _searched(model: Any) -> tuple[str | None, str | None, Leaderboard | None]:
    if not hasattr(model, "recipe_"):
        return None, None, None
    board: Leaderboard | None = getattr(model, "leaderboard_", None)
    return str(model.recipe_), model.updates_, None if board is None else board[:_BEST_TRIED]


class _View:
    """Weights of a model, and the share of each term in the words of each class."""

    def __init__(self, learned: TextModel, statistics: ClassStatistics) -> None:
        self.labels: list[Any] = learned.classes.tolist()
        self.width: int = statistics.columns
        self.names = learned.representation.term_names()
        self.model = learned.model.scoring_model
        counts = sparse.csr_matrix(statistics.pair_values[statistics.order])
        words = np.asarray(counts.sum(axis=1)).ravel()
        self.shares = sparse.csr_matrix(sparse.diags(1.0 / np.maximum(words, 1.0)) @ counts)
        self.average = np.asarray(self.shares.mean(axis=0)).ravel()

    def strongest(self, number: int, terms: int) -> list[tuple[str, float]]:
        """Return the terms with the most evidence for a class over the average class."""
        own = self.shares[number]
        candidates = self._candidates(own.indices, own.data, self.average[own.indices])
        share = np.asarray(self.shares[number, candidates].todense()).ravel()
        weights = self._weights(candidates)
        evidence = 100.0 * share * (weights[:, number] - weights.mean(axis=1))
        order = np.lexsort((candidates, -evidence))
        some = order[evidence[order] > 0]
        return strongest_terms(
            ((self.names(int(candidates[place])), float(evidence[place])) for place in some), terms
        )

    def between(self, label: Any, other: Any, terms: int) -> list[tuple[str, float]]:
        """Return the terms that separate two classes."""
        first, second = self._number(label), self._number(other)
        one, two = (np.asarray(self.shares[number].todense()).ravel() for number in (first, second))
        seen = np.flatnonzero(one + two)
        candidates = self._candidates(seen, np.maximum(one, two)[seen], (one + two)[seen] / 2)
        weights = self._weights(candidates)
        evidence = 50.0 * (one + two)[candidates] * (weights[:, first] - weights[:, second])
        order = np.lexsort((candidates, -np.abs(evidence)))
        ranked = ((self.names(int(candidates[place])), float(evidence[place])) for place in order)
        return strongest_terms(ranked, terms)

    def closest(self) -> list[ClosePair]:
        """Return pairs of classes, those with the smallest lead of the first's average document first."""
        if len(self.labels) < 2:
            return []
        shares = as_rows(self.shares)
        rows = (shares.block(number, number + 1) for number in range(len(shares)))
        scores = np.stack([_finite(self.model.contributions(row).entries).sum(axis=0) for row in rows])
        lead = 100.0 * (np.diag(scores)[:, None] - scores)
        others = ~np.eye(len(lead), dtype=bool)
        mean = float(np.abs(lead[others]).mean())
        np.fill_diagonal(lead, np.inf)
        closest = np.argsort(lead, axis=None, kind="stable")[:_MOST_CONFUSED]
        places = [divmod(int(place), len(self.labels)) for place in closest]
        return [
            ClosePair(
                self.labels[one],
                self.labels[two],
                float(lead[one, two]),
                float(lead[one, two] / mean) if mean else 0.0,
            )
            for one, two in places
            if one != two
        ]

    def _candidates(self, columns: NDArray[Any], own: Reals, usual: Reals) -> NDArray[np.int32]:
        excess = own * np.log(np.maximum(own, 1e-300) / np.maximum(usual, 1e-300))
        best = np.argsort(-excess, kind="stable")[:_CANDIDATES]
        return np.sort(columns[best]).astype(np.int32)

    def _weights(self, columns: NDArray[np.int32]) -> Reals:
        row = Rows(np.array([0, len(columns)]), columns, np.ones(len(columns)), self.width)
        return _finite(self.model.term_weights(row))

    def _number(self, label: Any) -> int:
        if label not in self.labels:
            raise ParameterError("label", label, self.labels)
        return self.labels.index(label)


def _finite(weights: Reals) -> Reals:
    """Replace infinite weights, which rule a class out, by numbers larger than any weight."""
    return np.nan_to_num(weights, neginf=-_RULED_OUT, posinf=_RULED_OUT)
