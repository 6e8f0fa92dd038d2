"""Input types that hold texts: lists, generators, arrays, data frame columns, Arrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from textbayes._native import Counting, NotTextAt
from textbayes.errors import TextsError

if TYPE_CHECKING:
    from textbayes.text.columns import ArrowSource

# Texts are read in batches of about this many characters, so that a generator never fills memory.
_BATCH_CHARACTERS = 1 << 24


class ListSource:
    """Texts in a list."""

    def __init__(self, texts: list[Any], first: int = 0) -> None:
        self.texts = texts
        self.first = first

    def add_to(self, counting: Counting) -> None:
        """Count every text."""
        start = 0
        while start < len(self.texts):
            try:
                start = counting.add_list(self.texts, start)
            except NotTextAt as error:
                (position,) = error.args
                raise TextsError.of_item(self.first + position, self.texts[position]) from None


class StreamSource:
    """Texts from an iterator, read in batches; only one batch is in memory at a time."""

    def __init__(self, texts: Iterable[Any]) -> None:
        self.texts = texts

    def add_to(self, counting: Counting) -> None:
        """Count every text."""
        first = 0
        for batch in _batches(self.texts):
            ListSource(batch, first).add_to(counting)
            first += len(batch)


def _batches(texts: Iterable[Any]) -> Iterator[list[Any]]:
    batch: list[Any] = []
    characters = 0
    for text in texts:
        batch.append(text)
        # An item that is not a string is reported when the batch is counted.
        characters += 64 + (len(text) if isinstance(text, str) else 0)
        if characters >= _BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def kept_texts(texts: Any) -> Any:
    """Return texts as a list or an Arrow column, without copying them: they can be read again.

    Examples
    --------
    >>> from textbayes.text import kept_texts
    >>> kept_texts(str(number) for number in range(3))
    ['0', '1', '2']
    """
    source = as_source(texts)
    if isinstance(source, ListSource):
        return source.texts
    return list(source.texts) if isinstance(source, StreamSource) else source.column


def take_texts(texts: Any, places: NDArray[np.intp]) -> list[Any]:
    """Return some of the texts from :func:`kept_texts`.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.text import take_texts
    >>> take_texts(["a", "b", "c"], np.array([0, 2]))
    ['a', 'c']
    """
    if isinstance(texts, list):
        return [texts[place] for place in places.tolist()]
    found: list[Any] = texts.take(places).to_pylist()
    return found


def as_source(texts: Any) -> ListSource | StreamSource | ArrowSource:
    """Wrap texts of any supported type, without copying them.

    Parameters
    ----------
    texts : iterable of str, or column
        A list, tuple, generator or other iterable; a one-dimensional numpy array; a pandas, polars or pyarrow
        column of strings.

    Raises
    ------
    TextsError
        For a single string, which is an iterable of characters.
    TextsError
        For a data frame, or an array that is not one-dimensional.
    TextsError
        For a mapping, a value that is not iterable, or a column that does not hold strings.
    """
    if isinstance(texts, str | bytes | bytearray):
        raise TextsError.of_collection(texts)
    if isinstance(texts, list):
        return ListSource(texts)
    if isinstance(texts, np.ndarray):
        if texts.ndim != 1:
            raise TextsError.of_table(f"an array of shape {texts.shape}")
        return ListSource(texts.tolist())
    return _as_column(texts)


def _as_column(texts: Any) -> ListSource | StreamSource | ArrowSource:
    from textbayes.text.columns import ArrowSource, as_arrow, is_column, is_table

    if is_table(texts):
        raise TextsError.of_table(f"a table of type {type(texts).__name__}")
    arrow = as_arrow(texts)
    if arrow is not None:
        return ArrowSource(arrow)
    if is_column(texts):
        return ListSource(list(texts))
    if not isinstance(texts, Iterable) or isinstance(texts, Mapping):
        raise TextsError.of_collection(texts)
    return StreamSource(texts)
