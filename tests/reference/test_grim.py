"""The reference of the structural Poisson mixture, compared with hand-worked fractions, scipy and itself."""

from fractions import Fraction as F
from math import exp, inf, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import poisson

from examples import examples
from reference import grim
from reference.cases import assert_close
from reference.mixtures import random_class

# Two components by hand over theta_0 = (1/2, 1/2), half of the weight each, all parameters kept.
PAIR = [[1, 0], [0, 2]]
HALVES = [F(1, 2), F(1, 2)]
TWO = [
    grim.Component(F(1, 2), [F(3, 4), F(1, 4)], [1, 1]),
    grim.Component(F(1, 2), [F(1, 4), F(3, 4)], [1, 1]),
]
Q = [[F(3, 4), F(1, 4)], [F(1, 10), F(9, 10)]]


def exact(rows):
    return [[F(value) for value in row] for row in rows]


# The reference by hand


def test_background_by_hand():
    X = exact([[3, 1, 0], [1, 2, 1], [0, 1, 3]])
    assert grim.background(X) == [F(1, 3)] * 3
    assert grim.background(X, [1, 1, 3]) == [F(4, 20), F(6, 20), F(10, 20)]


def test_eqs_5_and_8_are_poisson():
    for x, theta in (([3, 0, 1], [0.25, 0.5, 0.125]), ([0, 2, 0], [0.0, 0.7, 0.1])):
        f = poisson.pmf(x, np.array(theta) * sum(x))
        assert_close([exp(grim.eq_5_log_f(x[n], theta[n], sum(x))) for n in range(3)], f)
        assert exp(grim.eq_8_log_F(x, theta)) == pytest.approx(f.prod(), rel=1e-12)
    assert grim.eq_5_log_f(1, 0.0, 5) == -inf
    assert grim.eq_5_log_f(0, 0.3, 0) == 0


def test_eq_12_by_hand():
    # all kept: the exponents add up to (1 - 1)|x| = 0, and G is a fraction
    G = F(3, 2) * F(9, 8) ** 2
    theta, theta_0 = [F(1, 2), F(3, 8), F(1, 8)], [F(1, 3)] * 3
    assert exp(grim.eq_12_log_G([1, 2, 0], theta, [1, 1, 1], theta_0)) == pytest.approx(G, rel=1e-14)
    # only the first term kept, theta_0 - theta = -1/6, |x| = 3
    G = 3 / 2 * exp(-1 / 2)
    assert exp(grim.eq_12_log_G([1, 2, 0], theta, [1, 0, 0], theta_0)) == pytest.approx(G, rel=1e-14)


def test_eqs_16_to_20_by_hand():
    assert_close(grim.eq_16_q(PAIR, TWO, HALVES), Q)
    assert grim.eq_15_criterion(PAIR, TWO, HALVES) == pytest.approx(1 / 2 * log(5 / 4), rel=1e-14)
    x = exact(PAIR)
    assert [grim.eq_17_terms(x, Q, m) for m in range(2)] == [[F(3, 8), F(1, 10)], [F(1, 8), F(9, 10)]]
    assert [grim.eq_18_length(x, Q, m) for m in range(2)] == [F(19, 40), F(41, 40)]
    components, gamma = grim.m_step(x, Q, HALVES)
    assert [m.weight for m in components] == [F(17, 40), F(23, 40)]
    assert [m.theta for m in components] == [[F(15, 19), F(4, 19)], [F(5, 41), F(36, 41)]]
    assert_close(gamma[0], [3 / 8 * log(30 / 19) - 11 / 80, 1 / 10 * log(8 / 19) + 11 / 80])
    assert_close(gamma[1], [1 / 8 * log(10 / 41) + 31 / 80, 9 / 10 * log(72 / 41) - 31 / 80])


def test_eq_21_by_hand():
    gamma = [[0.4, 0.1, 0.3], [0.2, 0.9, 0.0]]
    assert grim.eq_21_largest(gamma, 3) == [[1, 0, 1], [0, 1, 0]]
    assert grim.threshold_structure(gamma, 0.15) == [[1, 0, 1], [1, 1, 0]]


def test_smoothed_m_steps_by_hand():
    x = exact(PAIR)
    mixed, _ = grim.m_step(x, Q, HALVES, smoothing="mix", amount=F(1, 2))
    assert [m.theta[0] for m in mixed] == [F(15, 38) + F(1, 4), F(5, 82) + F(1, 4)]
    # s = 2: a word of each term, (3/4 + 1) / (19/20 + 2) and (1/4 + 1) / (41/20 + 2)
    prior, gamma = grim.m_step(x, Q, HALVES, smoothing="prior", amount=F(2))
    assert [m.theta[0] for m in prior] == [F(35, 59), F(25, 81)]
    assert gamma[0][0] == pytest.approx(7 / 8 * log(70 / 59) + 59 / 40 * (1 / 2 - 35 / 59), rel=1e-14)


