"""Scores → labels."""

from typing import TYPE_CHECKING

from textbayes.lazy import lazy_names as _lazy_names

if TYPE_CHECKING:
    from textbayes.decisions.biases import (
        class_biases,
        held_out_biases,
        least_cost_biases,
        rare_class_offsets,
    )
    from textbayes.decisions.blend import Blend
    from textbayes.decisions.blending import blend_out_of_sample, fit_blend, fit_temperature
    from textbayes.decisions.by_class import best_by_class, scores_by_class
    from textbayes.decisions.calibration import Calibration, SharedOdds, fit_calibration, fit_shared_odds
    from textbayes.decisions.choice import reject_unsure, top_classes, top_positions
    from textbayes.decisions.costs import (
        cost_biases,
        expected_cost_biases,
        held_out_cost_biases,
        pairwise_biases,
    )
    from textbayes.decisions.thresholds import (
        best_labels,
        held_out_thresholds,
        proportional_thresholds,
        scut_thresholds,
    )
    from textbayes.decisions.tuned import Tuned, restored_calibration, tune_indicator, tune_labels

__all__ = [
    "Blend",
    "Calibration",
    "SharedOdds",
    "Tuned",
    "best_by_class",
    "best_labels",
    "blend_out_of_sample",
    "class_biases",
    "cost_biases",
    "expected_cost_biases",
    "fit_blend",
    "fit_calibration",
    "fit_shared_odds",
    "fit_temperature",
    "held_out_biases",
    "held_out_cost_biases",
    "held_out_thresholds",
    "least_cost_biases",
    "pairwise_biases",
    "proportional_thresholds",
    "rare_class_offsets",
    "reject_unsure",
    "restored_calibration",
    "scores_by_class",
    "scut_thresholds",
    "top_classes",
    "top_positions",
    "tune_indicator",
    "tune_labels",
]

_MODULES = {
    "Blend": "blend",
    "Calibration": "calibration",
    "SharedOdds": "calibration",
    "Tuned": "tuned",
    "best_by_class": "by_class",
    "best_labels": "thresholds",
    "blend_out_of_sample": "blending",
    "class_biases": "biases",
    "cost_biases": "costs",
    "expected_cost_biases": "costs",
    "fit_blend": "blending",
    "fit_calibration": "calibration",
    "fit_shared_odds": "calibration",
    "fit_temperature": "blending",
    "held_out_biases": "biases",
    "held_out_cost_biases": "costs",
    "held_out_thresholds": "thresholds",
    "least_cost_biases": "biases",
    "pairwise_biases": "costs",
    "proportional_thresholds": "thresholds",
    "rare_class_offsets": "biases",
    "reject_unsure": "choice",
    "restored_calibration": "tuned",
    "scores_by_class": "by_class",
    "scut_thresholds": "thresholds",
    "top_classes": "choice",
    "top_positions": "choice",
    "tune_indicator": "tuned",
    "tune_labels": "tuned",
}

if not TYPE_CHECKING:
    # `textbayes predict` needs few of these modules.
    __getattr__ = _lazy_names(__name__, _MODULES)


def __dir__() -> list[str]:
    return __all__
