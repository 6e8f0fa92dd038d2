"""The references, compared with hand-worked fractions, scikit-learn and one another."""

from fractions import Fraction as F
from math import factorial, log

import numpy as np
import pytest
from scipy.stats import chi2_contingency, entropy, poisson
from sklearn import naive_bayes
from sklearn.feature_selection import chi2 as sklearn_chi2
from sklearn.metrics import mutual_info_score

from reference import frank2006, kim2003, rennie2003, schneider2004
from reference.cases import CASES, IDS, assert_close
from reference.multilabel import class_counts, class_priors, indicator, refit_without

SINGLE = [case for case in CASES if not case.multilabel]
SINGLE_IDS = [case.name for case in SINGLE]
per_case = pytest.mark.parametrize("case", CASES, ids=IDS)
per_single_case = pytest.mark.parametrize("case", SINGLE, ids=SINGLE_IDS)
per_weighting = pytest.mark.parametrize("weighting", [None, "ig", "chi2", "ratio"])


def exact(rows):
    return [[F(value) for value in row] for row in rows]


def mutual_information(table):
    """H(row) + H(column) - H(both); for whole numbers, scikit-learn gives the same."""
    ours = entropy(table.sum(axis=0)) + entropy(table.sum(axis=1)) - entropy(table.ravel())
    if (table == np.round(table)).all():
        assert ours == pytest.approx(mutual_info_score(None, None, contingency=table), abs=1e-12)
    return ours


# Sums


def test_a_multilabel_document_counts_once_in_the_totals_and_once_in_each_class():
    X, Y = exact([[2, 1, 0], [1, 0, 1], [0, 1, 2], [0, 1, 0]]), [[1, 0], [1, 1], [0, 1], [0, 0]]
    assert class_counts(X, Y) == [[3, 1, 1], [1, 1, 3]]
    assert class_priors(X, Y) == [F(1, 2), F(1, 2)]
    assert (rennie2003.complement_theta(X, Y) == exact([["1/7", "3/7", "3/7"], ["3/7", "3/7", "1/7"]])).all()
    assert (rennie2003.all_theta(X) == [F(1, 3)] * 3).all()


def test_a_weight_of_two_is_the_document_twice():
    X, y = [[2, 0, 1], [0, 1, 0], [1, 1, 0]], ["a", "b", "b"]
    twice, Y2 = [*X, X[1]], indicator([*y, y[1]])[1]
    _, Y = indicator(y)
    s = [1, 2, 1]
    test = [[1, 2, 0], [0, 0, 0]]
    for weighting in (None, "ig", "chi2", "ratio"):
        settings = 0.1, 0.8, weighting
        assert_close(kim2003.eq_14_z(test, X, Y, *settings, s), kim2003.eq_14_z(test, twice, Y2, *settings))
    for score in (
        schneider2004.eq_4_mi,
        schneider2004.exact_score,
        schneider2004.eq_13_kl_score,
        schneider2004.eq_14_dkl_score,
    ):
        assert_close(score(X, Y, s), score(twice, Y2))
    assert_close(rennie2003.eq_3_scores(test, X, Y, s=s), rennie2003.eq_3_scores(test, twice, Y2))


def test_refit_without_leaves_one_document_out():
    seen = refit_without(lambda X, y: (X.tolist(), y.tolist()), [[1], [2], [3]], ["a", "b", "c"], 1)
    assert seen == ([[1], [3]], ["a", "c"])
    seen = refit_without(lambda X, y, s: s.tolist(), [[1], [2], [3]], ["a", "b", "c"], 0, [5, 6, 7])
    assert seen == [6, 7]


# Rennie


def test_rennie_eq_1_sums_to_one_over_all_documents_of_a_length():
    theta = [F(1, 6), F(1, 3), F(1, 2)]
    documents = [(i, j, 4 - i - j) for i in range(5) for j in range(5 - i)]
    assert sum(rennie2003.eq_1_probability(x, theta) for x in documents) == 1


def test_rennie_eq_3_is_eq_1_times_the_prior_up_to_the_number_of_orders():
    X, (_, Y) = exact([[2, 1, 0], [1, 0, 0], [0, 1, 2], [0, 0, 1]]), indicator("aabc")
    scores = rennie2003.eq_3_scores([[1, 0, 2]], X, Y)[0]
    for c, p in enumerate(rennie2003.class_theta(X, Y)):
        joint = rennie2003.eq_1_probability([1, 0, 2], p) * class_priors(X, Y)[c]
        assert scores[c] == pytest.approx(log(joint / 3), rel=1e-14)


