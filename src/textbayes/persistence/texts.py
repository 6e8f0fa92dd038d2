"""Lists of short texts, such as labels, as two arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from textbayes.persistence.stored import Arrays, Stored


def pack_texts(name: str, texts: Sequence[str]) -> Arrays:
    """Put texts one behind the other in UTF-8, and say where each ends.

    Examples
    --------
    >>> from textbayes.persistence import Stored, pack_texts, unpack_texts
    >>> unpack_texts(Stored(arrays=pack_texts("labels", ["밀", "", "crude"])), "labels")
    ['밀', '', 'crude']
    """
    # A lone surrogate has no UTF-8, though a label may hold one.
    parts = [text.encode("utf-8", "surrogatepass") for text in texts]
    ends = np.cumsum([len(part) for part in parts], dtype=np.int64)
    return {f"{name}_bytes": np.frombuffer(b"".join(parts), np.uint8), f"{name}_ends": ends}


def unpack_texts(stored: Stored, name: str) -> list[str]:
    """Take texts out again."""
    ends = stored.array(f"{name}_ends", np.int64)
    data = stored.array(f"{name}_bytes", np.uint8)
    starts = np.concatenate([np.zeros(1, np.int64), ends])[: len(ends)]
    fit = bool(np.all(starts <= ends)) and (ends[-1] if len(ends) else 0) == len(data)
    stored.check(fit and (not len(ends) or starts[0] >= 0), f"the texts of {name!r} do not fit their bytes")
    whole = data.tobytes()
    try:
        return [
            whole[start:end].decode("utf-8", "surrogatepass")
            for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
        ]
    except UnicodeDecodeError:
        stored.refuse(f"the texts of {name!r} are not UTF-8")
