"""Models: what there is, what they have learned, and their files."""

from __future__ import annotations

import asyncio
import platform
from dataclasses import asdict, replace
from typing import Annotated, Any
from weakref import WeakKeyDictionary

from fastapi import Query, Request, Response
from pydantic import BaseModel, ConfigDict
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse

from textbayes.errors import RequestFieldError
from textbayes.estimators import Inspection
from textbayes.estimators.views.inspection import InspectedClass
from textbayes.persistence import package_version
from textbayes.server.access import token_of
from textbayes.server.live import MOST_TERMS, LiveModel, Served
from textbayes.server.replies import json_reply
from textbayes.server.routes.dependencies import Limits, Model, Served_, Server, check_right, needs
from textbayes.server.routes.fields import Label, QueryCount
from textbayes.server.routes.predict import check_cells, version_header
from textbayes.server.routes.routing import Router
from textbayes.server.settings import Settings
from textbayes.server.store import Snapshot, Store
from textbayes.statistics import class_of_text

router = Router(dependencies=[needs("read")])
probes = Router()

# Looked up once: the lookup takes longer than most answers.
_VERSIONS = {"textbayes": package_version(), "python": platform.python_version()}


class Health(BaseModel):
    """Whether the server is ready, and its model if there is one."""

    ready: bool
    model: str | None = None
    models: list[str] | None = None
    classes: int | None = None
    writable: bool | None = None
    writer: str | None = None
    versions: dict[str, str] | None = None


class ClassSize(BaseModel):
    """A class and the number of its documents."""

    label: Label
    documents: float


class ModelSummary(BaseModel):
    """A summary of a model."""

    model_config = ConfigDict(extra="allow", protected_namespaces=())

    name: str
    model: str | None
    documents: float
    classes: list[ClassSize]
    multilabel: bool
    settled: bool
    writable: bool
    version: int
    head: int
    configuration: Any = None


class Version(BaseModel):
    """A model file of the store: the right start for versions from ``effective`` on."""

    covers: int
    effective: int
    sha256: str
    bytes: int
    time: str
    pinned: bool
    quality: dict[str, Any] | None


class Versions(BaseModel):
    """The newest version of a model, and the model files that the store has."""

    version: int
    applied: int
    settled: int
    files: list[Version]


@probes.get("/health", response_model=Health, summary="Whether the server is ready, and its model.")
async def health(request: Request, service: Server) -> Response:
    """Return that the server is ready, and the name and size of its model."""
    if request.scope["state"].get("guarded") and token_of(request.scope) is None:
        return json_reply({"ready": True})
    token = token_of(request.scope)
    names = [name for name in service.models if token is None or token.may("read", name)]
    named = request.path_params.get("name")
    answer: dict[str, Any] = {"ready": True}
    if named is not None:
        check_right(request, "read")
    if named is not None or (names and len(service.models) == 1):
        model = service.model(named)
        answer |= {"model": model.name, "classes": len(model.served.classes), "writable": model.is_writable}
    if service.writer is not None:
        answer["writer"] = service.writer.address
    return json_reply({**answer, "models": names, "versions": _VERSIONS})


@router.get("/model", response_model=ModelSummary, summary="A summary of the model and its classes.")
async def summary(model: Model) -> Response:
    """Return a summary of the model: its classes, their sizes and its configuration."""
    return await run_in_threadpool(_summary, model, model.served)


def _summary(model: LiveModel, served: Served) -> Response:
    about: dict[str, Any] = {"model": None, "documents": 0, "vocabulary": 0, "settled": True, "updates": None}
    sizes: list[Any] = []
    if not served.is_empty:
        about = served.classifier.describe()
        sizes = served.classifier.class_documents_.tolist()
    classes = [{"label": label, "documents": size} for label, size in zip(served.classes, sizes, strict=True)]
    state = {
        "multilabel": served.multilabel,
        "writable": model.is_writable,
        "version": served.version,
        "head": max(model.status().head, served.version),
    }
    answer = {"name": served.name, **about, **state, "classes": classes}
    return json_reply(answer, headers=version_header(served))


@router.get("/versions", response_model=Versions, summary="The versions of the model.")
async def versions(model: Model) -> Response:
    """Return the newest version and the model files in the store."""
    files = [] if model.store is None else await model.read(Store.snapshots)
    status = model.status()
    answer = {
        "version": status.head,
        "applied": status.applied,
        "settled": status.settled,
        "files": [_snapshot_values(each) for each in files],
    }
    return json_reply(answer)


def _snapshot_values(snapshot: Snapshot) -> dict[str, Any]:
    return {
        "covers": snapshot.covers,
        "effective": snapshot.effective,
        "sha256": snapshot.digest,
        "bytes": snapshot.size,
        "time": snapshot.time.isoformat(),
        "pinned": snapshot.pinned,
        "quality": snapshot.quality,
    }


@router.get(
    "/model/file",
    response_class=FileResponse,
    summary="The model file.",
    responses={200: {"content": {"application/octet-stream": {"schema": {"type": "string"}}}}},
)
async def file(
    model: Model,
    version: Annotated[
        QueryCount | None, Query(ge=0, description="The version; by default the newest.")
    ] = None,
) -> Response:
    """Return the model file, of any version."""
    path = await model.file(version)
    return FileResponse(path, media_type="application/octet-stream", filename=f"{model.name}.tb")


@router.get("/inspect", response_model=dict[str, Any], summary="What the model has learned.")
async def inspect(
    served: Served_,
    limits: Limits,
    label: Annotated[str | None, Query(alias="class", description="Only this class.")] = None,
    terms: Annotated[
        QueryCount | None,
        Query(ge=1, le=MOST_TERMS, description="The number of terms per class, by default 10."),
    ] = None,
    between: Annotated[
        list[str] | None,
        Query(description="Given twice: show the terms that distinguish these two classes."),
    ] = None,
) -> Response:
    """Return the strongest terms of all classes, of one, or those that distinguish two."""
    if between is not None and len(between) != 2:
        raise RequestFieldError.invalid("between", between, "it twice: once for each of two classes")
    served.classifier  # noqa: B018  raises if it is empty
    await _inspected(served)
    answer = await run_in_threadpool(_inspection, served, limits, label, terms or 10, between)
    return json_reply(answer, headers=version_header(served))


_inspecting: WeakKeyDictionary[Served, asyncio.Lock] = WeakKeyDictionary()


async def _inspected(served: Served) -> None:
    """Inspect a model once; those who wait for it occupy no threads."""
    if not served.is_inspected:
        async with _inspecting.setdefault(served, asyncio.Lock()):
            if not served.is_inspected:
                await run_in_threadpool(served.inspect)


def _inspection(
    served: Served, limits: Settings, label: str | None, terms: int, between: list[str] | None
) -> dict[str, Any]:
    if between is not None:
        one, other = (class_of_text(name, served.classes) for name in between)
        return {"between": [one, other], "terms": served.inspect().between(one, other, terms)}
    if label is not None:
        place = served.classes.index(class_of_text(label, served.classes))
        return asdict(_cut(served.inspect().classes[place], terms))
    count = len(served.classes)
    check_cells(limits, count * terms, f"terms (classes × terms, {count:,} × {terms:,})")
    whole: Inspection = served.inspect()
    return replace(whole, classes=[_cut(one, terms) for one in whole.classes]).to_dict()


def _cut(inspected: InspectedClass, terms: int) -> InspectedClass:
    return replace(inspected, terms=inspected.terms[:terms])
