"""Multinomial naive Bayes, with per-class normalisation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import ParameterError
from textbayes.errors.checks import check_scale, check_switch
from textbayes.errors.numbers import LEAST, MOST
from textbayes.statistics import ClassStatistics, class_blocks
from textbayes.weights.linear import LinearWeights

Reals = NDArray[np.float64]


def check_multinomial(alpha: Any, class_length: Any, fit_prior: Any) -> None:
    """Check the parameters; ``log_prior`` checks a given prior."""
    check_scale("alpha", alpha)
    check_switch("fit_prior", fit_prior)
    if class_length is not None and class_length != "min":
        check_scale("class_length", class_length, f'a number from {LEAST:g} to {MOST:g}, "min" or None')


def multinomial_weights(
    statistics: ClassStatistics, alpha: float, class_length: float | str | None, prior: Reals
) -> LinearWeights:
    """log P(w|c) = log((α + n_wc) / (αk + n_c)) (Rennie 2003, eq. 3; Schneider 2004, eq. 2; Frank, eq. 2).

    With a class length ℓ, the counts of each class are first scaled to the sum ℓ (Frank 2006, eq. 3), or with
    ``"min"`` to that of the shortest class. Classes without words are not scaled and do not set the minimum.

    Parameters
    ----------
    statistics : ClassStatistics
        The statistics of the training documents.
    alpha : float
        The smoothing count.
    class_length : float, "min" or None
        ℓ; None leaves the counts as they are.
    prior : array of shape (slots,)
        log P(c), the bias.
    """
    own = statistics.class_values
    scale = _length_scale(own, class_length)
    denominator = alpha * statistics.columns + own * scale
    return LinearWeights(bias=prior, slope=np.log(alpha / denominator), class_factors=scale / alpha)


def _length_scale(own: Reals, class_length: float | str | None) -> Reals:
    """Return the factor for the counts of each class."""
    if class_length is None:
        return np.ones_like(own)
    words = own[own > 0]
    length = (words.min() if words.size else 0.0) if class_length == "min" else float(class_length)
    return np.divide(length, own, out=np.zeros_like(own), where=own > 0)


def _checked_prior(class_prior: Any, classes: int) -> Reals:
    try:
        prior = np.asarray(class_prior, dtype=np.float64)
    except (TypeError, ValueError):
        prior = np.full(1, np.nan)
    if prior.shape != (classes,) or not np.all((prior >= 0) & (prior <= 1)) or not prior.any():
        raise ParameterError("class_prior", class_prior, f"{classes} probabilities, one for each class")
    return prior


def rest_weights(
    statistics: ClassStatistics, alpha: float, class_length: float | str | None, prior: Reals
) -> Callable[[], Iterator[tuple[Reals, Reals]]]:
    """Return the bias and weights of the documents without each class, in blocks of sorted classes.

    With a class length the weights of unseen pairs are not the sum of a class part and a term part, so blocks
    of rows of the table of classes × terms are computed.

    Returns
    -------
    callable
        Returns an iterator of (log P(c̄), log P(w|c̄)) over blocks of classes.
    """
    own, of_terms = statistics.pair_values, statistics.term_values
    rest = np.maximum(statistics.values - statistics.class_values, 0.0)
    # In each of these two-class problems, "min" is the shorter of the two.
    lengths = np.minimum(rest, statistics.class_values) if class_length == "min" else class_length
    scale = 1.0 if lengths is None else np.divide(lengths, rest, out=np.zeros_like(rest), where=rest > 0)
    scale = np.broadcast_to(scale, rest.shape)
    bias = np.log(np.maximum(-np.expm1(prior), np.finfo(np.float64).tiny))

    def blocks() -> Iterator[tuple[Reals, Reals]]:
        for block in class_blocks(statistics.order, statistics.columns):
            counts = np.maximum(of_terms - np.asarray(own[block].todense()), 0.0)
            total = alpha * statistics.columns + rest[block] * scale[block]
            yield bias[block], np.log((alpha + counts * scale[block, None]) / total[:, None])

    return blocks


def log_prior(statistics: ClassStatistics, fit_prior: bool, class_prior: Any) -> Reals:
    """log P(c), by slot: the share of the documents of a class, uniform, or as given.

    The share of a class without documents is 0; it gets the logarithm of the smallest double instead of −∞,
    so that no product is NaN.
    """
    slots = len(statistics.class_documents)
    prior = np.zeros(slots)
    if class_prior is not None:
        prior[statistics.order] = _checked_prior(class_prior, len(statistics.order))
    elif fit_prior:
        prior = statistics.class_shares
    else:
        prior[:] = 1.0 / max(len(statistics.order), 1)
    return np.log(np.maximum(prior, np.finfo(np.float64).tiny))
