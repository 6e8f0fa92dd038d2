"""Kim, Seo and Rim (2003), "Poisson Naive Bayes for Text Classification with Feature Weighting"."""

from fractions import Fraction as F
from math import log

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import brentq
from scipy.special import log_expit, logit

from reference import kim2003
from reference.cases import CASES, IDS, assert_close, make_case
from reference.multilabel import class_priors, indicator
from textbayes import PoissonNB, term_scores

per_case = pytest.mark.parametrize("case", CASES, ids=IDS)
per_weighting = pytest.mark.parametrize("weighting", [None, "ig", "chi2", "ratio"])
per_theta = pytest.mark.parametrize(("theta", "alpha"), [(0.01, 0.8), (0.5, 1.0), (0.1, 0.0)])

# Two classes by hand, theta 1/2, |V| 2 (one word added to a document), alpha 1/2:
#   a: (1,0) dl 1, f = (3/4, 1/4);  (2,1) dl 3, f = (5/8, 3/8)      g = 3/8, 5/8
#   b: (0,1) dl 1, f = (1/4, 3/4)                                   g = 1
TRAIN = [[1, 0], [2, 1], [0, 1]]
LABELS = ["a", "a", "b"]
THETA, ALPHA = F(1, 2), F(1, 2)
RATIO = F(43, 16), F(7, 16)  # lambda / mu of class a for the two terms
TEST = [[1, 0], [0, 2], [0, 0]]
DL = 2, 3, 1
WEIGHTS = {
    None: (1, 1),
    "ig": (log(3) - 2 / 3 * log(2), 1 / 3 * log(F(27, 16))),
    "chi2": (F(1), F(1, 4)),
    "ratio": (F(2105, 688), F(305, 112)),
}


def exact_train():
    return [[F(x) for x in row] for row in TRAIN], indicator(LABELS)[1]


def fitted(weighting):
    return PoissonNB(theta=0.5, alpha=0.5, weighting=weighting).fit(
        sparse.csr_array(np.array(TRAIN)), np.array(LABELS)
    )


def z_star_of_a(weighting):
    """Eq. 15 of class a for the documents of TEST, from the numbers above."""
    w, logs = WEIGHTS[weighting], [log(ratio) for ratio in RATIO]
    B = 1 / 2 * sum(w[i] * logs[i] for i in range(2))
    return [(B + sum(x[i] * w[i] * logs[i] for i in range(2))) / dl for x, dl in zip(TEST, DL, strict=True)]


def z_of_a(weighting, tau):
    """Eq. 14 of class a."""
    w = WEIGHTS[weighting]
    A = w[0] * (F(1, 4) - F(43, 64)) + w[1] * (F(3, 4) - F(21, 64))
    return [tau / sum(w) * (A + z) for z in z_star_of_a(weighting)]


def binary(case):
    """Return whether decision_function gives one column: z* of the second class, not a difference."""
    return case.Y.shape[1] == 2 and not case.multilabel


def expected(case, scores):
    return scores[:, 1] if binary(case) else scores


# Hand-worked


def test_eqs_7_to_9_by_hand():
    X, Y = exact_train()
    assert kim2003.eq_7_frequency(X, THETA).tolist() == [
        [F(3, 4), F(1, 4)],
        [F(5, 8), F(3, 8)],
        [F(1, 4), F(3, 4)],
    ]
    assert kim2003.eq_9_g(X, [1, 1, 0], ALPHA) == [F(3, 8), F(5, 8), 0]
    assert kim2003.eq_8_means(X, Y, THETA, ALPHA).tolist() == [
        [F(43, 64), F(21, 64)],
        [F(1, 4), F(3, 4)],
    ]
    assert kim2003.complement_means(X, Y, THETA, ALPHA).tolist()[0] == [F(1, 4), F(3, 4)]


def test_eqs_11_to_13_by_hand():
    # first term: in both documents of a, not in b: (a,b,c,d) = (2,0,0,1); second: (1,1,1,0)
    X, Y = exact_train()
    assert kim2003.table_1(X, Y)[0] == [(2, 0, 0, 1), (1, 1, 1, 0)]
    for weighting, w in WEIGHTS.items():
        assert_close(kim2003.weights(X, Y, THETA, ALPHA, weighting)[0], w)


def test_eqs_11_and_12_by_hand_as_term_scores():
    X, y = sparse.csr_array(np.array(TRAIN)), np.array(LABELS)
    for score in ("ig", "chi2"):
        assert_close(term_scores(X, y, score), [[float(w) for w in WEIGHTS[score]]] * 2)


@per_weighting
def test_eq_15_by_hand(weighting):
    # two classes: one column, z* of the second, b, which is minus that of a: lambda and mu are swapped
    scores = fitted(weighting).decision_function(sparse.csr_array(np.array(TEST)))
    assert_close(scores, [-z for z in z_star_of_a(weighting)])


@per_weighting
@pytest.mark.parametrize("tau", [1.0, 60.0])
def test_eq_14_by_hand(weighting, tau):
    scores = fitted(weighting).log_odds(sparse.csr_array(np.array(TEST)), tau=tau)
    assert_close(scores, [-z for z in z_of_a(weighting, tau)])


# Against the literal reading, on random data


@per_case
@per_weighting
@per_theta
def test_eq_15(case, weighting, theta, alpha):
    model = case.fit(PoissonNB(theta=theta, alpha=alpha, weighting=weighting))
    z_star = kim2003.eq_15_z_star(case.X_test, case.X, case.Y, theta, alpha, weighting, case.weight)
    assert_close(model.decision_function(case.test), expected(case, z_star))


