"""Protocols, comparisons, significance tests, reports and plots; the measures come from ``measures``."""

from textbayes.estimators.models.left_out import LeaveOneOut
from textbayes.evaluation.comparing import compare
from textbayes.evaluation.comparison import Comparison
from textbayes.evaluation.leave_one_out import leave_one_out
from textbayes.evaluation.plots import (
    plot_class_sizes,
    plot_classes,
    plot_confusion,
    plot_learning_curves,
    plot_reliability,
)
from textbayes.evaluation.protocols import (
    EvaluationProtocol,
    FixedSplit,
    LearningCurve,
    RepeatedHoldOut,
    Run,
    StratifiedFolds,
)
from textbayes.evaluation.reports import ClassReport, ClassRow, ConfusedPair, class_report, confused_pairs
from textbayes.evaluation.rows import ComparisonRow
from textbayes.evaluation.significance import TestResult, corrected_t_test, mcnemar, paired_t_test, sign_test
from textbayes.measures import (
    Averages,
    BestClasses,
    BreakEven,
    ReliabilityCurve,
    SizeBin,
    break_even,
    by_class_size,
    calibration_error,
    f1,
    mean_cost,
    one_vs_rest_auc,
    precision_recall_at,
    recall_at_break_even,
    reliability_curve,
    thresholded_f1,
    tree_f1,
)

__all__ = [
    "Averages",
    "BestClasses",
    "BreakEven",
    "ClassReport",
    "ClassRow",
    "Comparison",
    "ComparisonRow",
    "ConfusedPair",
    "EvaluationProtocol",
    "FixedSplit",
    "LearningCurve",
    "LeaveOneOut",
    "ReliabilityCurve",
    "RepeatedHoldOut",
    "Run",
    "SizeBin",
    "StratifiedFolds",
    "TestResult",
    "break_even",
    "by_class_size",
    "calibration_error",
    "class_report",
    "compare",
    "confused_pairs",
    "corrected_t_test",
    "f1",
    "leave_one_out",
    "mcnemar",
    "mean_cost",
    "one_vs_rest_auc",
    "paired_t_test",
    "plot_class_sizes",
    "plot_classes",
    "plot_confusion",
    "plot_learning_curves",
    "plot_reliability",
    "precision_recall_at",
    "recall_at_break_even",
    "reliability_curve",
    "sign_test",
    "thresholded_f1",
    "tree_f1",
]
