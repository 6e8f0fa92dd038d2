"""What a server is told before it starts."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Log: TypeAlias = Callable[[Mapping[str, Any]], None]
"""Takes what happened: ``event`` and facts about it, ready for JSON."""


def no_log(event: Mapping[str, Any]) -> None:
    """Say nothing."""


@dataclass(frozen=True)
class Settings:
    """What a server is told before it starts.

    Parameters
    ----------
    model : path
        The model file, from ``TextClassifier.save`` or ``textbayes train``.
    writable : bool, default=False
        Whether texts can be taught and forgotten. Each change is in the file before it is answered.
    hosts : tuple of str, optional
        The names that a request may call the server by, in its header Host; by default any. A server on
        this machine only should have its own names: otherwise a page on the web, under a name that leads
        here, could ask it too.
    body_bytes : int, default=8 MiB
        How long the body of a request may be.
    texts : int, default=1000
        How many texts a request may have.
    explained : int, default=50,000
        How many characters a text may have that is explained: an explanation has a number for each token and
        class. For more than a hundred classes fewer, in proportion.
    body_seconds : float, default=30
        How long the body of a request may take to arrive.
    log : function, optional
        Called with what happened: each request, and each failure. Texts and labels are never in it.

    Examples
    --------
    >>> from textbayes.server import Settings
    >>> Settings("mail.tb", writable=True).texts
    1000
    """

    model: str | os.PathLike[str]
    writable: bool = False
    hosts: tuple[str, ...] | None = None
    body_bytes: int = 8 << 20
    texts: int = 1_000
    explained: int = 50_000
    body_seconds: float = 30.0
    log: Log = no_log
