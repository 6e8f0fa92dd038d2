"""Reading a request: its body, its address, and what its sender prefers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from typing import Any

from starlette.requests import Request

from textbayes.errors import (
    BodyJsonError,
    BodySizeError,
    BodySlowError,
    ContentTypeError,
    RequestFieldError,
)
from textbayes.server.fields import Field
from textbayes.server.settings import Settings


async def read_body(request: Request, settings: Settings) -> bytes:
    """Read the body of a request, which has to be JSON, in time, and not too long."""
    _check_content_type(request.headers.get("content-type", ""))
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared[:20]) > settings.body_bytes:
        raise BodySizeError(settings.body_bytes)
    try:
        async with asyncio.timeout(settings.body_seconds):
            return await _body(request, settings.body_bytes)
    except TimeoutError:
        raise BodySlowError(settings.body_seconds) from None


async def _body(request: Request, limit: int) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise BodySizeError(limit)
    return bytes(body)


def _check_content_type(header: str) -> None:
    # More than politeness: a page of another site cannot send this type unless the server lets it.
    kind, _, parameters = header.partition(";")
    charset = parameters.lower().replace('"', "").replace(" ", "")
    if kind.strip().lower() != "application/json" or charset not in ("", "charset=utf-8"):
        raise ContentTypeError(header)


def parse_object(body: bytes) -> dict[str, Any]:
    """Parse a JSON object in UTF-8, in which no name stands twice and every number is one.

    Examples
    --------
    >>> from textbayes.server.requests import parse_object
    >>> parse_object('{"text": "밀"}'.encode())
    {'text': '밀'}
    """
    try:
        found = json.loads(_decoded(body), object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except RecursionError:
        raise BodyJsonError("it is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise BodyJsonError(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
    except ValueError as error:
        raise BodyJsonError(str(error).partition(";")[0][:100]) from None
    if not isinstance(found, dict):
        raise BodyJsonError(f"it is {_KINDS.get(type(found), 'a number')}")
    return found


_KINDS = {list: "a list", str: "a string", bool: "true or false", type(None): "null"}


def _decoded(body: bytes) -> str:
    if not body.strip():
        raise BodyJsonError("it is empty")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BodyJsonError(
            f"the byte 0x{body[error.start]:02x} at offset {error.start} is not UTF-8"
        ) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) != len(pairs):
        raise ValueError("a name stands in it twice")
    return unique


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is no number")


def read_address(request: Request, fields: Iterable[Field]) -> dict[str, Any]:
    """Read the fields that stand in the address of a request."""
    lists = {field.name for field in fields if field.schema["type"] == "array"}
    found: dict[str, Any] = {}
    for name in request.query_params:
        values = request.query_params.getlist(name)
        if name in lists:
            if len(values) != 2:
                raise RequestFieldError(name, values, "it twice: once for each of two classes")
            found[name] = values
        elif len(values) > 1:
            raise RequestFieldError(name, values, "it once")
        else:
            found[name] = values[0]
    return found


def prefers_html(accept: str) -> bool:
    """Tell whether a sender wants HTML rather than JSON; who takes anything gets JSON.

    Examples
    --------
    >>> from textbayes.server.requests import prefers_html
    >>> prefers_html("text/html, application/json;q=0.5"), prefers_html("*/*"), prefers_html("")
    (True, False, False)
    """
    weights = {"text/html": 0.0, "application/json": 0.0}
    for part in accept.split(","):
        kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = next((piece[2:] for piece in parameters if piece.startswith("q=")), "1")
        if kind in weights:
            weights[kind] = float(quality) if quality.replace(".", "", 1).isdecimal() else 0.0
    return weights["text/html"] > weights["application/json"]
