"""Middleware: check the Host of every request, log it, and add headers to its answer."""

from __future__ import annotations

import time
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from textbayes.errors import HostUnknownError
from textbayes.server.metrics import UNKNOWN, Figures
from textbayes.server.replies import SECURITY, error_reply
from textbayes.server.settings import Log

_SECURITY = [(name.lower().encode(), value.encode()) for name, value in SECURITY.items()]


class HostCheck:
    """Refuse requests whose Host is not one of the server's names."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...] | None) -> None:
        self.app = app
        self.hosts = None if hosts is None else sorted({_bare(host) for host in hosts})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "http" and self.hosts is not None:
            header = Headers(scope=scope).get("host", "")
            if host_name(header) not in self.hosts:
                error = HostUnknownError(header, self.hosts)
                scope.setdefault("state", {})["error"] = error.code
                return await error_reply(error)(scope, receive, send)
        return await self.app(scope, receive, send)


class Heads:
    """Answer HEAD as GET, without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            return await self.app(scope, receive, send)

        async def send_head(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        return await self.app({**scope, "method": "GET"}, receive, send_head)


def host_name(header: str) -> str:
    """Return the name in a Host header, without the port.

    Examples
    --------
    >>> from textbayes.server.middleware import host_name
    >>> host_name("Localhost:8000"), host_name("[::1]:8000"), host_name("127.0.0.1")
    ('localhost', '::1', '127.0.0.1')
    """
    name, bracket, _port = header.partition("]") if header.startswith("[") else header.rpartition(":")
    return _bare(name if bracket else header)


def _bare(host: str) -> str:
    return host.strip("[]").lower().rstrip(".")


class AccessLog:
    """Log and count each request with its status and time, and add the security headers to its answer."""

    def __init__(self, app: ASGIApp, log: Log, figures: Figures | None = None) -> None:
        self.app, self.log, self.figures = app, log, figures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and log it when it is answered."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        start, status = time.perf_counter(), 500

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = message["headers"] = list(message.get("headers", ()))
                found = {name for name, _ in headers}
                headers += [field for field in _SECURITY if field[0] not in found]
            await send(message)

        try:
            return await self.app(scope, receive, send_and_note)
        finally:
            took = time.perf_counter() - start
            if self.figures is not None:
                self.figures.add_request(scope["method"], template_of(scope), status, took)
            self.log(_event(scope, status, took))


def template_of(scope: Scope) -> str:
    """Return the template of the path of a request, such as ``/models/{name}/predict``."""
    path = getattr(scope.get("route"), "path", None)
    if not isinstance(path, str):
        return UNKNOWN
    # The route of a model knows its own part of the path only.
    is_named = "name" in scope.get("path_params", ()) and "{name}" not in path
    return f"/models/{{name}}{path}" if is_named else path


def _event(scope: Scope, status: int, seconds: float) -> dict[str, Any]:
    # The path as sent, still escaped: a decoded path could forge log lines. Without the query, which may
    # have texts.
    path = scope.get("raw_path") or scope["path"].encode("ascii", "backslashreplace")
    event = {
        "event": "request",
        "method": scope["method"],
        "path": path.decode("ascii", "backslashreplace"),
        "status": status,
        "seconds": round(seconds, 6),
    }
    state = scope.get("state", {})
    token, code = state.get("token"), state.get("error")
    if token is not None:
        event["actor"] = token.name
    return event if code is None else {**event, "code": code}
