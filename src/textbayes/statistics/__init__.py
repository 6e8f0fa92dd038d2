"""Labelled rows → sums per class, which add, subtract and merge; Documents, kept for refits."""

from textbayes.statistics.blocks import class_blocks
from textbayes.statistics.document_statistics import DocumentStatistics
from textbayes.statistics.documents import Documents
from textbayes.statistics.label_lists import as_label_targets
from textbayes.statistics.labelled_rows import LabelledRows
from textbayes.statistics.labels import restore_labels, store_labels
from textbayes.statistics.lengths import LengthStatistics
from textbayes.statistics.statistics import ClassStatistics
from textbayes.statistics.targets import Targets, as_targets

__all__ = [
    "ClassStatistics",
    "DocumentStatistics",
    "Documents",
    "LabelledRows",
    "LengthStatistics",
    "Targets",
    "as_label_targets",
    "as_targets",
    "class_blocks",
    "restore_labels",
    "store_labels",
]
