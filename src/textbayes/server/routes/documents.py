"""Documents: what the model has been taught, and the history of it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query, Request, Response
from pydantic import BaseModel, Field

from textbayes.errors import DocumentUnknownError, LabelsError, ParameterError, RequestFieldError
from textbayes.server.live import LiveModel
from textbayes.server.replies import json_reply
from textbayes.server.routes.changes import ChangeAnswer, Wait, change_reply, stored_labels
from textbayes.server.routes.dependencies import AskedBy, Model, check_right, needs
from textbayes.server.routes.fields import Body, Labels, QueryCount, Source, Text, Weight, is_id
from textbayes.server.routes.routing import Router
from textbayes.server.store import Change, Document, Edit, Put, Relabel, Remove, State, Store
from textbayes.statistics import kind_of_classes
from textbayes.statistics.labels import label_of_text

router = Router()

_MOST = 1000
Limit = Annotated[
    QueryCount | None, Query(ge=1, le=_MOST, description="The most items of the answer, by default 100.")
]
OfClass = Annotated[str | None, Query(alias="class", description="Only those of this class.")]
DocumentId = Annotated[str, Path(description="The id of the document.", max_length=200)]


class DocumentFields(Body):
    """A document; the text may be left out if the document exists."""

    text: Annotated[Text | None, Field(description="The text.")] = None
    label: Annotated[Labels | None, Field(description="Its label; a list if texts have several.")] = None
    weight: Annotated[Weight | None, Field(description="Its weight, by default 1.")] = None
    source: Annotated[Source | None, Field(description="Where the request comes from, for the log.")] = None
    wait: Wait = None
    settle: Annotated[bool | None, Field(description="Wait until the model is refitted.")] = None


class ChangeValues(BaseModel):
    """A change of a model."""

    version: int
    request: int
    kind: str
    document: str | None
    text: str | None
    labels_before: Labels | None
    labels_after: Labels | None
    actor: str
    time: str
    source: str | None
    undoes: int | None
    undone_by: int | None


class DocumentValues(BaseModel):
    """A document as it is now."""

    id: str
    text: str
    labels: Labels
    weight: float
    version: int
    time: str
    actor: str
    source: str | None


class DocumentWithHistory(DocumentValues):
    """A document and its changes, the newest first."""

    history: list[ChangeValues]


class DocumentsPage(BaseModel):
    """Some documents; pass `next` as `after` to get those that follow."""

    documents: list[DocumentValues]
    next: str | None
    total: int | None


class ChangesPage(BaseModel):
    """Some changes, the newest first; pass `next` as `before` to get those that follow."""

    changes: list[ChangeValues]
    next: str | None


@router.get(
    "/documents",
    response_model=DocumentsPage,
    summary="The documents of the model.",
    dependencies=[needs("read")],
)
async def documents(
    model: Model,
    search: Annotated[str | None, Query(max_length=1000, description="Only those with these words.")] = None,
    label: OfClass = None,
    after: Annotated[str | None, Query(max_length=500, description="Begin after this place.")] = None,
    limit: Limit = None,
) -> Response:
    """Return documents of the model, page by page."""
    page = await model.read(
        Store.documents,
        search=search or None,
        label=_label(model, label),
        after=after,
        limit=limit or 100,
    )
    answer = {
        "documents": [document_values(each) for each in page.items],
        "next": page.next,
        "total": page.total,
    }
    return json_reply(answer)


@router.get(
    "/documents/{id}",
    response_model=DocumentWithHistory,
    summary="A document and its history.",
    dependencies=[needs("read")],
)
async def document(id: DocumentId, model: Model) -> Response:
    """Return a document and its changes."""
    found = await model.read(Store.document, id)
    if found is None:
        raise DocumentUnknownError(model.name, id)
    history = await model.read(Store.history, document=id, limit=_MOST)
    return json_reply({**document_values(found), "history": [change_values(each) for each in history.items]})


@router.put(
    "/documents/{id}",
    response_model=ChangeAnswer,
    summary="Teach a document, or relabel it.",
    dependencies=[needs("teach")],
)
async def put_document(id: DocumentId, fields: DocumentFields, asked: AskedBy) -> Response:
    """Teach a document, or relabel it if it exists; the same label again changes nothing."""
    if fields.label is None:
        raise RequestFieldError.missing(["label"], fields.given)
    (label,) = stored_labels(asked.model, [fields.label])
    name = _checked_id(id)
    if fields.weight == 0:
        raise RequestFieldError.invalid("weight", fields.weight, "a weight above 0")
    edit: Edit
    if fields.text is None:
        edit = Relabel(name, label, None, fields.weight)
    else:
        edit = Put(fields.text, label, 1.0 if fields.weight is None else fields.weight, name)
    changed = await asked.change([edit], source=fields.source, wait=fields.wait, settle=bool(fields.settle))
    return change_reply(asked.model, changed)


@router.delete(
    "/documents/{id}",
    response_model=ChangeAnswer,
    summary="Forget a document.",
    dependencies=[needs("teach")],
)
async def delete_document(
    request: Request,
    id: DocumentId,
    asked: AskedBy,
    erase: Annotated[bool, Query(description="Erase its text from the store, too.")] = False,
    wait: Annotated[
        float | None, Query(ge=0, le=60, description="How many seconds to wait for the model in memory.")
    ] = None,
    settle: Annotated[bool, Query(description="Wait until the model is refitted.")] = False,
) -> Response:
    """Forget a document, and erase it if asked for."""
    if erase:
        check_right(request, "admin")
    changed = await asked.change([Remove(id, erase)], wait=wait, settle=settle)
    return change_reply(asked.model, changed)


@router.get(
    "/changes",
    response_model=ChangesPage,
    summary="The changes of the model, the newest first.",
    dependencies=[needs("read")],
)
async def changes(
    model: Model,
    before: Annotated[QueryCount | None, Query(ge=1, description="Only those before this version.")] = None,
    actor: Annotated[str | None, Query(max_length=200, description="Only those of this actor.")] = None,
    label: OfClass = None,
    document: Annotated[str | None, Query(max_length=200, description="Only those of this document.")] = None,
    limit: Limit = None,
) -> Response:
    """Return changes of the model, page by page."""
    page = await model.read(
        Store.history,
        before=before,
        actor=actor,
        label=_label(model, label),
        document=document,
        limit=limit or 100,
    )
    return json_reply({"changes": [change_values(each) for each in page.items], "next": page.next})


def document_values(document: Document) -> dict[str, Any]:
    """Return a document as values for JSON."""
    return {
        "id": document.id,
        "text": document.text,
        "labels": _plain(document.labels),
        "weight": document.weight,
        "version": document.version,
        "time": document.time.isoformat(),
        "actor": document.actor,
        "source": document.source,
    }


def change_values(change: Change) -> dict[str, Any]:
    """Return a change as values for JSON."""
    state = change.after or change.before
    return {
        "version": change.version,
        "request": change.request,
        "kind": change.kind,
        "document": change.document,
        "text": None if state is None else state.text,
        "labels_before": _labels(change.before),
        "labels_after": _labels(change.after),
        "actor": change.actor,
        "time": change.time.isoformat(),
        "source": change.source,
        "undoes": change.undoes,
        "undone_by": change.undone_by,
    }


def _labels(state: State | None) -> Any:
    return None if state is None else _plain(state.labels)


def _plain(labels: Any) -> Any:
    return list(labels) if isinstance(labels, tuple) else labels


def _label(model: LiveModel, text: str | None) -> Any:
    """Return a label that was written in a query string; it may be of a class that is gone."""
    if text is None:
        return None
    try:
        return label_of_text(text, kind_of_classes(model.served.classes))
    except LabelsError:
        raise ParameterError("class", text, model.served.classes) from None


def _checked_id(id: str) -> str:
    if not is_id(id):
        expected = "up to 200 characters, without / and control characters"
        raise RequestFieldError.invalid("id", id, expected)
    return id
