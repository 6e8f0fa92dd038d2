"""Desk: takes the requests that change models, and has one thread commit them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from textbayes.errors import ServerBusyError, TextbayesError, WriterElsewhereError
from textbayes.server.store import Receipt, Request, Store, Writer, WriterInfo

T = TypeVar("T")
# Requests that are committed together: one flush to disk for all of them.
_TOGETHER = 200


class Desk:
    """The one writer of a store, or a follower that tries to become it.

    Requests that come while others are being committed are committed together. A request is carried out even
    if its client has gone.

    Parameters
    ----------
    store : Store
        The store.
    address : str
        The address of this server, for those who ask who writes.
    waiting : int
        The most requests that may wait.
    """

    def __init__(self, store: Store, address: str, waiting: int) -> None:
        self._store, self._address, self._limit = store, address, waiting
        self._thread = ThreadPoolExecutor(1, "textbayes-writer")
        # Moving a large snapshot must not keep commits waiting.
        self._aside = ThreadPoolExecutor(2, "textbayes-aside")
        self._writer: Writer | None = None
        self._waiting: deque[tuple[Request, asyncio.Future[Receipt]]] = deque()
        self._committing: asyncio.Task[None] | None = None
        self.other: WriterInfo | None = None

    @property
    def is_writer(self) -> bool:
        """Whether this server writes."""
        return self._writer is not None

    async def become_writer(self) -> bool:
        """Try to become the writer; return whether this server writes."""
        if self._writer is None:
            self._writer = await self._in_thread(self._store.become_writer, self._address)
            self.other = None if self._writer else await self._in_thread(self._store.writer)
        return self.is_writer

    async def commit(self, request: Request) -> Receipt:
        """Commit a request; when this returns, it is on disk.

        Raises
        ------
        WriterElsewhereError
            If another server writes.
        ServerBusyError
            If too many wait.
        TextbayesError
            If the store refuses the request, or cannot be written to. Nothing is changed then.
        """
        self._check_writer()
        if len(self._waiting) >= self._limit:
            raise ServerBusyError(f"{len(self._waiting):,} changes are waiting, the limit")
        found: asyncio.Future[Receipt] = asyncio.get_running_loop().create_future()
        self._waiting.append((request, found))
        if self._committing is None:
            self._committing = asyncio.ensure_future(self._commit_waiting())
        return await found

    async def write(self, method: Callable[..., T], *given: Any, **named: Any) -> T:
        """Call a method of the writer, such as ``Writer.add_snapshot``, in a thread."""
        self._check_writer()
        writer, loop = self._writer, asyncio.get_running_loop()
        return await loop.run_in_executor(self._aside, lambda: method(writer, *given, **named))

    def _check_writer(self) -> None:
        if self._writer is None:
            other = self.other
            raise WriterElsewhereError(*((other.host, other.pid, other.address) if other else ("", 0, "")))

    async def _commit_waiting(self) -> None:
        try:
            while self._waiting:
                batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), _TOGETHER))]
                await self._commit(batch)
        finally:
            self._committing = None

    async def _commit(self, batch: list[tuple[Request, asyncio.Future[Receipt]]]) -> None:
        receipts: list[Receipt | TextbayesError]
        try:
            self._check_writer()
            assert self._writer is not None
            receipts = await self._in_thread(self._writer.commit, [request for request, _ in batch])
        except BaseException as error:
            if isinstance(error, WriterElsewhereError):
                self._writer = None
            for _, found in batch:
                if not found.done():
                    found.set_exception(
                        error if isinstance(error, Exception) else ServerBusyError("it is stopping")
                    )
            if not isinstance(error, Exception):
                raise
            return
        for (_, found), receipt in zip(batch, receipts, strict=True):
            if found.done():  # its client has gone
                continue
            if isinstance(receipt, Receipt):
                found.set_result(receipt)
            else:
                found.set_exception(receipt)

    async def _in_thread(self, call: Callable[..., T], *given: Any, **named: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: call(*given, **named))

    async def close(self) -> None:
        """Commit what waits, and let another server write."""
        if self._committing is not None:
            await asyncio.gather(self._committing, return_exceptions=True)
        if self._writer is not None:
            writer, self._writer = self._writer, None
            await self._in_thread(writer.release)
        self._aside.shutdown(wait=True)
        self._thread.shutdown(wait=True)
