"""A sample of documents, for calibration."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.counts import Rows
from textbayes.persistence import Stored
from textbayes.statistics.document_batch import renumbered
from textbayes.statistics.document_order import label_hashes
from textbayes.statistics.labelled_rows import LabelledRows
from textbayes.statistics.starts import are_starts
from textbayes.statistics.targets import Targets

Keys = NDArray[np.uint64]

DOCUMENTS, MULTILABEL_DOCUMENTS = 2_000, 5_000
"""The largest numbers of documents that a calibration uses, for one label and for several."""


class Sample:
    """The documents with the smallest keys: the same ones in whatever order they were learned.

    Parameters
    ----------
    most : int
        The number of documents.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.documents: LabelledRows | None = None
        # For each document its place among all that were read, for models that are fitted without it.
        self.places: NDArray[np.intp] = np.empty(0, dtype=np.intp)
        self._keys: Keys = np.empty(0, dtype=np.uint64)
        self._read = 0

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, documents: LabelledRows, keys: Keys) -> None:
        """Offer documents; keys are the hashes of their terms."""
        keys = _labelled_keys(documents, keys)
        least = np.argsort(keys, kind="stable")[: self.most]
        if len(self) == self.most:
            least = least[keys[least] < self._keys[-1]]
        places, self._read = least + self._read, self._read + len(documents)
        if least.size or self.documents is None:
            self._join(documents.take(least), keys[least], places)

    def join(self, other: Sample) -> None:
        """Offer the documents of another sample, of documents that this one has not read."""
        if other.documents is not None:
            self._join(other.documents, other._keys, other.places + self._read)
            self._read += other._read

    def _join(self, found: LabelledRows, keys: Keys, places: NDArray[np.intp]) -> None:
        if self.documents is not None:
            found = LabelledRows.joined([self.documents, found])
            keys, places = np.concatenate([self._keys, keys]), np.concatenate([self.places, places])
        order = np.argsort(keys, kind="stable")[: self.most]
        self.documents, self._keys, self.places = found.take(order), keys[order], places[order]

    def first(self, most: int) -> Sample:
        """Return the sample of fewer documents."""
        found = copy.copy(self)
        found.most = most
        found.keep(np.arange(min(most, len(self))))
        return found

    def keep(self, numbers: NDArray[np.intp]) -> None:
        """Keep some documents of the sample, by their numbers in it."""
        if self.documents is not None:
            self.documents = self.documents.take(numbers)
        self._keys, self.places = self._keys[numbers], self.places[numbers]

    def renumber(self, column_of: NDArray[np.integer], width: int) -> None:
        """Renumber the columns."""
        if self.documents is not None:
            rows = renumbered(self.documents.rows, column_of, width)
            self.documents = replace(self.documents, rows=rows)

    def remove(self, documents: LabelledRows, keys: Keys) -> None:
        """Remove documents if they are in the sample."""
        stays = np.ones(len(self), dtype=bool)
        for key in _labelled_keys(documents, keys):
            first = int(np.searchsorted(self._keys, key))
            while first < len(self) and self._keys[first] == key and not stays[first]:
                first += 1
            if first < len(self) and self._keys[first] == key:
                stays[first] = False
        if not stays.all():
            self.keep(np.flatnonzero(stays))

    # In a file.

    def store(self) -> Stored:
        """Return the sample, of one document or more without weights, as a configuration and arrays."""
        assert self.documents is not None
        rows, targets = self.documents.rows, self.documents.targets
        arrays: dict[str, Any] = {"keys": self._keys.view(np.int64), "places": self.places.astype(np.int64)}
        arrays |= {"starts": rows.starts, "columns": rows.columns, "values": rows.values.astype(np.float64)}
        settings = {"most": self.most, "read": self._read, "width": rows.width}
        return Stored(settings, arrays).with_part("targets", targets.store())

    @classmethod
    def restore(cls, stored: Stored) -> Sample:
        """Load a sample."""
        made = cls(stored.size("most"))
        made._read, width = stored.size("read"), stored.size("width")
        starts, columns = stored.array("starts", np.int64), stored.array("columns", np.int32)
        values = stored.array("values", np.float64, len(columns))
        made._keys = stored.array("keys", np.int64, len(starts) - 1).view(np.uint64)
        made.places = stored.array("places", np.int64, len(starts) - 1)
        targets = Targets.restore(stored.part("targets"))
        targets.check_stored(stored)
        sound = are_starts(starts, len(columns)) and bool(np.all((columns >= 0) & (columns < width)))
        stored.check(sound and len(targets) == len(made._keys), "the documents of its sample are invalid")
        made.documents = LabelledRows(Rows(starts, columns, values, width), targets)
        return made


def stream_sample(multilabel: bool) -> Sample:
    """Return a sample for documents that are read once, before their classes are known."""
    return Sample(MULTILABEL_DOCUMENTS if multilabel else DOCUMENTS)


def _labelled_keys(documents: LabelledRows, keys: Keys) -> Keys:
    """Hash labels and weights into the keys of documents."""
    targets = documents.targets
    owner = np.repeat(np.arange(len(targets)), np.diff(targets.starts))
    labelled = keys.copy()
    np.add.at(labelled, owner, label_hashes(targets)[targets.codes])
    labelled ^= documents.sample_weight.view(np.uint64)
    # Spread the bits again: the smallest keys must not favour a class.
    labelled *= np.uint64(0x9E3779B97F4A7C15)
    return labelled ^ (labelled >> np.uint64(32))
