"""Random training sets with edge cases, and documents to score.

Every case has an empty document, a class of one document, a term in only one class and a term in all
documents that have words. Multi-label cases also have documents of no class and of every class.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from .multilabel import indicator

LABELS = ("밀", "قمح", "गेहूँ", "🌾 wheat", "crude")


@dataclass(frozen=True)
class Case:
    """Training documents and their labels, in the forms of the estimators and of the references."""

    name: str
    X: np.ndarray
    y: np.ndarray
    Y: np.ndarray
    weight: np.ndarray | None
    X_test: np.ndarray

    @property
    def train(self):
        """The training documents for an estimator."""
        return sparse.csr_array(self.X)

    @property
    def test(self):
        """The documents to score for an estimator."""
        return sparse.csr_array(self.X_test)

    @property
    def multilabel(self):
        """Whether y is an indicator."""
        return self.y.ndim == 2

    def expected(self, scores):
        """Return scores in the shape of decision_function: for two classes, the second minus the first."""
        scores = np.asarray(scores, dtype=float)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 and not self.multilabel else scores

    def fit(self, model):
        """Return the model fitted on the case."""
        return model.fit(self.train, self.y, sample_weight=self.weight)


def _counts(rng, n, V, real):
    X = rng.poisson(0.6, size=(n, V)).astype(float)
    X[1:, 0] += 1  # in every document that has words
    X[0] = 0  # the empty document
    X[:, 1] = 0
    X[n - 1, 1] = 3  # in one document only
    if real:
        X *= rng.uniform(0.2, 2.5, size=X.shape)
    return X


def _single(rng, n, C):
    codes = rng.integers(0, C - 1, size=n)
    codes[: C - 1] = range(C - 1)
    codes[C - 1 : 2 * (C - 1)] = range(C - 1)
    codes[n - 1] = C - 1  # the class of one document
    return np.array([LABELS[code] for code in codes])


def _multi(rng, n, C):
    Y = (rng.random((n, C)) < 0.35).astype(int)
    Y[:, C - 1] = 0
    Y[2], Y[3] = 0, 1  # no class; every class, and the only document of the last one
    Y[n - 1] = 0
    Y[n - 1, 0] = 1
    for c in range(C):
        Y[4 + c] = 0  # so that every complement has words
        Y[4 + c, c % (C - 1)] = 1
    return Y


def make_case(seed, kind, weighted=False, real=False):
    """Return a case; kind is "two", "many" or "multilabel". The seed makes it reproducible."""
    rng = np.random.default_rng([seed, len(kind), weighted, real])
    n, V, C = 18, 9, 2 if kind == "two" else 4
    X = _counts(rng, n, V, real)
    if kind == "multilabel":
        y = Y = _multi(rng, n, C)
    else:
        y = _single(rng, n, C)
        Y = np.array(indicator(y)[1])
    X_test = rng.poisson(0.8, size=(7, V)) * rng.choice([1.0, 1.0, 0.5], size=(7, V))
    X_test[0] = 0
    weight = rng.uniform(0.25, 3.0, size=n) if weighted else None
    name = f"{kind}-{seed}{'-weighted' if weighted else ''}{'-real' if real else ''}"
    return Case(name, X, y, Y, weight, X_test)


CASES = [
    make_case(seed, kind, weighted, real)
    for kind in ("two", "many", "multilabel")
    for seed, weighted, real in ((0, False, False), (1, False, False), (2, True, False), (3, True, True))
]
IDS = [case.name for case in CASES]


def assert_close(actual, expected, tolerance=1e-12):
    """Assert equal shapes, and values equal up to 1e-12 of the largest: small scores are differences."""
    actual, expected = np.asarray(actual, dtype=float), np.asarray(expected, dtype=float)
    assert actual.shape == expected.shape
    scale = max(1.0, np.abs(expected).max(initial=0.0))
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance * scale)
