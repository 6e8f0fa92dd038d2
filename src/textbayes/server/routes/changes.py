"""Changes: teach, forget, relabel, undo; and what brings a model up to date."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import Response
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from textbayes.errors import ParameterError, RequestFieldError, ShapeError
from textbayes.server.live import Changed, LiveModel
from textbayes.server.replies import json_reply
from textbayes.server.routes.dependencies import AskedBy, Model, needs
from textbayes.server.routes.fields import Body, Count, Id, Labels, Nothing, Seconds, Source, Text, Weight
from textbayes.server.routes.predict import texts_of
from textbayes.server.routes.routing import Router
from textbayes.server.store import Edit, Put, Relabel, RemoveText, Store, Undo
from textbayes.statistics import kind_of_classes, labels_of_texts
from textbayes.statistics.labels import check_same_kind

router = Router()

Wait = Annotated[
    Seconds | None, Field(description="How many seconds to wait for the model in memory; by default 0.005.")
]


class LabelledTexts(Body):
    """Texts with their labels."""

    text: Annotated[Text | None, Field(description="A text.")] = None
    texts: Annotated[list[Text] | None, Field(description="Several texts, instead of `text`.")] = None
    label: Annotated[
        Labels | None, Field(description="The label of `text`; a list if texts have several.")
    ] = None
    labels: Annotated[
        list[Labels] | None, Field(description="The label, or a list of labels, of each text in `texts`.")
    ] = None
    weight: Annotated[
        Weight | None, Field(description="The weight of `text`, by default 1: 2 counts as two texts.")
    ] = None
    weights: Annotated[list[Weight] | None, Field(description="The weight of each text in `texts`.")] = None
    source: Annotated[Source | None, Field(description="Where the request comes from, for the log.")] = None
    wait: Wait = None
    settle: Annotated[
        bool | None,
        Field(description="Wait until the model is refitted; by default false to teach, true otherwise."),
    ] = None


class TeachFields(LabelledTexts):
    """Texts to learn."""

    id: Annotated[Id | None, Field(description="The id of the document; a known one is relabelled.")] = None
    ids: Annotated[list[Id] | None, Field(description="The id of each text in `texts`.")] = None


class RelabelFields(LabelledTexts):
    """Texts with their labels until now, and the right ones."""

    new_label: Annotated[Labels | None, Field(description="The right label of `text`.")] = None
    new_labels: Annotated[
        list[Labels] | None, Field(description="The right label, or labels, of each text in `texts`.")
    ] = None


class UndoFields(Body):
    """What to undo; by default the last request of the actor."""

    version: Annotated[Count | None, Field(description="Undo this change.")] = None
    request: Annotated[
        Count | None, Field(description="Undo all changes of the request that begins with this version.")
    ] = None
    wait: Wait = None
    settle: Annotated[bool | None, Field(description="Wait until the model is refitted.")] = None


class ChangedDocument(BaseModel):
    """What became of a document; without a version if it is unchanged."""

    id: str | None
    version: int | None
    change: str


class ChangeAnswer(BaseModel):
    """What became of a request that changes documents. It is in the store."""

    model: str
    taught: int
    relabelled: int
    forgot: int
    undone: int
    unchanged: int
    documents: list[ChangedDocument]
    version: int
    applied: bool
    settled: bool
    repeated: bool


class Settled(BaseModel):
    """Whether a model was refitted."""

    model: str
    refitted: bool
    documents: float
    settled: bool


class Reconsidered(BaseModel):
    """The recipe that a search has found."""

    model: str
    recipe: str
    score: float | None = None


class Reloaded(BaseModel):
    """Whether another model is served now."""

    model: str
    reloaded: bool
    classes: int


def change_reply(model: LiveModel, changed: Changed) -> Response:
    """Return the answer to a request that changes documents."""
    receipt = changed.receipt
    made: list[str] = [outcome.change for outcome in receipt.outcomes]
    kinds = ("taught", "relabelled", "forgot", "undone", "unchanged")
    answer = {
        "model": model.name,
        **{kind: made.count(kind) for kind in kinds},
        "documents": [
            {"id": outcome.id, "version": outcome.version, "change": outcome.change}
            for outcome in receipt.outcomes
        ],
        "version": receipt.last,
        "applied": changed.applied,
        "settled": changed.settled,
        "repeated": receipt.repeated,
    }
    return json_reply(answer, headers={"Textbayes-Version": str(model.served.version)})


@router.post(
    "/teach",
    response_model=ChangeAnswer,
    summary="Teach the model texts.",
    dependencies=[needs("teach")],
)
async def teach(fields: TeachFields, asked: AskedBy) -> Response:
    """Teach the model texts."""
    texts, labels = _labelled(fields, asked.model)
    ids = _each(fields, "id", len(texts)) if fields.id is not None or fields.ids is not None else None
    _check_distinct(ids)
    edits: list[Edit] = [
        Put(text, label, weight, id)
        for text, label, weight, id in zip(
            texts, labels, _weights(fields, len(texts)), ids or [None] * len(texts), strict=True
        )
    ]
    changed = await asked.change(edits, source=fields.source, wait=fields.wait, settle=bool(fields.settle))
    return change_reply(asked.model, changed)


@router.post(
    "/forget",
    response_model=ChangeAnswer,
    summary="Make the model forget texts.",
    dependencies=[needs("teach")],
)
async def forget(fields: LabelledTexts, asked: AskedBy) -> Response:
    """Make the model forget texts, which it has learned with these labels."""
    texts, labels = _labelled(fields, asked.model)
    weights = _weights(fields, len(texts))
    edits: list[Edit] = [
        RemoveText(text, label, weight) for text, label, weight in zip(texts, labels, weights, strict=True)
    ]
    settle = fields.settle is None or fields.settle
    changed = await asked.change(edits, source=fields.source, wait=fields.wait, settle=settle)
    return change_reply(asked.model, changed)


@router.post(
    "/relabel",
    response_model=ChangeAnswer,
    summary="Correct the labels of texts.",
    dependencies=[needs("teach")],
)
async def relabel(fields: RelabelFields, asked: AskedBy) -> Response:
    """Correct the labels of texts, which the model has learned with other ones."""
    model = asked.model
    texts, labels = _labelled(fields, model)
    new = stored_labels(model, _each(fields, "new_label", len(texts)))
    edits: list[Edit] = []
    seen: set[str] = set()
    for text, label, weight, right in zip(texts, labels, _weights(fields, len(texts)), new, strict=True):
        found = None if model.store is None else await model.read(Store.find, text, label, weight)
        if found is not None and found.id not in seen:
            seen.add(found.id)
            edits.append(Relabel(found.id, right))
        else:  # a text of the model file, or the same text twice
            edits += [RemoveText(text, label, weight), Put(text, right, weight)]
    settle = fields.settle is None or fields.settle
    changed = await asked.change(edits, source=fields.source, wait=fields.wait, settle=settle)
    return change_reply(model, changed)


@router.post(
    "/undo",
    response_model=ChangeAnswer,
    summary="Undo a change.",
    dependencies=[needs("teach")],
)
async def undo(fields: UndoFields, asked: AskedBy) -> Response:
    """Undo a change, all changes of a request, or the last request of the actor."""
    if fields.version is not None and fields.request is not None:
        raise RequestFieldError.conflict("version", "request")
    edits: list[Edit] = [Undo(fields.version, fields.request)]
    changed = await asked.change(edits, wait=fields.wait, settle=bool(fields.settle))
    return change_reply(asked.model, changed)


@router.post(
    "/settle",
    response_model=Settled,
    summary="Refit the model after teaching.",
    dependencies=[needs("admin")],
)
async def settle(_fields: Nothing, model: Model) -> Response:
    """Refit the model unless it equals a fresh fit."""
    refitted = await model.settle()
    served = model.served
    documents = 0 if served.is_empty else served.classifier.documents_
    return json_reply({"model": model.name, "refitted": refitted, "documents": documents, "settled": True})


@router.post(
    "/reconsider",
    response_model=Reconsidered,
    summary="Search again for the best recipe.",
    dependencies=[needs("admin")],
)
async def reconsider(_fields: Nothing, model: Model) -> Response:
    """Search again for the best recipe for all texts of the model."""
    await run_in_threadpool(_check_searched, model)
    return json_reply({"model": model.name, **await model.reconsider()})


@router.post(
    "/reload",
    response_model=Reloaded,
    summary="Serve the model file as it is now.",
    dependencies=[needs("admin")],
)
async def reload(_fields: Nothing, model: Model) -> Response:
    """Serve the model file, or the newest version of the store, as it is now."""
    reloaded = await model.reload()
    return json_reply({"model": model.name, "reloaded": reloaded, "classes": len(model.served.classes)})


def _check_searched(model: LiveModel) -> None:
    about = None if model.served.is_empty else model.served.classifier.describe()
    if model.store is not None and about is not None and about.get("updates") is None:
        why = "reconsider repeats the search for a recipe, and this model was not found by a search"
        raise ParameterError("model", about["model"], "a model that `textbayes train` found by a search", why)


def stored_labels(model: LiveModel, labels: list[Any]) -> list[Any]:
    """Return labels as the store keeps them; strings become numbers if the model's labels are numbers.

    Raises
    ------
    LabelsError
        If a label is of another kind than those of the model, or than the first.
    """
    found = labels_of_texts(labels, kind_of_classes(model.served.classes))
    known: list[Any] = model.served.classes[:1]
    for place, label in _places(found):
        known = known or [label]
        check_same_kind(label, known[0], place)
    return [tuple(label) if isinstance(label, list) else label for label in found]


def _places(labels: list[Any]) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Yield each label and where it is, also those in lists."""
    for place, label in enumerate(labels):
        if isinstance(label, list):
            yield from (((place, inner), each) for inner, each in enumerate(label))
        else:
            yield (place,), label


