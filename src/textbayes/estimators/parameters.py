"""Checks of parameters, with errors that name them."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np

from textbayes.errors import SmoothingRangeError, UnknownOptionError


def check_positive(name: str, value: Any, allowed: str = "a finite number above 0") -> None:
    """Check a smoothing parameter."""
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 < float(value) < np.inf:
        raise SmoothingRangeError(name, value, allowed)


def check_switch(name: str, value: Any) -> None:
    """Check a parameter that is on or off."""
    if not isinstance(value, bool | np.bool_):
        raise UnknownOptionError(name, value, ("True", "False"))


def check_count(name: str, value: Any) -> None:
    """Check a whole number from 1 up."""
    if not isinstance(value, Integral) or isinstance(value, bool) or int(value) < 1:
        raise SmoothingRangeError(name, value, "a whole number from 1 up")
