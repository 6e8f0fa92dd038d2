"""Rows of counts."""

import numpy as np
import pytest
from scipy import sparse

from textbayes.counts import Rows, as_rows, is_sparse


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
@pytest.mark.parametrize("documents", [0, 1, 2, 40])
def test_sums_of_rows_have_the_bits_of_scipy(documents, dtype):
    counts = sparse.random(documents, 300, density=0.3, format="csr", random_state=1) * 100
    rows = as_rows(sparse.csr_matrix(counts, dtype=dtype))
    np.testing.assert_array_equal(rows.sums(), np.asarray(rows.matrix.sum(axis=1)).ravel())
    assert rows.sums().dtype == np.float64


def test_sums_of_empty_rows_are_zero():
    rows = Rows(np.array([0, 0, 2, 2, 3, 3]), np.array([0, 1, 0], np.int32), np.array([0.5, 2.0, 4.0]), 2)
    assert rows.sums().tolist() == [0.0, 2.5, 0.0, 4.0, 0.0]
    assert rows.block(1, 3).sums().tolist() == [2.5, 0.0]


@pytest.mark.parametrize("made", [sparse.csr_matrix, sparse.csc_array, sparse.dok_matrix])
def test_every_sparse_form_is_sparse(made):
    assert is_sparse(made((2, 3)))
    assert not is_sparse(np.zeros((2, 3)))
    assert not is_sparse("csr")
