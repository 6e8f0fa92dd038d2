"""The OpenAPI document, generated from the table of routes."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

from textbayes.server.fields import Field
from textbayes.server.routes import Entry

_ERROR = {"$ref": "#/components/schemas/Error"}
_PARTS = {
    "code": "A stable error code.",
    "what": "What happened.",
    "why": "Why it matters.",
    "todo": "What to do about it.",
    "docs": "The documentation of the error.",
}


def openapi(routes: Iterable[Entry]) -> dict[str, Any]:
    """Return the OpenAPI document of a table of routes.

    Examples
    --------
    >>> from textbayes.server.openapi import openapi
    >>> from textbayes.server.routes import ROUTES
    >>> sorted(openapi(ROUTES)["paths"])[:3]
    ['/', '/explain', '/forget']
    """
    paths = {entry.path: {entry.method.lower(): _operation(entry)} for entry in routes}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "textbayes",
            "version": version("textbayes"),
            "summary": "Text classification with the naive Bayes family.",
        },
        "paths": paths,
        "components": {"schemas": {"Error": _error_schema()}},
    }


def _operation(entry: Entry) -> dict[str, Any]:
    kinds = ["application/json"] * (entry.json is not None) + ["text/html"] * (entry.html is not None)
    operation: dict[str, Any] = {
        "summary": entry.about,
        "operationId": entry.path.strip("/") or "page",
        "responses": {
            "200": {"description": "Success.", "content": {kind: {} for kind in kinds}},
            "default": {
                "description": "An error, described in the body.",
                "content": {"application/json": {"schema": _ERROR}},
            },
        },
    }
    if entry.method == "GET" and entry.fields:
        operation["parameters"] = [_parameter(field) for field in entry.fields]
    elif entry.method == "POST":
        schema = {
            "type": "object",
            "properties": {field.name: _schema(field) for field in entry.fields},
            "additionalProperties": False,
        }
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return operation


def _parameter(field: Field) -> dict[str, Any]:
    return {"name": field.name, "in": "query", "description": field.about, "schema": dict(field.schema)}


def _schema(field: Field) -> dict[str, Any]:
    return {**field.schema, "description": field.about}


def _error_schema() -> dict[str, Any]:
    parts = {name: {"type": "string", "description": about} for name, about in _PARTS.items()}
    error = {"type": "object", "properties": parts, "required": list(parts)}
    return {"type": "object", "properties": {"error": error}, "required": ["error"]}
