"""Checks of parameters: what passes, and an error that names the parameter for what does not."""

from fractions import Fraction

import numpy as np
import pytest

from textbayes.errors import ParameterError
from textbayes.errors.checks import (
    check_labels_passed,
    check_number,
    check_option,
    check_seed,
    check_switch,
    check_whole,
)


@pytest.mark.parametrize("k", [1, np.int32(3), 10**12])
def test_whole_numbers(k):
    found = check_whole("k", k)
    assert found == int(k)
    assert type(found) is int


@pytest.mark.parametrize("k", [0, -2, True, 1.0, "1", None])
def test_no_whole_number_from_1_up(k):
    with pytest.raises(ParameterError, match=r"^k=.*\n.*\n  Pass a whole number from 1 up\."):
        check_whole("k", k)


def test_whole_numbers_with_other_ends():
    assert check_whole("seed", 0, least=0) == 0
    with pytest.raises(ParameterError, match=r"orders=9(.|\n)*a whole number from 1 to 8"):
        check_whole("orders", 9, most=8)
    with pytest.raises(ParameterError, match='Pass 1 or "all"'):
        check_whole("k", 0, allowed='1 or "all"')


@pytest.mark.parametrize("value", [1e-300, 0.5, np.float32(2), Fraction(1, 3), 7])
def test_numbers(value):
    found = check_number("alpha", value, above=0)
    assert found == float(value)
    assert type(found) is float


@pytest.mark.parametrize("value", [0, -1.0, np.nan, np.inf, -np.inf, True, np.True_, "1", None, 1j, [1.0]])
def test_no_number_above_0(value):
    with pytest.raises(ParameterError, match=r"^alpha=.*\n.*\n  Pass a finite number above 0\."):
        check_number("alpha", value, above=0)


@pytest.mark.parametrize(
    ("ends", "inside", "outside", "allowed"),
    [
        ({"least": 0}, [0], [-1e-9], "from 0 up"),
        ({"least": 0, "most": 1}, [0, 1], [-1e-9, 1.1], "from 0 to 1"),
        ({"above": 0, "most": 1}, [1e-9, 1], [0, 1.1], "above 0, up to 1"),
        ({"above": 0, "below": 1}, [0.5], [0, 1], "between 0 and 1"),
        ({}, [-1e300, 0], [np.nan, np.inf], "a finite number"),
        ({"least": 0, "most": np.inf}, [0, np.inf], [-1, -np.inf, np.nan], "from 0 to inf"),
    ],
)
def test_ends_of_a_range(ends, inside, outside, allowed):
    for value in inside:
        assert check_number("x", value, **ends) == value
    for value in outside:
        with pytest.raises(ParameterError, match=allowed):
            check_number("x", value, **ends)


@pytest.mark.parametrize("value", ["wrod", None, 1, ["word"], np.array(["word"])])
def test_an_option_is_one_of_the_names(value):
    check_option("unit", "word", {"word": 1, "char": 2})
    with pytest.raises(ParameterError, match=r"^unit=.*\n.*\n  Pass one of: word, char\."):
        check_option("unit", value, ("word", "char"))


def test_options_may_come_from_a_generator():
    with pytest.raises(ParameterError, match=r"Did you mean 'word'\?"):
        check_option("unit", "wrod", (name for name in ("word", "char")))


def test_switches():
    for value in (True, False, np.True_):
        check_switch("idf", value)
    check_switch("idf", "smooth", "smooth")
    for value in (1, 0, None, "True", "smoth"):
        with pytest.raises(ParameterError, match="Pass one of: True, False, smooth"):
            check_switch("idf", value, "smooth")


def test_seeds():
    for value in (None, 0, 2**32 - 1, np.random.RandomState(1)):
        check_seed("random_state", value)
    for value in (-1, 2**32, 0.5, "1"):
        with pytest.raises(ParameterError, match="random_state="):
            check_seed("random_state", value)


def test_labels_passed():
    check_labels_passed("MultinomialNB", [])
    with pytest.raises(ParameterError, match="MultinomialNB requires y to be passed, but the target"):
        check_labels_passed("MultinomialNB", None)
