"""Protocols, figures and significance: how good a model is, and whether it is better than another."""

from textbayes.evaluation.metrics import (
    Averages,
    BreakEven,
    ReliabilityCurve,
    SizeBin,
    break_even,
    by_class_size,
    calibration_error,
    f1,
    one_vs_rest_auc,
    recall_at_break_even,
    reliability_curve,
    thresholded_f1,
)
from textbayes.evaluation.significance import TestResult, corrected_t_test, mcnemar, paired_t_test, sign_test

__all__ = [
    "Averages",
    "BreakEven",
    "ReliabilityCurve",
    "SizeBin",
    "TestResult",
    "break_even",
    "by_class_size",
    "calibration_error",
    "corrected_t_test",
    "f1",
    "mcnemar",
    "one_vs_rest_auc",
    "paired_t_test",
    "recall_at_break_even",
    "reliability_curve",
    "sign_test",
    "thresholded_f1",
]