# The reference against itself


@settings(max_examples=examples(60), deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(1, 3),
    st.floats(0.01, 1),
    st.sampled_from([0.0, 0.5, 20.0]),
    st.booleans(),
)
def test_the_reference_never_decreases_its_criterion(seed, M, keep, strength, real):
    # eqs. 16 to 21 unsmoothed, and with the prior: the claim below eq. 21, and the derivation in `penalty`
    X, theta_0, q = random_class(seed, M, real)
    options = {"r": max(1, round(keep * M * len(theta_0))), "smoothing": "prior", "amount": strength}
    components, _ = grim.m_step(X, q, theta_0, **options)
    before = grim.penalised_criterion(X, components, theta_0, strength)
    for _ in range(12):
        components = grim.em_iteration(X, components, theta_0, **options)
        after = grim.penalised_criterion(X, components, theta_0, strength)
        assert after >= before - 1e-12 * max(1, abs(before))
        before = after


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 3), st.floats(0, 0.5), st.sampled_from([0.0, 2.0]))
def test_a_threshold_never_decreases_the_criterion_minus_its_cost(seed, M, threshold, strength):
    X, theta_0, q = random_class(seed, M)
    options = {"threshold": threshold, "smoothing": "prior", "amount": strength}
    components, _ = grim.m_step(X, q, theta_0, **options)
    before = -inf
    for _ in range(12):
        criterion = grim.penalised_criterion(X, components, theta_0, strength)
        after = grim.thresholded_criterion(criterion, components, threshold)
        assert after >= before - 1e-12 * max(1, abs(before))
        before, components = after, grim.em_iteration(X, components, theta_0, **options)


def test_a_threshold_can_decrease_the_criterion_itself():
    # the claim below eq. 21 is about the r highest gains; the threshold of section 5 drops gains below it
    X, theta_0, q = random_class(147, 2)
    components, _ = grim.m_step(X, q, theta_0, threshold=0.2)
    L = []
    for _ in range(5):
        L.append(grim.eq_15_criterion(X, components, theta_0))
        components = grim.em_iteration(X, components, theta_0, threshold=0.2)
    assert min(np.diff(L)) < -0.1


@pytest.mark.parametrize("strength", [0.0, 3.0])
@pytest.mark.parametrize("seed", range(4))
def test_the_criterion_of_one_component_is_the_sum_of_its_gains(seed, strength):
    # q = 1: eq. 15 is the mean of log G, whose part of term n is eq. 20; with the prior, both have its terms
    X, theta_0, _ = random_class(seed, 1, real=True)
    components, gamma = grim.one_component(X, theta_0, r=2, smoothing="prior", amount=strength)
    kept = sum(g for g, phi in zip(gamma[0], components[0].phi, strict=True) if phi)
    assert grim.penalised_criterion(X, components, theta_0, strength) == pytest.approx(kept, rel=1e-11)


@pytest.mark.parametrize("seed", range(3))
def test_both_lines_of_eq_12_agree(seed):
    rng = np.random.default_rng(seed)
    x, theta, theta_0 = rng.poisson(2, size=6).tolist(), *rng.dirichlet(np.ones(6), size=2).tolist()
    for phi in ([1] * 6, [1, 0, 1, 1, 0, 0], [0] * 6):
        assert grim.eq_12_log_G(x, theta, phi, theta_0) == pytest.approx(
            grim.eq_12_log_G_of_f(x, theta, phi, theta_0), abs=1e-12
        )


# The tables


@pytest.mark.parametrize(
    ("components", "terms", "parameters", "percent"),
    [
        (33, 10105, 333465, 100.0),
        (33, 10105, 208366, 62.5),
        (35, 10105, 209366, 59.2),
        (35, 10105, 285220, 80.6),
        (35, 10105, 334781, 94.6),
        (35, 10105, 327184, 92.5),
        (43, 10105, 201417, 46.4),
        (21, 31826, 668346, 100.0),  # printed with 20 components: 636520. The background's row is counted.
        (20, 31826, 580733, 91.2),
        (40, 31826, 1204262, 94.6),
        (40, 31826, 1102073, 86.6),
        (60, 31826, 1407277, 73.7),
        (60, 31826, 1276602, 66.8),
        (80, 31826, 1024782, 40.2),
    ],
)
def test_tables_1_and_2_parameters(components, terms, parameters, percent):
    # the papers' percentages are of components times terms, cut or rounded to one place
    assert 100 * grim.parameter_share(parameters, components, terms) == pytest.approx(percent, abs=0.07)
