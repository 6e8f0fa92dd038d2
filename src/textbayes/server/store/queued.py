"""The texts that wait for a label: rows only. Which is shown next, and why, is decided elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from textbayes.errors import DocumentUnknownError
from textbayes.server.store.checks import check_short, check_text
from textbayes.server.store.encoding import encode_labels, encode_text, new_id, now, sought, text_digest
from textbayes.server.store.listing import LONGEST_PAGE
from textbayes.server.store.records import Drawn, Labels, Page, QueuedText, QueueState
from textbayes.server.store.rows import AnyRow, to_queued
from textbayes.server.store.schema import queue

_STATES = ("waiting", "labelled", "skipped")
_CHUNK = 500


def page_of_queue(
    connection: Connection, model: AnyRow, state: QueueState | None, after: str | None, limit: int
) -> Page[QueuedText]:
    """Return the oldest texts of a state."""
    conditions = [queue.c.model == model.number]
    if state is not None:
        conditions.append(queue.c.state == state)
    total = connection.execute(select(func.count()).select_from(queue).where(*conditions)).scalar_one()
    if after is not None:
        conditions.append(queue.c.id > check_short("after", after))
    limit = max(1, min(limit, LONGEST_PAGE))
    query = select(queue).where(*conditions).order_by(queue.c.id).limit(limit + 1)
    rows = connection.execute(query).all()
    found = tuple(to_queued(row) for row in rows[:limit])
    return Page(found, found[-1].id if len(rows) > limit else None, total)


def queue_ids(connection: Connection, model: AnyRow, state: QueueState) -> list[str]:
    """Return the ids of all texts of a state, oldest first."""
    query = select(queue.c.id).where(queue.c.model == model.number, queue.c.state == state)
    return list(connection.execute(query.order_by(queue.c.id)).scalars())


def queued_text(connection: Connection, model: AnyRow, id: str) -> QueuedText | None:
    """Return a text, or None."""
    row = connection.execute(select(queue).where(*_is(model, id))).one_or_none()
    return None if row is None else to_queued(row)


def queued_texts(connection: Connection, model: AnyRow, ids: Sequence[str]) -> list[QueuedText]:
    """Return those texts that are there, in the order of their ids."""
    found: dict[str, QueuedText] = {}
    for start in range(0, len(ids), _CHUNK):
        some = [sought(id) for id in ids[start : start + _CHUNK]]
        query = select(queue).where(queue.c.model == model.number, queue.c.id.in_(some))
        found |= {row.id: to_queued(row) for row in connection.execute(query)}
    return [found[id] for id in ids if id in found]


def count_states(connection: Connection, model: AnyRow) -> dict[str, int]:
    """Return the number of texts of each state."""
    query = select(queue.c.state, func.count().label("texts")).where(queue.c.model == model.number)
    query = query.group_by(queue.c.state)
    return dict.fromkeys(_STATES, 0) | {row.state: row.texts for row in connection.execute(query)}


def labelled_texts(connection: Connection, model: AnyRow, drawn: Drawn | None) -> list[QueuedText]:
    """Return labelled texts, in the order in which they were labelled."""
    query = select(queue).where(queue.c.model == model.number, queue.c.state == "labelled")
    if drawn is not None:
        query = query.where(queue.c.drawn == drawn)
    return [to_queued(row) for row in connection.execute(query.order_by(queue.c.time, queue.c.id))]


def add_texts(
    connection: Connection, model: AnyRow, texts: Sequence[str], actor: str, source: str | None
) -> tuple[int, int]:
    """Add texts that the queue never had; return how many were added, and how many were not."""
    by_digest = {text_digest(check_text(text)): text for text in texts}
    known = _known(connection, model, list(by_digest))
    time = now()
    rows = [
        {
            "model": model.number,
            "id": new_id(),
            "state": "waiting",
            "added": time,
            "time": time,
            "actor": actor,
            "source": source,
            "text_hash": digest,
            "text": encode_text(text),
        }
        for digest, text in by_digest.items()
        if digest not in known
    ]
    if rows:
        connection.execute(insert(queue), rows)
    return len(rows), len(texts) - len(rows)


def draw_text(
    connection: Connection,
    model: AnyRow,
    id: str,
    drawn: Drawn | None,
    predicted: Labels | None,
    probability: float | None,
) -> None:
    """Write why a text was shown, and what the model says about it."""
    labels = None if predicted is None else encode_labels(predicted)
    change_text(connection, model, id, drawn=drawn, predicted=labels, probability=probability)


def change_text(connection: Connection, model: AnyRow, id: str, **values: Any) -> None:
    """Change columns of a text.

    Raises
    ------
    DocumentUnknownError
        If it is not there.
    """
    done = connection.execute(update(queue).where(*_is(model, id)).values(**values))
    if not done.rowcount:
        raise DocumentUnknownError(model.name, id)


def remove_text(connection: Connection, model: AnyRow, id: str) -> None:
    """Remove a text.

    Raises
    ------
    DocumentUnknownError
        If it is not there.
    """
    if not connection.execute(delete(queue).where(*_is(model, id))).rowcount:
        raise DocumentUnknownError(model.name, id)


def _known(connection: Connection, model: AnyRow, digests: list[str]) -> set[str]:
    known: set[str] = set()
    for start in range(0, len(digests), _CHUNK):
        some = digests[start : start + _CHUNK]
        query = select(queue.c.text_hash).where(queue.c.model == model.number, queue.c.text_hash.in_(some))
        known.update(connection.execute(query).scalars())
    return known


def _is(model: AnyRow, id: str) -> tuple[Any, ...]:
    return queue.c.model == model.number, queue.c.id == sought(id)
