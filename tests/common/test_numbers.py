"""Numbers near the ends of what a double can hold: refused before anything changes, or finite answers."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from textbayes.estimators import VARIANTS

EXTREMES = [
    5e-324,
    1e-320,
    1e-308,
    1e-300,
    1e-160,
    1e-60,
    1e-49,
    1e-12,
    1e12,
    1e49,
    1e60,
    1e160,
    1e300,
    1e307,
]
COUNTS = np.array([[3, 0, 1, 0], [2, 1, 0, 0], [0, 2, 0, 4], [0, 3, 1, 5], [1, 0, 0, 2], [4, 0, 2, 0]], float)
LABELS = np.array(["a", "a", "b", "b", "b", "a"])

MODELS = {name: row for name, row in VARIANTS.items() if hasattr(row.estimator, "predict")}
# Every float parameter of every model.
PARAMETERS = [
    (name, parameter)
    for name, row in MODELS.items()
    for parameter, value in row.estimator(**row.parameters).get_params().items()
    if type(value) is float or parameter in {"alpha", "theta", "tau", "C", "tol", "strength", "class_length"}
]


def _model(name: str, **parameters: Any) -> Any:
    row = MODELS[name]
    return row.estimator(**{**row.parameters, **parameters})


def _check_answers(model: Any, counts: NDArray[np.float64]) -> None:
    answers = {"decision_function": model.decision_function(counts)}
    if hasattr(model, "predict_proba"):
        answers["predict_proba"] = model.predict_proba(counts)
        np.testing.assert_allclose(answers["predict_proba"].sum(axis=1), 1, atol=1e-9)
    for name, found in answers.items():
        assert np.isfinite(found).all(), f"{name}: {found}"
    assert set(model.predict(counts)) <= {"a", "b"}


def _try(model: Any, counts: NDArray[np.float64], weights: NDArray[np.float64] | None = None) -> bool:
    """Fit and answer; return False if the numbers are refused."""
    takes = {} if weights is None else {"sample_weight": weights}
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        try:
            model.fit(counts, LABELS, **takes)
        except ValueError:
            assert not hasattr(model, "classes_"), "it was refused after the model had changed"
            return False
        _check_answers(model, COUNTS)
        _check_answers(model, counts)
    return True


@pytest.mark.parametrize("name", MODELS)
def test_counts(name: str) -> None:
    for extreme in EXTREMES:
        one, all_of_them = COUNTS.copy(), COUNTS * extreme
        one[0, 0] = extreme
        for counts in (one, all_of_them):
            done = _try(_model(name), counts)
            assert done == (1e-50 <= extreme <= 1e50), extreme
        if not 1e-50 <= extreme <= 1e50:
            model = _model(name).fit(COUNTS, LABELS)
            before = model.decision_function(COUNTS)
            for ask in (model.predict, model.decision_function):
                with pytest.raises(ValueError, match="1e-50 to 1e"):
                    ask(one)
            if hasattr(model, "partial_fit"):
                with pytest.raises(ValueError, match="1e-50 to 1e"):
                    model.partial_fit(one, LABELS)
            np.testing.assert_array_equal(model.decision_function(COUNTS), before)


@pytest.mark.parametrize("name", MODELS)
def test_sample_weights(name: str) -> None:
    for extreme in EXTREMES:
        one = np.ones(6)
        one[1] = extreme
        for weights in (one, np.full(6, extreme)):
            try:
                done = _try(_model(name), COUNTS, weights)
            except TypeError:
                pytest.skip("it takes no weights")
            assert done == (1e-50 <= extreme <= 1e50), extreme


@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_parameters(name: str, parameter: str) -> None:
    for extreme in EXTREMES:
        _try(_model(name, **{parameter: extreme}), COUNTS)


@pytest.mark.parametrize("name", MODELS)
def test_everything_at_the_ends_of_the_range(name: str) -> None:
    smoothing = VARIANTS[name].smoothing
    for count in (1e-49, 1e49):
        for weight in (1e-49, 1e49):
            for strength in (1e-49, 1e49):
                parameters = {smoothing: strength} if smoothing else {}
                try:
                    _try(_model(name, **parameters), COUNTS * count, np.full(6, weight))
                except TypeError:
                    _try(_model(name, **parameters), COUNTS * count)
