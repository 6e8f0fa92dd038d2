"""Rows of the tables as records, and records as rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, select

from textbayes.errors import ModelUnknownError
from textbayes.server.store.encoding import (
    decode_labels,
    decode_text,
    encode_labels,
    encode_text,
    sought,
    to_datetime,
)
from textbayes.server.store.records import Change, Document, ModelRow, QueuedText, State
from textbayes.server.store.schema import models

AnyRow = Row[Any] | Any


def find_model(connection: Connection, name: str) -> AnyRow:
    """Return the row of a model.

    Raises
    ------
    ModelUnknownError
        If there is none of this name.
    """
    row = connection.execute(select(models).where(models.c.name == sought(name))).one_or_none()
    if row is None:
        raise ModelUnknownError(name, connection.execute(select(models.c.name).limit(1000)).scalars().all())
    return row


def to_model(row: AnyRow) -> ModelRow:
    """Return a row as a model."""
    return ModelRow(row.name, to_datetime(row.created), row.origin, row.label_kind, row.several)


def to_change(row: AnyRow) -> Change:
    """Return a row as a change."""
    after = _state(row.text, row.after_labels, row.after_weight)
    old = row.text if row.old_text is None else row.old_text
    return Change(
        row.version,
        row.request,
        "erased" if row.erased else row.kind,
        row.document,
        _state(old, row.before_labels, row.before_weight),
        after,
        row.actor,
        to_datetime(row.time),
        row.source,
        row.undoes,
        row.undone_by,
    )


def from_states(before: State | None, after: State | None) -> Mapping[str, Any]:
    """Return the columns of a change that say what the document was and is."""
    shown = after or before
    is_new_text = before is not None and after is not None and before.text != after.text
    return {
        "before_labels": None if before is None else encode_labels(before.labels),
        "before_weight": None if before is None else before.weight,
        "after_labels": None if after is None else encode_labels(after.labels),
        "after_weight": None if after is None else after.weight,
        "text": None if shown is None else encode_text(shown.text),
        "old_text": encode_text(before.text) if is_new_text and before is not None else None,
    }


def to_document(row: AnyRow) -> Document:
    """Return a row as a document."""
    return Document(
        row.id,
        decode_text(row.text),
        decode_labels(row.labels),
        row.weight,
        row.version,
        to_datetime(row.time),
        row.actor,
        row.source,
    )


def to_queued(row: AnyRow) -> QueuedText:
    """Return a row as a text of the queue."""
    return QueuedText(
        row.id,
        decode_text(row.text),
        row.state,
        row.drawn,
        None if row.predicted is None else decode_labels(row.predicted),
        row.probability,
        None if row.labels is None else decode_labels(row.labels),
        row.document,
        to_datetime(row.added),
        to_datetime(row.time),
        row.actor,
        row.source,
    )


def to_quality(stored: str | None) -> dict[str, Any] | None:
    """Return the figures about a snapshot."""
    found: dict[str, Any] | None = None if stored is None else json.loads(stored)
    return found


def _state(text: str | None, labels: str | None, weight: float | None) -> State | None:
    if text is None or labels is None or weight is None:
        return None
    return State(decode_text(text), decode_labels(labels), weight)
