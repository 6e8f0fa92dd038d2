"""Checks of parameters, with errors that name them."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from textbayes.errors import SmoothingRangeError, UnknownOptionError


def check_positive(name: str, value: Any, allowed: str = "a finite number above 0") -> None:
    """Check a smoothing parameter."""
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 < float(value) < np.inf:
        raise SmoothingRangeError(name, value, allowed)


def check_switch(name: str, value: Any, *others: str) -> None:
    """Check a parameter that is on or off, or one of some others."""
    if not isinstance(value, bool | np.bool_) and not (isinstance(value, str) and value in others):
        raise UnknownOptionError(name, value, ("True", "False", *others))


def check_number(
    name: str, value: Any, *, above: float = -np.inf, least: float = -np.inf, up_to: float | None = None
) -> None:
    """Check a number that has bounds; infinity is none."""
    number = isinstance(value, Real) and not isinstance(value, bool | np.bool_) and np.isfinite(float(value))
    if number and above < float(value) and least <= float(value) <= (np.inf if up_to is None else up_to):
        return
    start = f"above {above:g}" if np.isfinite(above) else f"from {least:g} up"
    raise SmoothingRangeError(
        name, value, f"a finite number {start}" + (f", up to {up_to:g}" if up_to is not None else "")
    )


def check_whole(name: str, value: Any, least: int = 1, most: int | None = None) -> None:
    """Check a number of things, at least one."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or int(value) < least or (most is not None and int(value) > most):
        end = "up" if most is None else f"to {most}"
        raise SmoothingRangeError(name, value, f"a whole number from {least} {end}")


def check_seed(name: str, value: Any) -> None:
    """Check what decides random numbers."""
    try:
        check_random_state(value)
    except ValueError:
        options = ("None", "a whole number from 0 to 2**32 - 1", "a numpy RandomState")
        raise UnknownOptionError(name, value, options) from None
