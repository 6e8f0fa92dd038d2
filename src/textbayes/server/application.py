"""create_app: the routes of the table, as an ASGI application."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from textbayes.errors import (
    MethodWrongError,
    PathUnknownError,
    ServerFaultError,
    ServerReadOnlyError,
    TextbayesError,
)
from textbayes.server.answers import Question
from textbayes.server.fields import read_fields
from textbayes.server.middleware import AccessLog, HostCheck
from textbayes.server.openapi import openapi
from textbayes.server.replies import FAULTS, error_reply, html_reply, json_reply
from textbayes.server.requests import parse_object, prefers_html, read_address, read_body
from textbayes.server.routes import ROUTES, Entry
from textbayes.server.served import ModelFile
from textbayes.server.settings import Settings

PATHS = [*(entry.path for entry in ROUTES), "/openapi.json"]


def create_app(settings: Settings) -> Starlette:
    """Make the application that serves a model.

    Parameters
    ----------
    settings : Settings
        The model file, and what may be done with it. The model is loaded at once.

    Returns
    -------
    Starlette
        An ASGI application, for uvicorn or any other such server; ``app.state.model`` is what it serves.

    Raises
    ------
    ModelMissingError, ModelForeignError, ModelDamagedError, ModelVersionError
        When there is no model file, or not a sound one.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.server import Settings, create_app
    >>> TextClassifier().fit(["wheat corn", "crude oil"], ["grain", "oil"]).save("news.tb")
    >>> app = create_app(Settings("news.tb"))
    >>> sorted(route.path for route in app.routes)[:3]
    ['/', '/explain', '/forget']
    """
    file, changing = ModelFile(settings.model), asyncio.Lock()
    routes = [
        Route(entry.path, _endpoint(entry, file, settings, changing), methods=[entry.method])
        for entry in ROUTES
    ]
    document = openapi(ROUTES)
    routes.append(Route("/openapi.json", _constant(document), methods=["GET"]))
    handlers: dict[Any, Any] = {
        TextbayesError: _known_error(settings),
        HTTPException: _no_route,
        ClientDisconnect: _gone,
        Exception: _bug,
    }
    middleware = [Middleware(AccessLog, log=settings.log), Middleware(HostCheck, hosts=settings.hosts)]
    app = Starlette(routes=routes, exception_handlers=handlers, middleware=middleware)
    app.state.model = file
    app.router.redirect_slashes = False  # a path that is not in the table is an error, not a detour
    return app


Endpoint = Callable[[Request], Awaitable[Response]]


def _endpoint(entry: Entry, file: ModelFile, settings: Settings, changing: asyncio.Lock) -> Endpoint:
    async def answer(request: Request) -> Response:
        if entry.changes and not settings.writable:
            raise ServerReadOnlyError(entry.path)
        body = b"" if entry.method == "GET" else await read_body(request, settings)
        # Parsing megabytes would hold up other requests as much as scoring them: both are a thread's work.
        if not entry.changes:
            return await run_in_threadpool(_reply, entry, request, body, file, settings)
        # Who waits for a change waits here, not in a thread that others could use.
        async with changing:
            return await run_in_threadpool(_reply, entry, request, body, file, settings)

    return answer


def _reply(entry: Entry, request: Request, body: bytes, file: ModelFile, settings: Settings) -> Response:
    """Validate, call, serialise."""
    found = read_address(request, entry.fields) if entry.method == "GET" else parse_object(body)
    asked = read_fields(found, entry.fields, entry.path, settings)
    answer = entry.call(Question(asked, file.current, file, settings))
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
        if not isinstance(error, FAULTS):
            return error_reply(error)
        # It names files of this machine, which are nobody else's business.
        settings.log({"event": "failure", "code": error.code, "message": str(error)})
        return error_reply(ServerFaultError(f"its model file: {error.code}"))

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


async def _gone(_request: Request, _error: ClientDisconnect) -> Response:
    return Response(status_code=499)  # nobody reads it; the log has it


async def _bug(request: Request, _error: Exception) -> Response:
    # Raised again afterwards, so that the log has the traceback; the sender has not.
    request.state.error = ServerFaultError.code
    return error_reply(ServerFaultError("a bug"))
