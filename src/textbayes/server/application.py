"""create_app: an ASGI application from the table of routes."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from textbayes.errors import (
    CoreBugError,
    MethodWrongError,
    ModelChangedError,
    ModelKindError,
    ModelLockedError,
    OutOfMemoryError,
    PathUnknownError,
    ServerFaultError,
    ServerReadOnlyError,
    TextbayesError,
)
from textbayes.server.answers import FieldRequest
from textbayes.server.changes import Changes
from textbayes.server.counted_log import CountedLog
from textbayes.server.fields import read_fields
from textbayes.server.following import Follower
from textbayes.server.middleware import AccessLog, HostCheck
from textbayes.server.openapi import openapi
from textbayes.server.replies import FAULTS, error_reply, html_reply, json_reply
from textbayes.server.requests import Bodies, parse_object, prefers_html, read_query
from textbayes.server.routes import ROUTES, Entry
from textbayes.server.served import ModelFile, Served
from textbayes.server.settings import Settings

PATHS = [*(entry.path for entry in ROUTES), "/openapi.json"]


def create_app(settings: Settings) -> Starlette:
    """Return an application that serves a model.

    Parameters
    ----------
    settings : Settings
        The model file, permissions and limits. The model is loaded immediately.

    Returns
    -------
    Starlette
        An ASGI application, for uvicorn or any other ASGI server; ``app.state.model`` is its model file, and
        the coroutine function ``app.state.reload`` serves the file as it is now.

    Raises
    ------
    FileMissingError, ModelForeignError, ModelDamagedError, ModelVersionError
        If the model file is missing or invalid.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.server import Settings, create_app
    >>> TextClassifier().fit(["wheat corn", "crude oil"], ["grain", "oil"]).save("news.tb")
    >>> app = create_app(Settings("news.tb"))
    >>> sorted(route.path for route in app.routes)[:3]
    ['/', '/explain', '/forget']
    """
    settings = replace(settings, log=CountedLog(settings.log))
    file, changes = ModelFile(_path(settings), settings.lock_seconds), Changes(settings)
    follower = Follower(file, changes, settings)
    desk = _Desk(file, settings, Bodies(settings), changes, follower, asyncio.Lock())
    routes = [Route(entry.path, _endpoint(entry, desk), methods=[entry.method]) for entry in ROUTES]
    document = openapi(ROUTES)
    routes.append(Route("/openapi.json", _constant(document), methods=["GET"]))
    handlers: dict[Any, Any] = {
        TextbayesError: _known_error(settings),
        MemoryError: _no_memory(settings),
        HTTPException: _no_route,
        ClientDisconnect: _disconnected,
        Exception: _bug,
    }
    middleware = [Middleware(AccessLog, log=settings.log), Middleware(HostCheck, hosts=settings.hosts)]
    app = Starlette(routes=routes, exception_handlers=handlers, middleware=middleware)
    app.state.model, app.state.reload = file, follower.reload
    app.router.redirect_slashes = False  # a path that is not in the table is an error
    return app


def _path(settings: Settings) -> Path:
    return next(iter(settings.files.values()))


# Errors that the client gets, but whose details belong in the log.
_LOGGED = (CoreBugError, ModelChangedError, ModelLockedError, OutOfMemoryError)

Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class _Desk:
    """What the requests of an application share. Whoever has to wait waits here, not in a thread."""

    file: ModelFile
    settings: Settings
    bodies: Bodies
    changes: Changes
    follower: Follower
    inspecting: asyncio.Lock


def _endpoint(entry: Entry, desk: _Desk) -> Endpoint:
    async def answer(request: Request) -> Response:
        if entry.updates and not desk.settings.writable:
            raise ServerReadOnlyError(entry.path)
        if entry.method == "GET":
            return await _answer(entry, request, b"", desk)
        async with desk.bodies.read(request) as body:
            return await _answer(entry, request, body, desk)

    return answer


async def _answer(entry: Entry, request: Request, body: bytes | bytearray, desk: _Desk) -> Response:
    desk.follower.check()
    served = desk.file.current
    if entry.inspects:
        async with desk.inspecting:
            if not served.is_inspected:
                await run_in_threadpool(served.inspect)
    # Parsing megabytes would block the event loop as much as scoring, so both run in a thread.
    if entry.updates or entry.queued:
        return await desk.changes.apply(
            request, lambda: _reply(entry, request, body, desk.file.current, desk)
        )
    return await run_in_threadpool(_reply, entry, request, body, served, desk)


def _reply(entry: Entry, request: Request, body: bytes | bytearray, served: Served, desk: _Desk) -> Response:
    """Validate, call, serialise."""
    found = read_query(request, entry.fields) if entry.method == "GET" else parse_object(body)
    fields = read_fields(found, entry.fields, entry.path, desk.settings)
    answer = entry.call(FieldRequest(fields, served, desk.file, desk.settings))
    as_html = entry.json is None or prefers_html(request.headers.get("accept", ""))
    if entry.html is not None and as_html:
        return html_reply(entry.html(answer))
    assert entry.json is not None
    return json_reply(entry.json(answer))


def _constant(value: Any) -> Endpoint:
    async def answer(_request: Request) -> Response:
        return json_reply(value)

    return answer


def _known_error(settings: Settings) -> Callable[[Request, TextbayesError], Awaitable[Response]]:
    async def answer(request: Request, error: TextbayesError) -> Response:
        request.state.error = error.code
        if isinstance(error, (*FAULTS, *_LOGGED)) and not isinstance(error, ModelKindError):
            # The message names files and processes of this machine: log it, but do not send it.
            settings.log({"event": "failure", "code": error.code, "message": str(error)})
        return error_reply(_public(error, settings))

    return answer


def _public(error: TextbayesError, settings: Settings) -> TextbayesError:
    """Return an error as a client may see it: without folders and processes of this machine."""
    name = _path(settings).name
    match error:
        case ModelLockedError():
            return ModelLockedError(name, "", settings.lock_seconds)
        case ModelChangedError():
            return ModelChangedError(name)
        case CoreBugError():
            return ServerFaultError("a bug")
        case ModelKindError():  # a model that cannot learn
            error.what = error.what.replace(repr(os.fspath(_path(settings))), repr(name))
        case _ if isinstance(error, FAULTS):
            return ServerFaultError(f"its model file: {error.code}")
    return error


def _no_memory(settings: Settings) -> Callable[[Request, MemoryError], Awaitable[Response]]:
    known = _known_error(settings)

    async def answer(request: Request, _error: MemoryError) -> Response:
        return await known(request, OutOfMemoryError(0, 0))

    return answer


async def _no_route(request: Request, error: HTTPException) -> Response:
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        wrong = MethodWrongError(request.method, request.url.path, sorted(allowed.split(", ")))
        request.state.error = wrong.code
        return error_reply(wrong, {"Allow": allowed})
    missing = PathUnknownError(request.url.path, PATHS)
    request.state.error = missing.code
    return error_reply(missing)


async def _disconnected(_request: Request, _error: ClientDisconnect) -> Response:
    return Response(status_code=499)  # for the log only


async def _bug(request: Request, _error: Exception) -> Response:
    # Starlette raises the error again, so the traceback is in the log; the client does not get it.
    request.state.error = ServerFaultError.code
    return error_reply(ServerFaultError("a bug"))
