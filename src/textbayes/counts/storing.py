"""A vocabulary as it stands in a model file."""

from __future__ import annotations

import numpy as np

from textbayes._native import Vocabulary
from textbayes.persistence import Stored


def store_vocabulary(vocabulary: Vocabulary) -> Stored:
    """Return the terms one behind the other, where each ends, and their order."""
    return Stored({}, vocabulary.state())


def restore_vocabulary(stored: Stored) -> Vocabulary:
    """Make a vocabulary that finds terms where they lie, by bisection: no table is built first."""
    ends = stored.array("ends", np.int64)
    try:
        return Vocabulary.mapped(stored.array("bytes", np.uint8), ends, stored.array("order", np.uint32))
    except ValueError as error:
        stored.refuse(str(error))
