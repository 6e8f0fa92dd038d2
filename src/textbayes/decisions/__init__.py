"""Scores → labels."""

from textbayes.decisions.biases import class_biases, held_out_biases
from textbayes.decisions.calibration import Calibration, SharedOdds, fit_calibration, fit_shared_odds
from textbayes.decisions.choice import binary_scores, check_k, top_positions
from textbayes.decisions.rejection import reject_unsure
from textbayes.decisions.thresholds import best_labels, proportional_thresholds, scut_thresholds

__all__ = [
    "Calibration",
    "SharedOdds",
    "best_labels",
    "binary_scores",
    "check_k",
    "class_biases",
    "fit_calibration",
    "fit_shared_odds",
    "held_out_biases",
    "proportional_thresholds",
    "reject_unsure",
    "scut_thresholds",
    "top_positions",
]
