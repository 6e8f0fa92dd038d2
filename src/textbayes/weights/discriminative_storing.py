"""The discriminative frequency estimate as it stands in a model file."""

from __future__ import annotations

import numpy as np

from textbayes.persistence import Stored
from textbayes.statistics import ClassStatistics, DocumentStatistics

# The sums of a class's pairs are its own, but for rounding.
_ROUNDING = 1e-6


def store_estimate(sums: ClassStatistics) -> Stored:
    """Return weighted counts as arrays: those of the pairs, by term, then class, and of the classes."""
    state = sums.sums.state()
    return Stored({}, {name: state[name] for name in ("pair_values", "class_values")})


def restore_estimate(statistics: DocumentStatistics, stored: Stored) -> ClassStatistics:
    """Make sums of what a file holds, for the documents whose sums these are."""
    state = statistics.sums.state()
    pairs = stored.array("pair_values", np.float64, len(state["pair_values"]))
    classes = stored.array("class_values", np.float64, len(state["class_values"]))
    found = np.bincount(state["pair_classes"], pairs, minlength=len(classes))
    sound = (
        bool(np.all((pairs >= 0) & np.isfinite(pairs)))
        and bool(np.all(np.isfinite(classes)))
        and np.allclose(found, classes, rtol=_ROUNDING, atol=_ROUNDING)
    )
    stored.check(sound, "its estimate is not made of counts")
    return statistics.with_values(pairs, classes)
