"""Running the application: a socket, uvicorn, and how it ends."""

from __future__ import annotations

import contextlib
import ipaddress
import logging
import signal
import socket
import threading
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn

from textbayes.errors import ServerAddressError
from textbayes.server.settings import Log

_WAITING = 2048
_DRAIN_SECONDS = 30
_IDLE_SECONDS = 75  # more than the 60 after which proxies let go: whoever closes first must not be the server
_LOGGERS = ("uvicorn.error", "asyncio")


def listen(host: str, port: int) -> socket.socket:
    """Listen at an address; port 0 takes any that is free.

    Raises
    ------
    ServerAddressError
        When the port is taken, or the address is none of this machine.

    Examples
    --------
    >>> from textbayes.server import listen
    >>> with listen("127.0.0.1", 0) as listening:
    ...     listening.getsockname()[0]
    '127.0.0.1'
    """
    listening = None
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        if hasattr(socket, "SO_REUSEPORT"):  # not on Windows, where the next line would let others listen too
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_WAITING)
    except (OSError, OverflowError, UnicodeError) as error:
        if listening is not None:
            listening.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise ServerAddressError(host, port, getattr(error, "errno", None), reason) from error
    return listening


def address_of(listening: socket.socket) -> str:
    """Return the address of a socket as people open it.

    Examples
    --------
    >>> from textbayes.server.running import address_of, listen
    >>> with listen("127.0.0.1", 0) as listening:
    ...     address_of(listening)
    'http://127.0.0.1:...'
    """
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def own_names(listening: socket.socket) -> tuple[str, ...] | None:
    """Return the names of a socket that only this machine can reach, or None for one that others can."""
    host = listening.getsockname()[0]
    return ("localhost", "127.0.0.1", "::1", host) if ipaddress.ip_address(host).is_loopback else None


def run(app: Any, listening: socket.socket, ready: Callable[[], None], log: Log) -> None:
    """Answer requests until Ctrl-C or SIGTERM, and let those that began end.

    Parameters
    ----------
    app : ASGI application
        From :func:`create_app`.
    listening : socket
        From :func:`listen`.
    ready : function
        Called when requests are answered.
    log : function
        Called with what went wrong.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C, when all is done.

    Examples
    --------
    >>> from textbayes.server import Settings, create_app, listen, run
    >>> app = create_app(Settings("news.tb"))  # doctest: +SKIP
    >>> run(app, listen("127.0.0.1", 8000), lambda: print("ready"), print)  # doctest: +SKIP
    """
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        server_header=False,
        ws="none",
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=_DRAIN_SECONDS,
    )
    with _logging_to(log), _terminated_quietly():
        _Server(config, ready).run(sockets=[listening])


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()


@contextlib.contextmanager
def _terminated_quietly() -> Iterator[None]:
    """Let SIGTERM end the server, not the process: uvicorn raises it again when all is done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _Handler(logging.Handler):
    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        event = {"event": "failure", "message": record.getMessage()}
        if record.exc_info:
            event["traceback"] = "".join(traceback.format_exception(*record.exc_info))
        self._log(event)


@contextlib.contextmanager
def _logging_to(log: Log) -> Iterator[None]:
    """Send what uvicorn has to say of failures to the log."""
    handler = _Handler(log)
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    for logger in loggers:
        logger.addHandler(handler)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