@per_single_case
@pytest.mark.parametrize("alpha", [1.0, 0.01])
def test_multinomial_matches_scikit_learn(case, alpha):
    peer = naive_bayes.MultinomialNB(alpha=alpha).fit(case.X, case.y, sample_weight=case.weight)
    ours = rennie2003.eq_3_scores(case.X_test, case.X, case.Y, alpha, case.weight)
    assert_close(ours, peer.predict_joint_log_proba(case.X_test))
    assert_close(frank2006.eq_5_scores(case.X_test, case.X, case.Y, alpha, None, case.weight), ours)
    assert_close(frank2006.eq_1_posterior(ours), peer.predict_proba(case.X_test))


# scikit-learn scores a class with -log(theta of the complement) without norm, and with norm with
# log(theta) / sum(log(theta)): both are negative, so the quotient is -log(theta) / sum|log(theta)|, the
# same sign, and larger is better both times. It uses no prior as long as there are two classes or more.
@per_single_case
@pytest.mark.parametrize("norm", [False, True])
def test_complement_matches_scikit_learn(case, norm):
    peer = naive_bayes.ComplementNB(norm=norm).fit(case.X, case.y, sample_weight=case.weight)
    ours = rennie2003.complement_scores(case.X_test, case.X, case.Y, 1, norm, s=case.weight)
    assert_close(ours, peer.predict_joint_log_proba(case.X_test))


@per_case
def test_eq_9_weights_have_unit_length(case):
    for against in ("complement", "class", "all"):
        w = rennie2003.WEIGHTS[against](case.X, case.Y, 0.5, case.weight)
        assert_close(np.abs(rennie2003.eq_9_weights(w)).sum(axis=1), np.ones(case.Y.shape[1]))


def test_two_classes_make_eq_7_antisymmetric():
    case = CASES[0]
    first, second = rennie2003.eq_7_weights(case.X, case.Y)
    assert_close(first, -second)


# Frank


def test_frank_figure_1_the_odds_of_an_irrelevant_word():
    # k = 20,000 words in the vocabulary; 90,000 and 10,000 words of text; relative frequency 0.1 in both
    k, irrelevant = 20_000, F(1, 10)
    rows = [[irrelevant * size] + [size * (1 - irrelevant) / (k - 1)] * (k - 1) for size in (90_000, 10_000)]
    plain = frank2006.eq_2_probabilities(rows)
    assert plain[0][0] / plain[1][0] == F(9001, 110_000) / F(1001, 30_000)
    # eq. 3 on the two columns that matter: the odds are one whatever the length
    for length in (1, 7, "min"):
        counts = frank2006.eq_3_normalise([[F(9000), F(81_000)], [F(1000), F(9000)]], length)
        p = frank2006.eq_2_probabilities(counts)
        assert p[0][0] / p[1][0] == 1


def test_frank_eq_3_is_a_separate_initial_count_per_class():
    counts = exact([[3, 1, 0], [0, 2, 9]])
    for length in (F(1), F(5, 2)):
        ours = frank2006.eq_2_probabilities(frank2006.eq_3_normalise(counts, length))
        for c, row in enumerate(counts):
            assert (ours[c] == frank2006.eq_2_probabilities([row], sum(row) / length)[0]).all()


# Schneider


@per_case
def test_schneider_eq_10_reduces_to_eq_11(case):
    assert_close(
        schneider2004.eq_10_kl(case.X, case.Y, case.weight),
        schneider2004.eq_11_kl(case.X, case.Y, case.weight),
    )


@per_single_case
def test_schneider_eq_4_is_the_mutual_information_of_word_events(case):
    # one event an occurrence: is it w_t, and in which class is its document?
    n_ct = np.array(class_counts(case.X, case.Y, case.weight))
    ours = schneider2004.eq_4_mi(case.X, case.Y, case.weight)
    for t in range(n_ct.shape[1]):
        contingency = np.stack([n_ct[:, t], n_ct.sum(axis=1) - n_ct[:, t]])
        assert ours[t] == pytest.approx(mutual_information(contingency), abs=1e-12)


def test_schneider_the_approximation_is_exact_under_its_assumptions():
    # (i) w_t occurs equally often in the documents that have it, (ii) documents of a class are equally long;
    # and with many words the Laplacean prior of eq. 2 no longer matters
    big = 10**9
    X = [[big, big, 0], [big, 0, big], [0, big, big], [0, big, big]]
    Y = [[1, 0], [1, 0], [0, 1], [0, 1]]
    assert_close(schneider2004.eq_8_kl(X, Y), schneider2004.eq_11_kl(X, Y), 1e-8)
    k = schneider2004.eq_12_k(schneider2004.p_w(X), schneider2004.q_w(X))
    assert_close(schneider2004.exact_k(X, Y), k, 1e-8)
    assert_close(schneider2004.exact_score(X, Y), schneider2004.eq_13_kl_score(X, Y), 1e-8)


