"""Labelled rows → sums per class, which add, subtract and merge."""

from textbayes.statistics.blocks import class_blocks
from textbayes.statistics.documents import Documents
from textbayes.statistics.kept_documents import DocumentStatistics, KeptDocuments, Unread, labels_of
from textbayes.statistics.kept_storing import restore_kept, store_kept
from textbayes.statistics.label_lists import as_label_targets
from textbayes.statistics.label_storing import restore_labels, store_labels
from textbayes.statistics.lengths import LengthStatistics
from textbayes.statistics.statistics import ClassStatistics
from textbayes.statistics.storing import restore_statistics, store_statistics
from textbayes.statistics.targets import Targets, as_targets

__all__ = [
    "ClassStatistics",
    "DocumentStatistics",
    "Documents",
    "KeptDocuments",
    "LengthStatistics",
    "Targets",
    "Unread",
    "as_label_targets",
    "as_targets",
    "class_blocks",
    "labels_of",
    "restore_kept",
    "restore_labels",
    "restore_statistics",
    "store_kept",
    "store_labels",
    "store_statistics",
]
