"""Undo changes: a change that swaps before and after. To undo an undo is to redo."""

from __future__ import annotations

from sqlalchemy import func, select, update

from textbayes.errors import NothingToUndoError, RequestFieldError, UndoConflictError, VersionUnknownError
from textbayes.server.store.edits import Work
from textbayes.server.store.encoding import encode_labels
from textbayes.server.store.records import Change, State, Undo
from textbayes.server.store.rows import to_change
from textbayes.server.store.schema import changes, queue

_OF_DOCUMENTS = ("teach", "relabel", "forget", "erase")


def undo(work: Work, edit: Undo) -> None:
    """Undo a change, a request, or the last request of the actor.

    Raises
    ------
    NothingToUndoError
        If there is nothing to undo, or it was undone before.
    UndoConflictError
        If a document changed since.
    VersionUnknownError
        If there is no such version.
    """
    if edit.version is not None and edit.request is not None:
        raise RequestFieldError.conflict("version", "request")
    if edit.version is not None:
        change = _change(work, edit.version)
        reason = _why_not(work, change)
        if reason:
            raise NothingToUndoError(work.model.name, reason)
        _undo_one(work, change)
        return
    first = _last_request(work) if edit.request is None else edit.request
    for change in _undoable(work, first):
        _undo_one(work, change)


def _undo_one(work: Work, change: Change) -> None:
    if change.document is not None:
        _check_unchanged(work, change, change.document)
    version = work.change("undo", change.document, change.after, change.before, undoes=change.version)
    _mark(work, change, version)
    if change.document is not None:
        _requeue(work, change.document, change.before)


def _mark(work: Work, change: Change, version: int) -> None:
    """Write that a change is undone. If it was an undo, what it undid is in force again, and so on."""
    by: int | None = version
    while True:
        work.undone[change.version] = by
        if change.undoes is None:
            return
        change = _change(work, change.undoes)
        by = None if by is not None else version


def _check_unchanged(work: Work, change: Change, document: str) -> None:
    state = work.state(document)
    newer = [
        row["version"] for row in work.rows if row["document"] == document and row["kind"] != "undo"
    ] or _changes_since(work, change, document)
    if newer:
        raise UndoConflictError(change.version, document, max(newer))
    if state != change.after:
        raise UndoConflictError(change.version, document, _last_change(work, document))


def _changes_since(work: Work, change: Change, document: str) -> list[int]:
    """Return later changes of the document that are in force."""
    query = select(changes.c.version).where(
        changes.c.model == work.number,
        changes.c.document == document,
        changes.c.version > change.version,
        changes.c.kind != "undo",
        changes.c.undone_by.is_(None),
    )
    found = set(work.connection.execute(query).scalars())
    return sorted(version for version in found if work.undone.get(version) is None)


def _last_change(work: Work, document: str) -> int:
    query = select(func.max(changes.c.version)).where(
        changes.c.model == work.number, changes.c.document == document
    )
    stored: int = work.connection.execute(query).scalar() or 0
    pending: list[int] = [row["version"] for row in work.rows if row["document"] == document]
    return max([stored, *pending])


def _change(work: Work, version: int) -> Change:
    query = select(changes).where(changes.c.model == work.number, changes.c.version == version)
    row = work.connection.execute(query).one_or_none()
    if row is None:
        raise VersionUnknownError(work.model.name, version, work.model.head)
    return to_change(row)


def _why_not(work: Work, change: Change) -> str | None:
    """Return why a change cannot be undone, or None if it can."""
    by = work.undone.get(change.version, change.undone_by)
    if by is not None:
        return f"version {change.version} was undone by version {by}"
    if change.kind == "erased":
        return f"the text of version {change.version} was erased"
    if change.kind not in (*_OF_DOCUMENTS, "undo"):
        return f"version {change.version} did not change a document"
    return None


def _undoable(work: Work, first: int) -> list[Change]:
    """Return the changes of a request that can be undone, the last one first."""
    _change(work, first)
    own = (changes.c.model == work.number, changes.c.version >= first)
    # The changes of a request follow each other.
    end = select(changes.c.version).where(*own, changes.c.request != first).order_by(changes.c.version)
    until = work.connection.execute(end.limit(1)).scalar()
    query = select(changes).where(*own, changes.c.request == first).order_by(changes.c.version.desc())
    if until is not None:
        query = query.where(changes.c.version < until)
    found = [to_change(row) for row in work.connection.execute(query)]
    if not found:
        reason = f"version {first} is not the first of a request"
        raise NothingToUndoError(work.model.name, reason)
    reasons = [_why_not(work, change) for change in found]
    if all(reasons):
        raise NothingToUndoError(work.model.name, str(reasons[-1]))
    return [change for change, reason in zip(found, reasons, strict=True) if reason is None]


def _last_request(work: Work) -> int:
    actor = work.request.actor
    query = (
        select(changes.c.version, changes.c.request)
        .where(
            changes.c.model == work.number,
            changes.c.actor == actor,
            changes.c.kind.in_(_OF_DOCUMENTS),
            changes.c.undone_by.is_(None),
            ~changes.c.erased,
        )
        .order_by(changes.c.version.desc())
    )
    # A few rows are enough, unless this very request has undone more.
    for row in work.connection.execute(query.limit(len(work.undone) + 1)):
        if work.undone.get(row.version) is None:
            request: int = row.request
            return request
    raise NothingToUndoError(work.model.name, f"{actor} made no change that is in force")


def _requeue(work: Work, document: str, after: State | None) -> None:
    """A text of the queue whose teaching is undone waits again."""
    values = (
        {"state": "waiting", "labels": None}
        if after is None
        else {"state": "labelled", "labels": encode_labels(after.labels)}
    )
    own = (queue.c.model == work.number, queue.c.document == document)
    work.connection.execute(update(queue).where(*own).values(**values))
