"""Versions: the model file of any version, rebuilt from a snapshot and the rows after it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path

from textbayes.errors import (
    ModelDamagedError,
    ModelEmptyError,
    StoreUnavailableError,
    VersionGoneError,
    VersionUnknownError,
)
from textbayes.server.live.process import Job, run_job
from textbayes.server.live.rows import snapshot_at
from textbayes.server.store import Store


class Versions:
    """Model files of earlier versions; the last few that were rebuilt are kept.

    Parameters
    ----------
    store : Store
        The store.
    job : function
        Takes the name of a model and a version, and returns the job that settles it.
    keep : int
        How many rebuilt files to keep.
    """

    def __init__(self, store: Store, job: Callable[[str, int], Job], keep: int) -> None:
        self._store, self._job, self._keep = store, job, keep
        self._rebuilding = asyncio.Lock()
        self._rebuilt: dict[tuple[str, int], Path] = {}

    async def file(self, name: str, version: int, head: int) -> Path:
        """Return a model file with a version, settled.

        Raises
        ------
        VersionUnknownError
            If there is no such version.
        VersionGoneError
            If a document that it knew was erased.
        ModelEmptyError
            If the model had learned nothing.
        """
        if not 0 <= version <= head:
            raise VersionUnknownError(name, version, head)
        async with self._rebuilding:
            ready = await asyncio.to_thread(self._ready, name, version)
            return await self._rebuild(name, version) if ready is None else ready

    def _ready(self, name: str, version: int) -> Path | None:
        snapshot = snapshot_at(self._store.snapshots(name), version)
        if snapshot is not None and snapshot.covers == version:
            # A file that is lost or damaged is rebuilt from an older one.
            with contextlib.suppress(StoreUnavailableError, ModelDamagedError):
                return self._store.fetch(snapshot)
        erased = self._store.gone(name, version)
        if erased is not None:
            raise VersionGoneError(name, version, erased)
        rebuilt = self._rebuilt.get((name, version))
        return rebuilt if rebuilt is not None and rebuilt.exists() else None

    async def _rebuild(self, name: str, version: int) -> Path:
        async for result in run_job(self._job(name, version)):
            if "file" in result:
                file = self._rebuilt[name, version] = Path(result["file"])
                while len(self._rebuilt) > self._keep:
                    self._rebuilt.pop(next(iter(self._rebuilt))).unlink(missing_ok=True)
                return file
        raise ModelEmptyError(name, 0)

    def clear(self) -> None:
        """Delete the files that were rebuilt."""
        for file in self._rebuilt.values():
            file.unlink(missing_ok=True)
        self._rebuilt.clear()
