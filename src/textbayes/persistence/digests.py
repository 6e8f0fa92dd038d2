"""Digests of a model file: of its header, and of each array or 16 MiB of it.

A digest detects accidents, not forgeries: anyone who can write a model can write its digests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from textbayes._native import digest
from textbayes.errors import ModelDamagedError
from textbayes.persistence.mapped import MappedFile

Bytes = NDArray[np.uint8]
BLOCK_BYTES = 1 << 24
NO_DIGEST = "0" * 16


class Block(NamedTuple):
    """Some bytes of an array of a file, and their digest as 16 hexadecimal digits."""

    name: str
    data: Bytes
    digest: str


def digest_of(*parts: Bytes) -> str:
    """Return XXH64 of bytes, seed 0, as 16 hexadecimal digits."""
    return f"{digest(list(parts)):016x}"


def without_digest(header: bytes, digest_there: str) -> Bytes:
    """Return a header with its own digest zeroed, which is what its digest is of."""
    return np.frombuffer(header.replace(digest_there.encode(), NO_DIGEST.encode(), 1), np.uint8)


def split_blocks(array: NDArray[Any]) -> Iterator[Bytes]:
    """Split the bytes of an array into blocks of 16 MiB; the last may be shorter."""
    data = array.view(np.uint8)
    for begin in range(0, len(data), BLOCK_BYTES):
        yield data[begin : begin + BLOCK_BYTES]


def block_digests(arrays: Iterable[NDArray[Any]]) -> str:
    """Return the digests of the blocks of all arrays, one after another."""
    return "".join(digest_of(block) for array in arrays for block in split_blocks(array))


@dataclass(eq=False)
class FileDigests:
    """The digests of a loaded file that were not compared yet; each is compared once.

    Parameters
    ----------
    path : str
        The file, for messages.
    blocks : dict of lists of Block
        The blocks of each array, by its place in memory.
    whole : tuple of Bytes and str, optional
        All bytes of the file, and their digest: format 1, which has no others.
    mapped : MappedFile, optional
        The file, if it is mapped into memory and so could change.
    """

    path: str
    blocks: dict[int, list[Block]] = field(default_factory=dict)
    whole: tuple[tuple[Bytes, ...], str] | None = None
    mapped: MappedFile | None = None

    @classmethod
    def of_arrays(
        cls, path: str, arrays: dict[str, NDArray[Any]], digests: str, mapped: MappedFile | None = None
    ) -> FileDigests:
        """Return the digests of arrays, in the order of a file; refuse another number of digests."""
        width = len(NO_DIGEST)
        expected = [digests[place : place + width] for place in range(0, len(digests), width)]
        made, count = cls(path, mapped=mapped), 0
        for name, array in arrays.items():
            if not array.size:
                continue
            parts = list(split_blocks(array))
            own = zip(parts, expected[count : count + len(parts)], strict=False)
            made.blocks[_place(array)] = [Block(name, data, says) for data, says in own]
            count += len(parts)
        if len(digests) != width * count:
            raise ModelDamagedError(path, "it has another number of digests than of blocks")
        return made

    def check_unchanged(self) -> None:
        """Raise ModelChangedError if the file is mapped and was changed in place: before each use."""
        if self.mapped is not None:
            self.mapped.check()

    def verify(self, array: NDArray[Any]) -> None:
        """Compare the digests of an array of this file, unless they were compared before."""
        self.check_unchanged()
        place = _place(array)
        if array.size and place in self.blocks:
            self._verify(self.blocks[place])
            self.blocks.pop(place, None)

    def verify_all(self) -> None:
        """Compare all digests that were not compared before."""
        self.check_unchanged()
        whole = self.whole  # another thread may do the same
        if whole is not None:
            parts, expected = whole
            check_digest(self.path, digest_of(*parts), expected)
        for blocks in list(self.blocks.values()):
            self._verify(blocks)
        self.blocks, self.whole = {}, None

    def _verify(self, blocks: list[Block]) -> None:
        for block in blocks:
            if digest_of(block.data) != block.digest:
                raise ModelDamagedError(self.path, f"the array {block.name!r} does not match its digest")

    def __copy__(self) -> FileDigests:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> FileDigests:
        self.check_unchanged()
        return self

    def __getstate__(self) -> dict[str, Any]:
        # A pickle holds copies of the arrays, so all are verified first.
        self.verify_all()
        return {**self.__dict__, "mapped": None}


def check_digest(path: str, found: str, expected: str) -> None:
    """Refuse a file whose digest is another one."""
    if found != expected:
        raise ModelDamagedError(path, f"its digest is {found}, not {expected}")


def _place(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])
