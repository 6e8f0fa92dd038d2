"""Checks of parameters: each raises a ParameterError that names the parameter."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np

from textbayes.errors.numbers import LEAST, MOST
from textbayes.errors.parameters import ParameterError


def check_option(name: str, value: Any, options: Iterable[str]) -> None:
    """Check a parameter that is one of a few names.

    Examples
    --------
    >>> from textbayes.errors.checks import check_option
    >>> check_option("unit", "wrod", ["word", "char"])
    Traceback (most recent call last):
    textbayes.errors.ParameterError: unit='wrod' is not an option. Did you mean 'word'?
      Guessing which option was meant could silently change the result.
      Pass one of: word, char.    [parameter-value]
    """
    options = tuple(options)
    if not isinstance(value, str) or value not in options:
        raise ParameterError(name, value, options)


def check_switch(name: str, value: Any, *others: str) -> None:
    """Check a parameter that is True, False or one of a few other names."""
    if not isinstance(value, bool | np.bool_) and not (isinstance(value, str) and value in others):
        why = "Any other value would count as true or false by accident"
        raise ParameterError(name, value, ("True", "False", *others), why)


def check_number(
    name: str,
    value: Any,
    *,
    above: float | None = None,
    least: float | None = None,
    below: float | None = None,
    most: float | None = None,
    allowed: str = "",
) -> float:
    """Check a number in a range and return it; infinity is allowed only as ``most``.

    Parameters
    ----------
    name : str
        The parameter.
    value : object
        What was passed.
    above, least, below, most : float, optional
        The ends of the range: without ``above`` and ``below``, with ``least`` and ``most``.
    allowed : str, optional
        What can be passed, in words, if the range does not say all of it.
    """
    if _is_number(value) and (isfinite(value) or value == most):
        number = float(value)
        starts = number > (-inf if above is None else above) and number >= (-inf if least is None else least)
        ends = number <= (inf if most is None else most) and (below is None or number < below)
        if starts and ends:
            return number
    why = "The result is not defined for any other value"
    raise ParameterError(name, value, allowed or f"a finite number{_range(above, least, below, most)}", why)


def check_scale(name: str, value: Any, allowed: str = "") -> float:
    """Check a positive number that counts are added to, or multiplied or divided by, and return it.

    Examples
    --------
    >>> from textbayes.errors.checks import check_scale
    >>> check_scale("alpha", 1e-320)
    Traceback (most recent call last):
    textbayes.errors.ParameterError: alpha=1e-320 is not allowed.
      The result is not defined for any other value.
      Pass a finite number from 1e-50 to 1e+50.    [parameter-value]
    """
    return check_number(name, value, least=LEAST, most=MOST, allowed=allowed)


def check_whole(name: str, value: Any, least: int = 1, most: int | None = None, allowed: str = "") -> int:
    """Check a whole number in a range and return it."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        number = int(value)
        if number >= least and (most is None or number <= most):
            return number
    why = "A fraction, or a number outside this range, has no meaning here"
    raise ParameterError(name, value, allowed or f"a whole number{_range(least=least, most=most)}", why)


def check_seed(name: str, value: Any) -> None:
    """Check a seed of random numbers."""
    from sklearn.utils import check_random_state

    try:
        check_random_state(value)
    except ValueError:
        options = ("None", "a whole number from 0 to 2**32 - 1", "a numpy RandomState")
        why = "The same seed gives the same result again; nothing else can be a seed"
        raise ParameterError(name, value, options, why) from None


def check_labels_passed(estimator: str, labels: Any) -> None:
    """Check that labels were passed."""
    if labels is None:
        # scikit-learn's users know, and its checks expect, these words.
        why = f"{estimator} requires y to be passed, but the target y is None."
        raise ParameterError("y", labels, "one label for each document", why)


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _range(
    above: float | None = None,
    least: float | None = None,
    below: float | None = None,
    most: float | None = None,
) -> str:
    if above is not None and below is not None:
        return f" between {_shown(above)} and {_shown(below)}"
    if least is not None:
        return f" from {_shown(least)} " + ("up" if most is None else f"to {_shown(most)}")
    start = "" if above is None else f" above {_shown(above)}"
    return start + ("" if most is None else f", up to {_shown(most)}")


def _shown(number: float) -> str:
    return str(number) if isinstance(number, int) else f"{number:g}"
