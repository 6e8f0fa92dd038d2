"""Models in a file → answers for rows, without the estimators.

``MODELS`` has a function for each kind of model. It takes the stored model and the number of its columns, and
returns its answers, or None if they need the estimator.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from textbayes.answering.poisson import PoissonAnswers, poisson_odds_scorer
from textbayes.answering.rows import RowAnswerer, ScorerAnswers
from textbayes.answering.tuned import TunedAnswers, checked_best
from textbayes.counts import Rows
from textbayes.decisions import Tuned
from textbayes.errors import ParameterError
from textbayes.persistence import Stored, plain_parameters
from textbayes.scores import (
    CompiledScorer,
    LinearScorer,
    MultinomialOddsScorer,
    mixture_odds_scorer,
    mixture_scorer,
)
from textbayes.statistics import ClassStatistics, LengthStatistics
from textbayes.terms import PoissonSumsCache
from textbayes.weights import (
    LARGEST_WEIGHT,
    LinearWeights,
    MixtureModel,
    centroid_odds_weights,
    centroid_weights,
    check_centroid,
    check_complement,
    check_multinomial,
    check_poisson,
    complement_weights,
    log_prior,
    multinomial_weights,
    odds_against,
    restore_compiled_weights,
    restore_discriminative,
    restore_pair_weights,
)

Read = Callable[[Stored, int], RowAnswerer | None]
MODELS: dict[str, Read] = {}
"""For each kind of model in a file, the function that reads its answers."""


def answers_for(kind: str) -> Callable[[Read], Read]:
    """Register the function that reads the answers of a kind of model."""

    def register(read: Read) -> Read:
        MODELS[kind] = read
        return read

    return register


def restore_row_answerer(stored: Stored, columns: int) -> RowAnswerer | None:
    """Read the answers of a stored model for rows of ``columns`` columns; None if they need the estimator."""
    kind = stored.value("kind", str)
    try:
        return MODELS[kind](stored, columns) if kind in MODELS else None
    except (ParameterError, TypeError) as error:
        problem = str(error).partition("\n")[0][:200]
        stored.refuse(f"a parameter of {kind} is invalid ({problem})")


@answers_for("MultinomialNB")
def _multinomial(stored: Stored, columns: int) -> RowAnswerer | None:
    names = ("alpha", "class_length", "fit_prior", "class_prior")
    given, statistics = plain_parameters(stored, *names), _statistics(stored, columns)
    if given is None or statistics is None:
        return None
    alpha, class_length, fit_prior, class_prior = (given[name] for name in names)
    check_multinomial(alpha, class_length, fit_prior)

    def scorer() -> LinearScorer:
        prior = log_prior(statistics, fit_prior, class_prior)
        return LinearScorer(multinomial_weights(statistics, float(alpha), class_length, prior), statistics)

    def odds() -> MultinomialOddsScorer:
        return MultinomialOddsScorer(scorer(), float(alpha), class_length)

    return _scorer_answers(statistics, scorer, odds)


@answers_for("ComplementNB")
def _complement(stored: Stored, columns: int) -> RowAnswerer | None:
    given, statistics = plain_parameters(stored, "alpha", "norm", "against"), _statistics(stored, columns)
    if given is None or statistics is None:
        return None
    check_complement(**given)

    def scorer(against: str) -> LinearScorer:
        settings = float(given["alpha"]), bool(given["norm"]), against
        return LinearScorer(complement_weights(statistics, *settings), statistics)

    against = given["against"]
    return _scorer_answers(statistics, lambda: scorer(against), lambda: scorer(odds_against(against)))


@answers_for("CentroidClassifier")
def _centroid(stored: Stored, columns: int) -> RowAnswerer | None:
    given, statistics = plain_parameters(stored, "norm"), _statistics(stored, columns)
    if given is None or statistics is None:
        return None
    check_centroid(**given)

    def scorer(weights: Callable[..., LinearWeights]) -> LinearScorer:
        return LinearScorer(weights(statistics, **given), statistics)

    return _scorer_answers(
        statistics, lambda: scorer(centroid_weights), lambda: scorer(centroid_odds_weights)
    )


@answers_for("LinearSVM")
def _linear_svm(stored: Stored, columns: int) -> RowAnswerer | None:
    statistics = _statistics(stored, columns)
    if statistics is None or not stored.has_part("estimate"):
        return None
    estimate = stored.part("estimate")
    return _weighted(statistics, lambda: restore_pair_weights(statistics, estimate, LARGEST_WEIGHT))


@answers_for("DiscriminativeNB")
def _discriminative(stored: Stored, columns: int) -> RowAnswerer | None:
    given, statistics = (
        plain_parameters(stored, "against", "alpha", "fit_prior"),
        _statistics(stored, columns),
    )
    if given is None or statistics is None or not stored.has_part("estimate"):
        return None
    check_multinomial(given["alpha"], None, given["fit_prior"])
    if given["against"] is None and statistics.multilabel:
        return None
    estimate = stored.part("estimate")
    settings = given["against"], float(given["alpha"]), bool(given["fit_prior"])
    return _weighted(statistics, lambda: restore_discriminative(statistics, estimate, *settings))


@answers_for("PoissonNB")
def _poisson(stored: Stored, columns: int) -> RowAnswerer | None:
    given = plain_parameters(stored, "theta", "alpha", "weighting")
    statistics = _statistics(stored, columns, LengthStatistics)
    if given is None or statistics is None:
        return None
    check_poisson(**given)
    settings = float(given["theta"]), float(given["alpha"]), given["weighting"]
    odds = cache(lambda: poisson_odds_scorer(statistics, *settings, PoissonSumsCache()))
    return PoissonAnswers(statistics.classes, statistics.multilabel, odds, odds)


@answers_for("PoissonMixtureNB")
def _mixture(stored: Stored, columns: int) -> RowAnswerer | None:
    if not stored.has_part("mixture"):
        return None
    check_columns(stored, columns)
    model = MixtureModel.restore(stored.part("mixture"), columns)
    if not len(model.classes):
        return None
    try:
        scorer = mixture_scorer(model)
        odds: Any = mixture_odds_scorer(model, scorer)
    except ValueError as error:
        stored.refuse(f"its mixtures cannot be used ({error})")
    return ScorerAnswers(model.classes, model.multilabel, lambda: scorer, lambda: odds)


@answers_for("AutoNB")
def _auto(stored: Stored, columns: int) -> RowAnswerer | None:
    blend = stored.part("blend") if stored.has_part("blend") else Stored()
    if not blend.has_part("weights"):
        return None
    check_columns(stored, columns)
    labels, weights = ClassStatistics.restore(blend.part("labels"), 0), blend.part("weights")
    if not len(labels.order):
        return None
    compiled = restore_compiled_weights(weights)
    fits = compiled.width == columns and np.array_equal(weights.array("order", np.uint32), labels.order)
    stored.check(fits, "its compiled weights do not fit its labels and its vocabulary")
    scorer = CompiledScorer(compiled, len(labels.order))
    return ScorerAnswers(labels.classes, labels.multilabel, lambda: scorer, lambda: scorer)


@answers_for("TunedClassifier")
def _tuned(stored: Stored, columns: int) -> RowAnswerer | None:
    given = plain_parameters(stored, "rule", "value")
    if given is None or not stored.has_part("estimator") or not stored.has_part("tuned"):
        return None
    model = restore_row_answerer(stored.part("estimator"), columns)
    if model is None:
        return None
    tuned = Tuned.restore(stored.part("tuned"), len(model.classes), model.multilabel)
    best = checked_best(given["value"]) if model.multilabel and given["rule"] == "rcut" else None
    return TunedAnswers(model.classes, model.multilabel, model.decision_function, Rows.sums, tuned, best)


# What these have in common.


def check_columns(stored: Stored, columns: int) -> None:
    """Refuse a file whose part does not have the columns of its input."""
    fits = stored.size("columns") == columns < 2**31
    stored.check(fits, "its vocabulary and its model do not have the same terms")


def _statistics(stored: Stored, columns: int, kind: type[ClassStatistics] = ClassStatistics) -> Any:
    """Read the statistics of a model; None if it has no classes."""
    if not stored.has_part("statistics"):
        return None
    check_columns(stored, columns)
    statistics = kind.restore(stored.part("statistics"), columns)
    return statistics if len(statistics.order) else None


def _scorer_answers(
    statistics: ClassStatistics, scorer: Callable[[], LinearScorer], odds: Callable[[], Any]
) -> RowAnswerer:
    return ScorerAnswers(statistics.classes, statistics.multilabel, cache(scorer), cache(odds))


def _weighted(
    statistics: ClassStatistics, weights: Callable[[], tuple[LinearWeights, ClassStatistics]]
) -> RowAnswerer:
    scorer = cache(lambda: LinearScorer(*weights()))
    return ScorerAnswers(statistics.classes, statistics.multilabel, scorer, scorer)
