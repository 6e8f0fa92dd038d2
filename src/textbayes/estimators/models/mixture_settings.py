"""Checks of the parameters of PoissonMixtureNB."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from textbayes.errors import ParameterConflictError
from textbayes.errors.checks import check_number, check_option, check_seed, check_whole
from textbayes.errors.numbers import LEAST, MOST
from textbayes.weights import check_component_counts
from textbayes.weights.mixture import INITS, SMOOTHINGS

if TYPE_CHECKING:
    from textbayes.estimators.models.mixture import PoissonMixtureNB
# More would take longer than anyone waits.
_MOST_ROUNDS = 100_000
_MOST_STARTS = 10_000


def check_mixture(model: PoissonMixtureNB) -> None:
    """Raise an error that names the parameter when one cannot be used."""
    check_component_counts(model.n_components)
    if isinstance(model.keep, str):
        check_option("keep", model.keep, ["auto"])
    else:
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
        check_option("smoothing", model.smoothing, ["auto", *SMOOTHINGS])
        if isinstance(model.background, str):
            check_option("background", model.background, ["auto"])
        elif model.background is not None:
            most = 1.0 if model.smoothing == "mix" else MOST
            check_number("background", model.background, least=LEAST, most=most)
        return
    if isinstance(model.background, str):
        check_option("background", model.background, ["auto"])
    elif model.background:
        raise ParameterConflictError(
            "background",
            model.background,
            "smoothing",
            None,
            "Without smoothing there is no background to mix in",
        )
    for name, chosen in (("n_components", _wants_auto(model.n_components)), ("keep", model.keep == "auto")):
        if chosen:
            raise ParameterConflictError(
                name, "auto", "smoothing", None, "Held-out documents have new words, which need smoothing"
            )


def _wants_auto(n_components: Any) -> bool:
    numbers = n_components.values() if isinstance(n_components, Mapping) else [n_components]
    return any(isinstance(number, str) for number in numbers)
