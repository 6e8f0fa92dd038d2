"""Errors of the Rust core: it has no memory, or a bug."""

from __future__ import annotations

from textbayes.errors.base import TextbayesError


class OutOfMemoryError(TextbayesError, MemoryError):
    """There is no memory for a table."""

    code = "memory"

    def __init__(self, length: int, size: int) -> None:
        table = f" for a table of {length:,} values, {size / 1e9:.3g} GB" if length else ""
        super().__init__(
            f"There is not enough memory{table}.",
            "Memory grows with the documents and their terms, and with the columns and classes asked for.",
            "Use fewer columns (dimensions, max_features, min_df) or less text at a time, or more memory.",
        )


class CoreBugError(TextbayesError, RuntimeError):
    """The Rust core stopped at a bug of its own."""

    code = "core-bug"

    def __init__(self, said: str) -> None:
        super().__init__(
            f"The core of textbayes stopped: {said}.",
            "This is a bug of textbayes, not of your program. The model is as it was before this call.",
            "Please report this message, the call that raised it, and the output of textbayes --version.",
        )
