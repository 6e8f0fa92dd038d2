"""What each entry of a row adds to a blended score."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from textbayes.decisions.blending import Blend
from textbayes.scores import Contributions

Reals = NDArray[np.float64]


def blended_contributions(blend: Blend, parts: Sequence[Contributions]) -> Contributions:
    """Blend the parts of several models' scores of one row as the scores are blended.

    Centring and scaling are linear where classes are centred and scaled. Where the row is, its centre and its
    spread are numbers, given the row: divided by them its parts still sum to the score, with the scale that
    the row has.

    Parameters
    ----------
    blend : Blend
        How scores are blended.
    parts : sequence of Contributions
        What the entries of the row add to each model's scores, over the same classes.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import Blend, blended_contributions
    >>> from textbayes.scores import Contributions
    >>> blend = Blend(np.array([2.0]), np.zeros(3), np.ones((1, 3)), np.zeros((1, 3)), True)
    >>> parts = Contributions(np.zeros(3), np.array([[3.0, 0.0, 0.0], [1.0, 2.0, 0.0]]))
    >>> blended_contributions(blend, [parts]).entries.round(2)
    array([[ 2.45, -1.22, -1.22],
           [ 0.  ,  1.22, -1.22]])
    >>> bool(np.allclose(blended_contributions(blend, [parts]).scores, blend([parts.scores[None, :]])))
    True
    """
    bias, entries = blend.biases.astype(np.float64), np.zeros_like(parts[0].entries)
    for weight, scale, centre, part in zip(blend.weights, blend.scales, blend.centres, parts, strict=True):
        if weight > 0:
            own = _levelled(_reachable(part), centre, blend.by_document)
            bias = bias + weight * own.bias / scale
            entries = entries + weight * own.entries / scale
    return Contributions(bias, entries)


def _levelled(parts: Contributions, centre: Reals, by_document: bool) -> Contributions:
    if not by_document:
        return Contributions(parts.bias - centre, parts.entries)
    bias = parts.bias - parts.bias.mean()
    entries = parts.entries - parts.entries.mean(axis=1, keepdims=True)
    spread = float(np.sqrt(np.mean((bias + entries.sum(axis=0)) ** 2)))
    if not spread > 0:
        return Contributions(np.zeros_like(bias), np.zeros_like(entries))
    return Contributions(bias / spread, entries / spread)


def _reachable(parts: Contributions) -> Contributions:
    """A class that is out of reach has the least score of the others, whatever its entries say."""
    finite = np.isfinite(parts.scores)
    if finite.all():
        return parts
    least = parts.scores[finite].min() if finite.any() else 0.0
    return Contributions(np.where(finite, parts.bias, least), np.where(finite, parts.entries, 0.0))
