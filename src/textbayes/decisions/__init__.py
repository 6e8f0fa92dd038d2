"""Scores → labels."""

from textbayes.decisions.biases import class_biases, held_out_biases, rare_class_offsets
from textbayes.decisions.blend import Blend
from textbayes.decisions.blending import blend_out_of_sample, fit_blend, fit_temperature
from textbayes.decisions.by_class import best_by_class, scores_by_class
from textbayes.decisions.calibration import Calibration, SharedOdds, fit_calibration, fit_shared_odds
from textbayes.decisions.choice import reject_unsure, top_classes, top_positions
from textbayes.decisions.thresholds import best_labels, proportional_thresholds, scut_thresholds
from textbayes.decisions.tuned import Tuned, tune_indicator, tune_labels

__all__ = [
    "Blend",
    "Calibration",
    "SharedOdds",
    "Tuned",
    "best_by_class",
    "best_labels",
    "blend_out_of_sample",
    "class_biases",
    "fit_blend",
    "fit_calibration",
    "fit_shared_odds",
    "fit_temperature",
    "held_out_biases",
    "proportional_thresholds",
    "rare_class_offsets",
    "reject_unsure",
    "scores_by_class",
    "scut_thresholds",
    "top_classes",
    "top_positions",
    "tune_indicator",
    "tune_labels",
]
