"""The plan of a pass over the data: what a worker needs to know."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

from textbayes.distributed.blobs import FORMAT, check_version
from textbayes.distributed.contents import Contents
from textbayes.persistence import model_bytes, package_version, read_model, read_model_bytes

# Larger contents, with a vocabulary or document frequencies, are a file.
_INLINE = 1 << 20


@dataclass(frozen=True)
class Plan:
    """What is counted in one pass over the data, and how.

    A plan is small and can be pickled. A vocabulary, or document frequencies, are in a file beside it, which
    every worker maps into memory.

    Parameters
    ----------
    text, label : str
        The columns of the texts and of their labels.
    step : {"terms", "lengths", "sums"}
        What is counted: the documents of each term; the lengths of documents; the sums of each class.
    shards : int
        The number of parts that statistics are split into, by a hash of the term.
    key : str
        A hash of the contents: blobs of other plans are refused.
    inline : str
        The contents, in hexadecimal, if they are small.
    file : str, optional
        The file of the contents, if they are not.
    threads : int, default=1
        The number of threads of a worker.

    Examples
    --------
    >>> from textbayes import TextClassifier, TextCounter
    >>> from textbayes.distributed import plan_fit
    >>> counter = TextCounter(dimensions=2**20)
    >>> plan = plan_fit(TextClassifier("complement", counter, keep_documents=False))
    >>> plan.step, plan.shards, plan.file
    ('sums', 64, None)
    """

    text: str
    label: str
    step: str
    shards: int
    key: str
    inline: str
    file: str | None = None
    threads: int = 1

    @classmethod
    def of(cls, contents: Contents, step: str, text: str, label: str, shards: int, folder: Path) -> Self:
        """Make the plan of a step; large contents are written to a file in ``folder``."""
        stored = model_bytes(contents.store())
        key = hashlib.sha256(b"\0".join([stored, step.encode(), b"%d" % shards])).hexdigest()[:32]
        if len(stored) <= _INLINE:
            return cls(text, label, step, shards, key, stored.hex())
        path = folder / f"textbayes-{key}.tb"
        path.write_bytes(stored)
        return cls(text, label, step, shards, key, "", os.fspath(path))

    def with_file(self, path: str | os.PathLike[str]) -> Self:
        """Return the plan with its file at another path, such as that of a copy on a worker."""
        return replace(self, file=os.fspath(path))

    def contents(self) -> Contents:
        """Read the contents."""
        if self.file is None:
            return Contents.restore(read_model_bytes(bytes.fromhex(self.inline), "plan"), self.threads)
        return Contents.restore(read_model(self.file, mmap=True), self.threads)

    def __reduce__(self) -> tuple[Any, ...]:
        # As text that says its version first: the class may have other fields in another version.
        return unpickle_plan, (package_version(), FORMAT, json.dumps(asdict(self)))


def unpickle_plan(version: str, number: int, fields: str) -> Plan:
    """Make a plan that another process pickled; refuse one of another version."""
    check_version(version, number)
    return Plan(**json.loads(fields))
