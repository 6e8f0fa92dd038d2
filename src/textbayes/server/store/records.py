"""Values that go into a store and come out of it.

A store keeps *changes*, numbered 1, 2, 3, … per model, in the order in which they were committed. *Documents*
are what the changes add up to. A *request* asks for a few *edits* at once: all of them are made, or none.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

Label = str | int | bool
"""The name of a class."""
Labels = Label | tuple[Label, ...]
"""One label, or a tuple of them in models of several labels a text."""
LabelKind = Literal["text", "number", "flag"]
"""What the labels of a model are: strings, whole numbers, or true and false."""
ChangeKind = Literal["teach", "relabel", "forget", "erase", "erased", "undo", "recipe", "file"]
Made = Literal["taught", "relabelled", "forgot", "undone", "unchanged"]
QueueState = Literal["waiting", "labelled", "skipped"]
Drawn = Literal["uncertain", "random"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class State:
    """A document as it is before or after a change.

    Attributes
    ----------
    text : str
    labels : str, int, bool, or tuple of them
    weight : float, default=1
    """

    text: str
    labels: Labels
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Change:
    """A row of the history of a model.

    Attributes
    ----------
    version : int
        The version of the model that this change made.
    request : int
        The version of the first change of the same request.
    kind : str
        "teach", "relabel", "forget", "erase", "undo"; "erased" when the text has left the store; "recipe" if
        the settings of the model were searched again; "file" if the model file was replaced from outside.
    document : str or None
        The id of the document. None if a text was forgotten that only the model file had, and for kinds
        "recipe" and "file".
    before, after : State or None
        None if the document did not exist. Both are None for kind "erased".
    actor : str
        Who asked for it.
    time : datetime
        In UTC.
    source : str or None
        Where the request came from.
    undoes, undone_by : int or None
        The version that this change undoes, and the one that undid it.
    """

    version: int
    request: int
    kind: ChangeKind
    document: str | None
    before: State | None
    after: State | None
    actor: str
    time: datetime
    source: str | None = None
    undoes: int | None = None
    undone_by: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it is now; ``version``, ``time``, ``actor`` and ``source`` are of its last change."""

    id: str
    text: str
    labels: Labels
    weight: float
    version: int
    time: datetime
    actor: str
    source: str | None


@dataclass(frozen=True, slots=True)
class Put:
    """Teach a document, or relabel it if it exists. Without an id the store makes a new one."""

    text: str
    labels: Labels
    weight: float = 1.0
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Relabel:
    """Change a document that exists. A text or a weight of None stays as it is."""

    id: str
    labels: Labels
    text: str | None = None
    weight: float | None = None


@dataclass(frozen=True, slots=True)
class Remove:
    """Forget a document. With ``erase`` its text leaves the store, too, when ``scrub`` is called."""

    id: str
    erase: bool = False


@dataclass(frozen=True, slots=True)
class RemoveText:
    """Forget the newest document with this content."""

    text: str
    labels: Labels
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class RemoveLearned:
    """Forget a text that the model file had learned. The caller has checked that the model knows it."""

    text: str
    labels: Labels
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Answer:
    """Teach a text of the queue with the labels that it was given, under its id, and mark it as labelled.

    Attributes
    ----------
    id : str
        Its id in the queue, which becomes the id of the document.
    labels : label or tuple of labels
    weight : float, default=1
    drawn, predicted, probability : optional
        Why it was shown, and what the model said before it was taught. Those that are None stay as
        ``Writer.queue_draw`` wrote them.
    """

    id: str
    labels: Labels
    weight: float = 1.0
    drawn: Drawn | None = None
    predicted: Labels | None = None
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """Undo a change, or a whole request; by default the last request of the actor that can be undone.

    Attributes
    ----------
    version : int, optional
        The one change to undo.
    request : int, optional
        The version of the first change of the request to undo.
    """

    version: int | None = None
    request: int | None = None


Edit = Put | Relabel | Remove | RemoveText | RemoveLearned | Answer | Undo


@dataclass(frozen=True, slots=True)
class Request:
    """Edits that are made together or not at all.

    Attributes
    ----------
    model : str
    edits : tuple of edits
    actor : str
        Who asks.
    source : str, optional
    key : str, optional
        The idempotency key: the second request of the same key changes nothing and gets the same receipt.
    digest : str, optional
        A digest of the body of the request. Another digest with the same key is refused.
    """

    model: str
    edits: tuple[Edit, ...]
    actor: str
    source: str | None = None
    key: str | None = None
    digest: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a document. ``version`` is None if it was unchanged."""

    id: str | None
    version: int | None
    change: Made


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a request: versions ``first`` to ``last``; ``first > last`` if nothing changed.

    ``repeated`` says that the idempotency key was seen before, and this is what became of it then.
    """

    first: int
    last: int
    outcomes: tuple[Outcome, ...]
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A model file in the store.

    Attributes
    ----------
    model : str
    covers : int
        The last version whose change is in the file.
    effective : int
        The file is the right start for this version and later ones. To rebuild version N, take the snapshot
        with the largest ``effective`` of at most N, and apply the changes with ``covers < version <= N``.
    digest : str
        SHA-256 of the file.
    size : int
        In bytes.
    time : datetime
    pinned : bool
        Whether it is kept for ever.
    quality : dict or None
        Figures about it.
    path : Path or None
        The file, if it is on this machine; ``Store.fetch`` gets it otherwise.
    """

    model: str
    covers: int
    effective: int
    digest: str
    size: int
    time: datetime
    pinned: bool
    quality: dict[str, Any] | None
    path: Path | None


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A model of a store. The first label that it is taught fixes ``label_kind`` and ``several``."""

    name: str
    created: datetime
    origin: str | None
    label_kind: LabelKind | None
    several: bool | None


@dataclass(frozen=True, slots=True)
class WriterInfo:
    """The server that writes to a store."""

    host: str
    pid: int
    address: str
    since: datetime


@dataclass(frozen=True, slots=True)
class QueuedText:
    """A text that waits for a label, or had one, or was skipped.

    Attributes
    ----------
    id : str
    text : str
    state : str
        "waiting", "labelled" or "skipped".
    drawn : str or None
        Why it was shown: "uncertain" or "random".
    predicted, probability : label(s) and float, or None
        What the model said before it was taught.
    labels : label(s) or None
        What it was labelled with.
    document : str or None
        The document that was taught with it.
    added, time : datetime
        When it came, and when it last changed.
    actor, source : str and str or None
        Who added it, and where it came from.
    """

    id: str
    text: str
    state: QueueState
    drawn: Drawn | None
    predicted: Labels | None
    probability: float | None
    labels: Labels | None
    document: str | None
    added: datetime
    time: datetime
    actor: str
    source: str | None


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some of many. Pass ``next`` to get those that follow; None if there are no more.

    ``total`` is the number of all of them, or None if it was not counted.
    """

    items: tuple[T, ...]
    next: str | None
    total: int | None = None
