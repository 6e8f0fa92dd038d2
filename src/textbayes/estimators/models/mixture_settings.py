"""Parameters of PoissonMixtureNB: checks, and conversion for the core."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from textbayes._native import MixtureSettings
from textbayes.errors import ParameterConflictError
from textbayes.errors.checks import check_number, check_option, check_seed, check_whole
from textbayes.weights import check_component_counts
from textbayes.weights.mixture import INITS, SMOOTHINGS

if TYPE_CHECKING:
    from textbayes.estimators.models.mixture import PoissonMixtureNB
# More would take longer than anyone waits.
_MOST_ROUNDS = 100_000
_MOST_STARTS = 10_000


def mixture_settings(model: PoissonMixtureNB) -> MixtureSettings:
    """Return the parameters for the core."""
    strength = 0.0
    if model.smoothing is not None:
        strength = float(SMOOTHINGS[model.smoothing] if model.background is None else model.background)
    threshold = None if model.keep_threshold is None else float(model.keep_threshold)
    return MixtureSettings(
        model.smoothing,
        strength,
        float(model.keep),
        threshold,
        int(model.max_iter),
        float(model.tol),
        int(model.n_init),
    )


def check_mixture(model: PoissonMixtureNB) -> None:
    """Raise an error that names the parameter when one cannot be used."""
    check_component_counts(model.n_components)
    check_number("keep", model.keep, above=0, most=1)
    if model.keep_threshold is not None:
        check_number("keep_threshold", model.keep_threshold, least=0)
        if model.keep != 1:
            raise ParameterConflictError(
                "keep",
                model.keep,
                "keep_threshold",
                model.keep_threshold,
                "Both decide which parameters are kept",
            )
    _check_smoothing(model)
    check_whole("max_iter", model.max_iter, most=_MOST_ROUNDS)
    check_whole("n_init", model.n_init, most=_MOST_STARTS)
    check_number("tol", model.tol, least=0)
    check_option("init", model.init, INITS)
    check_seed("random_state", model.random_state)


def _check_smoothing(model: PoissonMixtureNB) -> None:
    if model.smoothing is not None:
        check_option("smoothing", model.smoothing, SMOOTHINGS)
        if model.background is not None:
            check_number(
                "background", model.background, above=0, most=1 if model.smoothing == "mix" else None
            )
        return
    if model.background:
        raise ParameterConflictError(
            "background",
            model.background,
            "smoothing",
            None,
            "Without smoothing there is no background to mix in",
        )
    if _wants_auto(model.n_components):
        raise ParameterConflictError(
            "n_components",
            "auto",
            "smoothing",
            None,
            "Held-out documents have new words, which need smoothing",
        )


def _wants_auto(n_components: Any) -> bool:
    numbers = n_components.values() if isinstance(n_components, Mapping) else [n_components]
    return any(isinstance(number, str) for number in numbers)
