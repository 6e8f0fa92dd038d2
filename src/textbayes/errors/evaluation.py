"""Evaluations that would mean nothing."""

from __future__ import annotations

from textbayes.errors.base import TextbayesError, shown


class EvaluationShapeError(TextbayesError, ValueError):
    """What was measured and what is true do not fit together."""

    code = "evaluation-shape"

    def __init__(self, name: str, shape: object, other: str, other_shape: object) -> None:
        super().__init__(
            f"{name} has shape {shown(shape)}, and {other} has shape {shown(other_shape)}.",
            "Every document, and every class, is compared with itself.",
            "Pass a row for each document and a column for each class, in the same order.",
        )


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
