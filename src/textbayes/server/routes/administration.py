"""The models of a server: list them, add one, remove one."""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import Path, Request, Response
from pydantic import BaseModel, Field

from textbayes.errors import RequestFieldError
from textbayes.server.access import token_of
from textbayes.server.live import LiveModel
from textbayes.server.replies import json_reply
from textbayes.server.routes.dependencies import Server, needs
from textbayes.server.routes.fields import Body
from textbayes.server.routes.routing import Router

router = Router()

_NAME = re.compile(r"\w[\w.-]{0,99}")


class NewModel(Body):
    """A model to add."""

    name: Annotated[str | None, Field(description="The name of the model.")] = None


class ModelValues(BaseModel):
    """A model of the server."""

    name: str
    classes: int
    writable: bool
    version: int
    head: int


class Models(BaseModel):
    """The models of the server."""

    models: list[ModelValues]


class Removed(BaseModel):
    """The model that was removed."""

    removed: str


@router.get("/models", response_model=Models, summary="The models of the server.")
async def models(request: Request, service: Server) -> Response:
    """Return the models that the token is for."""
    token = token_of(request.scope)
    found = [each for name, each in service.models.items() if token is None or token.may("read", name)]
    return json_reply({"models": [_values(each) for each in found]})


@router.post(
    "/models",
    response_model=ModelValues,
    status_code=201,
    summary="Add an empty model.",
    dependencies=[needs("admin")],
)
async def add_model(fields: NewModel, service: Server) -> Response:
    """Add an empty model to the store."""
    if fields.name is None:
        raise RequestFieldError.missing(["name"], fields.given)
    if not _NAME.fullmatch(fields.name):
        expected = "up to 100 letters, digits and any of . - _, the first a letter or a digit"
        raise RequestFieldError.invalid("name", fields.name, expected)
    return json_reply(_values(await service.create(fields.name)), 201)


@router.delete(
    "/models/{name}",
    response_model=Removed,
    summary="Remove a model with all of its documents.",
    dependencies=[needs("admin")],
)
async def remove_model(name: Annotated[str, Path(description="The model.")], service: Server) -> Response:
    """Remove a model, its documents and its history."""
    await service.remove(name)
    return json_reply({"removed": name})


def _values(model: LiveModel) -> dict[str, Any]:
    served, status = model.served, model.status()
    return {
        "name": model.name,
        "classes": len(served.classes),
        "writable": model.is_writable,
        "version": served.version,
        "head": max(status.head, served.version),
    }
