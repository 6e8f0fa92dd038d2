"""Settling: decides when a model is refitted, has a process do it, and puts the result in its place."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from textbayes.errors import TextbayesError
from textbayes.server.counted_log import log_failure
from textbayes.server.live.desk import Desk
from textbayes.server.live.process import Job, run_job
from textbayes.server.live.stored_model import StoredModel
from textbayes.server.live.versions import Versions
from textbayes.server.settings import Settings
from textbayes.server.store import Store, Writer

_LOOK_SECONDS = 0.25
# A model that never rests is settled after this time, and after several times what that took before.
_LONGEST_SECONDS, _REST = 30.0, 5.0
# Rows without a snapshot: learning them again must not make a start slow.
_ROWS = 5000
_LEAST_SEARCHED = 8
_MOST_MEASURED = 50_000
_LONGEST_PAUSE = 300.0


@dataclass
class _Course:
    """What was done for a model."""

    settled_at: float = field(default_factory=time.monotonic)
    took: float = 0.0
    measured_at: float = 0.0
    measuring_took: float = 0.0
    searched: int = 0
    pause: float = 0.0


class Settling:
    """Refits models and writes snapshots, one at a time.

    Parameters
    ----------
    store : Store
        The store.
    desk : Desk
        Writes to it.
    location, cache
        How another process opens the store.
    settings : Settings
        When to settle, and the log.
    publish : function
        Called with the name of a model and the path of its newest snapshot.
    """

    def __init__(
        self,
        store: Store,
        desk: Desk,
        location: str | Path,
        settings: Settings,
        publish: Callable[[str, Path], None],
    ) -> None:
        self._store, self._desk, self._settings = store, desk, settings
        self._location, self._publish = location, publish
        self._working = asyncio.Lock()
        self._courses: dict[str, _Course] = {}
        self._measuring: asyncio.Task[None] | None = None
        self._versions = Versions(store, self._job, settings.snapshots)

    # When.

    async def keep_settling(self, models: Callable[[], Iterable[StoredModel]]) -> None:
        """Look after models until this is cancelled."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            for model in list(models()) if self._desk.is_writer else ():
                if self._is_due(model):
                    await self._try(model)

    def _is_due(self, model: StoredModel) -> bool:
        course, now = self._course(model.name), time.monotonic()
        covers = model.status().snapshot
        behind, idle = model.served.version - covers, now - model.changed_at
        since = now - course.settled_at
        if model.served.is_empty or behind <= 0 or since < course.pause:
            return False
        if model.erased > covers:
            return True
        if behind >= _ROWS:
            return since >= _REST * course.took
        if model.is_settled:
            return idle >= self._settings.snapshot_seconds
        longest = max(_LONGEST_SECONDS, _REST * course.took)
        return idle >= self._settings.settle_seconds or since >= longest

    async def _try(self, model: StoredModel) -> None:
        """Settle a model; after an error, wait longer each time."""
        course = self._course(model.name)
        try:
            async with self._working:
                if self._is_due(model):  # still: a client may have asked for it meanwhile
                    await self._run(model, self._is_search_due(model), yields=True)
            course.pause = 0.0
        except asyncio.CancelledError:
            raise
        except Exception as error:
            course.settled_at = time.monotonic()
            course.pause = min(_LONGEST_PAUSE, max(1.0, 2 * course.pause))
            log_failure(self._settings.log, f"{model.name}: not settled", error)

    def _is_search_due(self, model: StoredModel) -> bool:
        if not self._settings.search or not model.searches or len(model.served.classes) < 2:
            return False
        searched = self._searched(model)
        return model.documents >= max(_LEAST_SEARCHED, 2 * searched)

    def _searched(self, model: StoredModel) -> int:
        """Return how many documents there were when the recipe was found."""
        course = self._course(model.name)
        if not course.searched and model.snapshot is not None:
            quality = model.snapshot.quality or {}
            course.searched = quality.get("searched", model.documents if model.snapshot.effective == 0 else 0)
        return course.searched

    def _course(self, name: str) -> _Course:
        return self._courses.setdefault(name, _Course())

    # What.

    async def settle(self, model: StoredModel, version: int) -> None:
        """Settle a model at a version or a later one, and wait for it."""
        async with self._working:
            if model.served.settled_version < version:
                await self._run(model, search=False, yields=False)

    async def search(self, model: StoredModel) -> None:
        """Search for a recipe, and wait until the model has it."""
        await self._save(model, search=True, yields=False)

    async def save(self, model: StoredModel) -> None:
        """Settle a model and write a snapshot of it."""
        await self._save(model, search=False, yields=False)

    async def _save(self, model: StoredModel, search: bool, yields: bool) -> None:
        async with self._working:
            await self._run(model, search, yields)

    async def _run(self, model: StoredModel, search: bool, yields: bool) -> None:
        course, start, until = self._course(model.name), time.monotonic(), model.served.version
        measure = self._is_measuring_due(model)
        results = run_job(self._job(model.name, until, search, measure, yields))
        async for result in results:
            if "file" not in result:
                continue
            if search:
                course.searched = result["documents"]
            effective = await self._put(model, Path(result["file"]), until, search, result["documents"])
            course.settled_at, course.took = time.monotonic(), time.monotonic() - start
            if measure:  # which takes longer than a refit, so that nobody should wait for it
                self._measuring = asyncio.ensure_future(self._measure(model, results, effective))
                return

    async def _measure(
        self, model: StoredModel, results: AsyncIterator[dict[str, Any]], version: int
    ) -> None:
        """Wait for the quality of a model, and write it into the store."""
        course = self._course(model.name)
        try:
            async for result in results:
                quality = {**result["quality"], "searched": self._searched(model)}
                course.measured_at, course.measuring_took = time.monotonic(), quality["seconds"]
                await self._desk.write(Writer.set_quality, model.name, version, quality)
        except TextbayesError as error:
            log_failure(self._settings.log, f"{model.name}: not measured", error)

    def _is_measuring_due(self, model: StoredModel) -> bool:
        course, now = self._course(model.name), time.monotonic()
        rested = not course.measured_at or now - course.measured_at >= 2 * _REST * course.measuring_took
        is_free = self._measuring is None or self._measuring.done()
        return is_free and rested and model.documents <= _MOST_MEASURED

    async def _put(self, model: StoredModel, file: Path, until: int, search: bool, documents: int) -> int:
        """Put a settled model file into the store and its model in place; return the version that has it."""
        quality = {"documents": documents, "searched": self._searched(model)}
        snapshot = await self._desk.write(
            Writer.add_snapshot,
            model.name,
            file,
            until,
            pinned=search,
            quality=quality,
            row="recipe" if search else None,
        )
        model.notice(snapshot.effective)
        await model.adopt(snapshot)
        if search:
            await model.reload()
        await asyncio.to_thread(
            self._publish, model.name, await asyncio.to_thread(self._store.fetch, snapshot)
        )
        await self._desk.write(Writer.scrub, model.name, until)
        await self._desk.write(Writer.drop_snapshots, model.name, self._settings.snapshots)
        return snapshot.effective

    # Any version.

    async def file(self, model: StoredModel, version: int) -> Path:
        """Return a model file with a version, settled: see :class:`Versions`."""
        return await self._versions.file(model.name, version, model.head)

    async def close(self) -> None:
        """Measure no more, and delete files that nobody needs."""
        if self._measuring is not None:
            self._measuring.cancel()
            await asyncio.gather(self._measuring, return_exceptions=True)
        self._versions.clear()

    def _job(
        self, name: str, until: int, search: bool = False, measure: bool = False, yields: bool = False
    ) -> Job:
        cache = self._settings.cache
        return Job(
            os.fspath(self._location),
            None if cache is None else os.fspath(cache),
            name,
            until,
            os.fspath(self._store.scratch()),
            search,
            measure,
            yields,
        )
