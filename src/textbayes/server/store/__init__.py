"""The rows of a service: every change, its documents and its model files, in SQLite or PostgreSQL.

It knows no classifier and no HTTP. All of it is synchronous.
"""

from textbayes.server.store.opening import open_store
from textbayes.server.store.records import (
    Answer,
    Change,
    ChangeKind,
    Document,
    Edit,
    Label,
    LabelKind,
    Labels,
    ModelRow,
    Outcome,
    Page,
    Put,
    QueuedText,
    Receipt,
    Relabel,
    Remove,
    RemoveLearned,
    RemoveText,
    Request,
    Snapshot,
    State,
    Undo,
    WriterInfo,
)
from textbayes.server.store.store import Store
from textbayes.server.store.writer import Writer

__all__ = [
    "Answer",
    "Change",
    "ChangeKind",
    "Document",
    "Edit",
    "Label",
    "LabelKind",
    "Labels",
    "ModelRow",
    "Outcome",
    "Page",
    "Put",
    "QueuedText",
    "Receipt",
    "Relabel",
    "Remove",
    "RemoveLearned",
    "RemoveText",
    "Request",
    "Snapshot",
    "State",
    "Store",
    "Undo",
    "Writer",
    "WriterInfo",
    "open_store",
]
