"""Texts and counts that cannot be used."""

from __future__ import annotations

from typing import Self

from textbayes.errors.base import TextbayesError, shown


class TextsError(TextbayesError, TypeError, ValueError):
    """Something is not a collection of texts, or an item of it is not a text.

    The class methods make it from facts.

    Parameters
    ----------
    problem : str
        What was found, as a sentence without its period.
    todo : str
        What to do, likewise.
    position : int, optional
        The position of the item that is not a text.
    """

    code = "text-type"

    def __init__(self, problem: str, todo: str, position: int | None = None) -> None:
        super().__init__(
            f"{problem}.",
            "Each item is the text of one document; counting anything but a str would hide a mistake.",
            f"{todo}.",
        )
        self.position = position

    @classmethod
    def of_collection(cls, value: object, kind: str = "") -> Self:
        """A value is not a collection of texts; ``kind`` names it if its type does not say enough."""
        if isinstance(value, str | bytes | bytearray):
            kind, todo = f"one {type(value).__name__}, {shown(value)}", "Put it in a list: [text]"
        else:
            todo = "Pass a list, an array, or a pandas, polars or pyarrow column of strings"
        return cls(f"texts is {kind or f'of type {type(value).__name__}'}, not a collection of texts", todo)

    @classmethod
    def of_table(cls, kind: str) -> Self:
        """A table was passed, not one of its columns."""
        todo = 'Pass the column that holds the texts, such as table["text"]'
        return cls(f"texts is {kind}, not a collection of texts", todo)

    @classmethod
    def of_item(cls, position: int, value: object) -> Self:
        """A value among the texts is not a string."""
        if _is_missing(value):
            todo = f'Drop the missing texts, or replace them with "" (position {position} is the first)'
        elif isinstance(value, bytes | bytearray):
            todo = 'Decode the bytes first: value.decode("utf-8"), with errors="replace" if some are invalid'
        else:
            todo = "Convert it with str(), or drop it"
        return cls(f"texts[{position}] is {shown(value)} of type {type(value).__name__}", todo, position)

    @classmethod
    def of_encoding(cls, position: int) -> Self:
        """A text in a column is not valid UTF-8."""
        todo = 'Read the column as binary and decode it, with errors="replace" if some bytes are invalid'
        problem = f"texts[{position}] is not valid UTF-8, though its column has a string type"
        return cls(problem, todo, position)


def _is_missing(value: object) -> bool:
    """Tell whether a value stands for no value: None, NaN, and pandas' NaT and NA."""
    return value is None or type(value).__name__ == "NAType" or bool(value != value)


class NoTermsLeftError(TextbayesError, ValueError):
    """There is no term, or the cuts leave none."""

    code = "counts-no-terms"

    def __init__(self, documents: int, terms: int) -> None:
        texts = "the text" if documents == 1 else f"the {documents:,} texts"
        super().__init__(
            f"No term is left of {terms:,} in {texts}." if terms else f"There is no term in {texts}.",
            "A vocabulary without terms cannot tell any two texts apart.",
            "Lower min_df or min_count, or raise max_df."
            if terms
            else "Check that texts hold words, of two characters or more unless the counter says otherwise, "
            "and not only stop words.",
        )
