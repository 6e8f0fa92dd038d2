"""The one table of routes: requests are checked by it, and OpenAPI and the documentation are held to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from textbayes.server import answers, fields
from textbayes.server.answers import Question
from textbayes.server.fields import Field


def _itself(answer: Any) -> Any:
    return answer


@dataclass(frozen=True)
class Entry:
    """A route.

    Parameters
    ----------
    method : {"GET", "POST"}
        How it is asked: GET has its fields in the address, POST in a JSON object.
    path : str
        Where it is.
    about : str
        What it does.
    call : function
        Takes a question, returns the answer.
    fields : tuple of Field
        What it takes.
    changes : bool
        Whether it changes the model: one at a time, and only if the server is writable.
    json, html : function or None
        Turn the answer into values for JSON, and into a page for those who prefer one.
    """

    method: str
    path: str
    about: str
    call: Callable[[Question], Any]
    fields: tuple[Field, ...] = ()
    changes: bool = False
    json: Callable[[Any], Any] | None = _itself
    html: Callable[[Any], str] | None = None


_LEARNED = (fields.TEXT, fields.TEXTS, fields.LABEL, fields.LABELS)

ROUTES = (
    Entry("GET", "/health", "Whether the server is ready, and for what.", answers.health),
    Entry("GET", "/model", "What the model is, and its classes.", answers.model),
    Entry(
        "POST",
        "/predict",
        "Classify a text, or texts.",
        answers.predict,
        (fields.TEXT, fields.TEXTS, fields.TOP, fields.PROBA, fields.REJECT_BELOW),
    ),
    Entry(
        "POST",
        "/explain",
        "What each token of a text says for each class.",
        answers.explain,
        (fields.TEXT, fields.CLASSES, fields.BEST),
        json=answers.explanation_values,
        html=answers.explanation_page,
    ),
    Entry(
        "GET",
        "/inspect",
        "What the model has learned.",
        answers.inspect,
        (fields.CLASS, fields.TERMS, fields.BETWEEN),
    ),
    Entry("POST", "/teach", "Teach the model texts.", answers.teach, _LEARNED, changes=True),
    Entry("POST", "/forget", "Make the model forget texts.", answers.forget, _LEARNED, changes=True),
    Entry("GET", "/", "A page to try the model on.", answers.page, json=None, html=str),
)
