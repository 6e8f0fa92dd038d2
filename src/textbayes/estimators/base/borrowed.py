"""Documents that belong to another estimator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textbayes.errors import DocumentsNotKeptError
from textbayes.persistence import Stored
from textbayes.statistics import Documents, LabelledRows, Targets


@dataclass(frozen=True, eq=False)
class BorrowedDocuments:
    """Documents of another estimator: the labels, and the rows on demand.

    Parameters
    ----------
    targets : Targets
        The labels.
    read : function without arguments, optional
        Returns the documents; None if their owner has not kept them.
    """

    targets: Targets
    read: Callable[[], LabelledRows] | None = None

    def labelled(self, width: int | None = None) -> LabelledRows:
        """Return all documents."""
        if self.read is None:
            raise DocumentsNotKeptError("refitting", "The model learns from all documents at once")
        documents = self.read()
        return documents if width is None else documents.widened(width)

    def owned(self) -> Documents:
        """Return a copy that can be changed."""
        documents = Documents(self.targets.multilabel)
        documents.add(self.labelled())
        return documents

    def store(self) -> Stored:
        """Return the documents as a configuration and arrays; only the labels if the rows were not kept."""
        if self.read is not None:
            return self.owned().store()
        labels = self.targets.store()
        return Stored({**labels.configuration, "elsewhere": True}, labels.arrays)


def restore_documents(stored: Stored, columns: int) -> Documents | BorrowedDocuments:
    """Load documents with at most ``columns`` columns, or the labels of another estimator's documents."""
    if stored.configuration.get("elsewhere") is not True:
        return Documents.restore(stored, columns)
    targets = Targets.restore(stored)
    targets.check_stored(stored)
    return BorrowedDocuments(targets)
