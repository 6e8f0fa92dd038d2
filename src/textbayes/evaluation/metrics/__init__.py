"""Scores, decisions and probabilities → figures, where scikit-learn has none."""

from textbayes.evaluation.metrics.averages import Averages
from textbayes.evaluation.metrics.calibration import ReliabilityCurve, calibration_error, reliability_curve
from textbayes.evaluation.metrics.class_size import SizeBin, by_class_size
from textbayes.evaluation.metrics.decided import f1, thresholded_f1
from textbayes.evaluation.metrics.ranking import BreakEven, break_even, one_vs_rest_auc, recall_at_break_even

__all__ = [
    "Averages",
    "BreakEven",
    "ReliabilityCurve",
    "SizeBin",
    "break_even",
    "by_class_size",
    "calibration_error",
    "f1",
    "one_vs_rest_auc",
    "recall_at_break_even",
    "reliability_curve",
    "thresholded_f1",
]
