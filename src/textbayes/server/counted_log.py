"""A log in which failures that repeat are counted, so that it cannot fill a disk."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from textbayes.errors import TextbayesError
from textbayes.server.settings import Log

_KINDS = 100
_OTHERS = "others"


@dataclass
class _Repeats:
    since: float
    last: Mapping[str, Any]
    times: int = 0


class CountedLog:
    """Log the first failure or warning of a kind at once, and count further ones.

    Once in ``seconds`` the last one is logged, with the number of those that were not logged in ``times``.
    Failures are of one kind if code, message and the last line of the traceback are the same. All other
    events, such as requests, pass. If the log cannot be written, the event is lost and the server goes on.

    Examples
    --------
    >>> from textbayes.server.counted_log import CountedLog
    >>> log = CountedLog(print)
    >>> for _ in range(1000):
    ...     log({"event": "failure", "message": "no space left"})
    {'event': 'failure', 'message': 'no space left'}
    >>> log.flush()
    {'event': 'failure', 'message': 'no space left', 'times': 999}
    """

    def __init__(self, log: Log, seconds: float = 60.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._log, self._seconds, self._clock = log, seconds, clock
        self._lock = threading.Lock()
        self._repeats: dict[Hashable, _Repeats] = {}

    def __call__(self, event: Mapping[str, Any]) -> None:
        """Log an event, or count it."""
        self.flush(self._seconds)
        if event["event"] in ("failure", "warning") and self._counts(event):
            return
        self._write(event)

    def _write(self, event: Mapping[str, Any]) -> None:
        # A full disk or a closed pipe must not stop the server.
        with contextlib.suppress(OSError):
            self._log(event)

    def _counts(self, event: Mapping[str, Any]) -> bool:
        """Count an event and return True if one of its kind was logged lately."""
        with self._lock:
            kind = _kind(event)
            if kind not in self._repeats and len(self._repeats) >= _KINDS:
                kind = _OTHERS
            if kind not in self._repeats:
                self._repeats[kind] = _Repeats(self._clock(), event)
                return False
            repeats = self._repeats[kind]
            repeats.last, repeats.times = event, repeats.times + 1
            return True

    def flush(self, age: float = 0.0) -> None:
        """Log what was counted for at least ``age`` seconds."""
        with self._lock:
            now = self._clock()
            old = {kind: each for kind, each in self._repeats.items() if now - each.since >= age}
            for kind, each in old.items():
                del self._repeats[kind]
                if each.times:  # it may go on: count again, from here
                    self._repeats[kind] = _Repeats(now, each.last)
        for each in old.values():
            if each.times:
                self._write({**each.last, "times": each.times})


def log_failure(log: Log, about: str, error: Exception) -> None:
    """Log an error with what it means, its code if it has one, and its notes, which clients do not see.

    Examples
    --------
    >>> from textbayes.errors import ServerBusyError
    >>> from textbayes.server.counted_log import log_failure
    >>> log_failure(lambda event: print(event["code"]), "mail: not settled", ServerBusyError("it is full"))
    server-busy
    """
    if isinstance(error, TextbayesError):
        code, said = {"code": error.code}, str(error)
    else:
        code, said = {}, f"{type(error).__name__}: {error}"
    said = " ".join([said, *getattr(error, "__notes__", ())])
    log({"event": "failure", **code, "message": f"{about}: {said}"})


def _kind(event: Mapping[str, Any]) -> Hashable:
    traceback = event.get("traceback", "").rstrip().rpartition("\n")[2]
    return event["event"], event.get("code"), event.get("message"), traceback
