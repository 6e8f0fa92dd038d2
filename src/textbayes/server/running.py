"""Run the application: the socket, uvicorn and the shutdown."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import os
import signal
import socket
import ssl
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import uvicorn

from textbayes.errors import CertificateError, ServerAddressError, TextbayesError
from textbayes.server.connections import Acceptor, Connection, Connections
from textbayes.server.counted_log import CountedLog
from textbayes.server.settings import Log, Settings

_BACKLOG = 2048
_DRAIN_SECONDS = 30
_TURN_SECONDS = 0.0005
_LOGGERS = ("uvicorn.error", "asyncio")


def listen(host: str, port: int) -> socket.socket:
    """Listen at an address; port 0 picks a free port.

    Raises
    ------
    ServerAddressError
        If the port is in use, or the address does not belong to this machine.

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
        if hasattr(socket, "SO_REUSEPORT"):  # not on Windows, where SO_REUSEADDR lets others use the port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_BACKLOG)
    except (OSError, OverflowError, UnicodeError) as error:
        if listening is not None:
            listening.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise ServerAddressError(host, port, getattr(error, "errno", None), reason) from error
    return listening


def address_of(listening: socket.socket, encrypted: bool = False) -> str:
    """Return the URL of a socket.

    Examples
    --------
    >>> from textbayes.server.running import address_of, listen
    >>> with listen("127.0.0.1", 0) as listening:
    ...     address_of(listening)
    'http://127.0.0.1:...'
    """
    host, port = listening.getsockname()[:2]
    scheme = "https" if encrypted else "http"
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def own_names(listening: socket.socket) -> tuple[str, ...] | None:
    """Return the host names of a loopback socket, or None if other machines can reach it."""
    host = listening.getsockname()[0]
    return ("localhost", "127.0.0.1", "::1", host) if ipaddress.ip_address(host).is_loopback else None


def tls_context(certificate: str | os.PathLike[str], key: str | os.PathLike[str] | None) -> ssl.SSLContext:
    """Return how to encrypt connections, from a certificate with its chain and a private key.

    Raises
    ------
    CertificateError
        If one of the files is missing, or they do not belong together.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        # Without a password: the server must be able to start on its own.
        context.load_cert_chain(certificate, key, password=lambda: b"")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or getattr(error, "reason", None) or str(error)
        raise CertificateError(
            os.fspath(certificate), None if key is None else os.fspath(key), reason
        ) from None
    return context


def run(
    app: Any,
    listening: socket.socket,
    settings: Settings,
    ready: Callable[[], None],
    tls: ssl.SSLContext | None = None,
) -> None:
    """Serve requests until Ctrl-C or SIGTERM, then finish the running ones.

    SIGHUP loads the model file again, if it has changed. It stops the server if its terminal was closed.

    Parameters
    ----------
    app : ASGI application
        From :func:`create_app`.
    listening : socket
        From :func:`listen`.
    settings : Settings
        Those of the application, with the limits on connections.
    ready : function
        Called when the server accepts requests.
    tls : SSLContext, optional
        How to encrypt connections, from :func:`tls_context`; by default they are not encrypted.

    Raises
    ------
    TextbayesError
        If a model or the store cannot be used.
    KeyboardInterrupt
        After Ctrl-C, when all requests are finished.

    Examples
    --------
    >>> from textbayes.server import Settings, create_app, listen, run
    >>> settings = Settings("news.tb", log=print)
    >>> app = create_app(settings)  # doctest: +SKIP
    >>> run(app, listen("127.0.0.1", 8000), settings, lambda: print("ready"))  # doctest: +SKIP
    """
    log = CountedLog(settings.log)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",  # the server below runs it, so that an error ends the program
        http="httptools",
        server_header=False,
        ws="none",
        timeout_keep_alive=settings.idle_seconds,
        timeout_graceful_shutdown=_DRAIN_SECONDS,
    )
    with _logging_to(log), _terminated_quietly(), _taking_turns():
        _Server(config, app, settings, log, ready, tls).run(sockets=[listening])
    log.flush()


class _Server(uvicorn.Server):
    def __init__(
        self,
        config: uvicorn.Config,
        app: Any,
        settings: Settings,
        log: Log,
        ready: Callable[[], None],
        tls: ssl.SSLContext | None,
    ) -> None:
        super().__init__(config)
        self._app, self._settings, self._log, self._ready, self._tls = app, settings, log, ready, tls
        self._life = contextlib.AsyncExitStack()
        self._in_terminal = sys.stderr.isatty()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await self._life.enter_async_context(self._app.router.lifespan_context(self._app))
        connections = Connections(self._settings, self._log)
        make = partial(
            Connection, connections, config=self.config, server_state=self.server_state, app_state={}
        )
        self.servers: list[Any] = [
            Acceptor(each, connections, make, self._log, self._tls, self._settings.head_seconds)
            for each in sockets or ()
        ]
        self.started = True
        if hasattr(signal, "SIGHUP") and threading.current_thread() is threading.main_thread():
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, self._hang_up)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        await self._life.aclose()

    def _hang_up(self) -> None:
        """Load the model files again; if the terminal was closed, stop."""
        if self._in_terminal and not sys.stderr.isatty():
            self.should_exit = True
        else:
            self._reloading = asyncio.ensure_future(self._reload())

    async def _reload(self) -> None:
        for model in list(self._app.state.service.models.values()):
            try:
                if await model.reload():
                    self._log({"event": "reloaded", "model": model.name})
            except TextbayesError as error:
                message = f"The old model is served: {error}"
                self._log({"event": "failure", "code": error.code, "message": message})
            except Exception as error:
                message = f"The old model is served: {type(error).__name__}: {error}"
                self._log({"event": "failure", "message": message})


@contextlib.contextmanager
def _taking_turns() -> Iterator[None]:
    """Let threads change often: a thread that commits waits for the interpreter a dozen times.

    With Python's 5 milliseconds, a busy event loop makes a commit of 3 milliseconds one of 60.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(_TURN_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


@contextlib.contextmanager
def _terminated_quietly() -> Iterator[None]:
    """Let SIGTERM end the server but not the process: uvicorn raises it again after the shutdown."""
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
    """Send uvicorn's warnings and errors to the log."""
    handler = _Handler(log)
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    for logger in loggers:
        logger.addHandler(handler)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
