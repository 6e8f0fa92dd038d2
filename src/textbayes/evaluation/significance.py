"""Significance tests of the difference between two models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from textbayes.errors import NoDocumentsError, ParameterError, ShapeError
from textbayes.errors.checks import check_number, check_option, check_whole
from textbayes.measures import right_documents

Reals = NDArray[np.float64]
Alternative = Literal["two-sided", "greater", "less"]
ALTERNATIVES: tuple[str, ...] = get_args(Alternative)


@dataclass(frozen=True, slots=True)
class TestResult:
    """The result of a significance test.

    Attributes
    ----------
    statistic : float
        The test statistic: t, the number of wins, or McNemar's χ² (the smaller count if exact).
    p_value : float
        The probability of a difference at least as large if the models do not differ.
    difference : float
        The mean difference; (wins - losses) / (wins + losses) if only wins are counted.
    error : float
        The standard error of the difference; NaN if the test has none.
    cases : int
        The number of runs, pairs or disagreements.

    Examples
    --------
    >>> from textbayes.evaluation import sign_test
    >>> print(sign_test(8, 2))
    difference +.600, p = .109, 10 cases
    """

    __test__: ClassVar[bool] = False  # not a test of pytest's

    statistic: float
    p_value: float
    difference: float
    error: float
    cases: int

    def __str__(self) -> str:
        difference = f"{self.difference:+.3f}".replace("0.", ".", 1)
        return f"difference {difference}, {shown_p(self.p_value)}, {self.cases} cases"

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return the interval of the difference, by the t distribution with cases - 1 degrees of freedom."""
        reach = self.width(confidence) * self.error
        return self.difference - reach, self.difference + reach

    def width(self, confidence: float = 0.95) -> float:
        """Return the reach of the interval, in standard errors."""
        check_number("confidence", confidence, above=0, below=1)
        return float(stats.t.ppf((1 + confidence) / 2, self.cases - 1))


def shown_p(p_value: float) -> str:
    """Format a p-value as in tables."""
    return "p < .001" if p_value < 0.001 else f"p = {p_value:.3f}".replace("0.", ".", 1)


def corrected_t_test(
    differences: Any, test_share: float, alternative: Alternative = "two-sided"
) -> TestResult:
    """Test differences over repeated hold-outs: Nadeau and Bengio's corrected resampled t-test.

    Runs that draw their training sets from the same documents are not independent, so the plain t-test finds
    false differences far too often. Here the variance of k runs is multiplied by (1/k + n_test/n_train)
    instead of 1/k (Nadeau and Bengio 2003, Machine Learning 52:239–281).

    Parameters
    ----------
    differences : array-like of shape (runs,)
        The first model's figure minus the second's, on the same runs.
    test_share : float
        The share of the documents that each run tests with, such as .34; 1/k for k folds.
    alternative : {"two-sided", "greater", "less"}
        The alternative hypothesis: the difference is not zero, above zero or below zero.

    Returns
    -------
    TestResult
        If all differences are equal, t is infinite and p is 0, or 0 and 1 if they are zero.

    Examples
    --------
    >>> from textbayes.evaluation import corrected_t_test
    >>> round(corrected_t_test([0.02, 0.03, 0.01, 0.02, 0.04], test_share=0.34).p_value, 3)
    0.068
    """
    check_number("test_share", test_share, above=0, below=1)
    values = _runs(differences)
    return _t_test(values, 1 / len(values) + test_share / (1 - test_share), alternative)


def paired_t_test(a: Any, b: Any, alternative: Alternative = "two-sided") -> TestResult:
    """Test whether two models' figures differ over independent pairs.

    Parameters
    ----------
    a, b : array-like of shape (pairs,)
        The figures of the two models, pair by pair. Folds and repeated hold-outs are not independent: use
        :func:`corrected_t_test` for them.
    alternative : {"two-sided", "greater", "less"}
        The alternative hypothesis: a - b is not zero, above zero or below zero.

    Examples
    --------
    >>> from textbayes.evaluation import paired_t_test
    >>> print(paired_t_test([0.81, 0.84, 0.79, 0.83], [0.78, 0.80, 0.77, 0.78]))
    difference +.035, p = .012, 4 cases
    """
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if first.shape != second.shape:
        raise ShapeError("a", first.shape, "b", second.shape)
    values = _runs(first - second)
    return _t_test(values, 1 / len(values), alternative)


