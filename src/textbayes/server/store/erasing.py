"""Complete erasures: the texts of erased documents leave every row and every model file."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, select, update

from textbayes.server.store.rows import AnyRow
from textbayes.server.store.schema import changes, queue, snapshots
from textbayes.server.store.snapshots import drop_rows


@dataclass(frozen=True)
class _Erasure:
    """A document to erase: its rows up to the version ``last``."""

    document: str
    first: int
    last: int


def erase(connection: Connection, model: AnyRow, until: int) -> tuple[int, list[str]]:
    """Erase what was asked for up to a version, as far as a snapshot covers it.

    Returns
    -------
    documents : int
        How many were erased.
    files : list of str
        The model files that knew them, whose rows are deleted.
    """
    newest = select(func.max(snapshots.c.covers)).where(snapshots.c.model == model.number)
    until = min(until, connection.execute(newest).scalar() or 0)
    found = _erasures(connection, model, until)
    for erasure in found:
        _clear(connection, model, erasure)
    old = select(snapshots.c.effective, snapshots.c.covers).where(snapshots.c.model == model.number)
    knowing = [
        row.effective
        for row in connection.execute(old)
        if any(erasure.first <= row.covers < erasure.last for erasure in found)
    ]
    return len(found), drop_rows(connection, model, knowing) if knowing else []


def _erasures(connection: Connection, model: AnyRow, until: int) -> list[_Erasure]:
    query = select(changes.c.version, changes.c.document).where(
        changes.c.model == model.number,
        changes.c.kind == "erase",
        ~changes.c.erased,
        changes.c.version <= until,
        changes.c.undone_by.is_(None),
    )
    found = []
    for row in connection.execute(query).all():
        last = _last_of_chain(connection, model, row.version)
        if last <= until:
            first = select(func.min(changes.c.version)).where(
                changes.c.model == model.number, changes.c.document == row.document
            )
            found.append(_Erasure(row.document, connection.execute(first).scalar_one(), last))
    return found


def _last_of_chain(connection: Connection, model: AnyRow, version: int) -> int:
    """Return the last version that undid or redid an erasure; its rows have the text, too."""
    while True:
        query = select(func.max(changes.c.version)).where(
            changes.c.model == model.number, changes.c.undoes == version
        )
        later = connection.execute(query).scalar()
        if later is None:
            return version
        version = later


def _clear(connection: Connection, model: AnyRow, erasure: _Erasure) -> None:
    of_document = (changes.c.model == model.number, changes.c.document == erasure.document)
    nothing = dict.fromkeys(
        ["before_labels", "before_weight", "after_labels", "after_weight", "text", "old_text"]
    )
    connection.execute(
        update(changes).where(*of_document, changes.c.version <= erasure.last).values(erased=True, **nothing)
    )
    connection.execute(
        delete(queue).where(queue.c.model == model.number, queue.c.document == erasure.document)
    )
