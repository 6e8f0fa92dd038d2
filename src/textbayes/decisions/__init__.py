"""Scores → labels."""

from textbayes.decisions.choice import binary_scores, check_k, top_positions

__all__ = ["binary_scores", "check_k", "top_positions"]
