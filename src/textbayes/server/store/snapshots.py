"""The rows of model files: which there are, which may go, and which versions they can rebuild."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from textbayes.server.store.database import Database
from textbayes.server.store.encoding import now, to_datetime
from textbayes.server.store.records import Snapshot
from textbayes.server.store.rows import AnyRow, to_quality
from textbayes.server.store.schema import changes, models, qualities, snapshots

Figures = tuple[int, datetime, dict[str, Any]]
"""A version, when it was measured, and what was found."""


def snapshots_of(connection: Connection, database: Database, model: AnyRow) -> list[Snapshot]:
    """Return the snapshots of a model, oldest first."""
    query = select(snapshots).where(snapshots.c.model == model.number).order_by(snapshots.c.effective)
    return [to_snapshot(row, database, model.name) for row in connection.execute(query)]


def to_snapshot(row: AnyRow, database: Database, model: str) -> Snapshot:
    """Return a row as a snapshot, with its path if it is on this machine."""
    path = database.local_file(model, row.file)
    return Snapshot(
        model,
        row.covers,
        row.effective,
        row.digest,
        row.size,
        to_datetime(row.time),
        row.pinned,
        to_quality(row.quality),
        path if path.exists() else None,
    )


def snapshot_file(connection: Connection, model: AnyRow, snapshot: Snapshot) -> str | None:
    """Return the name of the file of a snapshot, or None if it was dropped."""
    query = select(snapshots.c.file).where(
        snapshots.c.model == model.number,
        snapshots.c.effective == snapshot.effective,
        snapshots.c.digest == snapshot.digest,
    )
    found: str | None = connection.execute(query).scalar_one_or_none()
    return found


def kept_files(connection: Connection) -> dict[str, list[str]]:
    """Return the names of the files of each model."""
    kept: dict[str, list[str]] = {}
    query = select(models.c.name, snapshots.c.file).join(snapshots, snapshots.c.model == models.c.number)
    for name, file in connection.execute(query):
        kept.setdefault(name, []).append(file)
    return kept


def put_snapshot(
    connection: Connection,
    model: AnyRow,
    values: dict[str, Any],
    quality: dict[str, Any] | None,
) -> list[str]:
    """Write the row of a snapshot; return the files of the one that it replaces."""
    same = (snapshots.c.model == model.number, snapshots.c.effective == values["effective"])
    old = list(connection.execute(select(snapshots.c.file).where(*same)).scalars())
    connection.execute(delete(snapshots).where(*same))
    written = None if quality is None else json.dumps(quality)
    row = {"model": model.number, "time": now(), "quality": written, **values}
    connection.execute(insert(snapshots), [row])
    return old


def drop_rows(connection: Connection, model: AnyRow, effective: Sequence[int]) -> list[str]:
    """Delete the rows of snapshots; return the names of their files."""
    chosen = (snapshots.c.model == model.number, snapshots.c.effective.in_(effective))
    files = list(connection.execute(select(snapshots.c.file).where(*chosen)).scalars())
    connection.execute(delete(snapshots).where(*chosen))
    return files


def superfluous(connection: Connection, model: AnyRow, keep: int) -> list[int]:
    """Return the snapshots that are neither pinned, nor of version 0, nor among the newest."""
    query = (
        select(snapshots.c.effective)
        .where(snapshots.c.model == model.number, snapshots.c.effective > 0, ~snapshots.c.pinned)
        .order_by(snapshots.c.effective.desc())
    )
    return list(connection.execute(query).scalars())[max(0, keep) :]


def next_whole_version(connection: Connection, model: AnyRow, version: int) -> int | None:
    """Return None if a version can be rebuilt, or the next later version that can."""
    if _is_whole(connection, model, version):
        return None
    later = (
        select(func.min(snapshots.c.effective))
        .where(snapshots.c.model == model.number, snapshots.c.effective > version)
        .scalar_subquery()
    )
    found = connection.execute(select(later)).scalar()
    return model.head if found is None else int(found)


def _is_whole(connection: Connection, model: AnyRow, version: int) -> bool:
    query = (
        select(snapshots.c.covers, snapshots.c.effective)
        .where(snapshots.c.model == model.number, snapshots.c.effective <= version)
        .order_by(snapshots.c.effective.desc())
        .limit(1)
    )
    start = connection.execute(query).one_or_none()
    covers, effective = (start.covers, start.effective) if start else (0, 0)
    of_model = (changes.c.model == model.number, changes.c.version <= version)
    erased = (*of_model, changes.c.version > covers, changes.c.erased)
    replaced = (*of_model, changes.c.version > effective, changes.c.kind.in_(["recipe", "file"]))
    found = (
        select(changes.c.version).where(*erased).limit(1),
        select(changes.c.version).where(*replaced).limit(1),
    )
    return not any(connection.execute(one).first() for one in found)


def put_figures(connection: Connection, model: AnyRow, version: int, figures: dict[str, Any]) -> None:
    """Write figures about a version, and into its snapshot if there is one; others that it had are kept."""
    same = (qualities.c.model == model.number, qualities.c.version == version)
    for written in connection.execute(select(qualities.c.figures).where(*same)).scalars():
        figures = {**json.loads(written), **figures}
    connection.execute(delete(qualities).where(*same))
    row = {"model": model.number, "version": version, "time": now(), "figures": json.dumps(figures)}
    connection.execute(insert(qualities), [row])
    of_snapshot = (snapshots.c.model == model.number, snapshots.c.effective == version)
    connection.execute(update(snapshots).where(*of_snapshot).values(quality=json.dumps(figures)))


def figures_of(connection: Connection, model: AnyRow, limit: int) -> list[Figures]:
    """Return figures of at most ``limit`` versions, evenly chosen, the first and the last among them."""
    query = select(qualities).where(qualities.c.model == model.number).order_by(qualities.c.version)
    rows = list(connection.execute(query))
    if len(rows) > limit:
        rows = [rows[place * (len(rows) - 1) // max(1, limit - 1)] for place in range(limit)]
    return [(row.version, to_datetime(row.time), json.loads(row.figures)) for row in rows]
