"""Answers as HTTP has them: JSON, HTML, and errors made from their classes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from textbayes.errors import (
    BodyJsonError,
    BodySizeError,
    BodySlowError,
    ContentTypeError,
    HostUnknownError,
    MethodWrongError,
    ModelDamagedError,
    ModelForeignError,
    ModelMissingError,
    ModelUnsavableError,
    ModelVersionError,
    ModelWriteError,
    PathUnknownError,
    ServerFaultError,
    ServerReadOnlyError,
    TextbayesError,
    TextsLimitError,
)
from textbayes.persistence import finite
from textbayes.server.page import page_policy

STATUS: dict[type[TextbayesError], int] = {
    BodyJsonError: 400,
    HostUnknownError: 403,
    ServerReadOnlyError: 403,
    PathUnknownError: 404,
    MethodWrongError: 405,
    BodySlowError: 408,
    BodySizeError: 413,
    TextsLimitError: 413,
    ContentTypeError: 415,
    ServerFaultError: 500,
}
"""The status of errors about a request; any other says that its fields make no sense: 422."""

FAULTS = (
    ModelDamagedError,
    ModelForeignError,
    ModelMissingError,
    ModelUnsavableError,
    ModelVersionError,
    ModelWriteError,
)
"""Errors about the model's file, which whoever sent the request can do nothing about."""

_HEADERS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}


def json_reply(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Answer with JSON in UTF-8."""
    # A label in a file may hold half a surrogate pair, which JSON can only write as an escape.
    text = json.dumps(finite(value), ensure_ascii=False, separators=(",", ":"))
    try:
        body = text.encode()
    except UnicodeEncodeError:
        body = json.dumps(finite(value), separators=(",", ":")).encode()
    return Response(body, status, {**_HEADERS, **(headers or {})}, "application/json")


def html_reply(page: str) -> Response:
    """Answer with a page, which may run nothing and load nothing but its own."""
    headers = {**_HEADERS, "Content-Security-Policy": page_policy(), "Referrer-Policy": "no-referrer"}
    return Response(page.encode("utf-8", "replace"), 200, headers, "text/html")


def error_reply(error: TextbayesError, headers: Mapping[str, str] | None = None) -> Response:
    """Answer with what went wrong, why that matters and what to do."""
    return json_reply(error_body(error), STATUS.get(type(error), 422), headers)


def error_body(error: TextbayesError) -> dict[str, Any]:
    """Return an error as values for JSON."""
    facts = {"code": error.code, "what": error.what, "why": error.why, "todo": error.todo}
    return {"error": {**facts, "docs": f"docs/errors.md#{error.code}"}}