@per_case
@per_weighting
@pytest.mark.parametrize("tau", [1.0, 250.0])
def test_eq_14(case, weighting, tau):
    model = case.fit(PoissonNB(theta=0.05, alpha=0.8, weighting=weighting))
    z = kim2003.eq_14_z(case.X_test, case.X, case.Y, 0.05, 0.8, weighting, case.weight, tau)
    assert_close(model.log_odds(case.test, tau=tau), expected(case, z))


@per_case
@per_weighting
def test_eq_10_computed_directly_equals_eq_14(case, weighting):
    # eq. 10 is the sum over the whole vocabulary, absent terms and their smoothed frequencies included
    model = case.fit(PoissonNB(theta=0.2, alpha=0.6, weighting=weighting))
    z = kim2003.eq_10_z(case.X_test, case.X, case.Y, 0.2, 0.6, weighting, case.weight, tau=50)
    assert_close(model.log_odds(case.test, tau=50), expected(case, z), 1e-11)


@pytest.mark.parametrize("kind", ["two", "many", "multilabel"])
@pytest.mark.parametrize("weighting", ["ig", "chi2"])
def test_a_term_in_every_document_weighs_nothing(kind, weighting):
    # N - df is 0, or about 1e-16 with real sample weights: it must not be a divisor or inside a logarithm
    case = make_case(9, kind, weighted=True)
    X, y, Y, weight = case.X[1:], case.y[1:], case.Y[1:], case.weight[1:]
    assert (X[:, 0] > 0).all()
    model = PoissonNB(theta=0.05, weighting=weighting).fit(sparse.csr_array(X), y, sample_weight=weight)
    z = kim2003.eq_14_z(case.X_test, X, Y, 0.05, 0.8, weighting, weight)
    assert_close(model.log_odds(case.test), expected(case, z))
    assert_close(term_scores(sparse.csr_array(X), y, weighting)[:, 0], np.zeros(Y.shape[1]))


@per_case
def test_log_odds_at_tau_one_is_the_default(case):
    model = case.fit(PoissonNB(theta=0.05))
    assert_close(model.log_odds(case.test), model.log_odds(case.test, tau=1.0))


@per_weighting
def test_a_weight_of_two_is_the_document_twice(weighting):
    case = make_case(6, "many")
    weight = np.ones(len(case.y))
    weight[[3, 7]] = 2
    settings = {"theta": 0.05, "alpha": 0.8, "weighting": weighting}
    weighted = PoissonNB(**settings).fit(case.train, case.y, sample_weight=weight)
    twice = [*range(len(case.y)), 3, 7]
    repeated = PoissonNB(**settings).fit(sparse.csr_array(case.X[twice]), case.y[twice])
    assert_close(weighted.log_odds(case.test), repeated.log_odds(case.test))


# Eq. 3 needs a tau, which the paper does not give: these two tests recover it from one document.


@per_weighting
def test_eq_3_two_classes(weighting):
    # p(b) = sigmoid(tau z_b + logit p(b)). Assumption: one tau for all documents of a fitted model.
    case = make_case(4, "two")
    model = case.fit(PoissonNB(theta=0.05, weighting=weighting))
    z = kim2003.eq_14_z(case.X_test, case.X, case.Y, 0.05, 0.8, weighting)[:, 1]
    probability = model.predict_proba(case.test)
    assert_close(probability.sum(axis=1), np.ones(len(z)))
    # From the logarithms: a probability within 1e-12 of 1 has too few digits left to recover z.
    log = model.predict_log_proba(case.test)
    tau_z = log[:, 1] - log[:, 0] - logit(float(class_priors(case.X, case.Y)[1]))
    widest = np.argmax(np.abs(z))
    tau = tau_z[widest] / z[widest]
    assert tau > 0
    np.testing.assert_allclose(tau_z, tau * z, rtol=1e-7, atol=1e-7 * np.abs(tau * z).max())


@per_weighting
def test_eq_3_many_classes(weighting):
    # Assumption: single-label probabilities are eq. 3 of each class, divided by their sum over the classes.
    case = make_case(4, "many")
    model = case.fit(PoissonNB(theta=0.05, weighting=weighting))
    z = kim2003.eq_14_z(case.X_test, case.X, case.Y, 0.05, 0.8, weighting)
    prior = logit(np.array(class_priors(case.X, case.Y), dtype=float))
    log_probability = model.predict_log_proba(case.test)
    j = np.argmax(z.max(axis=1) - z.min(axis=1))
    up, down = np.argmax(z[j]), np.argmin(z[j])
    assert z[j, up] > 0 > z[j, down]  # so that the ratio of the two grows with tau

    def excess(tau):
        ratio = log_expit(tau * z[j, up] + prior[up]) - log_expit(tau * z[j, down] + prior[down])
        return ratio - (log_probability[j, up] - log_probability[j, down])

    tau = brentq(excess, 0, 1e6, xtol=1e-12, rtol=1e-14)
    raw = log_expit(tau * z + prior)
    np.testing.assert_allclose(
        log_probability, raw - np.log(np.exp(raw).sum(axis=1, keepdims=True)), rtol=1e-7, atol=1e-7
    )
    assert_close(model.predict_proba(case.test).sum(axis=1), np.ones(len(z)))


@pytest.mark.parametrize("seed", [0, 1])
def test_eq_15_ranks_the_documents_of_a_class_as_eq_14_does(seed):
    # "If the class c is fixed, W_c, A_c and tau can be dropped"
    case = make_case(seed, "many", real=True)
    for weighting in (None, "ig", "chi2", "ratio"):
        model = case.fit(PoissonNB(theta=0.05, weighting=weighting))
        z, z_star = model.log_odds(case.train), model.decision_function(case.train)
        for c in range(z.shape[1]):
            order = np.argsort(z_star[:, c], kind="stable")
            assert (np.diff(z[order, c]) >= -1e-12 * np.abs(z[:, c]).max()).all()
