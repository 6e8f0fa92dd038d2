"""Texts and counts that cannot be used."""

from __future__ import annotations

from sklearn.exceptions import NotFittedError

from textbayes.errors.base import TextbayesError, shown


class TextsError(TextbayesError, TypeError, ValueError):
    """One string, a table or something else where a collection of texts is needed."""

    code = "texts-type"

    def __init__(self, found: object, kind: str = "") -> None:
        if isinstance(found, str | bytes | bytearray) and not kind:
            what, todo = f"one {type(found).__name__}, {shown(found)}", "Put it in a list: [text]."
        elif kind == "table":
            what, todo = f"a {found}", 'Pass the column that holds the texts, such as table["text"].'
        else:
            what = kind or f"a {type(found).__name__}"
            todo = "Pass a list, an array, or a pandas, polars or pyarrow column of strings."
        super().__init__(
            f"texts is {what}, not a collection of texts.",
            "Each item is read as the text of one document.",
            todo,
        )


def _is_missing(value: object) -> bool:
    """Tell whether a value stands for no value: None, NaN, and pandas' NaT and NA."""
    return value is None or type(value).__name__ == "NAType" or bool(value != value)


class NotTextError(TextbayesError, TypeError, ValueError):
    """A value among the texts is not a string, or not valid UTF-8."""

    code = "text-type"

    def __init__(self, position: int, value: object, valid: bool = True) -> None:
        what = f"texts[{position}] is {shown(value)} of type {type(value).__name__}."
        if not valid:
            what = f"texts[{position}] is not valid UTF-8, though its column has a string type."
            todo = 'Read the column as binary and decode it, with errors="replace" if some bytes are invalid.'
        elif _is_missing(value):
            todo = f'Drop the missing texts, or replace them with "" (position {position} is the first).'
        elif isinstance(value, bytes | bytearray):
            todo = 'Decode the bytes first: value.decode("utf-8"), with errors="replace" if some are invalid.'
        else:
            todo = "Convert it with str(), or drop it."
        super().__init__(what, "Counting anything but a str would hide a mistake in the data.", todo)
        self.position = position


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


class UnfittedError(TextbayesError, NotFittedError):  # type: ignore[misc]
    """An estimator is used before it is fitted."""

    code = "not-fitted"

    def __init__(self, estimator: str, method: str) -> None:
        super().__init__(
            f"This {estimator} instance is not fitted yet, so {method} cannot be used.",
            "An estimator learns from documents first.",
            "Call fit or partial_fit.",
        )
