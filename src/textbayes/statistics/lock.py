"""A lock for values that are computed when first needed."""

from __future__ import annotations

import threading
from types import TracebackType


class Lock:
    """A lock that one thread may take again; a copy, also a pickled one, is a new lock.

    Examples
    --------
    >>> import pickle
    >>> from textbayes.statistics.lock import Lock
    >>> lock = Lock()
    >>> with lock, lock, pickle.loads(pickle.dumps(lock)):
    ...     print("locked")
    locked
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[type[Lock], tuple[()]]:
        return Lock, ()
