"""Cuts: which terms keep their column."""

import numpy as np
import pytest

from textbayes.counts import Cuts
from textbayes.errors import NoTermsLeftError, ParameterConflictError, ParameterError

# Six terms in ten documents: document frequencies and occurrences.
DOCUMENTS_WITH = np.array([1, 2, 5, 9, 10, 1], np.uint64)
OCCURRENCES = np.array([1, 2, 50, 9, 10, 30], np.uint64)


def kept(**cuts):
    return np.flatnonzero(Cuts(**cuts).kept(DOCUMENTS_WITH, OCCURRENCES, 10)).tolist()


@pytest.mark.parametrize(
    ("cuts", "expected"),
    [
        ({}, [0, 1, 2, 3, 4, 5]),
        ({"min_df": 2}, [1, 2, 3, 4]),
        ({"min_df": 0.2}, [1, 2, 3, 4]),
        ({"min_df": 0.21}, [2, 3, 4]),
        ({"max_df": 5}, [0, 1, 2, 5]),
        ({"max_df": 0.9}, [0, 1, 2, 3, 5]),
        ({"max_df": 0.89}, [0, 1, 2, 5]),
        ({"max_df": 1}, [0, 5]),
        ({"max_df": 1.0}, [0, 1, 2, 3, 4, 5]),
        ({"min_df": 1.0}, [4]),
        ({"min_df": 0}, [0, 1, 2, 3, 4, 5]),
        ({"min_count": 10}, [2, 4, 5]),
        ({"min_count": 10, "min_df": 2}, [2, 4]),
        ({"max_features": 2}, [2, 5]),
        ({"max_features": 2, "min_df": 2}, [2, 4]),
        ({"max_features": 6}, [0, 1, 2, 3, 4, 5]),
        ({"max_features": 60}, [0, 1, 2, 3, 4, 5]),
    ],
)
def test_kept_terms(cuts, expected):
    assert kept(**cuts) == expected


def test_no_terms_left():
    with pytest.raises(NoTermsLeftError, match="6") as caught:
        kept(min_count=1000)
    assert "10 texts" in caught.value.what


@pytest.mark.parametrize(
    "cuts", [{"min_df": 5, "max_df": 4}, {"min_df": 0.5, "max_df": 4}, {"min_df": 5, "max_df": 0.4}]
)
def test_min_df_above_max_df_is_refused(cuts):
    with pytest.raises(ParameterConflictError, match="max_df"):
        kept(**cuts)


@pytest.mark.parametrize(
    "cuts",
    [
        {"min_df": 1.01},
        {"max_df": -0.5},
        {"min_count": 0},
        {"min_count": True},
        {"max_features": 1.5},
        {"min_df": "1"},
    ],
)
def test_values_out_of_range_are_refused_at_construction(cuts):
    (name,) = cuts
    with pytest.raises(ParameterError, match=f"^{name}="):
        Cuts(**cuts)
