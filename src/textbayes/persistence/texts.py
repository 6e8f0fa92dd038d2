"""Lists of short strings, such as labels, as two arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from textbayes.persistence.stored import Arrays, Stored


def pack_texts(name: str, texts: Sequence[str]) -> Arrays:
    """Return the concatenated UTF-8 bytes of texts and their end offsets.

    Examples
    --------
    >>> from textbayes.persistence import Stored, pack_texts, unpack_texts
    >>> unpack_texts(Stored(arrays=pack_texts("labels", ["밀", "", "crude"])), "labels")
    ['밀', '', 'crude']
    """
    # A label may contain a lone surrogate, which plain UTF-8 cannot encode.
    parts = [text.encode("utf-8", "surrogatepass") for text in texts]
    ends = np.cumsum([len(part) for part in parts], dtype=np.int64)
    return {f"{name}_bytes": np.frombuffer(b"".join(parts), np.uint8), f"{name}_ends": ends}


def unpack_texts(stored: Stored, name: str) -> list[str]:
    """Return the texts that :func:`pack_texts` packed."""
    ends = stored.array(f"{name}_ends", np.int64)
    data = stored.array(f"{name}_bytes", np.uint8)
    starts = np.concatenate([np.zeros(1, np.int64), ends])[: len(ends)]
    fit = bool(np.all(starts <= ends)) and (ends[-1] if len(ends) else 0) == len(data)
    stored.check(
        fit and (not len(ends) or starts[0] >= 0), f"the ends of the texts of {name!r} do not fit their bytes"
    )
    whole = data.tobytes()
    try:
        return [
            whole[start:end].decode("utf-8", "surrogatepass")
            for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
        ]
    except UnicodeDecodeError:
        stored.refuse(f"the texts of {name!r} are not UTF-8")