def _labelled(fields: LabelledTexts, model: LiveModel) -> tuple[list[str], list[Any]]:
    texts = texts_of(fields)
    labels = stored_labels(model, _each(fields, "label", len(texts)))
    if not texts:
        raise RequestFieldError.invalid("texts", texts, "one text or more")
    return texts, labels


def _weights(fields: LabelledTexts, texts: int) -> list[float]:
    if fields.weight is None and fields.weights is None:
        return [1.0] * texts
    weights = _each(fields, "weight", texts)
    if not any(weights):
        name = "weight" if fields.weight is not None else "weights"
        raise RequestFieldError.invalid(name, fields.given[name], "a weight above 0 for one text or more")
    return weights


def _each(fields: Body, one: str, texts: int) -> list[Any]:
    """Return a value for each text, such as the ``label`` of ``text``, or the ``labels`` of ``texts``."""
    several, given = f"{one}s", fields.given
    text, name, other = ("text", one, several) if "text" in given else ("texts", several, one)
    if other in given:
        raise RequestFieldError.invalid(other, given[other], f'"{name}" with "{text}"')
    if name not in given:
        raise RequestFieldError.missing([name], given)
    values = [given[one]] if name == one else list(given[several])
    if len(values) != texts:
        raise ShapeError("texts", (texts,), several, (len(values),))
    return values


def _check_distinct(ids: list[str] | None) -> None:
    for place, id in _repeated(ids or []):
        raise RequestFieldError.invalid(f"ids[{place}]", id, "each id once")


def _repeated(ids: list[str]) -> Iterator[tuple[int, str]]:
    seen: set[str] = set()
    for place, id in enumerate(ids):
        if id in seen:
            yield place, id
        seen.add(id)
