"""Schneider (2004), "A New Feature Selection Score for Multinomial Naive Bayes Text Classification"."""

from fractions import Fraction as F
from math import log

import numpy as np
import pytest
from scipy import sparse

from reference import kim2003, schneider2004
from reference.cases import CASES, IDS, assert_close, make_case
from reference.multilabel import indicator
from textbayes import TermSelector, term_scores

SCORES = {
    "mi": schneider2004.eq_4_mi,
    "kl": schneider2004.eq_13_kl_score,
    "dkl": schneider2004.eq_14_dkl_score,
    "kl_exact": schneider2004.exact_score,
}
PER_CLASS = {"ig": kim2003.eq_11_information_gain, "chi2": kim2003.eq_12_chi2}
per_score = pytest.mark.parametrize("score", SCORES)
# term_scores takes no sample_weight, so the weighted cases are scored without
single_cases = pytest.mark.parametrize("case", [c for c in CASES if not c.multilabel], ids=lambda c: c.name)

# Two classes by hand:                     words         smoothed       documents with the term
#   a: (2,1,0) (0,1,0)                     2 2 0 = 4     3 3 1 / 7      1 2 0 of 2
#   b: (0,0,2) (0,1,1)                     0 1 3 = 4     1 2 4 / 7      0 1 2 of 2
#   all                                    2 3 3 = 8                    1 3 2 of 4
TRAIN = [[2, 1, 0], [0, 1, 0], [0, 0, 2], [0, 1, 1]]
LABELS = ["a", "a", "b", "b"]
LN2 = log(2)


def by_hand(score):
    return term_scores(sparse.csr_array(np.array(TRAIN)), np.array(LABELS), score)


# Hand-worked


def test_eqs_2_3_and_14_by_hand():
    X, (_, Y) = [[F(x) for x in row] for row in TRAIN], indicator(LABELS)
    assert schneider2004.eq_2_probabilities(X, Y).tolist() == [
        [F(3, 7), F(3, 7), F(1, 7)],
        [F(1, 7), F(2, 7), F(4, 7)],
    ]
    assert schneider2004.eq_3_priors(X, Y) == [F(1, 2), F(1, 2)]
    assert schneider2004.eq_14_p(X, Y) == [F(2, 7), F(5, 14), F(5, 14)]


def test_eq_4_by_hand():
    # first term: 1/4 log 2 + 1/4 log 2/3 + 1/2 log 4/3 = 3/4 log 4/3
    expected = [
        3 / 4 * log(F(4, 3)),
        1 / 4 * log(F(4, 3)) + 1 / 8 * log(F(2, 3)) + 1 / 4 * log(F(4, 5)) + 3 / 8 * log(F(6, 5)),
        3 / 8 * LN2 + 1 / 2 * log(F(8, 5)) + 1 / 8 * log(F(2, 5)),
    ]
    assert_close(by_hand("mi"), expected)


def test_eq_11_by_hand():
    # q(w|a) = 1/2 1 0, q(w|b) = 0 1/2 1
    _, Y = indicator(LABELS)
    assert_close(schneider2004.eq_11_kl(TRAIN, Y), [3 / 14 * LN2, 1 / 7 * LN2, 0])


def test_eqs_12_and_13_by_hand():
    # q(w) = 1/4 3/4 1/2, p(w) = 2/8 3/8 3/8
    k = [1 / 2 * LN2, 3 / 8 * log(F(4, 3)), 3 / 8 * LN2]
    assert_close(schneider2004.eq_12_k(schneider2004.p_w(TRAIN), schneider2004.q_w(TRAIN)), k)
    assert_close(by_hand("kl"), [2 / 7 * LN2, 3 / 8 * log(F(4, 3)) - 1 / 7 * LN2, 3 / 8 * LN2])


def test_eq_14_by_hand():
    assert_close(by_hand("dkl"), [5 / 14 * LN2, 5 / 14 * log(F(4, 3)) - 1 / 7 * LN2, 5 / 14 * LN2])


