"""Measures of a two-way table: documents in a class or not, with a term or not (Kim 2003, table 1)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]

# 1/(k(k−1)) with alternating signs, the highest power first.
_SERIES = [1 / 56, -1 / 42, 1 / 30, -1 / 20, 1 / 12, -1 / 6, 1 / 2]

# A margin below this share of all documents is only the rounding of sample weights.
_NOTHING = 1e-12


def information_gain(both: Reals, in_class: Reals, with_term: Reals, documents: float) -> Reals:
    """H(C) − H(C|W), in nats (Kim 2003, eq. 11).

    Parameters
    ----------
    both : array
        a: documents in the class that have the term.
    in_class, with_term : array
        a + b and a + c: documents in the class; documents that have the term.
    documents : float
        All documents.

    Notes
    -----
    Computed from D = aN − (a+b)(a+c), as a sum of four terms that are never negative: the printed form loses
    its digits when term and class are nearly independent. It is 0 if a margin is empty.
    """
    determinant, (e_a, e_b, e_c, e_d) = _margins(both, in_class, with_term, documents)
    cells = ((e_a, determinant), (e_b, -determinant), (e_c, -determinant), (e_d, determinant))
    gain = sum(_cell_gain(margins, signed) for margins, signed in cells)
    return np.asarray(gain) / documents**2


def chi_square(both: Reals, in_class: Reals, with_term: Reals, documents: float) -> Reals:
    """(ad − bc)² / ((a+b)(a+c)(b+d)(c+d)) (Kim 2003, eq. 12); 0 if a margin is empty.

    The parameters are those of :func:`information_gain`. Pearson's statistic is this times N.
    """
    determinant, (e_a, _, _, e_d) = _margins(both, in_class, with_term, documents)
    # e_a · e_d is the product of all four margins.
    product = e_a * e_d
    return np.divide(determinant**2, product, out=np.zeros_like(product), where=product > 0)


def _margins(
    both: Reals, in_class: Reals, with_term: Reals, documents: float
) -> tuple[Reals, tuple[Reals, Reals, Reals, Reals]]:
    """Return aN − (a+b)(a+c), and the product of the margins of each cell a, b, c, d."""
    in_class, with_term = np.broadcast_arrays(in_class, with_term)
    outside = _cleaned(documents - in_class, documents)
    without = _cleaned(documents - with_term, documents)
    determinant = both * documents - in_class * with_term
    products = (in_class * with_term, in_class * without, outside * with_term, outside * without)
    return determinant, products


def _cleaned(margin: Reals, documents: float) -> Reals:
    return np.where(margin > _NOTHING * documents, margin, 0.0)


def _cell_gain(margins: Reals, signed: Reals) -> Reals:
    """E · [(1+u) log(1+u) − u] with u = ±D/e, which is N² times the cell's part of eq. 11."""
    u = np.divide(signed, margins, out=np.zeros(np.broadcast(signed, margins).shape), where=margins > 0)
    # An empty cell (u = −1) adds e, the limit of the bracket.
    bracket = np.ones_like(u)
    filled = u > -1.0
    np.multiply(1.0 + u, np.log1p(u, where=filled, out=np.zeros_like(u)), out=bracket, where=filled)
    np.subtract(bracket, u, out=bracket, where=filled)
    near = np.abs(u) < 0.01
    # Near independence the two cancel: Σ (−u)^k / (k(k−1)) from k = 2.
    bracket[near] = u[near] ** 2 * np.polyval(_SERIES, u[near])
    return margins * bracket
