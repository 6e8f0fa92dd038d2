"""FileModel: a model file that is only read, and followed when another program replaces it."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from textbayes.answering import CompactClassifier
from textbayes.errors import ServerReadOnlyError, StoreMissingError, VersionUnknownError
from textbayes.estimators.text.loading import load_text_model
from textbayes.server.counted_log import log_failure
from textbayes.server.live.model import Changed, LiveModel, Status
from textbayes.server.live.served import Served
from textbayes.server.settings import Log
from textbayes.server.store import Edit

FileStatus: TypeAlias = tuple[int, ...]
T = TypeVar("T")


class FileModel(LiveModel):
    """A model file. The new file is loaded beside the old model, which answers meanwhile.

    Parameters
    ----------
    name : str
        The name of the model.
    path : path
        The file, which is loaded immediately.
    log : function
        Told about files that cannot be loaded.
    """

    def __init__(self, name: str, path: str | os.PathLike[str], log: Log) -> None:
        self.name, self.path, self._log = name, Path(path), log
        self._loading = threading.Lock()
        self._refused: FileStatus | None = None
        self._load()

    def _load(self) -> None:
        status = _status(self.path)  # before it is loaded: a later change is noticed
        classifier = load_text_model(self.path)
        if not isinstance(classifier, CompactClassifier):
            classifier.prepare(changes=False)
        self.served = Served(self.name, classifier)
        self._served_status = status

    def status(self) -> Status:
        """Return version 0: a file has no versions."""
        return Status()

    async def change(self, edits: Iterable[Edit], *, actor: str, **named: Any) -> Changed:  # noqa: ARG002
        """Refuse a change."""
        raise ServerReadOnlyError("changes")

    async def settle(self) -> bool:
        """Refuse a change."""
        raise ServerReadOnlyError("/settle")

    async def reconsider(self) -> dict[str, Any]:
        """Refuse a change."""
        raise ServerReadOnlyError("/reconsider")

    async def reload(self) -> bool:
        """Serve the file as it is now; return False if it is the one that is served.

        Raises
        ------
        TextbayesError
            If the file cannot be loaded. The model that was served before is kept.
        """
        return await asyncio.to_thread(self._reload)

    def _reload(self) -> bool:
        with self._loading:
            if _status(self.path) == self._served_status:
                return False
            self._load()
            return True

    async def follow(self) -> None:
        """Do the same as ``reload``, but try each version of the file only once, and log errors."""
        status = _status(self.path)
        if status in (self._served_status, self._refused):
            return
        self._refused = status
        try:
            reloaded = await self.reload()
        except Exception as error:
            log_failure(self._log, "The old model is served", error)
        else:
            self._refused = None
            if reloaded:
                self._log({"event": "reloaded", "model": self.name})

    async def file(self, version: int | None = None) -> Path:
        """Return the file, which is the only version."""
        if version:
            raise VersionUnknownError(self.name, version, 0)
        return self.path

    async def read(self, method: Callable[..., T], *given: Any, **named: Any) -> T:  # noqa: ARG002
        """Refuse: there is no store."""
        raise StoreMissingError(self.name)

    async def write(self, method: Callable[..., T], *given: Any, **named: Any) -> T:  # noqa: ARG002
        """Refuse: there is no store."""
        raise ServerReadOnlyError("a change")


def _status(path: Path) -> FileStatus | None:
    """Return what differs between two versions of a file, or None if there is no file."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