def sign_test(wins: int, losses: int, alternative: Alternative = "two-sided") -> TestResult:
    """Test whether wins outnumber losses by more than chance.

    Parameters
    ----------
    wins, losses : int
        The number of problems on which the first model is better, and worse. Ties are left out.
    alternative : {"two-sided", "greater", "less"}
        The alternative hypothesis: wins are not as many as losses, more, or fewer.

    Examples
    --------
    Eight wins and two losses (Frank 2006, section 4, gives .11):

    >>> from textbayes.evaluation import sign_test
    >>> round(sign_test(8, 2).p_value, 2)
    0.11
    """
    for name, value in (("wins", wins), ("losses", losses)):
        check_whole(name, value, least=0)
    check_option("alternative", alternative, ALTERNATIVES)
    cases = int(wins + losses)
    if not cases:
        return TestResult(0.0, 1.0, 0.0, float("nan"), 0)
    found = stats.binomtest(int(wins), cases, alternative=alternative)
    return TestResult(float(wins), float(found.pvalue), (wins - losses) / cases, float("nan"), cases)


def mcnemar(truth: Any, a: Any, b: Any, exact: bool | None = None) -> TestResult:
    """Test whether two models make different numbers of errors on the same documents.

    Only documents that one model gets right and the other wrong count.

    Parameters
    ----------
    truth : array-like of shape (documents,), or (documents, classes)
        What is true. A row of an indicator is right as a whole, or wrong.
    a, b : array-like of the same shape
        The decisions of the two models.
    exact : bool, optional
        Whether to use the binomial distribution, or χ² with the continuity correction,
        (|n₁ - n₂| - 1)² / (n₁ + n₂). By default exact up to 1,000 such documents.

    Returns
    -------
    TestResult
        ``difference`` is the difference of the two accuracies.

    Examples
    --------
    >>> from textbayes.evaluation import mcnemar
    >>> mcnemar([1, 1, 1, 1, 1, 0], [1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 1]).p_value
    0.0625
    """
    true, first, second = (np.asarray(each) for each in (truth, a, b))
    for name, decided in (("a", first), ("b", second)):
        if decided.shape != true.shape:
            raise ShapeError(name, decided.shape, "truth", true.shape)
    if not len(true):
        raise NoDocumentsError("truth", "one document or more")
    right, other = (right_documents(true, decided) for decided in (first, second))
    won, lost = int(np.sum(right & ~other)), int(np.sum(other & ~right))
    statistic, p_value = _mcnemar(won, lost, won + lost <= 1000 if exact is None else exact)
    return TestResult(statistic, p_value, (won - lost) / len(true), float("nan"), won + lost)


def _mcnemar(won: int, lost: int, exact: bool) -> tuple[float, float]:
    if not won + lost:
        return 0.0, 1.0
    if exact:
        return float(min(won, lost)), float(stats.binomtest(won, won + lost).pvalue)
    # Not below zero: equal counts need no correction.
    statistic = max(abs(won - lost) - 1, 0) ** 2 / (won + lost)
    return statistic, float(stats.chi2.sf(statistic, 1))


def _runs(differences: Any) -> Reals:
    values = np.asarray(differences, dtype=np.float64)
    if values.ndim != 1 or len(values) < 2:
        raise ParameterError("differences", differences, "a flat list of two runs or more")
    if not np.isfinite(values).all():
        at = int(np.flatnonzero(~np.isfinite(values))[0])
        raise ParameterError(f"differences[{at}]", values[at], "finite numbers")
    return values


def _t_test(values: Reals, factor: float, alternative: Alternative) -> TestResult:
    check_option("alternative", alternative, ALTERNATIVES)
    difference = float(values.mean())
    # Equal values have no variance; rounding would leave a tiny one.
    error = 0.0 if np.ptp(values) == 0 else float(np.sqrt(factor * values.var(ddof=1)))
    statistic = difference / error if error else _certain(difference)
    p_value = _t_p_value(statistic, len(values) - 1, alternative)
    return TestResult(statistic, p_value, difference, error, len(values))


def _certain(difference: float) -> float:
    return float(np.copysign(np.inf, difference)) if difference else 0.0


def _t_p_value(statistic: float, degrees: int, alternative: Alternative) -> float:
    if alternative == "two-sided":
        return float(min(1.0, 2 * stats.t.sf(abs(statistic), degrees)))
    return float(stats.t.sf(statistic if alternative == "greater" else -statistic, degrees))
