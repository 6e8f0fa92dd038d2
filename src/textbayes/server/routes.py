"""The table of routes: validation and OpenAPI read it, and a test compares the documentation with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from textbayes.server import answers, fields
from textbayes.server.answers import FieldRequest
from textbayes.server.fields import Field


def _itself(answer: Any) -> Any:
    return answer


@dataclass(frozen=True)
class Entry:
    """A route.

    Parameters
    ----------
    method : {"GET", "POST"}
        GET takes fields in the query string, POST in a JSON object.
    path : str
        The path.
    about : str
        A description.
    call : function
        Takes a request, returns the answer.
    fields : tuple of Field
        The fields of a request.
    updates : bool
        Whether it updates the model: one request at a time, and only if the server is writable.
    queued : bool
        Whether it waits for its turn among the updates.
    inspects : bool
        Whether it needs the inspection of the model.
    json, html : function or None
        Convert the answer to values for JSON, or to a page for clients that prefer HTML.
    """

    method: str
    path: str
    about: str
    call: Callable[[FieldRequest], Any]
    fields: tuple[Field, ...] = ()
    updates: bool = False
    queued: bool = False
    inspects: bool = False
    json: Callable[[Any], Any] | None = _itself
    html: Callable[[Any], str] | None = None


_LABELLED_TEXTS = (
    fields.TEXT,
    fields.TEXTS,
    fields.LABEL,
    fields.LABELS,
    fields.WEIGHT,
    fields.WEIGHTS,
    fields.SETTLE,
)

ROUTES = (
    Entry("GET", "/health", "Whether the server is ready, and its model.", answers.health),
    Entry("GET", "/model", "A summary of the model and its classes.", answers.model),
    Entry(
        "POST",
        "/predict",
        "Classify one text or several.",
        answers.predict,
        (fields.TEXT, fields.TEXTS, fields.TOP, fields.PROBA, fields.REJECT_BELOW),
    ),
    Entry(
        "POST",
        "/explain",
        "The contribution of each token of a text to each class.",
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
        inspects=True,
    ),
    Entry("POST", "/teach", "Teach the model texts.", answers.teach, _LABELLED_TEXTS, updates=True),
    Entry("POST", "/forget", "Make the model forget texts.", answers.forget, _LABELLED_TEXTS, updates=True),
    Entry(
        "POST",
        "/relabel",
        "Correct the labels of texts.",
        answers.relabel,
        (*_LABELLED_TEXTS, fields.NEW_LABEL, fields.NEW_LABELS),
        updates=True,
    ),
    Entry("POST", "/reconsider", "Search again for the best recipe.", answers.reconsider, updates=True),
    Entry("POST", "/settle", "Refit the model after teaching.", answers.settle, updates=True),
    Entry("POST", "/reload", "Serve the model file as it is now.", answers.reload, queued=True),
    Entry("GET", "/", "A page for trying the model.", answers.page, json=None, html=str),
)
