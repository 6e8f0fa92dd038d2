"""Blobs: parts of statistics as bytes, which say what they belong to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textbayes.errors import BlobError, WorkerVersionError
from textbayes.persistence import Stored, model_bytes, package_version, read_model_bytes

FORMAT = 1
"""The number of the format of blobs."""
LARGEST = 1 << 28
"""The largest number of bytes of a blob: cells of Arrow and messages of gRPC have limits near."""


@dataclass(frozen=True)
class Blob:
    """A part of the statistics of a plan.

    Parameters
    ----------
    plan : str
        The key of the plan.
    step : str
        What was counted.
    shard, shards : int
        The number of the shard, and the number of shards; the shard after the last is for what is of no term.
    contents : Stored
        The numbers.
    """

    plan: str
    step: str
    shard: int
    shards: int
    contents: Stored

    def to_bytes(self) -> bytes:
        """Return the blob as bytes in the format of model files."""
        settings = {"plan": self.plan, "step": self.step, "shard": self.shard, "shards": self.shards}
        contents = model_bytes(
            Stored({"blob": FORMAT, "version": package_version(), **settings}).with_part("own", self.contents)
        )
        if len(contents) > LARGEST:
            raise BlobError.of_size(len(contents), LARGEST, self.shards)
        return contents

    @classmethod
    def from_bytes(cls, contents: bytes) -> Blob:
        """Read a blob; refuse one of another version."""
        stored = read_model_bytes(bytes(contents), "blob")
        check_version(stored.value("version", str), stored.size("blob"))
        return cls(
            stored.value("plan", str),
            stored.value("step", str),
            stored.size("shard"),
            stored.size("shards"),
            stored.part("own"),
        )


def check_version(other: str, number: int = FORMAT) -> None:
    """Raise WorkerVersionError if another process has another version, or another format of blobs."""
    here = package_version()
    if (other, number) != (here, FORMAT):
        raise WorkerVersionError(_named(here, FORMAT), _named(other, number))


def _named(package: str, number: int) -> str:
    return f"textbayes {package} (blobs of format {number})"


def check_alike(blobs: Sequence[Blob], *names: str) -> Blob:
    """Check that blobs have these facts in common, and return the first."""
    for blob in blobs[1:]:
        for name in names:
            check_same(name, getattr(blob, name), getattr(blobs[0], name))
    return blobs[0]


def check_same(name: str, found: object, expected: object) -> None:
    """Raise BlobError unless a fact about a blob is the one expected."""
    if found != expected:
        raise BlobError.of_other(name, found, expected)
