"""A lock that can be an attribute of what is copied and pickled."""

from __future__ import annotations

import threading
from typing import Any

# The class of the locks that threading.RLock makes. A class around such a lock would take it in Python,
# and Ctrl-C between that and the with block would leave it taken.
_RLock: Any = type(threading.RLock())


class Lock(_RLock):  # type: ignore[misc]
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

    def __reduce__(self) -> tuple[type[Lock], tuple[()]]:
        return Lock, ()
