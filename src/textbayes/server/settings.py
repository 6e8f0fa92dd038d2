"""The settings of a server."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from textbayes.errors import ParameterError
from textbayes.errors.checks import check_number, check_whole

Path_: TypeAlias = str | os.PathLike[str]

Log: TypeAlias = Callable[[Mapping[str, Any]], None]
"""Takes an event, ready for JSON: its name in ``event``, and facts about it."""


def no_log(event: Mapping[str, Any]) -> None:
    """Log nothing."""


@dataclass(frozen=True)
class Settings:
    """The settings of a server.

    Parameters
    ----------
    model : path or sequence of paths, optional
        The model files, from ``TextClassifier.save`` or ``textbayes train``. The name of a model is that of
        its file without the ending.
    store : path or str, optional
        The store of changes: a folder, or a ``postgresql://`` URL. Its models are served, too.
    writable : bool, default=False
        Whether requests may teach and forget texts. Each change is in the store before the request is
        answered. Without a store, it is in the folder of the model's name with ``.store`` added.
    hosts : tuple of str, optional
        The host names accepted in the Host header; by default any. A local server should list its own names:
        otherwise a web page whose domain resolves to this machine could send requests (DNS rebinding).
    origins : tuple of str, optional
        The origins of web pages that may read answers (CORS), such as ``"https://mail.example"``; by default
        none but the server's own page.
    tokens : path, optional
        The file of tokens, from ``textbayes token new``. Requests without a token of it are refused.
    token_entries : str, optional
        The contents of such a file, as the environment variable ``TEXTBAYES_TOKENS`` has it.
    rate : float, optional
        The most requests a second of a token, or of an address without tokens; by default any number.
    requests : int, default=200
        The most requests in progress. Further ones are refused with 503.
    turn_seconds : float, default=0.5
        How long a request may wait for its turn before it is refused with 503: the server has too many.
    body_bytes : int, default=8 MiB
        The largest request body.
    upload_bytes : int, default=32 MiB
        The largest body of CSV or JSON Lines.
    upload_rows : int, default=100,000
        The most records of such a body.
    upload_seconds : float, default=120
        The longest time to read such a body once it is here, and to classify its texts.
    texts : int, default=1000
        The most texts per request.
    cells : int, default=100,000
        The most cells of an answer: labels of ``top`` for all texts, contributions of all tokens to all
        classes, terms of all classes.
    explained : int, default=50,000
        The most characters of a text to explain, since an explanation has a number for each token and class.
        With more than a hundred classes in the answer, or a thousand in the model, the limit shrinks in
        proportion.
    bodies_bytes : int, default=64 MiB
        The most bytes of all bodies that are not answered yet. Bodies up to 64 KiB are always read.
    body_seconds : float, default=30
        The longest time for the body of a request to arrive.
    name : str, default="default"
        The name of the model that a new store begins with.
    cache : path, optional
        The folder for model files of a PostgreSQL store.
    address : str, optional
        The URL of this server, for those that follow the same store.
    snapshots : int, default=3
        How many model files a store keeps of each model, besides those that its history needs.
    settle_seconds : float, default=2
        A model is refitted after this time without changes, and now and then while they keep coming.
    snapshot_seconds : float, default=30
        A model file is written after this time without changes.
    search : bool, default=True
        Whether the recipe of an "auto" model is searched again when its documents have doubled.
    changes : int, default=100
        The most changes that wait for others.
    change_seconds : float, default=60
        How long a change may wait. It is applied later only if its client is still there.
    lock_seconds : float, default=10
        How long a change waits while another program changes the model file.
    watch_seconds : float, default=1
        How often requests let the server look whether the model file was replaced, and load it; 0 for never.
    connections : int, default=1000
        The most open connections, of :func:`run`; fewer if the system allows fewer open files. A new one
        takes the place of the one that has been waiting for a request the longest. If all have requests, it
        is refused.
    head_seconds : float, default=10
        The longest time for the request line and the headers to arrive, from the first byte or, on a new
        connection, from the beginning.
    idle_seconds : int, default=75
        How long a connection may wait for another request. Proxies close theirs after 60 seconds; the server
        must not close them first.
    send_seconds : float, default=30
        How long a client may read nothing of its answer.
    unsent_bytes : int, default=256 MiB
        The most bytes of all answers that clients have not read yet. Beyond it, the connection with the most
        of them is closed.
    queue_below : float, optional
        Put texts into the queue whose best class has a lower probability; by default none, since this stores
        what clients send. At most 200 texts a second are looked at, after they were answered.
    queue_waiting : int, default=10,000
        Put none into a queue where so many texts wait.
    log : function, optional
        Called with each request, failure and warning. Failures that repeat are counted, and logged once a
        minute with their number in ``times``. Texts and labels are never logged.

    Raises
    ------
    ParameterError
        If a limit is not a number above 0; ``lock_seconds`` and ``watch_seconds`` can be 0.

    Examples
    --------
    >>> from textbayes.server import Settings
    >>> Settings("mail.tb", writable=True).texts
    1000
    """

    model: Path_ | Sequence[Path_] = ()
    writable: bool = False
    hosts: tuple[str, ...] | None = None
    store: Path_ | None = None
    origins: tuple[str, ...] = ()
    tokens: Path_ | None = None
    token_entries: str | None = None
    rate: float | None = None
    requests: int = 200
    turn_seconds: float = 0.5
    body_bytes: int = 8 << 20
    upload_bytes: int = 32 << 20
    upload_rows: int = 100_000
    upload_seconds: float = 120.0
    texts: int = 1_000
    cells: int = 100_000
    explained: int = 50_000
    bodies_bytes: int = 64 << 20
    body_seconds: float = 30.0
    name: str = "default"
    cache: Path_ | None = None
    address: str = ""
    snapshots: int = 3
    settle_seconds: float = 2.0
    snapshot_seconds: float = 30.0
    search: bool = True
    changes: int = 100
    change_seconds: float = 60.0
    lock_seconds: float = 10.0
    watch_seconds: float = 1.0
    connections: int = 1_000
    head_seconds: float = 10.0
    idle_seconds: int = 75
    send_seconds: float = 30.0
    unsent_bytes: int = 256 << 20
    queue_below: float | None = None
    queue_waiting: int = 10_000
    log: Log = no_log

    def __post_init__(self) -> None:
        """Check the limits."""
        for name in _WHOLE:
            check_whole(name, getattr(self, name))
        if self.queue_below is not None:
            check_number("queue_below", self.queue_below, least=0, most=1)
        for name in _SECONDS:
            check_number(name, getattr(self, name), above=0)
        for name in ("lock_seconds", "watch_seconds", "settle_seconds", "snapshot_seconds"):
            check_number(name, getattr(self, name), least=0)
        if self.rate is not None:
            check_number("rate", self.rate, above=0)
        self.files  # noqa: B018  raises for two files of one name

    @property
    def files(self) -> dict[str, Path]:
        """The model files, by the name of the model.

        Raises
        ------
        ParameterError
            If two files have the same name.
        """
        paths = [self.model] if isinstance(self.model, str | os.PathLike) else self.model
        found: dict[str, Path] = {}
        for path in map(Path, paths):
            name = model_name(path)
            if name in found:
                raise ParameterError("model", str(path), f"distinct names; {found[name]} has the same")
            found[name] = path
        return found


def model_name(path: Path_) -> str:
    """Return the name of the model in a file: that of the file without its ending, fit for a URL.

    Examples
    --------
    >>> from textbayes.server.settings import model_name
    >>> model_name("models/my mail.tb"), model_name("메일.tb")
    ('my-mail', '메일')
    """
    stem = unicodedata.normalize("NFC", Path(path).name.removesuffix(".tb"))
    return re.sub(r"[^\w.-]+", "-", stem).strip(".-")[:100] or "model"


_WHOLE = (
    "requests",
    "body_bytes",
    "upload_bytes",
    "upload_rows",
    "queue_waiting",
    "texts",
    "cells",
    "explained",
    "bodies_bytes",
    "snapshots",
    "changes",
    "connections",
    "idle_seconds",
    "unsent_bytes",
)
_SECONDS = (
    "turn_seconds",
    "body_seconds",
    "upload_seconds",
    "change_seconds",
    "head_seconds",
    "send_seconds",
)
