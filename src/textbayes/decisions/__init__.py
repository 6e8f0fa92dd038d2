"""Scores → labels."""

from textbayes.decisions.biases import class_biases, held_out_biases
from textbayes.decisions.blended_parts import blended_contributions
from textbayes.decisions.blending import Blend, blend_out_of_sample, fit_blend, fit_temperature
from textbayes.decisions.by_class import best_by_class, scores_by_class
from textbayes.decisions.calibration import Calibration, SharedOdds, fit_calibration, fit_shared_odds
from textbayes.decisions.choice import top_positions
from textbayes.decisions.rejection import reject_unsure
from textbayes.decisions.thresholds import best_labels, proportional_thresholds, scut_thresholds
from textbayes.decisions.tilting import rare_class_tilt
from textbayes.decisions.tuned import Tuned, tune_indicator, tune_labels
from textbayes.decisions.tuned_parts import tuned_contributions
from textbayes.decisions.tuned_storing import restore_tuned, store_tuned

__all__ = [
    "Blend",
    "Calibration",
    "SharedOdds",
    "Tuned",
    "best_by_class",
    "best_labels",
    "blend_out_of_sample",
    "blended_contributions",
    "class_biases",
    "fit_blend",
    "fit_calibration",
    "fit_shared_odds",
    "fit_temperature",
    "held_out_biases",
    "proportional_thresholds",
    "rare_class_tilt",
    "reject_unsure",
    "restore_tuned",
    "scores_by_class",
    "scut_thresholds",
    "store_tuned",
    "top_positions",
    "tune_indicator",
    "tune_labels",
    "tuned_contributions",
]
