"""What every error has: what happened, why it matters, what to do, and a stable code."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any, ClassVar, Self

from textbayes.errors.printable import printable


class TextbayesError(Exception):
    """The base of every error that textbayes raises on purpose.

    Attributes
    ----------
    code : str
        A stable name of the situation, such as ``"text-type"``.
    what, why, todo : str
        What happened; why it matters; what to do about it.
    """

    code: ClassVar[str] = "textbayes"

    def __init_subclass__(cls) -> None:
        """Name the module users import from, not the file."""
        cls.__module__ = "textbayes.errors"

    def __new__(cls, *facts: Any, **named: Any) -> Self:
        """Keep the facts, so that the error survives pickling between processes."""
        # MemoryError, which keeps instances for reuse, makes none of a class that begins with another base.
        maker = Exception if issubclass(cls, MemoryError) else super()
        made = maker.__new__(cls, *facts)
        made._facts = (facts, named)  # type: ignore[attr-defined]
        return made

    def __init__(self, what: str, why: str, todo: str) -> None:
        super().__init__(what)
        self.what = what
        self.why = why
        self.todo = todo

    @classmethod
    def received(cls, code: str, what: str, why: str, todo: str) -> Self:
        """Make an error that another process raised, from what it said."""
        made = cls.__new__(cls)
        TextbayesError.__init__(made, what, why, todo)
        if code != cls.code:  # of a newer version, which has more errors
            made.code = code  # type: ignore[misc]
        made._facts = None  # type: ignore[attr-defined]
        return made

    def __str__(self) -> str:
        # File names and labels may have any characters; a traceback prints them, too.
        what, why, todo = map(printable, (self.what, self.why, self.todo))
        return f"{what}\n  {why}\n  {todo}    [{self.code}]"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._facts is None:  # type: ignore[attr-defined]
            return type(self).received, (self.code, self.what, self.why, self.todo)
        facts, named = self._facts  # type: ignore[attr-defined]
        # A reader may have added to the message.
        return _rebuild, (type(self), facts, named), {"what": self.what, "why": self.why, "todo": self.todo}


def _rebuild(kind: type[TextbayesError], facts: tuple[Any, ...], named: dict[str, Any]) -> TextbayesError:
    return kind(*facts, **named)


def did_you_mean(value: object, options: Iterable[str]) -> str:
    """Name the option closest to a value, if one is close."""
    close = difflib.get_close_matches(str(value), list(options), n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def shown(value: object, width: int = 60) -> str:
    """Show a value in a message, shortened."""
    text = repr(value)
    return text if len(text) <= width else text[: width - 1] + "…"
