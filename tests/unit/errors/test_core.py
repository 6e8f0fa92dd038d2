"""Panics and missing memory of the core, as exceptions."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from textbayes import _native
from textbayes.errors import CoreBugError, OutOfMemoryError, TextbayesError


def _counting() -> _native.Counting:
    counting = _native.Counting(_native.Rules(True, "words", "word", "keep", set(), None, ((1, 1), None)), 2)
    counting.add_list(["one two", "three"], 0)
    counting.name_and_grow(_native.Vocabulary())
    return counting


def test_a_panic_is_an_error_that_says_what_to_report(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CoreBugError, match=r"index out of bounds.*core/src/counts/\w+\.rs:\d+") as raised:
        _counting().sums(1)  # There are three columns.
    assert isinstance(raised.value, TextbayesError)
    assert "bug of textbayes" in str(raised.value)
    assert capfd.readouterr() == ("", "")


def test_memory_that_is_not_there_is_a_memory_error(capfd: pytest.CaptureFixture[str]) -> None:
    for length in (2**45, 2**60, 2**63 - 1):
        with pytest.raises(MemoryError, match=f"a table of {length:,} values") as raised:
            _native.Statistics(length)
        assert isinstance(raised.value, OutOfMemoryError)
        with pytest.raises(OutOfMemoryError):
            _native.Statistics(0).grow(1, length)
        with pytest.raises(OutOfMemoryError):
            _counting().sums(length)
    assert capfd.readouterr() == ("", "")


def test_a_panic_of_another_thread_is_the_same_error() -> None:
    counting = _native.Counting(_native.Rules(True, "words", "word", "keep", set(), None, ((1, 1), None)), 2)
    counting.add_list([" ".join(map(str, range(place, place + 30_000))) for place in range(8)], 0)
    with pytest.raises(CoreBugError, match="divisor of zero"):
        counting.name_hashed(0)


def test_the_error_survives_pickling() -> None:
    error = OutOfMemoryError(1_000, 8_000_000_000)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert "1,000 values, 8 GB" in str(error)
    assert "table" not in str(OutOfMemoryError(0, 0))


def test_an_object_whose_change_raised_stays_usable() -> None:
    statistics = _native.Statistics(3)
    with pytest.raises(OutOfMemoryError):
        statistics.grow(2**50, 2)
    statistics.grow(4, 2)
    assert np.array_equal(statistics.terms()[0][:3], [0, 0, 0])
