"""Bodies of requests: read within limits on size and time, and parsed strictly."""

from __future__ import annotations

import asyncio
from json import JSONDecodeError
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from textbayes.errors import (
    BodyJsonError,
    ContentTypeError,
    RequestSizeError,
    RequestSlowError,
    ServerBusyError,
)
from textbayes.persistence import parse_json
from textbayes.server.replies import error_reply
from textbayes.server.settings import Settings

UPLOADS = ("text/csv", "application/x-ndjson")
"""The types of bodies with many records."""

_SMALL = 1 << 16


class Bodies:
    """Limits what requests bring and how many are answered at a time.

    A request counts as in progress when its body is complete, so slow clients take no place of others.

    Parameters
    ----------
    app : ASGI application
        What reads the bodies.
    settings : Settings
        The limits.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.bytes = self.requests = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; what it receives is limited."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        try:
            self._check_turn(scope)
            body = _Body(self, scope, receive)
        except ServerBusyError as error:
            scope.setdefault("state", {})["error"] = error.code
            return await error_reply(error)(scope, receive, send)
        try:
            return await self.app(scope, body.receive, send)
        finally:
            body.end()

    def _check_turn(self, scope: Scope) -> None:
        """Refuse a request that had to wait for too many others before this."""
        if _is_page(scope["path"]):
            return
        arrived, limit = scope.get("state", {}).get("arrived"), self.settings.turn_seconds
        if arrived is not None and asyncio.get_running_loop().time() - arrived > limit:
            raise ServerBusyError(f"requests have waited for {limit:g} seconds for their turn, the limit")


def _is_page(path: str) -> bool:
    """Return whether a path is a file of the page: quick to send, and without one nothing is shown."""
    return path == "/" or path.startswith("/page/")


class _Body:
    """The body of one request."""

    def __init__(self, bodies: Bodies, scope: Scope, receive: Receive) -> None:
        self._bodies, self._scope, self._receive = bodies, scope, receive
        self._size, self._limit, self._end = 0, 0, 0.0
        self._is_counted = self._is_complete = False
        if scope["method"] in ("GET", "HEAD", "OPTIONS"):
            self._count()

    def _count(self) -> None:
        if self._is_counted:
            return
        limit = self._bodies.settings.requests
        if self._bodies.requests >= limit:
            raise ServerBusyError(f"{limit:,} requests are in progress, the limit")
        self._is_counted = True
        self._bodies.requests += 1

    def end(self) -> None:
        """The request is answered."""
        self._bodies.bytes -= self._size
        self._bodies.requests -= self._is_counted

    async def receive(self) -> Message:
        """Receive a part of the body."""
        if self._is_complete:
            return await self._receive()
        loop = asyncio.get_running_loop()
        if not self._end:
            self._begin(loop.time())
        try:
            async with asyncio.timeout_at(self._end):
                message = await self._receive()
        except TimeoutError:
            raise RequestSlowError("body", self._bodies.settings.body_seconds) from None
        if message["type"] == "http.request":
            self._take(message)
        return message

    def _begin(self, now: float) -> None:
        settings, headers = self._bodies.settings, dict(self._scope["headers"])
        kind = headers.get(b"content-type", b"").decode("latin-1").partition(";")[0].strip().lower()
        self._limit = settings.upload_bytes if kind in UPLOADS else settings.body_bytes
        self._end = now + settings.body_seconds
        declared = headers.get(b"content-length", b"")
        if declared.isdigit() and int(declared[:20]) > self._limit:
            raise RequestSizeError("The body", None, self._limit, "bytes")

    def _take(self, message: Message) -> None:
        bodies, size = self._bodies, len(message.get("body", b""))
        self._size += size
        bodies.bytes += size
        if self._size > self._limit:
            raise RequestSizeError("The body", None, self._limit, "bytes")
        # Small bodies always find room: the number of connections limits them.
        if self._size > _SMALL and bodies.bytes > bodies.settings.bodies_bytes:
            about = f"the bodies of open requests have {bodies.settings.bodies_bytes:,} bytes, the limit"
            raise ServerBusyError(about)
        if not message.get("more_body", False):
            self._is_complete = True
            self._count()


def check_content_type(header: str, kinds: tuple[str, ...] = ("application/json",)) -> str:
    """Return the type of a body, or raise if it is another one.

    A security check: without CORS, a page of another site cannot send these types.

    Raises
    ------
    ContentTypeError
        If the type is none of ``kinds``, or the characters are not UTF-8.
    """
    kind, _, parameters = header.partition(";")
    charset = parameters.lower().replace('"', "").replace(" ", "")
    plain = kind.strip().lower()
    if plain not in kinds or charset not in ("", "charset=utf-8"):
        raise ContentTypeError(header, kinds)
    return plain


def parse_object(body: bytes | bytearray) -> dict[str, Any]:
    """Parse a JSON object in UTF-8; refuse duplicate names, NaN and infinities.

    Examples
    --------
    >>> from textbayes.server.bodies import parse_object
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


def prefers_html(accept: str) -> bool:
    """Return whether an Accept header prefers HTML to JSON; JSON is the default.

    Examples
    --------
    >>> from textbayes.server.bodies import prefers_html
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