def test_schneider_a_term_in_no_document_scores_zero():
    X, (_, Y) = [[1, 2, 0], [0, 1, 0]], indicator("ab")
    for score in (
        schneider2004.eq_4_mi,
        schneider2004.eq_13_kl_score,
        schneider2004.eq_14_dkl_score,
        schneider2004.exact_score,
    ):
        assert score(X, Y)[2] == 0


# Kim


@per_case
@per_weighting
@pytest.mark.parametrize("tau", [1.0, 1000.0])
def test_kim_eq_10_computed_directly_is_eq_14(case, weighting, tau):
    settings = case.X, case.Y, 0.05, 0.8, weighting, case.weight, tau
    assert_close(kim2003.eq_10_z(case.X_test, *settings), kim2003.eq_14_z(case.X_test, *settings), 1e-11)


def test_kim_eq_6_is_the_ratio_of_two_poisson_probabilities():
    f, lam, mu = [2, 0, 5], [1.5, 0.5, 4.0], [2.5, 0.25, 1.0]
    direct = sum(poisson.logpmf(f, lam) - poisson.logpmf(f, mu))
    assert kim2003.eq_6_log_odds(f, lam, mu) == pytest.approx(direct, rel=1e-12)
    # the f! of eq. 5 is in both and cancels
    assert poisson.pmf(2, 1.5) == pytest.approx(np.exp(-1.5) * 1.5**2 / factorial(2), rel=1e-12)


@per_case
def test_kim_eq_14_is_eq_6_over_the_vocabulary_where_nothing_is_weighted(case):
    V = case.X.shape[1]
    lam = kim2003.eq_8_means(case.X, case.Y, 0.1, 0.8, case.weight)
    mu = kim2003.complement_means(case.X, case.Y, 0.1, 0.8, case.weight)
    f = kim2003.eq_7_frequency(case.X_test, 0.1)
    direct = [[kim2003.eq_6_log_odds(row, lam[c], mu[c]) / V for c in range(len(lam))] for row in f]
    assert_close(kim2003.eq_14_z(case.X_test, case.X, case.Y, 0.1, 0.8, None, case.weight), direct)


@per_case
def test_kim_means_are_distributions_so_a_c_is_zero_without_weighting(case):
    lam = kim2003.eq_8_means(case.X, case.Y, 0.1, 0.8, case.weight)
    assert_close(lam.sum(axis=1), np.ones(len(lam)))
    _, A, _, _, _ = kim2003.eq_14_parts(case.X_test, case.X, case.Y, 0.1, 0.8, None, case.weight)
    assert_close(A, np.zeros(len(lam)))


@per_case
def test_kim_eqs_11_and_12_match_scikit_learn_and_scipy(case):
    gains = kim2003.eq_11_information_gain(case.X, case.Y, case.weight)
    scores = kim2003.eq_12_chi2(case.X, case.Y, case.weight)
    for c, row in enumerate(kim2003.table_1(case.X, case.Y, case.weight)):
        for t, (a, b, cc, d) in enumerate(row):
            table = np.array([[a, b], [cc, d]])
            assert gains[c][t] == pytest.approx(mutual_information(table), abs=1e-12)
            if (table.sum(axis=0) > 0).all():
                # Pearson's statistic is N times eq. 12
                statistic = chi2_contingency(table, correction=False).statistic
                assert scores[c][t] == pytest.approx(statistic / table.sum(), rel=1e-10, abs=1e-14)


@pytest.mark.parametrize("case", [c for c in CASES if c.weight is None], ids=lambda c: c.name)
def test_kim_eq_12_is_scikit_learns_chi2_over_the_documents_without_the_term(case):
    # scikit-learn adds the cells of the documents with the term only: (ad - bc)^2 / ((a+b)(a+c)(c+d))
    present = (case.X > 0).astype(int)
    for c in range(case.Y.shape[1]):
        peer, _ = sklearn_chi2(present, case.Y[:, c])
        absent = (present == 0).sum(axis=0)
        ours = kim2003.eq_12_chi2(case.X, case.Y)[c]
        np.testing.assert_allclose(ours * absent, peer, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("case", [c for c in SINGLE if c.Y.shape[1] == 2], ids=lambda c: c.name)
@per_weighting
def test_kim_two_complementary_classes_are_antisymmetric(case, weighting):
    z = kim2003.eq_14_z(case.X_test, case.X, case.Y, 0.1, 0.8, weighting, case.weight)
    assert_close(z[:, 0], -z[:, 1])
    p = kim2003.posteriors(case.X_test, case.X, case.Y, 0.1, 0.8, weighting, case.weight, 30)
    assert_close(p.sum(axis=1), np.ones(len(p)))


@per_case
def test_kim_ratio_is_at_least_two(case):
    assert (kim2003.weights(case.X, case.Y, 0.01, 0.8, "ratio", case.weight) >= 2).all()
