"""Scores → labels."""

from textbayes.decisions.blending import Blend, blend_out_of_sample, fit_blend, fit_temperature
from textbayes.decisions.choice import binary_scores, check_k, top_positions
from textbayes.decisions.quality import METRICS, Quality, quality

__all__ = [
    "METRICS",
    "Blend",
    "Quality",
    "binary_scores",
    "blend_out_of_sample",
    "check_k",
    "fit_blend",
    "fit_temperature",
    "quality",
    "top_positions",
]
