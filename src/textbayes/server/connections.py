"""The open connections of a server: how many there may be, and how long each may take."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections import OrderedDict
from collections.abc import Callable
from enum import Enum
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from textbayes.errors import RequestSizeError, RequestSlowError, ServerBusyError, TextbayesError
from textbayes.server.replies import SECURITY, error_reply
from textbayes.server.settings import Log, Settings

try:
    import resource
except ModuleNotFoundError:  # Windows, which has no limit on sockets
    resource = None  # type: ignore[assignment]

# Descriptors for everything else: the model file, its lock, the listening socket, logs, libraries.
_RESERVE = 64
_RETRY_SECONDS = 1.0
# The most bytes of the request line and the headers, after the part in which they begin.
_HEAD_BYTES = 1 << 16


def connection_limit(wanted: int) -> int:
    """Return how many connections can be open: as many as wanted, or as the system's limit leaves room for.

    Examples
    --------
    >>> from textbayes.server.connections import connection_limit
    >>> connection_limit(10)
    10
    """
    if resource is None:
        return wanted
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if files == resource.RLIM_INFINITY:
        return wanted
    return max(1, min(wanted, max(files - _RESERVE, files // 2)))


class Stage(Enum):
    """What a connection waits for."""

    HEAD = "the request line and the headers"
    ANSWER = "the body, which the application reads, or the answer"
    IDLE = "another request"


class Connection(HttpToolsProtocol):
    """A connection that knows what it waits for, and since when."""

    def __init__(self, connections: Connections, **named: Any) -> None:
        super().__init__(**named)
        self._connections = connections
        self._in_head, self._head_bytes = False, 0
        self.stage, self.since = Stage.HEAD, self.loop.time()
        self.unsent, self.sent_at = 0, self.since

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._enter(Stage.HEAD)

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the open connections."""
        self._connections.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes of a request; its time begins with the first of them."""
        if self.transport.is_closing():
            return
        if self._in_head:  # the parser itself would take headers without end
            self._head_bytes += len(data)
            if self._head_bytes > _HEAD_BYTES:
                self._refuse(RequestSizeError("The head of the request", None, _HEAD_BYTES, "bytes"))
                return
        super().data_received(data)
        if self._answering():
            if self.stage is not Stage.ANSWER:
                self._enter(Stage.ANSWER)
        elif self.stage is Stage.IDLE:
            self._enter(Stage.HEAD)

    def on_message_begin(self) -> None:
        """A request begins."""
        self._in_head, self._head_bytes = True, 0
        super().on_message_begin()
        self.scope["state"]["arrived"] = self.loop.time()

    def on_headers_complete(self) -> None:
        """The headers are here; the application reads the body."""
        self._in_head = False
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """Begin to wait for another request, unless it is here."""
        super().on_response_complete()
        self._enter(Stage.ANSWER if self._answering() else Stage.IDLE)

    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _enter(self, stage: Stage) -> None:
        if not self.transport.is_closing():
            self.stage, self.since = stage, self.loop.time()
            self._connections.put(self)

    def end_late(self, seconds: float) -> None:
        """Close a connection whose request did not come; say why, if it had begun."""
        if self._in_head:
            self._refuse(RequestSlowError("headers", seconds))
        else:
            self.transport.close()

    def _refuse(self, error: TextbayesError) -> None:
        self.transport.write(raw_reply(error))
        self.transport.close()


class Connections:
    """The open connections of a server, with their limits.

    Parameters
    ----------
    settings : Settings
        The limits.
    log : function
        Called with a warning for each connection that is closed or refused.
    """

    def __init__(self, settings: Settings, log: Log) -> None:
        self.limit = connection_limit(settings.connections)
        self._settings, self._log = settings, log
        self._open: set[Connection] = set()
        self._waiting: OrderedDict[Connection, None] = OrderedDict()  # for a request, the longest first

    def __len__(self) -> int:
        return len(self._open)

    def put(self, connection: Connection) -> None:
        """Add a connection, or note that its stage has changed."""
        self._open.add(connection)
        self._waiting.pop(connection, None)
        if connection.stage is not Stage.ANSWER:
            self._waiting[connection] = None

    def remove(self, connection: Connection) -> None:
        """Remove a connection that is closed."""
        self._open.discard(connection)
        self._waiting.pop(connection, None)

    def make_room(self, beginning: int = 0) -> bool:
        """Return whether one more fits, if need be in place of the one that has been waiting the longest.

        Parameters
        ----------
        beginning : int, default=0
            The number of connections that are not open yet, because their encryption is being negotiated.
        """
        if len(self._open) + beginning < self.limit:
            return True
        if not self._waiting:
            self._warn(f"A connection was refused: all {self.limit:,} are in use.")
            return False
        connection, _ = self._waiting.popitem(last=False)
        self._open.discard(connection)
        connection.transport.abort()
        self._warn(f"A connection without a request was closed for another one: the limit is {self.limit:,}.")
        return True

    def check(self, now: float) -> None:
        """Close the connections that have taken too long."""
        limits = self._settings
        for connection in list(self._open):
            late = connection.stage is Stage.HEAD and now - connection.since > limits.head_seconds
            if late and not connection.transport.is_closing():
                connection.end_late(limits.head_seconds)
                self._warn(
                    f"A connection was closed: no whole request line and headers "
                    f"within {limits.head_seconds:g} seconds."
                )
            self._check_reader(connection, now)
        self._check_unsent()

    def _check_unsent(self) -> None:
        """Drop the connections with the largest unread answers, while all have too many bytes."""
        limit, excess = self._settings.unsent_bytes, sum(each.unsent for each in self._open)
        for connection in sorted(self._open, key=lambda each: -each.unsent) if excess > limit else ():
            if excess <= limit:
                break
            excess -= connection.unsent
            connection.transport.abort()
            self._warn(f"A connection was closed: clients have not read {limit:,} bytes of answers.")

    def _check_reader(self, connection: Connection, now: float) -> None:
        """Drop a connection whose client does not read its answer."""
        unsent = connection.transport.get_write_buffer_size()
        if unsent == 0 or unsent < connection.unsent:
            connection.sent_at = now
        connection.unsent = unsent
        if now - connection.sent_at > self._settings.send_seconds:
            connection.transport.abort()
            self._warn(
                f"A connection was closed: its client read nothing of the answer "
                f"for {self._settings.send_seconds:g} seconds."
            )

    async def keep_checking(self) -> None:
        """Check all connections, several times within the shortest limit."""
        pause = min(1.0, self._settings.head_seconds / 4, self._settings.send_seconds / 4)
        while True:
            await asyncio.sleep(pause)
            self.check(asyncio.get_running_loop().time())

    def _warn(self, message: str) -> None:
        self._log({"event": "warning", "message": message})


class Acceptor:
    """Accepts connections from a socket, within the limit, until it is closed.

    asyncio's own server tries to accept as often as its backlog says after the system has run out of
    descriptors, logs each time, and schedules as many retries (https://github.com/python/cpython/issues/151615).
    This one waits for a second.
    """

    def __init__(
        self,
        listening: socket.socket,
        connections: Connections,
        make: Callable[[], Connection],
        log: Log,
        tls: ssl.SSLContext | None = None,
        tls_seconds: float = 10.0,
    ) -> None:
        listening.setblocking(False)
        self._listening, self._connections, self._make, self._log = listening, connections, make, log
        self._tls, self._tls_seconds = tls, tls_seconds
        self._beginning: set[asyncio.Task[None]] = set()
        self._tasks = [asyncio.ensure_future(each) for each in (self._accept(), connections.keep_checking())]

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                line, _ = await loop.sock_accept(self._listening)
            except ConnectionAbortedError:
                continue
            except OSError as error:
                self._log({"event": "failure", "message": f"Connections cannot be accepted: {error}"})
                await asyncio.sleep(_RETRY_SECONDS)
                continue
            if not self._connections.make_room(len(self._beginning)):
                _refuse(line, self._connections.limit, self._tls is not None)
                await asyncio.sleep(0)  # sock_accept does not wait if there are more, and others want a turn
            elif self._tls is None:
                await self._open(line)
            else:  # others need not wait until a client has negotiated its encryption
                task = asyncio.ensure_future(self._open(line))
                self._beginning.add(task)
                task.add_done_callback(self._beginning.discard)

    async def _open(self, line: socket.socket) -> None:
        named: dict[str, Any] = {}
        if self._tls is not None:
            named = {"ssl": self._tls, "ssl_handshake_timeout": self._tls_seconds}
        try:
            await asyncio.get_running_loop().connect_accepted_socket(self._make, line, **named)
        except OSError as error:  # the client has gone, or speaks no TLS
            line.close()
            self._log({"event": "failure", "message": f"A connection was lost: {error}"})

    def close(self) -> None:
        """Accept no more."""
        for task in (*self._tasks, *self._beginning):
            task.cancel()

    async def wait_closed(self) -> None:
        """Wait until nothing is accepted any more."""
        await asyncio.gather(*self._tasks, *self._beginning, return_exceptions=True)


def _refuse(line: socket.socket, limit: int, encrypted: bool) -> None:
    with contextlib.suppress(OSError):
        line.setblocking(False)
        if encrypted:  # an answer in plain text would not be understood
            line.close()
            return
        line.send(raw_reply(ServerBusyError(f"{limit:,} connections are in use")))
        line.recv(1 << 16)  # closing a socket with unread bytes would drop the answer
    line.close()


def raw_reply(error: TextbayesError) -> bytes:
    """Return the bytes of an answer after which the connection is closed."""
    reply = error_reply(error, {**SECURITY, "Connection": "close"})
    fields = b"".join(b"%s: %s\r\n" % field for field in reply.raw_headers)
    return b"HTTP/1.1 %d \r\n%s\r\n%s" % (reply.status_code, fields, bytes(reply.body))
