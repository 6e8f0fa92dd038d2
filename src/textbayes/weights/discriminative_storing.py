"""The discriminative frequency estimate as it stands in a model file."""

from __future__ import annotations

import numpy as np

from textbayes.persistence import Stored
from textbayes.statistics import ClassStatistics, DocumentStatistics
from textbayes.weights.linear import LinearWeights, weights_of_pairs

# The sums of a class's pairs are its own, but for rounding.
_ROUNDING = 1e-6
# No logarithm of a ratio of counts is larger.
LARGEST_LOGARITHM = 1e4
# Nor a sum of weighted documents.
LARGEST_SUM = 1e100


def store_estimate(weights: LinearWeights, values: ClassStatistics) -> Stored:
    """Return an estimate as arrays: weighted counts of pairs and classes; or weights of pairs, and biases."""
    state = values.sums.state()
    if not weights.linear_factors.size:
        return Stored({}, {name: state[name] for name in ("pair_values", "class_values")})
    names = ("pair_starts", "pair_classes", "pair_values")
    return Stored({}, {**{name: state[name] for name in names}, "biases": weights.bias})


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


def restore_weighed(
    statistics: DocumentStatistics, stored: Stored, largest: float
) -> tuple[LinearWeights, ClassStatistics]:
    """Make weights of pairs, none larger than they can be, of what a file holds for these documents."""
    starts = stored.array("pair_starts", np.int64, statistics.columns + 1)
    classes = stored.array("pair_classes", np.uint32)
    values = stored.array("pair_values", np.float64, len(classes))
    biases = stored.array("biases", np.float64, len(statistics.class_documents))
    small = bool(np.all(np.abs(values) <= largest)) and bool(
        np.all(np.abs(biases[statistics.order]) <= largest)
    )
    stored.check(small, "its estimate is not made of weights")
    try:
        return weights_of_pairs(statistics, starts, classes, values, np.array(biases))
    except ValueError:
        stored.refuse("its estimate is not made of pairs")
