"""The queue: texts to label next, and how good the model is on those shown by chance."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Path, Query, Request, Response
from pydantic import BaseModel, Field, ValidationError
from starlette.concurrency import run_in_threadpool

from textbayes.errors import RequestFieldError, RequestSizeError
from textbayes.server.bodies import UPLOADS, check_content_type, parse_object
from textbayes.server.live.labelled import MOST_POINTS, labelled_quality
from textbayes.server.live.queue import Shown, queue_of
from textbayes.server.replies import json_reply
from textbayes.server.routes.changes import ChangeAnswer, change_reply, stored_labels
from textbayes.server.routes.dependencies import Actor, AskedBy, Limits, Model, needs
from textbayes.server.routes.fields import Body, Label, Nothing, QueryCount, Source, field_error
from textbayes.server.routes.routing import Router
from textbayes.server.settings import Settings
from textbayes.server.store import Answer, Store
from textbayes.server.uploads import FORMATS, read_upload

router = Router()

_JSON = "application/json"
_MOST = 100
TextId = Annotated[str, Path(description="The id of the text in the queue.")]
_BODY = {"schema": {"type": "string"}}


class QueueFields(Body):
    """Texts without labels."""

    texts: Annotated[list[str], Field(description="The texts.")]
    source: Annotated[Source | None, Field(description="Where they come from.")] = None


class AnswerFields(Body):
    """The label of a text of the queue."""

    label: Annotated[Label | None, Field(description="The label.")] = None
    labels: Annotated[
        list[Label] | None, Field(description="The labels, instead of `label`, if a text may have several.")
    ] = None
    settle: Annotated[bool | None, Field(description="Wait until the model is refitted.")] = None


class LikelyClass(BaseModel):
    """A class and its probability."""

    label: Label
    probability: float


class ShownText(BaseModel):
    """A text to label, why it is shown, and the most likely classes."""

    id: str
    text: str
    drawn: Literal["uncertain", "random"]
    predictions: list[LikelyClass]


class QueueAnswer(BaseModel):
    """The texts to label next, and how many there are."""

    texts: list[ShownText]
    waiting: int
    labelled: int
    skipped: int


class Queued(BaseModel):
    """How many texts are new in the queue, and how many it had before."""

    queued: int
    duplicates: int


class QueueState(BaseModel):
    """The state of a text of the queue."""

    id: str
    state: Literal["waiting", "skipped", "removed"]


class Point(BaseModel):
    """Leave-one-out quality of the model when it was settled."""

    version: int
    time: str
    documents: float
    accuracy: float | None
    macro_f1: float | None


class Share(BaseModel):
    """The share of right predictions, with an interval of 95 %."""

    texts: int
    right: int
    accuracy: float | None
    low: float | None
    high: float | None
    time: str | None = None


class Quality(BaseModel):
    """How good the model is: on its own documents, and on texts of the queue shown by chance."""

    points: list[Point]
    labelled: Share
    history: list[Share]
    confusions: list[dict[str, Any]] | None = None


@router.get(
    "/queue", response_model=QueueAnswer, summary="The texts to label next.", dependencies=[needs("teach")]
)
async def next_texts(
    model: Model,
    actor: Actor,
    limit: Annotated[QueryCount, Query(ge=1, le=_MOST, description="How many texts.")] = 1,
) -> Response:
    """Return the texts to label next; others do not get them for five minutes."""
    queue = queue_of(model)
    texts = await queue.next(actor, limit)
    return json_reply({"texts": [_shown_values(each) for each in texts], **await queue.counts()})


def _shown_values(shown: Shown) -> dict[str, Any]:
    predictions = [{"label": label, "probability": share} for label, share in shown.predictions]
    return {"id": shown.id, "text": shown.text, "drawn": shown.drawn, "predictions": predictions}


@router.post(
    "/queue",
    response_model=Queued,
    summary="Add texts to the queue.",
    dependencies=[needs("teach")],
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                _JSON: {"schema": QueueFields.model_json_schema()},
                **dict.fromkeys(UPLOADS, _BODY),
            },
        }
    },
)
async def add_texts(
    request: Request,
    model: Model,
    actor: Actor,
    limits: Limits,
    column: Annotated[
        str | None, Query(description="The column of the texts in a file; by default one with a usual name.")
    ] = None,
) -> Response:
    """Add texts of JSON, or of a file of CSV or JSON Lines. Those that the queue had before are left out."""
    kind = check_content_type(request.headers.get("content-type", ""), (_JSON, *UPLOADS))
    body = await request.body()
    if kind == _JSON:
        if column is not None:
            raise RequestFieldError.invalid("column", column, "it only with a file")
        texts, source = await run_in_threadpool(_json_texts, body, limits)
    else:
        upload = await run_in_threadpool(read_upload, body, FORMATS[kind], column, limits)
        texts, source = upload.texts, "upload"
    queued, duplicates = await queue_of(model).add(_usable(texts), actor, source)
    return json_reply({"queued": queued, "duplicates": duplicates})


def _json_texts(body: bytes, limits: Settings) -> tuple[list[str], str | None]:
    found = parse_object(body)
    texts = found.get("texts")
    if isinstance(texts, list) and len(texts) > limits.texts:
        raise RequestSizeError("texts", len(texts), limits.texts, "items")
    for name in found:
        if name not in QueueFields.model_fields:
            raise RequestFieldError.unknown(name, "/queue", QueueFields.model_fields)
    try:
        fields = QueueFields.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        raise field_error({**first, "loc": ("body", *first["loc"])}, list(found)) from None
    return fields.texts, fields.source


def _usable(texts: list[str]) -> list[str]:
    """Return the texts that somebody could label: those with a character that is not a space."""
    return [text for text in texts if text.strip()]


@router.post(
    "/queue/{id}",
    response_model=ChangeAnswer,
    summary="Label a text of the queue.",
    dependencies=[needs("teach")],
)
async def label_text(id: TextId, fields: AnswerFields, asked: AskedBy) -> Response:
    """Teach the model a text of the queue with its label."""
    if (fields.label is None) == (fields.labels is None):
        if fields.label is None:
            raise RequestFieldError.missing(["label", "labels"], fields.given)
        raise RequestFieldError.conflict("label", "labels")
    (labels,) = stored_labels(asked.model, [fields.label if fields.labels is None else fields.labels])
    changed = await asked.change([Answer(id, labels)], source="queue", settle=bool(fields.settle))
    queue_of(asked.model).leave(id)
    return change_reply(asked.model, changed)


@router.post(
    "/queue/{id}/skip",
    response_model=QueueState,
    summary="Skip a text of the queue.",
    dependencies=[needs("teach")],
)
async def skip_text(id: TextId, _fields: Nothing, model: Model) -> Response:
    """Show a text no more."""
    await queue_of(model).skip(id)
    return json_reply({"id": id, "state": "skipped"})


@router.post(
    "/queue/{id}/return",
    response_model=QueueState,
    summary="Put a skipped text back into the queue.",
    dependencies=[needs("teach")],
)
async def return_text(id: TextId, _fields: Nothing, model: Model) -> Response:
    """Let a text wait again that was skipped."""
    await queue_of(model).put_back(id)
    return json_reply({"id": id, "state": "waiting"})


@router.delete(
    "/queue/{id}",
    response_model=QueueState,
    summary="Remove a text from the queue.",
    dependencies=[needs("teach")],
)
async def remove_text(id: TextId, model: Model) -> Response:
    """Remove a text from the queue and from the store."""
    await queue_of(model).remove(id)
    return json_reply({"id": id, "state": "removed"})


@router.get(
    "/quality", response_model=Quality, summary="How good the model is.", dependencies=[needs("read")]
)
async def quality(model: Model) -> Response:
    """Return the quality at each settling, and on texts of the queue that were shown by chance."""
    if model.store is None:
        now, history = labelled_quality([])
        return json_reply({"points": [], "labelled": now, "history": history})
    settled = await model.read(Store.qualities, MOST_POINTS)
    labelled = await model.read(Store.queue_labelled, "random")
    now, history = await run_in_threadpool(labelled_quality, labelled)
    points = [_point(*each) for each in settled if each[2].get("accuracy") is not None]
    found: dict[str, Any] = {"points": points, "labelled": now, "history": history}
    if points:
        measured = [figures for _, _, figures in settled if "confusions" in figures]
        found["confusions"] = measured[-1]["confusions"] if measured else None
    return json_reply(found)


def _point(version: int, time: datetime, figures: dict[str, Any]) -> dict[str, Any]:
    found = {name: figures.get(name) for name in ("documents", "accuracy", "macro_f1")}
    return {"version": version, "time": time.isoformat(), **found}
