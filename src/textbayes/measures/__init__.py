"""Labels and scores → figures: F1, break-even, AUC, calibration error, log loss; and folds of documents."""

from textbayes.measures.averages import Averages, mean_of_some, shares
from textbayes.measures.class_size import SizeBin, by_class_size
from textbayes.measures.class_weights import (
    balanced_weights,
    cell_weights,
    check_class_weight,
    class_weights,
    weighted_counts,
)
from textbayes.measures.costs import CostMatrix, mean_cost
from textbayes.measures.decided import (
    count_confusions,
    decision_counts,
    f1,
    f1_of_counts,
    most_confused,
    right_documents,
    thresholded_f1,
)
from textbayes.measures.folds import deal_folds, draw_share, sample_in_proportion, shuffled_strata, strata
from textbayes.measures.indicators import as_indicator, both_indicators, indicator_of, is_flat
from textbayes.measures.intervals import loss_interval, share_interval
from textbayes.measures.leads import second_lead, two_column_parts, two_columns
from textbayes.measures.metrics import METRICS, SEARCHED_METRICS
from textbayes.measures.objective import (
    Objective,
    check_metric,
    metric_name,
    metric_title,
    objective,
    shown_figures,
)
from textbayes.measures.quality import (
    Quality,
    best_classes,
    decided_quality,
    is_clearly_better,
    is_expected_better,
    quality,
)
from textbayes.measures.ranking import (
    BestClasses,
    BreakEven,
    best_documents,
    break_even,
    break_even_decisions,
    one_vs_rest_auc,
    precision_recall_at,
    recall_at_break_even,
)
from textbayes.measures.reliability import ReliabilityCurve, calibration_error, log_loss, reliability_curve
from textbayes.measures.tree import TreeF1, tree_costs, tree_f1, with_ancestors

__all__ = [
    "METRICS",
    "SEARCHED_METRICS",
    "Averages",
    "BestClasses",
    "BreakEven",
    "CostMatrix",
    "Objective",
    "Quality",
    "ReliabilityCurve",
    "SizeBin",
    "TreeF1",
    "as_indicator",
    "balanced_weights",
    "best_classes",
    "best_documents",
    "both_indicators",
    "break_even",
    "break_even_decisions",
    "by_class_size",
    "calibration_error",
    "cell_weights",
    "check_class_weight",
    "check_metric",
    "class_weights",
    "count_confusions",
    "deal_folds",
    "decided_quality",
    "decision_counts",
    "draw_share",
    "f1",
    "f1_of_counts",
    "indicator_of",
    "is_clearly_better",
    "is_expected_better",
    "is_flat",
    "log_loss",
    "loss_interval",
    "mean_cost",
    "mean_of_some",
    "metric_name",
    "metric_title",
    "most_confused",
    "objective",
    "one_vs_rest_auc",
    "precision_recall_at",
    "quality",
    "recall_at_break_even",
    "reliability_curve",
    "right_documents",
    "sample_in_proportion",
    "second_lead",
    "share_interval",
    "shares",
    "shown_figures",
    "shuffled_strata",
    "strata",
    "thresholded_f1",
    "tree_costs",
    "tree_f1",
    "two_column_parts",
    "two_columns",
    "weighted_counts",
    "with_ancestors",
]
