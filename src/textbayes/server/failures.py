"""Errors as clients see them: a status, a code and what to do, and nothing about this machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from textbayes.errors import (
    CoreBugError,
    MethodWrongError,
    ModelChangedError,
    ModelKindError,
    ModelLockedError,
    OutOfMemoryError,
    PathUnknownError,
    ServerFaultError,
    StoreFullError,
    StoreUnavailableError,
    TextbayesError,
)
from textbayes.server.replies import FAULTS, SECURITY, error_reply
from textbayes.server.routes.fields import field_error
from textbayes.server.settings import Settings

# Errors that the client gets, but whose details belong in the log.
_LOGGED = (
    CoreBugError,
    ModelChangedError,
    ModelLockedError,
    OutOfMemoryError,
    StoreFullError,
    StoreUnavailableError,
)

Handler = Callable[[Request, Any], Coroutine[Any, Any, Response]]


def failure_handlers(settings: Settings, paths: list[str]) -> dict[Any, Handler]:
    """Return what answers each kind of exception.

    Parameters
    ----------
    settings : Settings
        The settings of the server.
    paths : list of str
        The paths that there are.
    """

    async def known(request: Request, error: TextbayesError) -> Response:
        request.state.error = error.code
        if isinstance(error, (*FAULTS, *_LOGGED)) and not isinstance(error, ModelKindError):
            # The message names files and processes of this machine: log it, but do not send it.
            settings.log({"event": "failure", "code": error.code, "message": str(error)})
        return error_reply(_public(error, settings))

    async def no_memory(request: Request, _error: MemoryError) -> Response:
        return await known(request, OutOfMemoryError(0, 0))

    async def invalid(request: Request, error: RequestValidationError) -> Response:
        given = list(error.body) if isinstance(error.body, dict) else []
        return await known(request, field_error(error.errors()[0], given))

    async def no_route(request: Request, error: HTTPException) -> Response:
        if isinstance(error.__cause__, TextbayesError):  # raised while FastAPI read the body
            return await known(request, error.__cause__)
        if error.status_code == 405:
            methods = {*(error.headers or {}).get("Allow", "").split(", ")}
            allowed = sorted(methods | {"HEAD"} if "GET" in methods else methods)
            wrong = MethodWrongError(request.method, request.url.path, allowed)
            request.state.error = wrong.code
            return error_reply(wrong, {"Allow": ", ".join(allowed)})
        return await known(request, PathUnknownError(request.url.path, paths))

    return {
        TextbayesError: known,
        MemoryError: no_memory,
        RequestValidationError: invalid,
        HTTPException: no_route,
        ClientDisconnect: _disconnected,
        Exception: _bug,
    }


async def _disconnected(_request: Request, _error: ClientDisconnect) -> Response:
    return Response(status_code=499)  # for the log only


async def _bug(request: Request, _error: Exception) -> Response:
    # Starlette raises the error again, so the traceback is in the log; the client does not get it.
    request.state.error = ServerFaultError.code
    return error_reply(ServerFaultError("a bug"), SECURITY)


def _public(error: TextbayesError, settings: Settings) -> TextbayesError:
    """Return an error as a client may see it: without folders and processes of this machine."""
    match error:
        case ModelLockedError():
            return ModelLockedError("its model file", "", settings.lock_seconds)
        case ModelChangedError():
            return ModelChangedError("its model file")
        case StoreFullError():
            return StoreFullError("of this server", "no space left")
        case StoreUnavailableError():
            return StoreUnavailableError("of this server", "see its log")
        case CoreBugError():
            return ServerFaultError("a bug")
        case ModelKindError():  # a model that cannot learn
            for name, path in settings.files.items():
                error.what = error.what.replace(repr(os.fspath(path)), repr(name))
        case _ if isinstance(error, FAULTS):
            return ServerFaultError(f"its files: {error.code}")
    return error
