"""Significance tests beside scipy's, and beside published figures."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from examples import examples
from textbayes.errors import (
    NoDocumentsError,
    ParameterError,
    ShapeError,
)
from textbayes.evaluation import corrected_t_test, mcnemar, paired_t_test, sign_test

LAW = settings(max_examples=examples(60), deadline=None)
ALTERNATIVES = ["two-sided", "greater", "less"]
PAIRS = st.lists(
    st.tuples(*[st.integers(0, 1000).map(lambda value: value / 1000)] * 2), min_size=2, max_size=20
)


@LAW
@given(PAIRS, st.sampled_from(ALTERNATIVES))
def test_paired_t_is_scipys(pairs, alternative):
    a, b = map(np.array, zip(*pairs, strict=True))
    if np.ptp(a - b) < 1e-9:
        return
    found, expected = paired_t_test(a, b, alternative), stats.ttest_rel(a, b, alternative=alternative)
    assert found.statistic == pytest.approx(expected.statistic, abs=1e-12)
    assert found.p_value == pytest.approx(expected.pvalue)
    low, high = stats.ttest_rel(a, b).confidence_interval(0.9)
    assert found.interval(0.9) == pytest.approx((low, high))


def test_corrected_t_by_hand():
    # Mean .024, variance 520e-6 / 4, factor 1/5 + 34/66; t = 2.489 with four degrees.
    found = corrected_t_test([0.02, 0.03, 0.01, 0.02, 0.04], 0.34)
    assert found.error == pytest.approx(math.sqrt(130e-6 * (1 / 5 + 34 / 66)))
    assert found.statistic == pytest.approx(0.024 / found.error)
    assert found.p_value == pytest.approx(2 * stats.t.sf(2.4891, 4), rel=1e-3)


@LAW
@given(PAIRS)
def test_the_correction_only_widens(pairs):
    differences = np.array([a - b for a, b in pairs])
    if np.ptp(differences) < 1e-9:
        return
    plain = paired_t_test(differences, np.zeros_like(differences))
    runs = len(differences)
    # Folds: n_test / n_train is 1 / (k - 1).
    folds = corrected_t_test(differences, 1 / runs)
    assert folds.statistic == pytest.approx(plain.statistic / math.sqrt(1 + runs / (runs - 1)))
    assert folds.p_value >= plain.p_value
    # As the test side shrinks to nothing, the plain test is left.
    assert corrected_t_test(differences, 1e-12).statistic == pytest.approx(plain.statistic)


def test_the_correction_keeps_chance_at_its_level():
    """Two models of equal quality, ten hold-outs from 100 documents: only the plain test cries wolf."""
    random = np.random.default_rng(5)
    plain = corrected = 0
    for _ in range(400):
        documents = random.normal(size=100)  # each document's difference between the models
        runs = [documents[random.permutation(100)[:34]].mean() for _ in range(10)]
        plain += paired_t_test(runs, np.zeros(10)).p_value < 0.05
        corrected += corrected_t_test(runs, 0.34).p_value < 0.05
    assert plain / 400 > 0.3
    assert corrected / 400 < 0.1


@pytest.mark.parametrize(("differences", "p_value"), [([0.1, 0.1, 0.1], 0.0), ([0.0, 0.0], 1.0)])
def test_equal_differences(differences, p_value):
    assert corrected_t_test(differences, 0.5).p_value == p_value


def test_sign_test_of_frank_2006():
    assert sign_test(8, 2).p_value == pytest.approx(0.11, abs=0.005)
    # The paper's other figure, 4.64e-8, is the normal approximation with continuity correction; the exact
    # value is less than half of it.
    approximate = 2 * stats.norm.sf((81 - 24 - 1) / math.sqrt(81 + 24))
    assert approximate == pytest.approx(4.64e-8, rel=0.005)
    assert sign_test(81, 24).p_value == pytest.approx(2.078e-8, rel=1e-3)


@LAW
@given(st.integers(0, 60), st.integers(0, 60), st.sampled_from(ALTERNATIVES))
def test_sign_test_counts_coins(wins, losses, alternative):
    cases = wins + losses
    chances = [math.comb(cases, k) / 2**cases for k in range(cases + 1)]
    more, fewer = sum(chances[wins:]), sum(chances[: wins + 1])
    expected = {"greater": more, "less": fewer, "two-sided": min(1.0, 2 * min(more, fewer))}
    assert sign_test(wins, losses, alternative).p_value == pytest.approx(expected[alternative])


def disagreeing(won, lost, agreed=7):
    """Make decisions where the first is right alone ``won`` times, the second ``lost`` times."""
    a = [1] * won + [0] * lost + [1] * agreed
    b = [0] * won + [1] * lost + [1] * agreed
    return [1] * len(a), a, b


def test_mcnemar_with_a_published_table():
    # Agresti, Categorical Data Analysis, approval ratings: 150 and 86 of 1,600 changed their minds; z = 4.17.
    truth, a, b = disagreeing(150, 86, agreed=1364)
    found = mcnemar(truth, a, b, exact=False)
    assert found.statistic == pytest.approx((150 - 86 - 1) ** 2 / 236)
    without_correction = (math.sqrt(found.statistic * found.cases) + 1) / math.sqrt(found.cases)
    assert without_correction == pytest.approx(4.17, abs=0.005)
    assert found.p_value == pytest.approx(stats.chi2.sf(found.statistic, 1))
    assert found.difference == pytest.approx(64 / 1600)
    assert found.cases == 236
    # The correction brings χ² near the exact test.
    assert mcnemar(truth, a, b).p_value == pytest.approx(found.p_value, rel=0.2)


@LAW
@given(st.integers(0, 30), st.integers(0, 30))
def test_exact_mcnemar_is_a_sign_test(won, lost):
    truth, a, b = disagreeing(won, lost)
    assert mcnemar(truth, a, b, exact=True).p_value == pytest.approx(sign_test(won, lost).p_value)
    assert mcnemar(truth, a, b, exact=False).p_value <= 1


def test_rows_of_indicators_are_right_as_a_whole():
    truth = np.array([[1, 0], [1, 1]])
    found = mcnemar(truth, truth, np.array([[1, 1], [0, 0]]))
    assert (found.cases, found.difference) == (2, 1.0)


def test_labels_in_any_script():
    assert mcnemar(["밀", "نفط", "🌾"], ["밀", "نفط", "밀"], ["🌾", "نفط", "🌾"]).p_value == 1.0


@pytest.mark.parametrize("differences", [[], [0.1], [[0.1, 0.2]]], ids=["none", "one", "nested"])
def test_too_few_runs(differences):
    with pytest.raises(ParameterError, match=r"^differences="):
        corrected_t_test(differences, 0.34)


@pytest.mark.parametrize("share", [0, 1, -0.2, 34])
def test_invalid_shares(share):
    with pytest.raises(ParameterError, match="test_share"):
        corrected_t_test([0.1, 0.2], share)


@pytest.mark.parametrize(("wins", "losses", "name"), [(-1, 2, "wins"), (1, 2.5, "losses"), (True, 2, "wins")])
def test_invalid_wins(wins, losses, name):
    with pytest.raises(ParameterError, match=rf"^{name}="):
        sign_test(wins, losses)


def test_other_mistakes():
    with pytest.raises(ParameterError, match=r"differences\[1\]"):
        corrected_t_test([0.1, math.nan], 0.34)
    with pytest.raises(ShapeError, match="a has 2 items, and b has 3"):
        paired_t_test([0.1, 0.2], [0.1, 0.2, 0.3])
    with pytest.raises(ShapeError, match="b has 1 item, and truth has 2"):
        mcnemar([1, 0], [1, 0], [1])
    with pytest.raises(NoDocumentsError, match="truth holds no documents"):
        mcnemar([], [], [])
    with pytest.raises(ParameterError, match="greater"):
        sign_test(3, 2, "graeter")
    with pytest.raises(ParameterError, match=r"^confidence=95"):
        paired_t_test([0.1, 0.3], [0.0, 0.1]).interval(95)


def test_no_disagreement():
    assert mcnemar([1], [1], [1]).p_value == 1.0
    assert sign_test(0, 0).p_value == 1.0
