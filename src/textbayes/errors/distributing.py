"""Errors of fits that several processes or machines share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from textbayes.errors.base import TextbayesError, did_you_mean, shown


class WorkerVersionError(TextbayesError, RuntimeError):
    """Two processes of one fit have different versions of textbayes."""

    code = "worker-version"

    def __init__(self, here: str, other: str) -> None:
        super().__init__(
            f"This process has {here}, and what it was sent comes from {other}.",
            "The processes of a fit add up sums of one format, so all need the same version.",
            "Install one version of textbayes on the driver and on all workers.",
        )


class WorkerLostError(TextbayesError, RuntimeError):
    """A process of a fit ended before its part was counted."""

    code = "worker-lost"

    def __init__(self) -> None:
        super().__init__(
            "A worker process ended before its part was counted.",
            "Without this part the model would not be that of the data. The system may have ended the "
            "process for want of memory.",
            "Use fewer workers, which need less memory; in a script, start them under "
            "if __name__ == '__main__':.",
        )


class WorkerPackageError(TextbayesError, RuntimeError):
    """A worker has no textbayes."""

    code = "worker-package"

    def __init__(self, module: str, version: str) -> None:
        super().__init__(
            f"The Python of a worker has no module {module!r}.",
            "Workers count and predict with textbayes themselves.",
            f"Install textbayes {version} for the Python that the workers run (spark.pyspark.python).",
        )


class BlobError(TextbayesError, ValueError):
    """Blobs of statistics do not make a model."""

    code = "blob-invalid"

    def __init__(self, what: str, why: str, todo: str) -> None:
        super().__init__(*(text if text.endswith((".", "?")) else f"{text}." for text in (what, why, todo)))

    @classmethod
    def of_other(cls, name: str, found: object, expected: object) -> Self:
        """Two blobs, or a blob and a plan, do not belong together."""
        return cls(
            f"A blob has {name} {shown(found)} where {shown(expected)} belongs.",
            "Sums of different plans, steps or shards do not add.",
            "Merge the blobs of one plan and one shard, and finish them with that plan.",
        )

    @classmethod
    def of_size(cls, size: int, limit: int, shards: int) -> Self:
        """A blob is larger than the cells of other systems can be."""
        needed = shards * 2 ** (-(-size // limit)).bit_length()
        return cls(
            f"A blob has {size:,} bytes; the limit is {limit:,}.",
            f"The statistics are split into {shards} shards, and one of them has become too large.",
            f"Use more shards: shards={needed}.",
        )

    @classmethod
    def of_missing(cls, what: str) -> Self:
        """Some blobs are not there."""
        return cls(
            f"Some blobs of the fit are missing: {what}.",
            "Without all of them the model would not be that of the data.",
            "Pass the merged blob of every shard that count_batches returned.",
        )


class BatchError(TextbayesError, ValueError):
    """A column of a batch cannot be learned from."""

    code = "batch-column"

    def __init__(self, what: str, why: str, todo: str) -> None:
        super().__init__(*(text if text.endswith((".", "?")) else f"{text}." for text in (what, why, todo)))

    @classmethod
    def of_column(cls, name: str, columns: Iterable[str]) -> Self:
        """A batch has no such column."""
        names = list(columns)
        return cls(
            f"A batch has no column {name!r}.{did_you_mean(name, names)}",
            f"It has: {', '.join(map(repr, names)) or 'nothing'}.",
            "Name the columns of the texts and of the labels.",
        )

    @classmethod
    def of_type(cls, name: str, found: object, wanted: str) -> Self:
        """A column has a type that is none of its use."""
        return cls(
            f"The column {name!r} is of type {found}.",
            f"It has to be {wanted}.",
            "Name another column, or cast this one.",
        )

    @classmethod
    def of_null(cls, name: str, row: int) -> Self:
        """A cell is null."""
        return cls(
            f"The column {name!r} is null in row {row} of a batch.",
            "A text without a label, or a label without a text, cannot be learned.",
            "Drop such rows, or fill them, before the fit.",
        )
