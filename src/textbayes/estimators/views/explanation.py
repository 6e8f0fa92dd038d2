"""Explanation: what each token of a text contributes to each class."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console, ConsoleOptions, RenderResult

from textbayes.counts import Rows
from textbayes.errors import ParameterError, TextsError
from textbayes.errors.checks import check_whole
from textbayes.estimators.views.explanation_rendering import explanation_html, explanation_parts
from textbayes.estimators.views.numbers import plain_number
from textbayes.estimators.views.tokens import Token, words_of
from textbayes.scores import ComponentParts, Contributions
from textbayes.text import is_character_term, shown_term

if TYPE_CHECKING:
    from textbayes.estimators.text.text_model import TextModel

Reals = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Explanation:
    """What each token of a text contributes to the score of each class.

    The score of a class is its bias and the sum of contributions: ``bias + contributions.sum(axis=0)``.
    A term that occurs several times has a share of its contribution at each place.

    It prints as the text with coloured tokens and a table; a notebook shows the same as HTML.

    Parameters
    ----------
    text : str
        The text.
    label : label, or list of labels
        The predicted label or labels.
    classes : list
        The labels, sorted.
    scores, probabilities, bias : array of shape (classes,)
        Score, probability and bias of each class.
    tokens : tuple of Token
        The tokens, in the order of the text; those of character n-grams beside words come last.
    contributions : array of shape (tokens, classes)
        Contribution of each token to the score of each class.
    multilabel : bool
        Whether each class is decided on its own: a score is then its log odds against the rest.
    components : tuple of ComponentParts
        For each class of a mixture, the responsibilities of its components and the contributions of each
        token to them. Empty for other models.
    chosen, chosen_against : label, optional
        The class to show the evidence for, and the one over which. By default ``best`` and the best other
        class.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> classifier = TextClassifier().fit(["wheat corn", "crude oil"], ["grain", "oil"])
    >>> explanation = classifier.explain("corn oil corn")
    >>> explanation.label, explanation.against
    ('grain', 'oil')
    >>> explanation.tokens[0]
    Token(start=0, end=4, term='corn', known=True)
    """

    text: str
    label: Any
    classes: list[Any]
    scores: Reals
    probabilities: Reals
    bias: Reals
    tokens: tuple[Token, ...]
    contributions: Reals
    multilabel: bool = False
    components: tuple[ComponentParts, ...] = ()
    chosen: Any = None
    chosen_against: Any = None

    def of_class(self, label: Any = None, against: Any = None) -> Explanation:
        """Return the explanation of another class: the evidence for it, over the best other class by default.

        Examples
        --------
        >>> from textbayes import TextClassifier
        >>> classifier = TextClassifier("multinomial").fit(["wheat corn", "crude oil"], ["grain", "oil"])
        >>> explanation = classifier.explain("corn corn oil").of_class("oil")
        >>> [(term, round(lead, 2)) for term, _, lead in explanation.terms()]
        [('corn', -1.39), ('oil', 0.69)]
        """
        for name in (label, against):
            if name is not None:
                self.position(name)
        return replace(self, chosen=label, chosen_against=against)

    @property
    def shown(self) -> Any:
        """The class to show the evidence for: the chosen one, or the best."""
        return self.best if self.chosen is None else self.chosen

    @property
    def best(self) -> Any:
        """The class with the best score."""
        return self.classes[int(np.argmax(self.scores))]

    @property
    def against(self) -> Any:
        """The class that the shown one is compared with: the chosen one, or the best other one.

        None if classes are decided one by one, or there is one.
        """
        return self.default_against(self.shown)

    def best_labels(self, k: int) -> list[Any]:
        """Return the labels of the ``k`` classes with the best scores, best first."""
        order = np.argsort(-self.scores, kind="stable")[: check_whole("k", k)]
        return [self.classes[place] for place in order.tolist()]

    def position(self, label: Any) -> int:
        """Return a label's position among the classes."""
        if label not in self.classes:
            raise ParameterError("label", label, self.classes)
        return self.classes.index(label)

    def leads(self, label: Any = None, against: Any = None) -> list[tuple[Token, float]]:
        """Return each token with its evidence for one class over another.

        Parameters
        ----------
        label : label, optional
            By default the class that was chosen, or the best one.
        against : label, optional
            By default the best other class. With several labels per text there is none: the score already
            compares a class with the rest.
        """
        lead = self._lead(self.contributions, label, against)
        return list(zip(self.tokens, lead.tolist(), strict=True))

    def bias_lead(self, label: Any = None, against: Any = None) -> float:
        """Return the lead of one class over another in their biases."""
        return float(self._lead(self.bias[None, :], label, against)[0])

    def terms(self, label: Any = None, against: Any = None) -> list[tuple[str, int, float]]:
        """Return each known term, its count in the text and its evidence, the strongest first.

        The evidence of a word includes that of the character n-grams in it; ``leads`` has each of them.
        Characters outside words, such as "‹:-)›", are listed by themselves.
        """
        return self._by_word(self._lead(self.contributions, label, against))

    def responsibilities(self, label: Any = None) -> Reals:
        """Return the responsibility q(m|x) of each component of a class; they sum to 1.

        Parameters
        ----------
        label : label, optional
            By default the class that was chosen, or the best one. Without mixtures, a class has one
            component.
        """
        position = self.position(self.shown if label is None else label)
        return self.components[position].responsibilities if self.components else np.ones(1)

    def component_terms(
        self, label: Any = None, component: int | None = None
    ) -> list[tuple[str, int, float]]:
        """Return the contribution of each known term to one component of a class, in the form of ``terms``.

        Parameters
        ----------
        label : label, optional
            By default the class that was chosen, or the best one.
        component : int, optional
            By default the one with the largest responsibility.
        """
        position = self.position(self.shown if label is None else label)
        shares = self.responsibilities(self.classes[position])
        number = int(np.argmax(shares)) if component is None else component
        if not 0 <= number < len(shares):
            raise ParameterError("component", component, range(len(shares)))
        parts = self.components[position].entries if self.components else self.contributions[:, [position]]
        return self._by_word(parts[:, number])

    @cached_property
    def _words(self) -> list[Token]:
        return words_of(self.text, self.tokens)

    def _by_word(self, parts: Reals) -> list[tuple[str, int, float]]:
        """Sum what the known tokens of each word contribute, the strongest first."""
        places: dict[str, set[int]] = {}
        totals: dict[str, float] = {}
        for token, word, part in zip(self.tokens, self._words, parts.tolist(), strict=True):
            if token.known:
                places.setdefault(word.term, set()).add(word.start)
                totals[word.term] = totals.get(word.term, 0.0) + part
        ranked = sorted(totals.items(), key=lambda item: (-abs(item[1]), item[0]))
        return [(shown_term(term), len(places[term]), total) for term, total in ranked]

    def _lead(self, parts: Reals, label: Any, against: Any) -> Reals:
        label = self.shown if label is None else label
        own = parts[:, self.position(label)]
        if against is None:
            against = self.default_against(label)
        if against is None:
            return own
        other = parts[:, self.position(against)]
        # A term that rules both classes out is evidence for neither.
        return np.subtract(own, other, where=own != other, out=np.zeros_like(own))

    def default_against(self, label: Any) -> Any:
        """Return the class to compare a label with by default: the chosen one, or the best other one."""
        if self.chosen_against is not None and label != self.chosen_against:
            return self.chosen_against
        if self.multilabel or len(self.classes) < 2:
            return None
        best, second = self.best_labels(2)
        return second if label == best else best

    def to_dict(self, labels: Sequence[Any] | None = None) -> dict[str, Any]:
        """Return a dict of plain values, ready for JSON.

        JSON has no infinite numbers: an infinite contribution or score, from a term that rules a class out,
        is None.

        Parameters
        ----------
        labels : sequence of labels, optional
            Only these classes, in this order; by default all.
        """
        classes = np.array(self.classes, dtype=object).tolist()
        places = list(range(len(classes))) if labels is None else [self.position(label) for label in labels]
        shown = [str(classes[place]) for place in places]
        return {
            "text": self.text,
            "label": self.label,
            "classes": [
                {
                    "label": classes[place],
                    "score": plain_number(self.scores[place]),
                    "probability": plain_number(self.probabilities[place]),
                    "bias": plain_number(self.bias[place]),
                    **self._components_dict(place),
                }
                for place in places
            ],
            **self._words_dict(places, shown),
            "tokens": [
                {
                    **token._asdict(),
                    "term": shown_term(token.term),
                    "contributions": dict(zip(shown, map(plain_number, row), strict=True)),
                }
                for token, row in zip(self.tokens, self.contributions[:, places].tolist(), strict=True)
            ],
        }

    def _words_dict(self, places: list[int], shown: list[str]) -> dict[str, Any]:
        """The contributions by word, if there are character n-grams to sum."""
        if not any(is_character_term(token.term) for token in self.tokens):
            return {}
        columns = [self._by_word(self.contributions[:, place]) for place in places]
        counts = {term: count for column in columns for term, count, _ in column}
        parts = [{term: plain_number(total) for term, _, total in column} for column in columns]
        return {
            "words": [
                {
                    "term": term,
                    "count": count,
                    "contributions": {name: part[term] for name, part in zip(shown, parts, strict=True)},
                }
                for term, count in counts.items()
            ]
        }

    def _components_dict(self, position: int) -> dict[str, Any]:
        if not self.components:
            return {}
        parts = self.components[position]
        found = zip(parts.responsibilities.tolist(), parts.scores.tolist(), strict=True)
        return {
            "components": [{"responsibility": share, "score": plain_number(score)} for share, score in found]
        }

    def to_json(self) -> str:
        """Return to_dict as strict JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    def to_html(self, label: Any = None, against: Any = None) -> str:
        """Return a self-contained page of HTML, with the evidence for one class over another."""
        return explanation_html(self, label, against)

    def _repr_html_(self) -> str:
        return self.to_html()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from explanation_parts(self, colour=console.color_system is not None and not console.no_color)

    def __str__(self) -> str:
        console = Console(color_system=None, width=80, highlight=False)
        with console.capture() as capture:
            console.print(self)
        return capture.get()


class Decided(NamedTuple):
    """The answer for a text: its label or labels, the probabilities of the classes, and the classes."""

    label: Any
    probabilities: Reals
    classes: list[Any]
    multilabel: bool


def explain_text(text: Any, learned: TextModel) -> Explanation:
    """Explain the scores of one text."""
    counts = learned.representation.read_counts([text])
    if not isinstance(text, str):
        raise TextsError.of_item(0, text)
    model, estimator, row = learned.model, learned.estimator, learned.represent(counts)
    spans = learned.representation.reader.rules.spans(text)
    columns = learned.representation.columns_of([term for _, _, term in spans])
    (probabilities,), (predicted,) = learned.answer(counts, "predict_proba", "predict")
    classes, multilabel = np.asarray(learned.classes).tolist(), learned.is_multilabel
    label: Any = classes[estimator.classes_.tolist().index(predicted)] if not multilabel else None
    if multilabel:
        label = [name for name, given in zip(classes, predicted, strict=True) if given]
    decided = Decided(label, probabilities, classes, multilabel)
    return explain_row(
        text, row, spans, columns, learned.contributions(row), decided, model.component_parts(row)
    )


def explain_row(
    text: str,
    row: Rows,
    spans: Sequence[tuple[int, int, str]],
    columns: list[int | None],
    parts: Contributions,
    decided: Decided,
    components: Sequence[ComponentParts] = (),
) -> Explanation:
    """Explain the scores of a row.

    Parameters
    ----------
    text, row
        The text, and its row.
    spans : sequence of (int, int, str)
        Start, end and term of each token.
    columns : list of int or None
        The column of each token; None for an unknown one.
    parts : Contributions
        What each entry of the row adds.
    decided : Decided
        The answer.
    components : sequence of ComponentParts
        What each entry adds to the components of each class of a mixture.
    """
    tokens = tuple(Token(*span, column is not None) for span, column in zip(spans, columns, strict=True))
    return Explanation(
        text,
        decided.label,
        decided.classes,
        parts.scores,
        decided.probabilities,
        parts.bias,
        tokens,
        _shares(columns, row, parts.entries),
        decided.multilabel,
        tuple(each._replace(entries=_shares(columns, row, each.entries)) for each in components),
    )


def _shares(columns: list[int | None], row: Rows, entries: Reals) -> Reals:
    """The contribution of each token: that of its entry, divided among the entry's tokens."""
    place_of = {column: place for place, column in enumerate(row.columns.tolist())}
    places = [place_of.get(column) if column is not None else None for column in columns]
    times = np.bincount([place for place in places if place is not None], minlength=len(entries))
    share = np.zeros((len(columns), entries.shape[1]))
    for token, place in enumerate(places):
        if place is not None:
            share[token] = entries[place] / times[place]
    return share
