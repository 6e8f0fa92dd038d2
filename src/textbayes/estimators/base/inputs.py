"""Validation of counts and sample weights passed to an estimator."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _check_sample_weight, check_array, validate_data

from textbayes.counts import Rows, as_rows, is_csr
from textbayes.errors import ParameterError
from textbayes.errors.numbers import LEAST, MOST, out_of_range

_NUMBERS: dict[str, Any] = {"accept_sparse": "csr", "dtype": np.float64, "ensure_all_finite": False}


def expected_rows(estimator: Any, X: Any, reset: bool) -> Rows:
    """Check that X has the expected columns; with ``reset``, expect its columns from now on."""
    ready = _is_ready(X)
    X = validate_data(estimator, X, reset=reset, skip_check_array=ready, **({} if ready else _NUMBERS))
    return as_rows(X, getattr(estimator, "feature_names_in_", None))


def any_rows(X: Any, estimator: Any = None) -> Rows:
    """Convert counts with any columns."""
    counts = X if _is_ready(X) else check_array(X, estimator=estimator, **_NUMBERS)
    return as_rows(counts, getattr(estimator, "feature_names_in_", None))


def checked_weights(sample_weight: Any, documents: int) -> NDArray[np.float64] | None:
    """Return the weights of documents as an array; None if each counts once."""
    if sample_weight is None:
        return None
    weights: NDArray[np.float64] = _check_sample_weight(
        sample_weight, np.empty(documents), dtype=np.float64, ensure_non_negative=True
    )
    extreme = weights[out_of_range(weights)]
    if extreme.size:
        allowed = f"weights of 0, or from {LEAST:g} to {MOST:g}"
        why = "Sums of other weights lose a document, or are no numbers"
        raise ParameterError("sample_weight", float(extreme[0]), allowed, why)
    return weights


def _is_ready(X: Any) -> bool:
    """Return whether counts are sparse and need no conversion, which would copy them."""
    return is_csr(X) and X.dtype.kind in "iuf" and min(X.shape) > 0
