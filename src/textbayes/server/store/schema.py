"""The tables of a store: one schema for SQLite and PostgreSQL.

Columns that lists and filters need come before the texts, which can be long: SQLite then reads a row without
the pages of its text. Times are microseconds since 1970, and labels are written as ``encoding`` says.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

FORMAT = 1
"""The version of this schema; a store of a later one is not opened."""

tables = MetaData()
# Sorted by code points, as in Python.
_Text = Text().with_variant(Text(collation="C"), "postgresql")
# SQLite numbers rows by itself only if the type is INTEGER.
_Number = BigInteger().with_variant(Integer(), "sqlite")


def _model() -> Column[int]:
    return Column("model", _Number, ForeignKey("textbayes_models.number"), primary_key=True)


meta = Table(
    "textbayes_meta",
    tables,
    Column("key", _Text, primary_key=True),
    Column("value", _Text, nullable=False),
)

models = Table(
    "textbayes_models",
    tables,
    Column("number", _Number, primary_key=True, autoincrement=True),
    Column("name", _Text, nullable=False, unique=True),
    Column("created", BigInteger, nullable=False),
    Column("origin", _Text),
    Column("label_kind", _Text),
    Column("several", Boolean),
    Column("head", BigInteger, nullable=False),
    Column("documents", BigInteger, nullable=False),
    sqlite_autoincrement=True,
)

changes = Table(
    "textbayes_changes",
    tables,
    _model(),
    Column("version", BigInteger, primary_key=True, autoincrement=False),
    Column("request", BigInteger, nullable=False),
    Column("kind", _Text, nullable=False),
    Column("erased", Boolean, nullable=False),
    Column("document", _Text),
    Column("before_labels", _Text),
    Column("before_weight", Double),
    Column("after_labels", _Text),
    Column("after_weight", Double),
    Column("actor", _Text, nullable=False),
    Column("time", BigInteger, nullable=False),
    Column("source", _Text),
    Column("undoes", BigInteger),
    Column("undone_by", BigInteger),
    # The text after the change, or before it if the document is gone; the old one only if it was another.
    Column("text", _Text),
    Column("old_text", _Text),
    Index("textbayes_changes_document", "model", "document", "version"),
    Index("textbayes_changes_actor", "model", "actor", "version"),
)
# Few rows have them.
Index(
    "textbayes_changes_undoes",
    changes.c.model,
    changes.c.undoes,
    sqlite_where=changes.c.undoes.is_not(None),
    postgresql_where=changes.c.undoes.is_not(None),
)
special = changes.c.erased | changes.c.kind.in_(["erase", "recipe", "file"])
Index(
    "textbayes_changes_special",
    changes.c.model,
    changes.c.version,
    sqlite_where=special,
    postgresql_where=special,
)

documents = Table(
    "textbayes_documents",
    tables,
    Column("number", _Number, primary_key=True, autoincrement=True),
    Column("model", _Number, ForeignKey("textbayes_models.number"), nullable=False),
    Column("id", _Text, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("labels", _Text, nullable=False),
    Column("labels_hash", BigInteger, nullable=False),
    Column("weight", Double, nullable=False),
    Column("content_hash", BigInteger, nullable=False),
    Column("time", BigInteger, nullable=False),
    Column("actor", _Text, nullable=False),
    Column("source", _Text),
    Column("text", _Text, nullable=False),
    UniqueConstraint("model", "id"),
    Index("textbayes_documents_version", "model", "version"),
    Index("textbayes_documents_labels", "model", "labels_hash", "version"),
    Index("textbayes_documents_content", "model", "content_hash", "version"),
)

keys = Table(
    "textbayes_keys",
    tables,
    _model(),
    Column("actor", _Text, primary_key=True),
    Column("key", _Text, primary_key=True),
    Column("digest", _Text),
    Column("first", BigInteger, nullable=False),
    Column("last", BigInteger, nullable=False),
    # JSON: positions and ids of the outcomes that were no changes.
    Column("unchanged", _Text),
    Column("time", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

snapshots = Table(
    "textbayes_snapshots",
    tables,
    _model(),
    Column("effective", BigInteger, primary_key=True, autoincrement=False),
    Column("covers", BigInteger, nullable=False),
    Column("digest", _Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("time", BigInteger, nullable=False),
    Column("pinned", Boolean, nullable=False),
    Column("quality", _Text),
    # The name of the file in the folder of the model, or of its parts in the database.
    Column("file", _Text, nullable=False),
)

# Figures about the model at a version. They stay when the snapshot goes.
qualities = Table(
    "textbayes_qualities",
    tables,
    _model(),
    Column("version", BigInteger, primary_key=True, autoincrement=False),
    Column("time", BigInteger, nullable=False),
    Column("figures", _Text, nullable=False),
)

parts = Table(
    "textbayes_parts",
    tables,
    Column("file", _Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("time", BigInteger, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

queue = Table(
    "textbayes_queue",
    tables,
    _model(),
    Column("id", _Text, primary_key=True),
    Column("state", _Text, nullable=False),
    Column("drawn", _Text),
    Column("predicted", _Text),
    Column("probability", Double),
    Column("labels", _Text),
    Column("document", _Text),
    Column("added", BigInteger, nullable=False),
    Column("time", BigInteger, nullable=False),
    Column("actor", _Text, nullable=False),
    Column("source", _Text),
    Column("text_hash", _Text, nullable=False),
    Column("text", _Text, nullable=False),
    UniqueConstraint("model", "text_hash"),
    Index("textbayes_queue_state", "model", "state", "id"),
)
