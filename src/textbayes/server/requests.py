"""Read requests: body, query string and preferred content type."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from json import JSONDecodeError
from typing import Any

from starlette.requests import Request

from textbayes.errors import (
    BodyJsonError,
    ContentTypeError,
    RequestFieldError,
    RequestSizeError,
    RequestSlowError,
    ServerBusyError,
)
from textbayes.persistence import parse_json
from textbayes.server.fields import Field
from textbayes.server.settings import Settings

_SMALL = 1 << 16


class Bodies:
    """Reads the bodies of requests, and counts the bytes of those that are not answered yet.

    Parameters
    ----------
    settings : Settings
        The limits on size and time.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings, self._bytes = settings, 0

    @contextlib.asynccontextmanager
    async def read(self, request: Request) -> AsyncIterator[bytearray]:
        """Read a body, within the limits on type, size and time; it is counted until the context ends."""
        _check_content_type(request.headers.get("content-type", ""))
        declared = request.headers.get("content-length", "")
        if declared.isdigit() and int(declared[:20]) > self._settings.body_bytes:
            raise RequestSizeError("The body", None, self._settings.body_bytes, "bytes")
        body = bytearray()
        try:
            await self._receive(request, body)
            yield body
        finally:
            self._bytes -= len(body)

    async def _receive(self, request: Request, body: bytearray) -> None:
        try:
            async with asyncio.timeout(self._settings.body_seconds):
                async for chunk in request.stream():
                    body += chunk
                    self._bytes += len(chunk)
                    self._check_sizes(len(body))
        except TimeoutError:
            raise RequestSlowError("body", self._settings.body_seconds) from None

    def _check_sizes(self, size: int) -> None:
        if size > self._settings.body_bytes:
            raise RequestSizeError("The body", None, self._settings.body_bytes, "bytes")
        # Small bodies always find room: the number of connections limits them.
        if size > _SMALL and self._bytes > self._settings.bodies_bytes:
            about = f"the bodies of open requests have {self._settings.bodies_bytes:,} bytes, the limit"
            raise ServerBusyError(about)


def _check_content_type(header: str) -> None:
    # A security check: without CORS, a page of another site cannot send this type.
    kind, _, parameters = header.partition(";")
    charset = parameters.lower().replace('"', "").replace(" ", "")
    if kind.strip().lower() != "application/json" or charset not in ("", "charset=utf-8"):
        raise ContentTypeError(header)


def parse_object(body: bytes | bytearray) -> dict[str, Any]:
    """Parse a JSON object in UTF-8; refuse duplicate names, NaN and infinities.

    Examples
    --------
    >>> from textbayes.server.requests import parse_object
    >>> parse_object('{"text": "밀"}'.encode())
    {'text': '밀'}
    """
    try:
        found = parse_json(_decoded(body))
    except RecursionError:
        raise BodyJsonError("it is nested too deeply") from None
    except JSONDecodeError as error:
        raise BodyJsonError(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
    except ValueError as error:
        raise BodyJsonError(str(error).partition(";")[0][:100]) from None
    if not isinstance(found, dict):
        raise BodyJsonError(f"it is {_KINDS.get(type(found), 'a number')}")
    return found


_KINDS = {list: "a list", str: "a string", bool: "true or false", type(None): "null"}


def _decoded(body: bytes | bytearray) -> str:
    if not body or body.isspace():
        raise BodyJsonError("it is empty")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BodyJsonError(
            f"the byte 0x{body[error.start]:02x} at offset {error.start} is not UTF-8"
        ) from None


def read_query(request: Request, fields: Iterable[Field]) -> dict[str, Any]:
    """Read the fields in the query string of a request."""
    lists = {field.name for field in fields if field.schema["type"] == "array"}
    found: dict[str, Any] = {}
    for name in request.query_params:
        values = request.query_params.getlist(name)
        if name in lists:
            if len(values) != 2:
                raise RequestFieldError.invalid(name, values, "it twice: once for each of two classes")
            found[name] = values
        elif len(values) > 1:
            raise RequestFieldError.invalid(name, values, "it once")
        else:
            found[name] = values[0]
    return found


def prefers_html(accept: str) -> bool:
    """Return whether an Accept header prefers HTML to JSON; JSON is the default.

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
