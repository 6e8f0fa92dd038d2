"""StoreSide: the models of a store, kept by its writer or followed."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from textbayes.errors import ModelExistsError, ModelUnknownError, TextbayesError
from textbayes.estimators.text.loading import load_learner
from textbayes.server.counted_log import log_failure
from textbayes.server.live.desk import Desk
from textbayes.server.live.learner import documents_of
from textbayes.server.live.rows import snapshot_at
from textbayes.server.live.settling import Settling
from textbayes.server.live.stored_model import StoredModel
from textbayes.server.live.target import Target
from textbayes.server.settings import Settings
from textbayes.server.store import LabelKind, Store, Writer

_THREADS = 8
_FOLLOW_SECONDS = 0.25
_LAST_SECONDS = 60.0


class StoreSide:
    """The models of a store.

    Parameters
    ----------
    store : Store
        The store, open.
    location : str or path
        Where it is, for other processes.
    settings : Settings
        The model files to put into it, and how to keep models.
    """

    def __init__(self, store: Store, location: str | Path, settings: Settings) -> None:
        self.store, self._settings = store, settings
        self.desk = Desk(store, settings.address, settings.changes)
        self.models: dict[str, StoredModel] = {}
        self._settling = Settling(store, self.desk, location, settings, self._publish)
        self._targets: dict[str, Target] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._threads = ThreadPoolExecutor(_THREADS, "textbayes-model")

    async def start(self) -> None:
        """Open all models, and begin to look after them."""
        if await self.desk.become_writer():
            await self._prepare()
        await self._open_models()
        await self._wait_for_models()
        self._begin(self._keep_following())
        self._begin(self._settling.keep_settling(lambda: self.models.values()))

    async def _wait_for_models(self) -> None:
        """Wait a while for the first model, which the writer of a new store may be putting into it."""
        deadline = time.monotonic() + self._settings.lock_seconds
        while not self.models and not self.desk.is_writer and time.monotonic() < deadline:
            await asyncio.sleep(_FOLLOW_SECONDS)
            await self._follow()

    async def close(self) -> None:
        """Finish what is being committed, write the last snapshots, and close everything."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.desk.is_writer:
            await self._settle_last()
        await self._settling.close()
        for model in self.models.values():
            await model.close()
        await self.desk.close()
        for target in self._targets.values():
            await asyncio.to_thread(target.close)
        self._threads.shutdown(wait=True, cancel_futures=True)
        await asyncio.to_thread(self.store.close)

    async def _settle_last(self) -> None:
        """Put the last changes into the model files, if that does not take long."""
        for name in self._targets:
            model = self.models.get(name)
            if model is None or model.served.is_empty or model.status().snapshot >= model.head:
                continue
            try:
                async with asyncio.timeout(_LAST_SECONDS):
                    await self._settling.save(model)
            except (TimeoutError, TextbayesError) as error:
                about = f"{name}: the last changes are in the store, but not in the model file: {error}"
                self._settings.log({"event": "warning", "message": about})

    # Models.

    async def create(self, name: str, file: Path | None = None) -> StoredModel:
        """Add a model: an empty one, or that of a file."""
        if name in self.models:
            raise ModelExistsError(name)
        await self._add_row(name, file)
        return await self._open(name)

    async def remove(self, name: str) -> None:
        """Remove a model with all of its rows and files."""
        if name not in self.models:
            raise ModelUnknownError(name, sorted(self.models))
        await self.desk.write(Writer.remove_model, name)
        await self.models.pop(name).close()

    async def _prepare(self) -> None:
        """As the writer, put model files into the store; a store without a model gets an empty one."""
        known = {row.name for row in await asyncio.to_thread(self.store.models)}
        for name, path in self._settings.files.items():
            if self._settings.store is None:  # the store is beside the file
                self._targets[name] = await asyncio.to_thread(Target, path, self._settings.lock_seconds)
            if name not in known:
                await self._add_row(name, path)
            elif name in self._targets:
                await self._take_outside_changes(name, self._targets[name])
        if not known and not self._settings.files:
            await self._add_row(self._settings.name, None)

    async def _add_row(self, name: str, file: Path | None) -> None:
        if file is None:
            await self.desk.write(Writer.add_model, name)
            return
        kind, several = await asyncio.to_thread(_labels_of, file)
        copy = await asyncio.to_thread(self._copy, file)
        await self.desk.write(Writer.add_model, name, os.fspath(file), copy, kind, several)

    async def _take_outside_changes(self, name: str, target: Target) -> None:
        """Go on with a model file that another program has changed while no server ran."""
        snapshots = await asyncio.to_thread(self.store.snapshots, name)
        digest = await asyncio.to_thread(target.digest)
        if any(each.digest == digest for each in snapshots):
            return
        newest = snapshot_at(snapshots, None)
        await asyncio.to_thread(load_learner, target.path, "learn")  # raises if it is damaged
        copy = await asyncio.to_thread(self._copy, target.path)
        covers = newest.covers if newest else 0
        await self.desk.write(Writer.add_snapshot, name, copy, covers, pinned=True, row="file")
        about = f"{target.path} was changed by another program. It is served as it is now."
        self._settings.log({"event": "warning", "message": about})

    def _copy(self, file: Path) -> Path:
        copy = self.store.scratch()
        shutil.copyfile(file, copy)
        return copy

    def _publish(self, name: str, file: Path) -> None:
        """Copy a snapshot to the model file that was named at the start."""
        if name in self._targets:
            self._targets[name].replace(file)

    async def _open_models(self) -> None:
        """Open the models that are in the store and not here, and drop those that are gone."""
        names = {row.name for row in await asyncio.to_thread(self.store.models)}
        for name in sorted(names - set(self.models)):
            await self._open(name)
        for name in set(self.models) - names:
            await self.models.pop(name).close()

    async def _open(self, name: str) -> StoredModel:
        model = StoredModel(name, self.store, self.desk, self._settling, self._threads, self._settings)
        await model.open()
        self.models[name] = model
        return model

    # Following.

    def _begin(self, task: Coroutine[Any, Any, None]) -> None:
        self._tasks.append(asyncio.ensure_future(task))

    async def _keep_following(self) -> None:
        """Learn what another server writes, and become the writer when it stops."""
        while True:
            await asyncio.sleep(_FOLLOW_SECONDS)
            if not self.desk.is_writer:
                try:
                    await self._follow()
                except Exception as error:
                    log_failure(self._settings.log, "The store is followed later", error)

    async def _follow(self) -> None:
        if await self.desk.become_writer():
            await self._prepare()
        await self._open_models()
        heads = await asyncio.to_thread(self.store.heads)
        for model in list(self.models.values()):
            model.notice(heads.get(model.name, 0))
            if not model.is_settled:
                snapshot = snapshot_at(await model.read(Store.snapshots), None)
                if snapshot is not None:
                    await model.adopt(snapshot)


def _labels_of(file: Path) -> tuple[LabelKind | None, bool | None]:
    """Return of what kind the labels of a model file are, and whether texts have several."""
    classifier = load_learner(file, "teach, forget or relabel")
    if documents_of(classifier) == 0:
        return None, None
    kinds: dict[str, LabelKind] = {"b": "flag", "i": "number", "u": "number"}
    return kinds.get(classifier.classes_.dtype.kind, "text"), classifier.multilabel_
