"""Sequences of texts of any length → batches that a request may have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

MOST_TEXTS = 500
"""The most texts of a batch: half of what servers allow by default."""
MOST_BYTES = 2 << 20
"""The most bytes of a batch of several texts; JSON can need twice as many, and servers allow 8 MiB."""


def text_batches(texts: Iterable[str], most: int = MOST_TEXTS) -> Iterator[list[str]]:
    """Yield texts in batches. A text that is too large for a request is alone in its batch.

    Examples
    --------
    >>> from textbayes.client.batches import text_batches
    >>> [len(batch) for batch in text_batches(["wheat"] * 7, most=3)]
    [3, 3, 1]
    """
    batch: list[str] = []
    size = 0
    for text in texts:
        bytes_ = sent_bytes(text)
        if batch and (len(batch) == most or size + bytes_ > MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += bytes_
    if batch:
        yield batch


def sent_bytes(text: str) -> int:
    """Return at least as many bytes as a text has in UTF-8, without encoding it."""
    return len(text) if text.isascii() else 4 * len(text)
