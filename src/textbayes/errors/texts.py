"""Texts and counts that cannot be used."""

from __future__ import annotations

from sklearn.exceptions import NotFittedError

from textbayes.errors.base import TextbayesError, shown


class BareStringError(TextbayesError, TypeError, ValueError):
    """One string where a collection of texts is wanted."""

    code = "texts-bare-string"

    def __init__(self, value: str | bytes | bytearray) -> None:
        super().__init__(
            f"texts is one {type(value).__name__}, {shown(value)}, not a collection of texts.",
            "It would be read as a collection of single characters.",
            "Put it in a list: [text].",
        )


class TextsShapeError(TextbayesError, TypeError, ValueError):
    """A table where one column is wanted."""

    code = "texts-shape"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"texts is a {what}, not one column of texts.",
            "Which of its columns holds the texts cannot be guessed.",
            'Pass the column itself, such as table["text"].',
        )


class TextsTypeError(TextbayesError, TypeError, ValueError):
    """Something that holds no texts."""

    code = "texts-type"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"texts is a {what}.",
            "Texts come as a list, a generator, an array, or a pandas, polars or pyarrow column of strings.",
            "Convert it to one of these.",
        )


def _is_missing(value: object) -> bool:
    """Tell whether a value stands for no value: None, NaN, and pandas' NaT and NA."""
    return value is None or type(value).__name__ == "NAType" or bool(value != value)


class NotTextError(TextbayesError, TypeError, ValueError):
    """A value among the texts is no string."""

    code = "text-type"

    def __init__(self, position: int, value: object) -> None:
        kind = type(value).__name__
        if _is_missing(value):
            todo = f'Drop the missing texts, or put "" in their place (position {position} is the first).'
        elif isinstance(value, bytes | bytearray):
            todo = 'Decode the bytes first: value.decode("utf-8"), with errors="replace" if some are broken.'
        else:
            todo = "Convert it with str(), or drop it."
        super().__init__(
            f"texts[{position}] is {shown(value)} of type {kind}.",
            "A text is a str; counting anything else would hide a mistake in the data.",
            todo,
        )


class NotUtf8Error(TextbayesError, ValueError):
    """A text in Arrow's memory is not UTF-8."""

    code = "text-utf8"

    def __init__(self, position: int) -> None:
        super().__init__(
            f"texts[{position}] is not valid UTF-8, though its column says it is a string.",
            "Whatever wrote the column did not check it; its tokens would be noise.",
            'Read the column as binary and decode it, with errors="replace" if some bytes are broken.',
        )


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


class NotCountedError(TextbayesError, NotFittedError):  # type: ignore[misc]
    """A counter has no vocabulary yet."""

    code = "counts-not-fitted"

    def __init__(self, method: str) -> None:
        super().__init__(
            f"{method} needs a vocabulary, and this TextCounter has none.",
            "A vocabulary says which column a term has.",
            "Call fit, fit_transform or partial_fit first, or set dimensions for hashed columns.",
        )
