"""Counters and vocabularies in a model file."""

from __future__ import annotations

import numpy as np

from textbayes._native import Vocabulary
from textbayes.counts.reading import TextReader
from textbayes.counts.settings import ADDED_PARAMETERS, COUNTER_PARAMETERS, counter_settings
from textbayes.errors import TextbayesError
from textbayes.persistence import Stored, plain_parameters


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


def restore_reader(counter: Stored) -> TextReader:
    """Return the reader of a stored TextCounter, or refuse the file."""
    is_counter = counter.configuration.get("kind") == "TextCounter"
    counter.check(is_counter, "the stored counter is not a TextCounter")
    settings = plain_parameters(counter, *COUNTER_PARAMETERS, **ADDED_PARAMETERS)
    if settings is None:
        counter.refuse("it lacks parameters of TextCounter")
    try:
        return counter_settings(**settings).reader()
    except (TextbayesError, TypeError, ValueError, AttributeError) as error:
        problem = str(error).partition("\n")[0][:200]
        counter.refuse(f"a parameter of TextCounter is invalid ({problem})")
