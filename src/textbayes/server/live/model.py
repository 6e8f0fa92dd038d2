"""LiveModel: a named model of a server, from a file or from a store."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from textbayes.server.live.served import Served
from textbayes.server.store import Edit, Receipt, Store

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Changed:
    """What became of a change.

    Parameters
    ----------
    receipt : Receipt
        What is in the store.
    applied : bool
        Whether the model in memory has learned it.
    settled : bool
        Whether the model, at that version or a later one, equals a fresh fit.
    """

    receipt: Receipt
    applied: bool
    settled: bool


@dataclass(frozen=True, slots=True)
class Status:
    """How far a model is.

    Parameters
    ----------
    head : int
        The last version in the store.
    applied : int
        The last version that the model in memory has learned.
    settled : int
        The last version at which it equalled a fresh fit.
    snapshot : int
        The last version that a model file has.
    failed : int
        The number of changes that could not be learned.
    """

    head: int = 0
    applied: int = 0
    settled: int = 0
    snapshot: int = 0
    failed: int = 0


class LiveModel(ABC):
    """A named model.

    Attributes
    ----------
    name : str
        The name.
    served : Served
        The model as requests see it; take it once for each request.
    """

    name: str
    served: Served

    @property
    def store(self) -> Store | None:
        """The store of its changes, or None."""
        return None

    @property
    def is_writable(self) -> bool:
        """Whether it can be changed through this server."""
        return False

    @abstractmethod
    def status(self) -> Status:
        """Return how far it is."""

    @abstractmethod
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
        """Change documents. When this returns, the change is in the store.

        Parameters
        ----------
        edits : iterable of edits
            What to change; all of it or nothing.
        actor, source, key, digest
            As in :class:`textbayes.server.store.Request`.
        wait : float, default=0.005
            How many seconds to wait for the model in memory.
        settle : bool, default=False
            Wait until the model equals a fresh fit.
        """

    @abstractmethod
    async def settle(self) -> bool:
        """Refit the model unless it equals a fresh fit; return whether it was refitted."""

    @abstractmethod
    async def reconsider(self) -> dict[str, Any]:
        """Search for the best recipe again; return it."""

    @abstractmethod
    async def reload(self) -> bool:
        """Serve the newest state of the file or the store; return whether that is another one."""

    @abstractmethod
    async def file(self, version: int | None = None) -> Path:
        """Return a model file with a version, settled; by default the newest."""

    @abstractmethod
    async def read(self, method: Callable[..., T], *given: Any, **named: Any) -> T:
        """Call a method of the store in a thread, such as ``model.read(Store.documents, limit=10)``."""

    @abstractmethod
    async def write(self, method: Callable[..., T], *given: Any, **named: Any) -> T:
        """Call a method of the writer in a thread, such as ``model.write(Writer.queue_skip, id)``."""
