"""Feeding: texts that were predicted with a low probability go into the queue, in the background."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import TextbayesError
from textbayes.server.live.model import LiveModel
from textbayes.server.live.queue import queue_of
from textbayes.server.live.served import Served
from textbayes.server.settings import Log

SOURCE = "predicted"
"""The source of the texts in the queue."""
# So many texts are looked at each time, and longer ones are not.
_TEXTS, _LONGEST = 200, 20_000
_PAUSE = 1.0


class Feeding:
    """Adds texts to queues that their model is not certain about.

    A prediction only leaves its text here. Once a second, the last texts are looked at again, 200 at most, so
    the cost has a limit whatever the number of requests.

    Parameters
    ----------
    below : float or None
        Add texts whose best class has a lower probability; None for none.
    waiting : int
        Add none to a queue where so many texts wait.
    log : function
        Told about failures.
    pause : float, default=1
        How many seconds to wait before texts are looked at.
    """

    def __init__(self, below: float | None, waiting: int, log: Log, pause: float = _PAUSE) -> None:
        self._below, self._waiting, self._log, self._pause = below, waiting, log, pause
        self._texts: deque[tuple[LiveModel, str]] = deque(maxlen=_TEXTS)
        self._task: asyncio.Task[None] | None = None

    def offer(self, model: LiveModel, texts: Sequence[str]) -> None:
        """Leave texts that were classified; returns at once."""
        if self._below is None or not model.is_writable:
            return
        self._texts.extend((model, text) for text in texts[-_TEXTS:] if len(text) <= _LONGEST)
        if self._task is None:
            self._task = asyncio.ensure_future(self._work())

    async def close(self) -> None:
        """Look at no more texts."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _work(self) -> None:
        try:
            while self._texts:
                await asyncio.sleep(self._pause)
                by_model: dict[LiveModel, list[str]] = {}
                while self._texts:
                    model, text = self._texts.popleft()
                    by_model.setdefault(model, []).append(text)
                for model, texts in by_model.items():
                    await self._feed(model, texts)
        finally:
            self._task = None

    async def _feed(self, model: LiveModel, texts: list[str]) -> None:
        try:
            found = await asyncio.to_thread(self._doubtful, model.served, texts)
            queue = queue_of(model)
            room = self._waiting - (await queue.counts())["waiting"] if found else 0
            if room > 0:
                await queue.add(found[:room], "textbayes", SOURCE)
        except TextbayesError as error:  # the store is full or out of reach; predictions go on
            self._log({"event": "failure", "code": error.code, "message": f"The queue is not fed: {error}"})

    def _doubtful(self, served: Served, texts: list[str]) -> list[str]:
        distinct = list(dict.fromkeys(text for text in texts if text.strip()))
        if served.is_empty or not distinct:
            return []
        confident = confidence_of(served.classifier.predict_proba(distinct), served.multilabel)
        return [text for text, share in zip(distinct, confident, strict=True) if share < (self._below or 0)]


def confidence_of(rows: NDArray[np.float64], several: bool) -> NDArray[np.float64]:
    """Return the probability of the best class of each row; with several labels, of the least sure answer.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.server.live.feeding import confidence_of
    >>> confidence_of(np.array([[0.5, 0.25, 0.25]]), several=False).tolist()
    [0.5]
    >>> confidence_of(np.array([[0.875, 0.375, 0.0]]), several=True).tolist()
    [0.625]
    """
    found: NDArray[np.float64] = np.maximum(rows, 1 - rows).min(axis=1) if several else rows.max(axis=1)
    return found
