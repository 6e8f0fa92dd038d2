"""Sums of labelled documents, and the documents themselves."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import NDArray

from textbayes.persistence import Stored
from textbayes.statistics.documents import Documents
from textbayes.statistics.labelled_rows import CoreDocuments, LabelledRows
from textbayes.statistics.statistics import ClassStatistics


class DocumentStatistics(ClassStatistics):
    """Sums of labelled documents, and the documents, for models that are not functions of the sums.

    The documents keep their order, in which such a model visits them.
    """

    def __init__(self, columns: int, multilabel: bool) -> None:
        super().__init__(columns, multilabel)
        self.training_documents = Documents(multilabel, keep_order=True)

    def add(self, documents: LabelledRows) -> None:
        """Add documents."""
        super().add(documents)
        self.training_documents.add(documents)

    def subtract(self, documents: LabelledRows) -> None:
        """Remove documents; if one was never added, raise NotLearnedError and change nothing."""
        self._check_known(documents.targets)
        places = self.training_documents.find_learned(documents)
        super().subtract(documents)
        self.training_documents.remove(places)

    def merge(self, other: ClassStatistics, column_of: NDArray[np.uint32] | None = None) -> None:
        """Add the documents of other statistics; ``column_of`` maps its columns to ours."""
        super().merge(other, column_of)
        assert isinstance(other, DocumentStatistics)
        self.training_documents.join(other.training_documents, column_of, self.columns)

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = super().copy()
        twin.training_documents = self.training_documents.copy()
        return twin

    def fork(self) -> Self:
        """Return a copy that takes over the index of the documents, to be changed in place of these."""
        twin = super().fork()
        twin.training_documents = self.training_documents.fork()
        return twin

    def in_file_order(self) -> Self:
        """Return the same sums with the classes sorted, without those that lost their documents."""
        twin = super().in_file_order()
        twin.training_documents = self.training_documents
        return twin

    def sums_only(self) -> ClassStatistics:
        """Return the sums without the documents."""
        alone = ClassStatistics(0, self.multilabel)
        alone.__dict__.update({name: own for name, own in self.__dict__.items() if name in alone.__dict__})
        return alone

    @property
    def core_documents(self) -> CoreDocuments:
        """The documents in the form that the core takes."""
        documents = self.training_documents.labelled()
        return documents.by_slots(self.slots_of(documents.targets))

    def store(self) -> Stored:
        """Return sums and documents as a configuration and arrays."""
        return super().store().with_part("kept", self.training_documents.store())

    def _load(self, stored: Stored, columns: int) -> None:
        super()._load(stored, columns)
        self.training_documents = Documents.restore(stored.part("kept"), columns, keep_order=True)
        as_many = self.sums.all()[2] == len(self.training_documents.targets)
        stored.check(as_many, "its sums do not have the number of its documents")
