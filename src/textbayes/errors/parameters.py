"""Parameters that cannot be used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from textbayes.errors.base import TextbayesError, did_you_mean, shown

# More options than this are not all named in a message.
_MOST_OPTIONS = 40


class ParameterError(TextbayesError, ValueError, TypeError):
    """A parameter has a value that it cannot have.

    Parameters
    ----------
    name : str
        The parameter as the user wrote it, such as ``"alpha"`` or ``"scores[2, 0]"``.
    value : object
        What was passed.
    allowed : str or iterable
        What can be passed: in words, such as ``"a finite number above 0"``, or as the options themselves.
    why : str
        Why the value matters, as a sentence without its period; by default what fits ``allowed``.
    """

    code = "parameter-value"

    def __init__(self, name: str, value: object, allowed: str | Iterable[object], why: str = "") -> None:
        if isinstance(allowed, str):
            problem, todo = "is not allowed.", f"Pass {allowed}."
            why = why or "Another value would give a wrong result, or none"
        else:
            options = [_option(option) for option in allowed]
            problem = f"is not an option.{did_you_mean(value, options)}"
            todo = f"Pass one of: {_listed(options)}."
            why = why or "Guessing which option was meant could silently change the result"
        super().__init__(f"{name}={shown(value)} {problem}", f"{why}.", todo)
        self.name = name


class ParameterConflictError(TextbayesError, ValueError):
    """Two parameters cannot be combined."""

    code = "parameter-conflict"

    def __init__(self, name: str, value: object, other: str, other_value: object, reason: str) -> None:
        super().__init__(
            f"{name}={shown(value)} cannot be combined with {other}={shown(other_value)}.",
            f"{reason}.",
            f"Leave {name} at its default, or change {other}.",
        )


class ExtraMissingError(TextbayesError, ImportError):
    """An optional part of textbayes is not installed."""

    code = "extra-missing"

    def __init__(self, extra: str, reason: str) -> None:
        super().__init__(
            f"The extra {extra!r} is not installed: {shown(reason)}.",
            "Its packages are optional, so that those who do not use it need not install them.",
            f"Run: pip install 'textbayes[{extra}]'",
        )


def _option(option: object) -> str:
    text = str(option)
    return text if len(text) <= 60 and text.isprintable() else shown(option)


def _listed(options: Sequence[str]) -> str:
    rest = ", …" if len(options) > _MOST_OPTIONS else ""
    return ", ".join(islice(options, _MOST_OPTIONS)) + rest
