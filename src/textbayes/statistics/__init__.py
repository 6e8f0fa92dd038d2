"""Labelled rows → sums per class, which add, subtract and merge."""

from textbayes.statistics.blocks import class_blocks
from textbayes.statistics.documents import DocumentStatistics, KeptDocuments, labels_of
from textbayes.statistics.lengths import LengthStatistics
from textbayes.statistics.statistics import ClassStatistics
from textbayes.statistics.targets import Targets, as_targets

__all__ = [
    "ClassStatistics",
    "DocumentStatistics",
    "KeptDocuments",
    "LengthStatistics",
    "Targets",
    "as_targets",
    "class_blocks",
    "labels_of",
]
