"""HTTP responses: JSON, HTML and errors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from textbayes.errors import (
    BodyJsonError,
    ContentTypeError,
    DocumentUnknownError,
    FileMissingError,
    FileReadError,
    FileWriteError,
    HostUnknownError,
    KeyReusedError,
    MethodWrongError,
    ModelChangedError,
    ModelDamagedError,
    ModelEmptyError,
    ModelExistsError,
    ModelForeignError,
    ModelLockedError,
    ModelUnknownError,
    ModelUnsavableError,
    ModelVersionError,
    NothingToUndoError,
    OutOfMemoryError,
    PathUnknownError,
    RateLimitError,
    RequestSizeError,
    RequestSlowError,
    RightMissingError,
    ServerBusyError,
    ServerFaultError,
    ServerReadOnlyError,
    StoreForeignError,
    StoreFullError,
    StoreMissingError,
    StoreUnavailableError,
    StoreVersionError,
    TextbayesError,
    TokenMissingError,
    TokenRefusedError,
    UndoConflictError,
    VersionGoneError,
    VersionUnknownError,
    WriterElsewhereError,
)
from textbayes.persistence import finite

STATUS: dict[type[TextbayesError], int] = {
    BodyJsonError: 400,
    TokenMissingError: 401,
    TokenRefusedError: 401,
    HostUnknownError: 403,
    RightMissingError: 403,
    ServerReadOnlyError: 403,
    DocumentUnknownError: 404,
    ModelUnknownError: 404,
    PathUnknownError: 404,
    VersionUnknownError: 404,
    MethodWrongError: 405,
    RequestSlowError: 408,
    KeyReusedError: 409,
    ModelEmptyError: 409,
    ModelExistsError: 409,
    NothingToUndoError: 409,
    StoreMissingError: 409,
    UndoConflictError: 409,
    WriterElsewhereError: 409,
    VersionGoneError: 410,
    RequestSizeError: 413,
    ContentTypeError: 415,
    RateLimitError: 429,
    ServerFaultError: 500,
    ModelChangedError: 503,
    ModelLockedError: 503,
    OutOfMemoryError: 503,
    ServerBusyError: 503,
    StoreUnavailableError: 503,
    StoreFullError: 507,
}
"""The HTTP status of each error about a request; all others are 422, invalid fields."""

FAULTS = (
    ModelDamagedError,
    ModelForeignError,
    FileMissingError,
    FileReadError,
    ModelUnsavableError,
    ModelVersionError,
    FileWriteError,
    StoreForeignError,
    StoreVersionError,
)
"""Errors about files of the server, which the client cannot fix."""

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of the page: its own files only."""

_DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
_EXPLANATION_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'; sandbox"
)

SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
    "Content-Security-Policy": _DATA_POLICY,
}
"""The headers of every answer that does not set them itself."""

# After 408 the rest of the body may come at any time, so the connection cannot be used again.
_ABOUT = {408: {"Connection": "close"}, 503: {"Retry-After": "1"}}


def json_reply(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a response with JSON in UTF-8."""
    return Response(json_bytes(value), status, headers, "application/json")


def json_bytes(value: Any) -> bytes:
    """Return a value as JSON in UTF-8."""
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    except ValueError:  # an infinite score, which JSON lacks; rare, and the copy takes memory
        return json_bytes(finite(value))
    try:
        return text.encode()
    except UnicodeEncodeError:
        # A label in a file may contain a lone surrogate, which JSON can only write as an escape.
        return json.dumps(value, separators=(",", ":")).encode()


def html_reply(page: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return a response with a document that may not load or run anything."""
    policy = {"Content-Security-Policy": _EXPLANATION_POLICY, "X-Frame-Options": "SAMEORIGIN"}
    return Response(page.encode("utf-8", "replace"), 200, {**policy, **(headers or {})}, "text/html")


def error_reply(error: TextbayesError, headers: Mapping[str, str] | None = None) -> Response:
    """Return a response for an error: what happened, why it matters and what to do."""
    status = STATUS.get(type(error), 422)
    return json_reply(error_body(error), status, {**_ABOUT.get(status, {}), **(headers or {})})


def error_body(error: TextbayesError) -> dict[str, Any]:
    """Return an error as values for JSON."""
    facts = {"code": error.code, "what": error.what, "why": error.why, "todo": error.todo}
    return {"error": {**facts, "docs": f"docs/errors.md#{error.code}"}}
