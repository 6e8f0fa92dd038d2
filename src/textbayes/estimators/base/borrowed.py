"""Documents that belong to another estimator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textbayes.errors import DocumentsNotKeptError
from textbayes.persistence import Stored
from textbayes.statistics import Documents, LabelledRows

Reader = Callable[[], LabelledRows]


@dataclass(frozen=True, eq=False)
class BorrowedDocuments:
    """Documents of another estimator, on demand.

    Parameters
    ----------
    read : function without arguments, optional
        Returns the documents; None if their owner has not kept them.
    """

    read: Reader | None = None

    @property
    def are_kept(self) -> bool:
        """Whether the documents can be read."""
        return self.read is not None

    def labelled(self, width: int | None = None) -> LabelledRows:
        """Return all documents."""
        if self.read is None:
            raise DocumentsNotKeptError("refitting", "The model learns from all documents at once")
        documents = self.read()
        return documents if width is None else documents.widened(width)

    def fork(self) -> BorrowedDocuments:
        """Return these: they do not change here."""
        return self

    def owned(self) -> Documents:
        """Return a copy that can be changed, in the order of the owner."""
        documents = self.labelled()
        own = Documents(documents.targets.multilabel, keep_order=True)
        own.add(documents)
        return own

    def store(self) -> Stored:
        """Return the documents as a configuration and arrays; nothing if they were not kept."""
        return Stored({"elsewhere": True}) if self.read is None else self.owned().store()


def restore_documents(stored: Stored, columns: int) -> Documents | BorrowedDocuments:
    """Load documents with at most ``columns`` columns, unless another estimator keeps them."""
    if stored.configuration.get("elsewhere") is True:
        return BorrowedDocuments()
    return Documents.restore(stored, columns)
