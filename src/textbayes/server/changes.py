"""Changes of the model: one at a time, in the order of the requests, and none for a client that has gone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from textbayes.errors import ServerBusyError
from textbayes.server.settings import Settings


class Changes:
    """The queue of changes. They wait here, so that they do not occupy threads.

    Parameters
    ----------
    settings : Settings
        How many may wait, how long, and the log.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._turn = asyncio.Lock()
        self._waiting = 0

    @property
    def is_idle(self) -> bool:
        """Whether nothing is changing."""
        return not self._turn.locked()

    async def run(self, work: Callable[[], Any]) -> Any:
        """Run something in a thread when its turn comes."""
        async with self._turn:
            return await run_in_threadpool(work)

    async def apply(self, request: Request, change: Callable[[], Response]) -> Response:
        """Run a change in a thread when its turn comes, and return its answer.

        Raises
        ------
        ServerBusyError
            If too many are waiting, or it has waited for too long.
        ClientDisconnect
            If the client has gone before its turn; nothing is changed.
        """
        await self._wait()
        try:
            if await request.is_disconnected():
                raise ClientDisconnect
        except BaseException:
            self._turn.release()
            raise
        applied = asyncio.ensure_future(run_in_threadpool(change))
        applied.add_done_callback(lambda _: self._turn.release())
        name = f"{request.method} {request.url.path}"
        try:
            # A shutdown cancels this request, but not the thread: the next change must wait for it.
            reply = await asyncio.shield(applied)
        except asyncio.CancelledError:
            self._warn(f"The server stopped before it could answer {name}, which it may have carried out.")
            raise
        if reply.status_code == 200 and await request.is_disconnected():
            self._warn(f"The client of {name} has gone; the request was carried out.")
        return reply

    async def _wait(self) -> None:
        if self._waiting >= self._settings.changes:
            raise ServerBusyError(f"{self._waiting:,} changes are waiting, the limit")
        self._waiting += 1
        try:
            async with asyncio.timeout(self._settings.change_seconds):
                await self._turn.acquire()
        except TimeoutError:
            about = f"the change has waited for {self._settings.change_seconds:g} seconds, the limit"
            raise ServerBusyError(about) from None
        finally:
            self._waiting -= 1

    def _warn(self, message: str) -> None:
        self._settings.log({"event": "warning", "message": message})
