"""Labelled rows → sums per class, which add, subtract and merge; the documents that refits need."""

from textbayes.statistics.document_statistics import DocumentStatistics
from textbayes.statistics.documents import Documents
from textbayes.statistics.labelled_rows import LabelledRows
from textbayes.statistics.labels import restore_labels, store_labels
from textbayes.statistics.lengths import LengthStatistics
from textbayes.statistics.packed_documents import PackedDocuments
from textbayes.statistics.statistics import ClassStatistics, class_blocks
from textbayes.statistics.targets import Targets, as_label_targets, as_targets, check_labels_kind

__all__ = [
    "ClassStatistics",
    "DocumentStatistics",
    "Documents",
    "LabelledRows",
    "LengthStatistics",
    "PackedDocuments",
    "Targets",
    "as_label_targets",
    "as_targets",
    "check_labels_kind",
    "class_blocks",
    "restore_labels",
    "store_labels",
]
