"""Evaluations that would mean nothing."""

from __future__ import annotations

from collections.abc import Iterable

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


class EvaluationScoreError(TextbayesError, ValueError):
    """A score cannot be ranked or averaged."""

    code = "evaluation-score"

    def __init__(self, name: str, row: int, column: int, value: object, wanted: str) -> None:
        super().__init__(
            f"{name}[{row}, {column}] is {shown(value)}.",
            f"Every document needs {wanted} for every class.",
            "Find out which model gave it, and from which document.",
        )


class EvaluationSettingError(TextbayesError, ValueError):
    """A setting of an evaluation is out of range."""

    code = "evaluation-setting"

    def __init__(self, name: str, value: object, allowed: str) -> None:
        super().__init__(
            f"{name}={shown(value)} is out of range.",
            "It decides what the figures mean.",
            f"Pass {allowed}.",
        )


class SplitMissingError(TextbayesError, ValueError):
    """A corpus has no documents in a split."""

    code = "evaluation-split"

    def __init__(self, name: str, splits: Iterable[str]) -> None:
        known = ", ".join(shown(split) for split in splits) or "no split at all"
        super().__init__(
            f"No document is in the split {shown(name)}; the corpus has {known}.",
            "FixedSplit learns from one split and tests with another.",
            'Name the splits, as in FixedSplit("train", "test"), or use KFold or RepeatedHoldOut.',
        )


class LearningCurveError(TextbayesError, ValueError):
    """A learning curve has a point that no class can fill."""

    code = "evaluation-learning-curve"

    def __init__(self, wanted: int, largest: int) -> None:
        super().__init__(
            f"documents_per_class has {wanted}, and the largest class has {largest} documents to learn from.",
            "The point would show the same models as the one before, under another number.",
            f"Leave out what is above {largest}, or pass a smaller test_share.",
        )


class ModelsError(TextbayesError, ValueError, TypeError):
    """Models to compare are none, or cannot be told apart."""

    code = "evaluation-models"

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"models {reason}.",
            "Each is copied, fitted to texts run by run, and shown under its name.",
            'Pass a dict such as {"mnb": make_pipeline(TextCounter(), MultinomialNB())}.',
        )


class MetricScoresError(TextbayesError, ValueError):
    """A metric needs what a model does not give."""

    code = "evaluation-metric"

    def __init__(self, metric: str, model: str, method: str) -> None:
        super().__init__(
            f"{metric} needs {method}, which {model} does not have.",
            "It is a figure of scores or probabilities, not of decisions.",
            "Leave the metric out, or the model.",
        )


class CacheKeyError(TextbayesError, ValueError):
    """A model's parameter does not say what it is."""

    code = "evaluation-cache-key"

    def __init__(self, name: str, value: object) -> None:
        super().__init__(
            f"The parameter {name} is {shown(value)}, which cannot be recognised in another process.",
            "Results are kept by content, so that an old one is never taken for another model's.",
            "Give it a __repr__ that states its settings, or compare with cache=None.",
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
