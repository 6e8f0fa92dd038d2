"""StoredModel: a model in memory that follows the rows of a store."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

from textbayes.errors import DocumentUnknownError, ModelEmptyError, ServerBusyError
from textbayes.server.counted_log import log_failure
from textbayes.server.live.desk import Desk
from textbayes.server.live.learner import Learner, columns_of, documents_of
from textbayes.server.live.model import Changed, LiveModel, Status
from textbayes.server.live.rows import begin, begin_before, catch_up
from textbayes.server.live.served import Served
from textbayes.server.settings import Settings
from textbayes.server.store import (
    Edit,
    Put,
    Receipt,
    Relabel,
    RemoveLearned,
    RemoveText,
    Request,
    Snapshot,
    State,
    Store,
)

T = TypeVar("T")
_RETRY_SECONDS = 0.5
# Learning takes at most a fifth of the time: rows that come meanwhile are learned together.
_REST, _LONGEST_REST = 4.0, 0.5


class Settler(Protocol):
    """Refits models, and makes model files of them."""

    async def settle(self, model: StoredModel, version: int) -> None:
        """Settle a model at a version or a later one."""

    async def save(self, model: StoredModel) -> None:
        """Settle a model and write a snapshot of it."""

    async def search(self, model: StoredModel) -> None:
        """Search for a recipe of a model."""

    async def file(self, model: StoredModel, version: int) -> Path:
        """Return a model file with a version."""


class StoredModel(LiveModel):
    """A model of a store: a snapshot, and the rows after it.

    A change is committed by the desk, then learned by a fork of the model, which replaces it. Requests read
    the model as it was before or after, and never wait.

    Parameters
    ----------
    name : str
        The name of the model in the store.
    store : Store
        The store.
    desk : Desk
        Commits changes.
    settling : Settler
        Refits the model and writes snapshots.
    threads : Executor
        Runs what takes long.
    settings : Settings
        How long changes may take, and the log.
    """

    def __init__(
        self,
        name: str,
        store: Store,
        desk: Desk,
        settling: Settler,
        threads: Executor,
        settings: Settings,
    ) -> None:
        self.name = name
        self._store, self._desk, self._settling = store, desk, settling
        self._threads, self._settings = threads, settings
        self._learning = threading.Lock()
        self._removing = asyncio.Lock()
        self._news, self._published = asyncio.Event(), asyncio.Condition()
        self._task: asyncio.Task[None] | None = None
        self._head, self._rests_until = 0, 0.0
        self.snapshot: Snapshot | None = None
        self.changed_at = time.monotonic()

    async def open(self) -> None:
        """Load the newest snapshot and learn the rows after it."""
        await self._in_thread(self._open)
        self._task = asyncio.ensure_future(self._keep_learning())

    def _open(self) -> None:
        self._learner, self.snapshot = begin_before(self._store, self.name, warn=self._warn)
        for learner in catch_up(self._store, self.name, self._learner):
            self._learner = learner
        self._publish(self._learner, self.snapshot.covers if self.snapshot else 0)
        self.changed_at = time.monotonic()

    async def close(self) -> None:
        """Learn no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    # What it says about itself.

    @property
    def store(self) -> Store:
        """The store of its changes."""
        return self._store

    @property
    def is_writable(self) -> bool:
        """Whether this server writes to the store."""
        return self._desk.is_writer

    @property
    def is_settled(self) -> bool:
        """Whether the model in memory equals a fresh fit."""
        return self._learner.is_settled

    @property
    def erased(self) -> int:
        """The last version that erases a document."""
        return self._learner.erased

    @property
    def searches(self) -> bool:
        """Whether its recipe comes from a search."""
        return not self._learner.is_empty and bool(
            getattr(self._learner.classifier.model_, "searches", False)
        )

    @property
    def documents(self) -> int:
        """The number of documents that the model has learned."""
        return documents_of(self._learner.classifier)

    def status(self) -> Status:
        """Return how far the model is."""
        covers = self.snapshot.covers if self.snapshot else 0
        served = self.served
        return Status(self._head, served.version, served.settled_version, covers, len(self._learner.failed))

    async def read(self, method: Callable[..., T], *given: Any, **named: Any) -> T:
        """Call a method of the store in a thread, with the name of this model first."""
        return await self._in_thread(method, self._store, self.name, *given, **named)

    async def write(self, method: Callable[..., T], *given: Any, **named: Any) -> T:
        """Call a method of the writer in a thread, with the name of this model first."""
        return await self._desk.write(method, self.name, *given, **named)

    # Changes.

    async def change(
        self,
        edits: Iterable[Edit],
        *,
        actor: str,
        source: str | None = None,
        key: str | None = None,
        digest: str | None = None,
        wait: float = 0.005,
        settle: bool = False,
    ) -> Changed:
        """Commit a change, then wait a little for the model in memory."""
        request = Request(self.name, tuple(edits), actor, source, key, digest)
        if any(isinstance(edit, RemoveText) for edit in request.edits):
            receipt = await self._change_texts(request)
        else:
            receipt = await self._commit(request)
        if settle:
            await self._settle_at(receipt.last)
        applied = await self._wait_for(receipt.last, wait)
        return Changed(receipt, applied, self.served.settled_version >= receipt.last)

    async def _commit(self, request: Request) -> Receipt:
        receipt = await self._desk.commit(request)
        self.notice(receipt.last)
        return receipt

    async def _change_texts(self, request: Request) -> Receipt:
        """Commit a change that names documents by their text, which a model file may have learned."""
        request = replace(request, edits=tuple(await self._paired(request.edits)))
        try:
            return await self._commit(request)
        except DocumentUnknownError:
            pass
        # Only such changes forget what a model file had learned. One at a time, and each on the model
        # that has learned those before it, so that none is forgotten twice.
        async with self._removing:
            if not await self._wait_for(self._head, self._settings.change_seconds):
                raise ServerBusyError("the model is learning earlier changes")
            edits = await self._in_thread(self._of_file, request.edits)
            receipt = await self._commit(replace(request, edits=tuple(edits)))
            await self._wait_for(receipt.last, self._settings.change_seconds)
            return receipt

    async def _paired(self, edits: Sequence[Edit]) -> list[Edit]:
        """Turn the removal of a text and its return with other labels into one change of the document."""
        found: list[Edit] = []
        taken: set[str] = set()
        for edit in edits:
            before = found[-1] if found else None
            if isinstance(edit, Put) and isinstance(before, RemoveText) and _returns(before, edit):
                document = await self.read(Store.find, before.text, before.labels, before.weight)
                if document is not None and document.id not in taken:
                    taken.add(document.id)
                    found[-1] = Relabel(document.id, edit.labels)
                    continue
            found.append(edit)
        return found

    def _of_file(self, edits: Sequence[Edit]) -> list[Edit]:
        """Return edits in which texts that the store does not have are forgotten as texts of the model file.

        Raises NotLearnedError if the model does not know one.
        """
        if self._learner.is_empty:
            raise ModelEmptyError(self.name, 0)
        trial = self._learner.classifier.fork()
        found: list[Edit] = []
        for edit in edits:
            if isinstance(edit, RemoveText) and not self._has(edit):
                texts, labels, weights = columns_of([State(edit.text, edit.labels, edit.weight)])
                trial.forget(texts, labels, weights, settle=False)
                found.append(RemoveLearned(edit.text, edit.labels, edit.weight))
            else:
                found.append(edit)
        return found

    def _has(self, edit: RemoveText) -> bool:
        return self._store.find(self.name, edit.text, edit.labels, edit.weight) is not None

    async def settle(self) -> bool:
        """Refit the model unless it equals a fresh fit, and write a snapshot; return whether it did refit."""
        if self.served.is_empty:
            raise ModelEmptyError(self.name, 0)
        version = self._head
        refits = await self._settle_at(version)
        if self.status().snapshot < version:
            await self._settling.save(self)
        return refits

    async def _settle_at(self, version: int) -> bool:
        await self._wait_for(version, self._settings.change_seconds)
        if self.served.settled_version >= version:
            return False
        await self._settling.settle(self, version)
        return True

    async def reconsider(self) -> dict[str, Any]:
        """Search for the best recipe again; return the recipe, its held-out score and the documents."""
        if self.served.is_empty:
            raise ModelEmptyError(self.name, 0)
        await self._settling.search(self)
        classifier = self._learner.classifier
        model = classifier.model_
        return {
            "documents": classifier.documents_,
            "recipe": str(model.recipe_),
            "score": getattr(model, "best_score_", None),
            "settled": classifier.is_settled_,
        }

    async def file(self, version: int | None = None) -> Path:
        """Return a model file with a version; by default the newest."""
        return await self._settling.file(self, self._head if version is None else version)

    async def reload(self) -> bool:
        """Learn the rows that other servers have committed; return whether there were any."""
        before = self.served.version
        self.notice((await self._in_thread(self._store.heads)).get(self.name, 0))
        await self._wait_for(self._head, self._settings.change_seconds)
        return self.served.version > before

    # Learning.

    @property
    def head(self) -> int:
        """The last version in the store, as far as it is known here."""
        return self._head

    def notice(self, version: int) -> None:
        """Learn the rows up to a version, in a while."""
        if version > self._head:
            self._head, self.changed_at = version, time.monotonic()
        if version > self._learner.version:
            self._news.set()

    async def adopt(self, snapshot: Snapshot) -> None:
        """Go on with a model that was settled elsewhere, and the rows after it."""
        self.snapshot = snapshot
        if snapshot.effective == snapshot.covers:  # otherwise it has a row, which brings it
            await self._in_thread(self._adopt, snapshot)
            await self._tell()

    def _adopt(self, snapshot: Snapshot) -> None:
        with self._learning:
            if self.served.settled_version >= snapshot.covers:
                return
            learner = begin(self._store, snapshot)
            learner.failed, learner.erased = list(self._learner.failed), self._learner.erased
            for learned in catch_up(self._store, self.name, learner):
                learner = learned
            self._publish(learner, snapshot.covers)

    async def _keep_learning(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            start = time.monotonic()
            try:
                await self._in_thread(self._learn)
            except asyncio.CancelledError:
                raise
            except Exception as error:
                log_failure(self._settings.log, f"{self.name}: changes are learned later", error)
                await asyncio.sleep(_RETRY_SECONDS)
                self._news.set()
            await self._tell()
            rest = min(_LONGEST_REST, _REST * (time.monotonic() - start))
            self._rests_until = time.monotonic() + rest
            await asyncio.sleep(rest)

    def _learn(self) -> None:
        with self._learning:
            for learner in catch_up(self._store, self.name, self._learner):
                self._publish(learner, self.served.settled_version)

    def _publish(self, learner: Learner, settled_version: int) -> None:
        settled = learner.version if learner.is_settled else settled_version
        classifier = None if learner.is_empty else learner.classifier
        self.served = Served(self.name, classifier, learner.version, settled)
        self._learner = learner
        self._head = max(self._head, learner.version)

    async def _tell(self) -> None:
        async with self._published:
            self._published.notify_all()

    async def _wait_for(self, version: int, seconds: float) -> bool:
        """Wait until the model has learned a version, if it can do so in time; return whether it has."""
        in_time = time.monotonic() + seconds > self._rests_until
        if self.served.version < version and in_time:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds), self._published:
                    await self._published.wait_for(lambda: self.served.version >= version)
        return self.served.version >= version

    def _warn(self, message: str) -> None:
        self._settings.log({"event": "warning", "message": message})

    async def _in_thread(self, call: Callable[..., T], *given: Any, **named: Any) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, lambda: call(*given, **named))


def _returns(removed: RemoveText, put: Put) -> bool:
    """Return whether a text is put back, perhaps with other labels."""
    return put.id is None and (put.text, put.weight) == (removed.text, removed.weight)
