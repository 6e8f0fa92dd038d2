"""Labels that look like several labels joined in one field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

# Marks that commonly separate labels.
_MARKS = (";", "|", ",")
# So many labels have a mark, at least: of all, and as a share.
_FEWEST, _SHARE = 3, 0.2


def joined_labels_hint(labels: Sequence[object]) -> list[str]:
    """Return a message if many labels look joined; nothing otherwise.

    They do if a mark is in many of them, and most parts between the marks are in other labels, too.

    Examples
    --------
    >>> from textbayes.cli.joined_labels import joined_labels_hint
    >>> joined_labels_hint(["corn", "wheat", "corn;wheat", "corn;oil", "oil;wheat"])[0]
    "3 of 5 labels contain ';', such as 'corn;wheat'. If these are several labels: --separator ';'."
    >>> joined_labels_hint(["Lovelace, Ada", "Turing, Alan", "Hopper, Grace", "Gauss, C. F."])
    []
    """
    texts = [label for label in labels if isinstance(label, str)]
    for mark in _MARKS:
        parts_of = {text: [part.strip() for part in text.split(mark)] for text in texts}
        joined = [text for text, parts in parts_of.items() if sum(map(bool, parts)) > 1]
        if len(joined) < max(_FEWEST, _SHARE * len(texts)):
            continue
        uses = Counter(part for parts in parts_of.values() for part in set(parts))
        shared = [text for text in joined if all(uses[part] > 1 for part in parts_of[text] if part)]
        if 2 * len(shared) > len(joined):
            found = f"{len(joined):,} of {len(texts):,} labels contain {mark!r}, such as {shared[0]!r}."
            return [f"{found} If these are several labels: --separator {mark!r}."]
    return []
