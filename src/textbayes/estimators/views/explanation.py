"""Explanation: what each token of a text says for each class."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console, ConsoleOptions, RenderResult

from textbayes._native import Rules, hashed_column
from textbayes.counts import Rows
from textbayes.errors import NotTextError, ParameterError
from textbayes.errors.checks import check_whole
from textbayes.estimators.views.explanation_html import explanation_html
from textbayes.estimators.views.explanation_segments import Token
from textbayes.estimators.views.explanation_terminal import explanation_parts
from textbayes.estimators.views.numbers import plain_number
from textbayes.scores import ComponentParts

if TYPE_CHECKING:
    from textbayes.estimators.text.text_model import TextModel

Reals = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Explanation:
    """What each token of a text says for each class.

    A class's score is its bias and the sum of what the tokens add: ``bias + contributions.sum(axis=0)``. A
    term that stands in the text several times has its share at each place.

    Printed with rich it shows the text with its tokens coloured, and a table; in a notebook the same as HTML.

    Parameters
    ----------
    text : str
        The text.
    label : label, or list of labels
        What the text is classified as.
    classes : list
        The labels, sorted.
    scores, probabilities, bias : array of shape (classes,)
        Each class's score, probability, and score before any token.
    tokens : tuple of Token
        The tokens, in the order of the text.
    contributions : array of shape (tokens, classes)
        What each token adds to each class's score.
    multilabel : bool
        Whether each class is judged on its own: then a score is its log odds against the rest.
    components : tuple of ComponentParts
        Of a mixture, for each class: which component answers, and what each token adds to each. Empty for
        other models.

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

    @property
    def best(self) -> Any:
        """The class with the best score."""
        return self.classes[int(np.argmax(self.scores))]

    @property
    def against(self) -> Any:
        """The second best class; None where each is judged on its own, or there is only one."""
        if self.multilabel or len(self.classes) < 2:
            return None
        return self.classes[int(np.argsort(-self.scores, kind="stable")[1])]

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
        """Return each token and what it says for one class rather than another.

        Parameters
        ----------
        label : label, optional
            By default the best class.
        against : label, optional
            By default the best of the others; with several labels a text, nothing: the score is one against
            the rest already.
        """
        lead = self._lead(self.contributions, label, against)
        return list(zip(self.tokens, lead.tolist(), strict=True))

    def bias_lead(self, label: Any = None, against: Any = None) -> float:
        """Return how far one class leads another before any token."""
        return float(self._lead(self.bias[None, :], label, against)[0])

    def terms(self, label: Any = None, against: Any = None) -> list[tuple[str, int, float]]:
        """Return each known term, how often it stands in the text and what it says, the strongest first."""
        return _by_term(self.leads(label, against))

    def responsibilities(self, label: Any = None) -> Reals:
        """Return which component of a class answers: its share q(m|x), for each; they sum to 1.

        Parameters
        ----------
        label : label, optional
            By default the best class. A class of a model without mixtures is one component.
        """
        position = self.position(self.best if label is None else label)
        return self.components[position].responsibilities if self.components else np.ones(1)

    def component_terms(
        self, label: Any = None, component: int | None = None
    ) -> list[tuple[str, int, float]]:
        """Return what each known term adds to one component of a class, as ``terms`` does.

        Parameters
        ----------
        label : label, optional
            By default the best class.
        component : int, optional
            By default the one that answers most.
        """
        position = self.position(self.best if label is None else label)
        shares = self.responsibilities(self.classes[position])
        number = int(np.argmax(shares)) if component is None else component
        if not 0 <= number < len(shares):
            raise ParameterError("component", component, range(len(shares)))
        parts = self.components[position].entries if self.components else self.contributions[:, [position]]
        return _by_term(list(zip(self.tokens, parts[:, number].tolist(), strict=True)))

    def _lead(self, parts: Reals, label: Any, against: Any) -> Reals:
        label = self.best if label is None else label
        own = parts[:, self.position(label)]
        if against is None:
            against = self._other(label)
        if against is None:
            return own
        other = parts[:, self.position(against)]
        # What rules both classes out speaks for neither.
        return np.subtract(own, other, where=own != other, out=np.zeros_like(own))

    def _other(self, label: Any) -> Any:
        if self.multilabel or len(self.classes) < 2:
            return None
        return self.against if label == self.best else self.best

    def to_dict(self, labels: Sequence[Any] | None = None) -> dict[str, Any]:
        """Return everything as lists and numbers, ready for JSON.

        JSON has no infinite numbers: what is infinite, as a term that rules a class out and the score that it
        leads to, is None here and null there.

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
            "tokens": [
                {**token._asdict(), "contributions": dict(zip(shown, map(plain_number, row), strict=True))}
                for token, row in zip(self.tokens, self.contributions[:, places].tolist(), strict=True)
            ],
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
        """Return to_dict as JSON, which any strict parser reads."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    def to_html(self, label: Any = None, against: Any = None) -> str:
        """Return a page of HTML that needs nothing else, for one class rather than another."""
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


