"""Pools: the ids of texts that wait, in two parts by chance."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Collection, Iterable, Iterator

# More ids are drawn than wanted, since some of them may be taken.
_SPARE = 50


class Pools:
    """Ids, each in one of two parts: those that are shown by chance alone, and the others.

    The part of an id follows from a hash of it, so it is the same for every server and after every restart,
    and nobody can choose it: the store makes ids.

    Parameters
    ----------
    name : str
        The name of the model; the same id may be in another part for another model.
    share : float
        The size of the first part, from 0 to 1.

    Examples
    --------
    >>> from textbayes.server.live.pools import Pools
    >>> pools = Pools("mail", 0.2)
    >>> pools.fill(str(number) for number in range(10_000))
    >>> 1_900 < sum(pools.is_random(str(number)) for number in range(10_000)) < 2_100
    True
    """

    def __init__(self, name: str, share: float) -> None:
        self._name, self._limit = name, share * 2**64
        self._ids: tuple[list[str], list[str]] = ([], [])
        self._all: set[str] = set()

    def __len__(self) -> int:
        return len(self._all)

    def __contains__(self, id: object) -> bool:
        return id in self._all

    def fill(self, ids: Iterable[str]) -> None:
        """Replace the ids."""
        parts: tuple[list[str], list[str]] = ([], [])
        for id in ids:
            parts[self.is_random(id)].append(id)
        self._ids, self._all = parts, {*parts[0], *parts[1]}

    def remove(self, id: str) -> None:
        """Remove an id, if it is there."""
        self._all.discard(id)

    def is_random(self, id: str) -> bool:
        """Return whether an id is in the part that is shown by chance."""
        digest = hashlib.sha256(f"{self._name}\0{id}".encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:8]) < self._limit

    def sample(
        self, chance: random.Random, by_chance: bool | None, count: int, taken: Collection[str]
    ) -> list[str]:
        """Draw different ids, each as likely as any other.

        Parameters
        ----------
        chance : random.Random
            The source of chance.
        by_chance : bool or None
            From the part that is shown by chance, or the other one; None for both.
        count : int
            How many, at most.
        taken : collection of str
            Ids that are not drawn.
        """
        parts = self._ids if by_chance is None else (self._ids[by_chance],)
        size = sum(map(len, parts))
        if count <= 0 or not size:
            return []
        places = chance.sample(range(size), min(size, count + _SPARE))
        found = [id for id in self._at(parts, places) if id in self._all and id not in taken]
        if len(found) < count and len(places) < size:  # most are taken or gone
            free = [id for part in parts for id in part if id in self._all and id not in taken]
            found = chance.sample(free, min(count, len(free)))
        return found[:count]

    @staticmethod
    def _at(parts: tuple[list[str], ...], places: Iterable[int]) -> Iterator[str]:
        first = parts[0]
        for place in places:
            yield first[place] if place < len(first) else parts[1][place - len(first)]
