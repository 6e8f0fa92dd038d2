"""Pages of documents and of changes, newest first."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select

from textbayes.errors import RequestFieldError
from textbayes.server.store.checks import sought_label
from textbayes.server.store.database import Database
from textbayes.server.store.encoding import among, encode_labels, encode_text, short_hash
from textbayes.server.store.records import Change, Document, Label, Page
from textbayes.server.store.rows import AnyRow, to_change, to_document, to_model
from textbayes.server.store.schema import changes, documents
from textbayes.server.store.words import sought_words

LONGEST_PAGE = 1000
"""Items of a page, at most."""
LONGEST_SEARCH = 1000
"""Characters of a search that are looked at."""


def read_position(name: str, cursor: int | str | None) -> int | None:
    """Return the version that a cursor stands for.

    Raises
    ------
    RequestFieldError
        If it is not one that a page gave.
    """
    if cursor is None:
        return None
    found = str(cursor)
    if isinstance(cursor, bool) or not (found.isascii() and found.isdigit() and len(found) < 19):
        raise RequestFieldError.invalid(name, cursor, 'the value of "next" of the page before')
    return int(found)


def page_of_changes(
    connection: Connection,
    database: Database,
    model: AnyRow,
    conditions: list[ColumnElement[bool]],
    label: Label | None,
    limit: int,
) -> Page[Change]:
    """Return the newest changes of a model that meet conditions."""
    query = select(changes).where(changes.c.model == model.number, *conditions)
    if label is not None:
        before, after = changes.c.before_labels, changes.c.after_labels
        query = query.where(
            or_(_has_label(database, before, label, model), _has_label(database, after, label, model))
        )
    limit = max(1, min(limit, LONGEST_PAGE))
    rows = connection.execute(query.order_by(changes.c.version.desc()).limit(limit + 1)).all()
    found = tuple(to_change(row) for row in rows[:limit])
    return Page(found, str(found[-1].version) if len(rows) > limit else None)


def page_of_documents(
    connection: Connection,
    database: Database,
    model: AnyRow,
    search: str | None,
    label: Label | None,
    before: int | None,
    limit: int,
) -> Page[Document]:
    """Return the documents of a model that changed last, and the number of all that are found."""
    conditions: list[Any] = [documents.c.model == model.number]
    order: Any = documents.c.version
    if search is not None and search.strip():
        # With + 0 SQLite begins with the words that are found, not with all documents of the model.
        conditions = [documents.c.model + 0 == model.number, _is_found(database, search[:LONGEST_SEARCH])]
        order = documents.c.version + 0
    if label is not None:
        if not model.several:
            sought = encode_labels(sought_label(label, to_model(model)))
            conditions.append(documents.c.labels_hash == short_hash(sought))
        conditions.append(_has_label(database, documents.c.labels, label, model))
    total = (
        model.documents
        if len(conditions) == 1
        else connection.execute(select(func.count()).select_from(documents).where(*conditions)).scalar_one()
    )
    if before is not None:
        conditions.append(documents.c.version < before)
    limit = max(1, min(limit, LONGEST_PAGE))
    query = select(documents).where(*conditions).order_by(order.desc()).limit(limit + 1)
    rows = connection.execute(query).all()
    found = tuple(to_document(row) for row in rows[:limit])
    return Page(found, str(found[-1].version) if len(rows) > limit else None, total)


def _is_found(database: Database, search: str) -> ColumnElement[bool]:
    words = sought_words(search)
    if words:
        return database.has_words(words)
    # Punctuation only, which is no word.
    parts = encode_text(search.encode(errors="replace").decode()).split()
    return and_(*(database.contains(documents.c.text, part) for part in parts))


def _has_label(
    database: Database, column: ColumnElement[Any], label: Label, model: AnyRow
) -> ColumnElement[bool]:
    sought = sought_label(label, to_model(model))
    return database.contains(column, among(sought)) if model.several else column == encode_labels(sought)