def test_eq_8_by_hand():
    # p(w|d) = (2/3, 1/3, 0) (0, 1, 0) (0, 0, 1) (0, 1/2, 1/2)
    _, Y = indicator(LABELS)
    expected = [
        1 / 6 * log(F(14, 9)),
        1 / 4 * (1 / 3 * log(F(7, 9)) + log(F(7, 3)) + 1 / 2 * log(F(7, 4))),
        1 / 4 * (log(F(7, 4)) + 1 / 2 * log(F(7, 8))),
    ]
    assert_close(schneider2004.eq_8_kl(TRAIN, Y), expected)


def test_kl_exact_by_hand():
    # the mean of p(w|d) log(p(w|d) / p(w)) minus eq. 8: the p(w|d) inside the logarithms cancel
    expected = [
        1 / 6 * log(F(12, 7)),
        1 / 4 * (4 / 3 * log(F(8, 7)) + 1 / 2 * log(F(16, 21))),
        3 / 8 * log(F(32, 21)),
    ]
    assert_close(by_hand("kl_exact"), expected)


# Against the literal reading, on random data


@single_cases
@per_score
def test_scores(case, score):
    assert_close(term_scores(case.train, case.y, score), SCORES[score](case.X, case.Y))


# Assumption: in multi-label data |S| and the totals count a document once, p(c_j) = |c_j| / |S|, and
# kl_exact adds one divergence for each class of a document.
@pytest.mark.parametrize("case", [c for c in CASES if c.multilabel], ids=lambda c: c.name)
@per_score
def test_scores_multilabel(case, score):
    assert_close(term_scores(case.train, case.y, score), SCORES[score](case.X, case.Y))


@pytest.mark.parametrize("case", CASES, ids=IDS)
@pytest.mark.parametrize("score", PER_CLASS)
def test_scores_per_class(case, score):
    # Kim 2003, eqs. 11 and 12: a row for each class, two classes too
    assert_close(term_scores(case.train, case.y, score), PER_CLASS[score](case.X, case.Y))


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_ratio_is_two_or_more_and_symmetric(case):
    # Kim 2003, eq. 13; theta and alpha are choices of the library, so test_kim2003.py tests the values
    scores = term_scores(case.train, case.y, "ratio")
    assert scores.shape == (case.Y.shape[1], case.X.shape[1])
    assert (scores >= 2 * (1 - 1e-15)).all()
    if not case.multilabel and len(scores) == 2:
        assert_close(scores[0], scores[1])


@per_score
def test_a_term_in_no_document_scores_zero(score):
    X = sparse.csr_array(np.array([[1, 2, 0], [0, 1, 0], [1, 0, 0]]))
    assert term_scores(X, np.array(["a", "b", "b"]), score)[2] == pytest.approx(0, abs=1e-15)


def test_words_independent_of_the_class_have_no_approximate_score():
    # "If w_t is independent of the class, then K = KL": here with p' in both, that is, for dKL
    X = sparse.csr_array(np.array([[1, 2], [1, 0], [1, 2], [1, 0]]))
    assert_close(term_scores(X, np.array(["a", "a", "b", "b"]), "dkl"), [0, 0])


@per_score
@pytest.mark.parametrize("seed", [10, 11])
def test_selector_keeps_the_highest_scored_words(score, seed):
    case = make_case(seed, "many", real=True)
    best = np.sort(np.argsort(SCORES[score](case.X, case.Y))[-4:])
    selected = TermSelector(criterion=score, k=4).fit(case.train, case.y).transform(case.test)
    assert_close(selected.toarray(), case.X_test[:, best])


@pytest.mark.parametrize("score", PER_CLASS)
def test_selector_takes_the_maximum_over_classes(score):
    case = next(c for c in (make_case(seed, "many") for seed in range(50)) if _untied(score, c))
    best = np.sort(np.argsort(PER_CLASS[score](case.X, case.Y).max(axis=0))[-4:])
    selected = TermSelector(criterion=score, k=4).fit(case.train, case.y).transform(case.test)
    assert_close(selected.toarray(), case.X_test[:, best])


def _untied(score, case):
    """Return whether the fourth and the fifth best term differ: document events often tie."""
    ranked = np.sort(PER_CLASS[score](case.X, case.Y).max(axis=0))
    return ranked[-4] - ranked[-5] > 1e-6
