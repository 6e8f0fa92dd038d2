"""Labels and scores → figures: F1, break-even, AUC, calibration error, log loss; and folds of documents."""

from textbayes.measures.averages import Averages, mean_of_some, shares
from textbayes.measures.class_size import SizeBin, by_class_size
from textbayes.measures.decided import (
    count_confusions,
    decision_counts,
    f1,
    f1_of_counts,
    most_confused,
    right_documents,
    thresholded_f1,
)
from textbayes.measures.folds import deal_folds, draw_share, sample_evenly, shuffled_strata, strata
from textbayes.measures.indicators import as_indicator, both_indicators, indicator_of, is_flat
from textbayes.measures.leads import second_lead, two_column_parts, two_columns
from textbayes.measures.metrics import METRICS, SEARCHED_METRICS
from textbayes.measures.quality import Quality, is_clearly_better, is_expected_better, quality
from textbayes.measures.ranking import (
    BreakEven,
    best_documents,
    break_even,
    break_even_decisions,
    one_vs_rest_auc,
    recall_at_break_even,
)
from textbayes.measures.reliability import ReliabilityCurve, calibration_error, log_loss, reliability_curve

__all__ = [
    "METRICS",
    "SEARCHED_METRICS",
    "Averages",
    "BreakEven",
    "Quality",
    "ReliabilityCurve",
    "SizeBin",
    "as_indicator",
    "best_documents",
    "both_indicators",
    "break_even",
    "break_even_decisions",
    "by_class_size",
    "calibration_error",
    "count_confusions",
    "deal_folds",
    "decision_counts",
    "draw_share",
    "f1",
    "f1_of_counts",
    "indicator_of",
    "is_clearly_better",
    "is_expected_better",
    "is_flat",
    "log_loss",
    "mean_of_some",
    "most_confused",
    "one_vs_rest_auc",
    "quality",
    "recall_at_break_even",
    "reliability_curve",
    "right_documents",
    "sample_evenly",
    "second_lead",
    "shares",
    "shuffled_strata",
    "strata",
    "thresholded_f1",
    "two_column_parts",
    "two_columns",
]
