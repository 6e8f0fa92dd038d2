"""Vocabularies in a model file."""

from __future__ import annotations

import numpy as np

from textbayes._native import Vocabulary
from textbayes.persistence import Stored


def store_vocabulary(vocabulary: Vocabulary) -> Stored:
    """Return the concatenated terms, their end offsets and their order."""
    return Stored({}, vocabulary.state())


def restore_vocabulary(stored: Stored) -> Vocabulary:
    """Return a vocabulary that finds terms in the file by bisection, without building a table first."""
    ends = stored.array("ends", np.int64)
    try:
        return Vocabulary.mapped(stored.array("bytes", np.uint8), ends, stored.array("order", np.uint32))
    except ValueError as error:
        stored.refuse(str(error))