def explain_text(text: Any, rules: Rules, row: Rows, learned: TextModel) -> Explanation:
    """Take the scores of one text apart."""
    if not isinstance(text, str):
        raise NotTextError(0, text)
    model = learned.model
    parts = model._contributions(row)
    spans = rules.spans(text)
    columns = _columns([term for _, _, term in spans], learned)
    share = _shares(columns, row, parts.entries)
    tokens = tuple(Token(*span, column is not None) for span, column in zip(spans, columns, strict=True))
    given = learned.as_input(row)
    probabilities, predicted = np.asarray(model.predict_proba(given))[0], model.predict(given)[0]
    classes = np.asarray(learned.classes).tolist()
    multilabel = bool(learned.documents is not None and learned.documents.multilabel)
    label: Any = classes[model.classes_.tolist().index(predicted)] if not multilabel else None
    if multilabel:
        label = [name for name, given in zip(classes, predicted, strict=True) if given]
    components = tuple(
        each._replace(entries=_shares(columns, row, each.entries)) for each in model._component_parts(row)
    )
    return Explanation(
        text, label, classes, parts.scores, probabilities, parts.bias, tokens, share, multilabel, components
    )


def _by_term(leads: list[tuple[Token, float]]) -> list[tuple[str, int, float]]:
    """Add up what the tokens of each known term say, the strongest first."""
    found: dict[str, tuple[int, float]] = {}
    for token, lead in leads:
        if token.known:
            times, total = found.get(token.term, (0, 0.0))
            found[token.term] = (times + 1, total + lead)
    ranked = sorted(found.items(), key=lambda item: (-abs(item[1][1]), item[0]))
    return [(term, times, lead) for term, (times, lead) in ranked]


def _columns(terms: list[str], learned: TextModel) -> list[int | None]:
    """Each term's column in the representation, or None."""
    if learned.reader.dimensions is not None:
        columns: list[int | None] = [hashed_column(term, learned.reader.dimensions) for term in terms]
    else:
        columns = [learned.counter_vocabulary.column(term) for term in terms]
    if learned.transform is None or not hasattr(learned.transform, "get_support"):
        return columns
    kept = learned.transform.get_support(indices=True)
    column_of = {int(column): place for place, column in enumerate(kept)}
    return [None if column is None else column_of.get(column) for column in columns]


def _shares(columns: list[int | None], row: Rows, entries: Reals) -> Reals:
    """What each token adds: its entry's contribution, shared among the tokens of that entry."""
    place_of = {column: place for place, column in enumerate(row.columns.tolist())}
    places = [place_of.get(column) if column is not None else None for column in columns]
    times = np.bincount([place for place in places if place is not None], minlength=len(entries))
    share = np.zeros((len(columns), entries.shape[1]))
    for token, place in enumerate(places):
        if place is not None:
            share[token] = entries[place] / times[place]
    return share
