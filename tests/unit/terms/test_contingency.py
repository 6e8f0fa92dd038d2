"""Information gain and χ² of a two-way table, where digits are easily lost."""

from fractions import Fraction
from math import log

import numpy as np
import pytest

from textbayes.terms import chi_square, information_gain


def entropy_gain(a, b, c, d):
    """H(C) − H(C|W), cell by cell."""
    n = a + b + c + d
    gain = 0.0
    for cell, row, column in ((a, a + b, a + c), (b, a + b, b + d), (c, c + d, a + c), (d, c + d, b + d)):
        if cell:
            gain += cell / n * log(Fraction(cell * n, row * column))
    return gain


TABLES = [
    (3, 1, 2, 4),
    (0, 4, 5, 1),
    (5, 0, 0, 5),
    (1, 9, 10, 90),
    (1, 0, 0, 0),
    (0, 0, 3, 4),
    (2, 0, 5, 0),
    (7, 3, 0, 0),
]
TABLES += [(1000, 10**6, 2000, 10**6), (1, 10**5, 1, 10**7)]


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_both_by_the_definition(table):
    a, b, c, d = table
    n = a + b + c + d
    arguments = np.array([float(a)]), np.array([float(a + b)]), np.array([float(a + c)]), float(n)
    np.testing.assert_allclose(information_gain(*arguments), entropy_gain(*table), rtol=1e-9, atol=1e-16)
    product = (a + b) * (a + c) * (b + d) * (c + d)
    expected = float(Fraction((a * d - b * c) ** 2, product)) if product else 0.0
    np.testing.assert_allclose(chi_square(*arguments), expected, rtol=1e-12)


def test_nearly_independent_tables_keep_their_digits():
    # D is 1 in 10^12: the printed form would give rounding noise of either sign.
    a, b, c, d = 10**6 + 1, 10**6, 10**6, 10**6
    n = a + b + c + d
    gain = information_gain(
        np.array([float(a)]), np.array([float(a + b)]), np.array([float(a + c)]), float(n)
    )
    u = Fraction(a * n - (a + b) * (a + c))
    products = ((a + b) * (a + c), (a + b) * (b + d), (c + d) * (a + c), (c + d) * (b + d))
    leading = sum(u * u / (2 * product) for product in products) / n**2
    np.testing.assert_allclose(gain, float(leading), rtol=1e-5)
    assert gain > 0


def test_neither_is_ever_negative():
    rng = np.random.default_rng(0)
    a, b, c, d = rng.integers(0, 50, size=(4, 2000)).astype(float)
    documents = 500.0
    scale = documents / np.maximum(a + b + c + d, 1)
    for measure in (information_gain, chi_square):
        values = measure(a * scale, (a + b) * scale, (a + c) * scale, documents)
        assert np.isfinite(values).all()
        assert (values >= 0).all()
