"""HTTP responses: JSON, HTML and errors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from textbayes.errors import (
    BodyJsonError,
    ContentTypeError,
    FileMissingError,
    FileReadError,
    FileWriteError,
    HostUnknownError,
    MethodWrongError,
    ModelChangedError,
    ModelDamagedError,
    ModelForeignError,
    ModelLockedError,
    ModelUnsavableError,
    ModelVersionError,
    OutOfMemoryError,
    PathUnknownError,
    RequestSizeError,
    RequestSlowError,
    ServerBusyError,
    ServerFaultError,
    ServerReadOnlyError,
    TextbayesError,
)
from textbayes.persistence import finite
from textbayes.server.page import page_policy

STATUS: dict[type[TextbayesError], int] = {
    BodyJsonError: 400,
    HostUnknownError: 403,
    ServerReadOnlyError: 403,
    PathUnknownError: 404,
    MethodWrongError: 405,
    RequestSlowError: 408,
    RequestSizeError: 413,
    ContentTypeError: 415,
    ServerFaultError: 500,
    ModelChangedError: 503,
    ModelLockedError: 503,
    OutOfMemoryError: 503,
    ServerBusyError: 503,
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
)
"""Errors about the model file, which the client cannot fix."""

# After 408 the rest of the body may come at any time, so the connection cannot be used again.
_ABOUT = {408: {"Connection": "close"}, 503: {"Retry-After": "1"}}
_HEADERS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}


def json_reply(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a response with JSON in UTF-8."""
    return Response(_json_bytes(value), status, {**_HEADERS, **(headers or {})}, "application/json")


def _json_bytes(value: Any) -> bytes:
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    except ValueError:  # an infinite score, which JSON lacks; rare, and the copy takes memory
        return _json_bytes(finite(value))
    try:
        return text.encode()
    except UnicodeEncodeError:
        # A label in a file may contain a lone surrogate, which JSON can only write as an escape.
        return json.dumps(value, separators=(",", ":")).encode()


def html_reply(page: str) -> Response:
    """Return a response with a page that may not load or run anything external."""
    headers = {**_HEADERS, "Content-Security-Policy": page_policy(), "Referrer-Policy": "no-referrer"}
    return Response(page.encode("utf-8", "replace"), 200, headers, "text/html")


def error_reply(error: TextbayesError, headers: Mapping[str, str] | None = None) -> Response:
    """Return a response for an error: what happened, why it matters and what to do."""
    status = STATUS.get(type(error), 422)
    return json_reply(error_body(error), status, {**_ABOUT.get(status, {}), **(headers or {})})


def error_body(error: TextbayesError) -> dict[str, Any]:
    """Return an error as values for JSON."""
    facts = {"code": error.code, "what": error.what, "why": error.why, "todo": error.todo}
    return {"error": {**facts, "docs": f"docs/errors.md#{error.code}"}}
