"""The last step: the sums of each class, of each term and of the pairs seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.distributed.contents import Contents
from textbayes.errors import BlobError
from textbayes.persistence import Stored
from textbayes.statistics import ClassStatistics, LabelledRows, LengthStatistics, Targets
from textbayes.statistics.sample import Sample, stream_sample

# (Class, term) pairs of a worker before it passes them on: some hundred megabytes.
_MOST_PAIRS = 1 << 24
# Sums of the terms are those of all documents, up to rounding.
_TOLERANCE = 1e-6


class SumTally:
    """Sum labelled texts, as the model or the members of a recipe need it.

    Parameters
    ----------
    contents : Contents
        How texts become rows, with terms and document frequencies.
    """

    def __init__(self, contents: Contents) -> None:
        self._contents = contents
        self._sums: list[ClassStatistics] = []
        self._sample: Sample | None = None

    def add(self, texts: Any, targets: Targets) -> None:
        """Add texts."""
        contents = self._contents
        counts = contents.read_counts(texts)
        if not self._sums:
            self._sums = contents.new_statistics(targets.multilabel)
            self._sample = stream_sample(targets.multilabel) if contents.calibrates else None
        if self._sample is not None:
            keys = contents.reader.row_keys(counts, contents.vocabulary)
            self._sample.add(LabelledRows(counts, targets), keys)
        for sums, rows in zip(self._sums, contents.represented(counts), strict=True):
            sums.add(LabelledRows(rows, targets))

    @property
    def is_full(self) -> bool:
        """Whether the sums are so many that they are passed on."""
        return sum(len(sums.sums) for sums in self._sums) > _MOST_PAIRS

    def parts(self, shards: int) -> Iterator[tuple[int, Stored]]:
        """Yield the sums by shards, then those of no term."""
        if not self._sums:
            return
        found: dict[int, Stored] = {}
        for group, sums in enumerate(self._sums):
            for shard, columns, own in sums.parts(np.arange(sums.columns) % shards, shards):
                found[shard] = found.get(shard, Stored()).with_part(f"group{group}", _store(columns, own))
        yield from sorted(found.items())
        totals = Stored({"totals": len(self._sums)})
        for group, sums in enumerate(self._sums):
            totals = totals.with_part(f"group{group}", sums.of_classes().store())
        yield shards, _with_sample(totals, self._sample)


def merge_sums(parts: Sequence[Stored]) -> Stored:
    """Add the sums of one shard."""
    if "totals" not in parts[0].configuration:
        merged = Stored()
        for name in sorted({name for part in parts for name in part.value("parts", dict, {})}):
            own = [part.part(name) for part in parts if part.has_part(name)]
            merged = merged.with_part(name, _store(*_merged(own)))
        return merged
    number = parts[0].size("totals")
    merged = Stored({"totals": number})
    for group in range(number):
        totals = merge_totals([part.part(f"group{group}") for part in parts])
        merged = merged.with_part(f"group{group}", totals.store())
    return _with_sample(merged, merge_samples(parts))


def join_sums(
    contents: Contents, totals: Stored, shards: Sequence[Stored]
) -> tuple[list[ClassStatistics], Sample | None]:
    """Put the sums of all shards together; return also the sample of documents."""
    found = []
    for group, width in enumerate(contents.widths()):
        name = f"group{group}"
        whole = merge_totals([totals.part(name)])
        whole.widen(width)
        for part in (shard.part(name) for shard in shards if shard.has_part(name)):
            columns, own = _restore(part)
            part.check(int(columns.max(initial=0)) < width, "a column is beyond the last")
            whole.merge(own, columns)
        # A shard that got lost would go unnoticed otherwise.
        if not np.isclose(whole.term_values.sum(), whole.values, rtol=_TOLERANCE):
            raise BlobError.of_missing("the sums of the terms are not those of the documents")
        found.append(whole.in_order(np.arange(width, dtype=np.uint32)))
    return found, merge_samples([totals])


def merge_totals(parts: Sequence[Stored]) -> ClassStatistics:
    """Add totals of classes."""
    first = _kind(parts[0]).restore(parts[0], 0)
    merged = type(first)(0, first.multilabel)
    for part in parts:
        merged.merge(_kind(part).restore(part, 0))
    return merged


def merge_samples(parts: Sequence[Stored]) -> Sample | None:
    """Join samples of documents; None if there are none."""
    samples = [Sample.restore(part.part("sample")) for part in parts if part.has_part("sample")]
    for sample in samples[1:]:
        samples[0].join(sample)
    return samples[0] if samples else None


def _merged(parts: Sequence[Stored]) -> tuple[NDArray[np.uint32], ClassStatistics]:
    """Add the sums of some terms."""
    restored = [_restore(part) for part in parts]
    columns = np.unique(np.concatenate([own for own, _ in restored]))
    first = restored[0][1]
    merged = type(first)(len(columns), first.multilabel)
    for own, sums in restored:
        merged.merge(sums, np.searchsorted(columns, own).astype(np.uint32))
    return columns, merged.in_order(np.arange(len(columns), dtype=np.uint32))


def _store(columns: NDArray[np.uint32], sums: ClassStatistics) -> Stored:
    return Stored({}, {"columns": columns}).with_part("sums", sums.store())


def _restore(part: Stored) -> tuple[NDArray[np.uint32], ClassStatistics]:
    columns, sums = part.array("columns", np.uint32), part.part("sums")
    return columns, _kind(sums).restore(sums, len(columns))


def _kind(stored: Stored) -> type[ClassStatistics]:
    return LengthStatistics if stored.has_part("by_length") else ClassStatistics


def _with_sample(stored: Stored, sample: Sample | None) -> Stored:
    return stored if sample is None else stored.with_part("sample", sample.store())
