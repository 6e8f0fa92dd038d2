"""LiveQueue: which texts to label next, and what the model says about them."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from textbayes.errors import DocumentUnknownError
from textbayes.server.live.choosing import Candidate, choose_uncertain, predict_candidates
from textbayes.server.live.model import LiveModel
from textbayes.server.live.pools import Pools
from textbayes.server.live.served import Served
from textbayes.server.store import Store, Writer
from textbayes.server.store.records import Drawn

RANDOM_SHARE = 0.2
"""The share of texts that are shown by chance alone, to estimate the quality of the model."""
LEASE_SECONDS = 300.0
"""How long a text that was shown is kept for who saw it."""
# So many texts are looked at to find the most uncertain ones.
_SAMPLE = 300


@dataclass(frozen=True, slots=True)
class Shown:
    """A text to label.

    Parameters
    ----------
    id, text : str
        The text and its id in the queue.
    drawn : {"uncertain", "random"}
        Why it is shown.
    predictions : tuple of (label, float)
        The most likely classes, best first; none if the model has learned nothing.
    """

    id: str
    text: str
    drawn: Drawn
    predictions: tuple[tuple[Any, float], ...] = ()


class LiveQueue:
    """The texts of a model that wait for a label.

    A part of the texts, chosen by chance before anybody sees them, is never picked for its uncertainty. These
    texts are shown in a random order, each with what the model says about it just then. So the share of right
    answers among them estimates the quality of the model on all texts of the queue. The other texts are shown
    by uncertainty: the most uncertain ones of a random sample.

    Why a text is shown, and what the model says, is stored before its label is known.

    Parameters
    ----------
    model : LiveModel
        The model, in a store.
    share : float, default=0.2
        The share of texts that are shown by chance.
    lease : float, default=300
        How many seconds a text that was shown is not shown to others.
    chance : random.Random, optional
        The source of chance.
    clock : function, optional
        Returns the time in seconds.
    """

    def __init__(
        self,
        model: LiveModel,
        share: float = RANDOM_SHARE,
        lease: float = LEASE_SECONDS,
        chance: random.Random | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._model, self._share, self._lease = model, share, lease
        self._chance, self._clock = chance or random.Random(), clock
        self._pools = Pools(model.name, share)
        self._leases: dict[str, tuple[str, float]] = {}
        self._one_at_a_time = asyncio.Lock()

    async def counts(self) -> dict[str, int]:
        """Return how many texts wait, were labelled, and were skipped."""
        return await self._model.read(Store.queue_counts)

    async def next(self, actor: str, limit: int = 1) -> list[Shown]:
        """Return the texts to label next: fewer only if fewer wait.

        Parameters
        ----------
        actor : str
            Who is to label them. Others get other texts, as long as there are any.
        limit : int, default=1
            How many.
        """
        async with self._one_at_a_time:
            await self._refresh()
            served = self._model.served
            found = await asyncio.to_thread(self._draw, served, actor, limit)
            return [shown for each in found if (shown := await self._show(*each, actor)) is not None]

    async def add(self, texts: Sequence[str], actor: str, source: str | None = None) -> tuple[int, int]:
        """Add texts; return how many are new, and how many the queue had before."""
        return await self._model.write(Writer.queue_add, list(texts), actor, source)

    async def skip(self, id: str) -> None:
        """Show a text no more."""
        await self._model.write(Writer.queue_skip, id)
        self.leave(id)

    async def put_back(self, id: str) -> None:
        """Let a text wait again that was skipped."""
        await self._model.write(Writer.queue_return, id)

    async def remove(self, id: str) -> None:
        """Remove a text from the queue."""
        await self._model.write(Writer.queue_remove, id)
        self.leave(id)

    def leave(self, id: str) -> None:
        """Note that a text waits no more."""
        self._pools.remove(id)
        self._leases.pop(id, None)

    async def _refresh(self) -> None:
        """Read the ids of the texts that wait, if they are others than those in memory."""
        waiting = (await self.counts())["waiting"]
        if waiting != len(self._pools):
            self._pools.fill(await self._model.read(Store.queue_ids))
        now = self._clock()
        self._leases = {id: lease for id, lease in self._leases.items() if lease[1] > now}

    def _draw(self, served: Served, actor: str, limit: int) -> list[tuple[Drawn, Candidate]]:
        """Choose texts; runs in a thread."""
        found: list[tuple[Drawn, Candidate]] = []
        # Texts that another server has labelled meanwhile make room for others.
        while len(found) < limit:
            taken = {*self._leases, *(candidate.id for _, candidate in found)}
            more = self._draw_free(served, limit - len(found), taken)
            if not more:
                break
            found += more
        return found or self._leased(served, actor, limit)

    def _draw_free(self, served: Served, limit: int, taken: set[str]) -> list[tuple[Drawn, Candidate]]:
        if served.is_empty:
            return self._random(self._pools.sample(self._chance, None, limit, taken), served)
        by_chance = sum(self._chance.random() < self._share for _ in range(limit))
        found = self._random(self._pools.sample(self._chance, True, by_chance, taken), served)
        found += self._uncertain(served, limit - len(found), taken)
        if not found:  # only texts that are shown by chance are left
            found = self._random(self._pools.sample(self._chance, True, limit, taken), served)
        return found

    def _random(self, ids: list[str], served: Served) -> list[tuple[Drawn, Candidate]]:
        return [("random", each) for each in predict_candidates(served, self._texts(ids))]

    def _uncertain(self, served: Served, limit: int, taken: set[str]) -> list[tuple[Drawn, Candidate]]:
        ids = self._pools.sample(self._chance, False, max(_SAMPLE, limit) if limit else 0, taken)
        return [("uncertain", each) for each in choose_uncertain(served, self._texts(ids), limit)]

    def _leased(self, served: Served, actor: str, limit: int) -> list[tuple[Drawn, Candidate]]:
        """Return texts that were shown before, as only they wait: one's own first, then the oldest."""
        known = [id for id in self._leases if id in self._pools]
        known.sort(key=lambda id: (self._leases[id][0] != actor, self._leases[id][1]))
        found = predict_candidates(served, self._texts(known[:limit]))
        by_chance = [served.is_empty or self._pools.is_random(each.id) for each in found]
        return [
            ("random" if chance else "uncertain", each) for chance, each in zip(by_chance, found, strict=True)
        ]

    def _texts(self, ids: list[str]) -> list[tuple[str, str]]:
        """Return the ids and texts of those that still wait."""
        store = self._model.store
        if store is None or not ids:
            return []
        found = {each.id: each for each in store.queue_texts(self._model.name, ids)}
        for id in ids:
            if id not in found or found[id].state != "waiting":
                self._pools.remove(id)
        return [(id, found[id].text) for id in ids if id in self._pools]

    async def _show(self, drawn: Drawn, candidate: Candidate, actor: str) -> Shown | None:
        """Store why a text is shown and what the model says, then lease it."""
        with contextlib.suppress(DocumentUnknownError):
            await self._model.write(
                Writer.queue_draw, candidate.id, drawn, candidate.predicted, candidate.probability
            )
            self._leases[candidate.id] = (actor, self._clock() + self._lease)
            return Shown(candidate.id, candidate.text, drawn, candidate.best)
        self.leave(candidate.id)
        return None


_queues: WeakKeyDictionary[LiveModel, LiveQueue] = WeakKeyDictionary()


def queue_of(model: LiveModel) -> LiveQueue:
    """Return the queue of a model; one for as long as the model is there."""
    if model not in _queues:
        _queues[model] = LiveQueue(model)
    return _queues[model]
