"""Labelled rows → sums per class, which add, subtract and merge; the documents that refits need."""

from textbayes.statistics.document_statistics import DocumentStatistics
from textbayes.statistics.documents import Documents
from textbayes.statistics.labelled_rows import LabelledRows
from textbayes.statistics.labels import (
    LabelKind,
    class_of_text,
    kind_of_classes,
    kind_of_label,
    label_of_text,
    labels_of_texts,
)
from textbayes.statistics.lengths import LengthStatistics
from textbayes.statistics.packed_documents import PackedDocuments
from textbayes.statistics.statistics import ClassStatistics, class_blocks
from textbayes.statistics.stored_labels import restore_labels, restored_separator, store_labels
from textbayes.statistics.targets import (
    Targets,
    as_label_targets,
    as_targets,
    check_labels_kind,
    check_mergeable_labels,
)

__all__ = [
    "ClassStatistics",
    "DocumentStatistics",
    "Documents",
    "LabelKind",
    "LabelledRows",
    "LengthStatistics",
    "PackedDocuments",
    "Targets",
    "as_label_targets",
    "as_targets",
    "check_labels_kind",
    "check_mergeable_labels",
    "class_blocks",
    "class_of_text",
    "kind_of_classes",
    "kind_of_label",
    "label_of_text",
    "labels_of_texts",
    "restore_labels",
    "restored_separator",
    "store_labels",
]
