"""Commit requests together: one transaction, one write to the disk, and a savepoint for each request."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import DBAPIError

from textbayes.errors import KeyReusedError, ServerFaultError, TextbayesError
from textbayes.server.store.checks import LONGEST_SOURCE, check_short
from textbayes.server.store.database import Database
from textbayes.server.store.edits import Work, outcome_of
from textbayes.server.store.encoding import now
from textbayes.server.store.records import Outcome, Receipt, Request
from textbayes.server.store.rows import AnyRow, find_model
from textbayes.server.store.schema import changes, keys
from textbayes.server.store.undoing import undo


def commit_all(
    connection: Connection, database: Database, requests: Sequence[Request]
) -> list[Receipt | TextbayesError]:
    """Make requests in order; a request that fails leaves nothing, and the others are made.

    Raises
    ------
    sqlalchemy.exc.DBAPIError
        If the database fails; then nothing of any request may be kept.
    """
    return [_commit_one(connection, database, request) for request in requests]


def _commit_one(connection: Connection, database: Database, request: Request) -> Receipt | TextbayesError:
    savepoint = connection.begin_nested()
    try:
        receipt = _make(connection, database, request)
    except TextbayesError as error:
        savepoint.rollback()
        return error
    except Exception as error:
        if isinstance(error, DBAPIError) and database.failure(error) is not None:
            raise
        savepoint.rollback()
        fault = ServerFaultError(f"the store: {type(error).__name__}")
        fault.__cause__ = error
        return fault
    savepoint.commit()
    return receipt


def _make(connection: Connection, database: Database, request: Request) -> Receipt:
    check_short("actor", request.actor)
    if request.source is not None:
        check_short("source", request.source, LONGEST_SOURCE)
    model = find_model(connection, request.model)
    if request.key is not None:
        known = _known_receipt(connection, model, request, check_short("key", request.key))
        if known is not None:
            return known
    work = Work(connection, database, model, request)
    work.make(request.edits, undo)
    receipt = Receipt(model.head + 1, model.head + len(work.rows), tuple(work.outcomes), False)
    if request.key is not None:
        _remember(connection, model, request, receipt)
    return receipt


def _known_receipt(connection: Connection, model: AnyRow, request: Request, key: str) -> Receipt | None:
    query = select(keys).where(keys.c.model == model.number, keys.c.actor == request.actor, keys.c.key == key)
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    if row.digest != request.digest:
        raise KeyReusedError(key)
    return _rebuilt(connection, model, row)


def _rebuilt(connection: Connection, model: AnyRow, row: AnyRow) -> Receipt:
    """Return the receipt of a request again, from its rows."""
    query = (
        select(changes.c.version, changes.c.document, changes.c.kind)
        .where(changes.c.model == model.number, changes.c.version >= row.first, changes.c.version <= row.last)
        .order_by(changes.c.version)
    )
    outcomes = [
        Outcome(change.document, change.version, outcome_of(change.kind))
        for change in connection.execute(query)
    ]
    # In rising order, so that each position is right when it is inserted.
    for position, id in json.loads(row.unchanged or "[]"):
        outcomes.insert(position, Outcome(id, None, "unchanged"))
    return Receipt(row.first, row.last, tuple(outcomes), True)


def _remember(connection: Connection, model: AnyRow, request: Request, receipt: Receipt) -> None:
    unchanged = [(place, made.id) for place, made in enumerate(receipt.outcomes) if made.version is None]
    row = {
        "model": model.number,
        "actor": request.actor,
        "key": request.key,
        "digest": request.digest,
        "first": receipt.first,
        "last": receipt.last,
        "unchanged": json.dumps(unchanged) if unchanged else None,
        "time": now(),
    }
    connection.execute(insert(keys), [row])
