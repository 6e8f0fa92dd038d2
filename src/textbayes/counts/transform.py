"""Counts → the rows of a model: some columns, and their frequencies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from textbayes.counts.frequency import SMOOTH, Frequencies, row_lengths, transform_frequencies
from textbayes.counts.rows import Rows
from textbayes.counts.selection import move_columns
from textbayes.persistence import Stored


@dataclass(frozen=True)
class CountTransform:
    """Keep some columns of counts, and transform them.

    Parameters
    ----------
    frequencies : Frequencies
        Document frequencies of the columns that are kept, and the length of documents.
    log, idf, length
        As for :func:`textbayes.counts.transform_frequencies`.
    places : array of int, optional
        For each column its place among those that are kept; −1 for the others. None if all are kept.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.counts import CountTransform, Frequencies, as_rows
    >>> known = Frequencies(documents=2, documents_with=np.array([2, 1]))
    >>> places = np.array([0, -1, 1], dtype=np.int32)
    >>> transform = CountTransform(known, log=True, idf=False, length=False, places=places)
    >>> transform(as_rows(np.array([[1, 5, 3]]))).matrix.toarray().tolist()
    [[1.0, 2.0]]
    """

    frequencies: Frequencies
    log: bool
    idf: bool | str
    length: bool
    places: NDArray[np.int32] | None = None

    @property
    def width(self) -> int:
        """The number of columns that are kept."""
        return len(self.frequencies.documents_with)

    def __call__(self, rows: Rows) -> Rows:
        """Transform rows of counts."""
        return self._transformed(rows, self.length)

    def lengths_of(self, rows: Rows) -> NDArray[np.float64]:
        """Return the L2 lengths of rows of counts before they are scaled."""
        return row_lengths(self._transformed(rows, length=False))

    def _transformed(self, rows: Rows, length: bool) -> Rows:
        if self.places is not None:
            rows = move_columns(rows, self.places[rows.columns], self.width)
        return transform_frequencies(rows, self.frequencies, self.log, self.idf, length)

    def store(self) -> Stored:
        """Return the transform as a configuration and arrays."""
        settings = {"log": self.log, "idf": self.idf, "length": self.length, "columns": self.width}
        arrays = {} if self.places is None else {"places": self.places}
        return Stored(settings, arrays).with_part("frequencies", self.frequencies.store())

    @classmethod
    def restore(cls, stored: Stored) -> Self:
        """Load what ``store`` returned."""
        idf: Any = stored.configuration.get("idf")
        stored.check(isinstance(idf, bool) or idf == SMOOTH, "its idf is invalid")
        frequencies = Frequencies.restore(stored.part("frequencies"), stored.size("columns"))
        places = stored.array("places", np.int32) if "places" in stored.arrays else None
        if places is not None:
            stored.check(np.all((places >= -1) & (places < stored.size("columns"))), "its places are invalid")
        return cls(frequencies, stored.value("log", bool), idf, stored.value("length", bool), places)
