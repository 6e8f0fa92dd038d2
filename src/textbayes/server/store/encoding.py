r"""How texts, labels and times are written in the columns of both databases.

PostgreSQL cannot store U+0000 in a text, so a text with this character is written with escapes: U+001A marks
them. All other texts, nearly all, are written as they are.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
import uuid
from datetime import UTC, datetime, timedelta

from textbayes.server.store.records import Label, Labels

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MARK = "\x1a"
_SIGNED = 1 << 63


def encode_text(text: str) -> str:
    r"""Return a text as both databases can store it.

    Examples
    --------
    >>> from textbayes.server.store.encoding import decode_text, encode_text
    >>> encode_text("plain"), encode_text("a\0b\x1a")
    ('plain', 'a\x1a0b\x1a1')
    >>> decode_text(encode_text("a\0b\x1a"))
    'a\x00b\x1a'
    """
    if "\0" in text or _MARK in text:
        return text.replace(_MARK, _MARK + "1").replace("\0", _MARK + "0")
    return text


def decode_text(stored: str) -> str:
    """Return the text that :func:`encode_text` wrote."""
    if _MARK in stored:
        return stored.replace(_MARK + "0", "\0").replace(_MARK + "1", _MARK)
    return stored


def sought(short: str) -> str:
    """Return a name, an id or an actor to look for; the empty string, which none is, if none can be it."""
    try:
        short.encode()
    except UnicodeEncodeError:
        return ""
    return "" if "\0" in short else short


def encode_labels(labels: Labels) -> str:
    r"""Return labels as a line of ASCII: a label as JSON, several of them between commas.

    With a comma on both sides, each of several labels can be found with its commas: :func:`among`.

    Examples
    --------
    >>> from textbayes.server.store.encoding import decode_labels, encode_labels
    >>> encode_labels("밀"), encode_labels(True), encode_labels((1, 2)), encode_labels(())
    ('"\\ubc00"', 'true', '[,1,2,]', '[,]')
    >>> decode_labels('[,1,2,]'), decode_labels('[,]'), decode_labels('"oil"')
    ((1, 2), (), 'oil')
    """
    if isinstance(labels, tuple):
        return "[" + "".join(f",{json.dumps(label)}" for label in labels) + ",]"
    return json.dumps(labels)


def decode_labels(stored: str) -> Labels:
    """Return the labels that :func:`encode_labels` wrote."""
    if stored.startswith("["):
        return tuple(json.loads(f"[{stored[2:-2]}]"))
    label: Label = json.loads(stored)
    return label


def among(label: Label) -> str:
    """Return what the column of several labels contains if this label is one of them."""
    # A quote in a label is escaped, so the text of another label cannot look like this.
    return f",{json.dumps(label)},"


def short_hash(*parts: str) -> int:
    """Return a hash of strings that fits a column of 64 bits."""
    digest = hashlib.blake2b(digest_size=8)
    for part in parts:
        encoded = part.encode()
        digest.update(b"%d:" % len(encoded))
        digest.update(encoded)
    return int.from_bytes(digest.digest()) - _SIGNED


def content_hash(text: str, labels: str, weight: float) -> int:
    """Return the hash of a document, of its stored labels."""
    return short_hash(text, labels, repr(weight))


def text_digest(text: str) -> str:
    """Return the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def now() -> int:
    """Return the time in microseconds since 1970."""
    return time.time_ns() // 1000


def to_datetime(microseconds: int) -> datetime:
    """Return a time in UTC."""
    return _EPOCH + timedelta(microseconds=microseconds)


class _Clock:
    """The last millisecond and number of an id, so that later ids of a process are larger."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.last = 0

    def tick(self) -> int:
        """Return milliseconds and 12 bits of a counter."""
        with self.lock:
            self.last = max(self.last + 1, (time.time_ns() // 1_000_000) << 12)
            return self.last


_clock = _Clock()


def new_id() -> str:
    """Return a new id: a UUID of version 7. Ids that one process makes later sort later.

    Examples
    --------
    >>> from textbayes.server.store.encoding import new_id
    >>> ids = [new_id() for _ in range(10_000)]
    >>> ids == sorted(set(ids)), len(ids[0])
    (True, 36)
    """
    tick = _clock.tick()
    random = int.from_bytes(os.urandom(8)) & ((1 << 62) - 1)
    number = (tick >> 12) << 80 | 0x7 << 76 | (tick & 0xFFF) << 64 | 0b10 << 62 | random
    return str(uuid.UUID(int=number))
