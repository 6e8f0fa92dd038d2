"""Serve the current file: notice that another program has replaced it, and load it."""

from __future__ import annotations

import asyncio
import time

from textbayes.errors import TextbayesError
from textbayes.server.changes import Changes
from textbayes.server.served import ModelFile
from textbayes.server.settings import Settings


class Follower:
    """Loads the model file when it has changed.

    The new model is loaded beside the old one, which answers meanwhile. If the new file cannot be loaded, the
    old model is kept and the log says why.

    Parameters
    ----------
    file : ModelFile
        The file.
    changes : Changes
        The queue of changes, which load the file, too.
    settings : Settings
        How often to look at the file, and the log.
    """

    def __init__(self, file: ModelFile, changes: Changes, settings: Settings) -> None:
        self._file, self._changes, self._settings = file, changes, settings
        self._checked = time.monotonic()
        self._following: asyncio.Task[None] | None = None

    def check(self) -> None:
        """Look at the file, unless that was done a moment ago; do not wait for the result."""
        pause, now = self._settings.watch_seconds, time.monotonic()
        if pause <= 0 or now - self._checked < pause or not self._changes.is_idle:
            return
        if self._following is None or self._following.done():
            self._checked = now
            self._following = asyncio.ensure_future(self._run(only_new=True))

    async def reload(self) -> None:
        """Load the file if it has changed, even if that has failed before."""
        await self._run(only_new=False)

    async def _run(self, only_new: bool) -> None:
        log = self._settings.log
        try:
            reloaded = await self._changes.run(self._file.follow if only_new else self._file.reload)
        except TextbayesError as error:
            log({"event": "failure", "code": error.code, "message": f"The old model is served: {error}"})
        except Exception as error:
            log({"event": "failure", "message": f"The old model is served: {type(error).__name__}: {error}"})
        else:
            if reloaded:
                log({"event": "reloaded", "model": self._file.current.name})
