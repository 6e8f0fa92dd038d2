"""Evaluations that would mean nothing."""

from __future__ import annotations

from textbayes.errors.base import TextbayesError, shown


class EvaluationEmptyError(TextbayesError, ValueError):
    """There is nothing to measure with."""

    code = "evaluation-empty"

    def __init__(self, what: str, needed: str) -> None:
        super().__init__(
            f"There is nothing to measure: {what}.",
            "A figure without cases behind it would be made up.",
            f"Pass {needed}.",
        )


class PlotsMissingError(TextbayesError, ImportError):
    """matplotlib is not installed."""

    code = "plots-missing"

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"matplotlib cannot be imported: {shown(reason)}.",
            "Plots are an extra, so that servers need not have it.",
            "Run: pip install 'textbayes[plots]'",
        )
