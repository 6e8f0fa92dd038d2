"""Rennie et al. (2003), "Tackling the Poor Assumptions of Naive Bayes Text Classifiers"."""

from fractions import Fraction as F
from math import log, sqrt

import numpy as np
import pytest
from scipy import sparse
from sklearn import naive_bayes

from reference import rennie2003
from reference.cases import CASES, IDS, assert_close, make_case
from reference.multilabel import indicator
from textbayes import ComplementNB, FrequencyTransform, MultinomialNB

per_case = pytest.mark.parametrize("case", CASES, ids=IDS)
per_single_case = pytest.mark.parametrize(
    "case", [c for c in CASES if not c.multilabel], ids=lambda c: c.name
)
per_norm = pytest.mark.parametrize("norm", [False, True], ids=["plain", "norm"])
per_against = pytest.mark.parametrize("against", ["complement", "class", "all"])

# Three classes, three terms, by hand:        counts      smoothed      complement    smoothed
#   a: (2,1,0) (1,0,0)                        3 1 0 = 4   4 2 1 / 7     0 1 3 = 4     1 2 4 / 7
#   b: (0,1,2)                                0 1 2 = 3   1 2 3 / 6     3 1 1 = 5     4 2 2 / 8
#   c: (0,0,1)                                0 0 1 = 1   1 1 2 / 4     3 2 2 = 7     4 3 3 / 10
#   all documents                             3 2 3 = 8   4 3 4 / 11
TRAIN = [[2, 1, 0], [1, 0, 0], [0, 1, 2], [0, 0, 1]]
LABELS = ["a", "a", "b", "c"]
TEST = [[1, 0, 2]]

# Two classes with documents of both and of neither:
#   (2,1,0) a    (1,0,1) a b    (0,1,2) b    (0,1,0) neither
#   a: 3 1 1 = 5, 4 2 2 / 8     without a: 0 2 2 = 4, 1 3 3 / 7     all: 3 3 3 = 9, 1 1 1 / 3
#   b: 1 1 3 = 5, 2 2 4 / 8     without b: 2 2 0 = 4, 3 3 1 / 7
MULTI_TRAIN = [[2, 1, 0], [1, 0, 1], [0, 1, 2], [0, 1, 0]]
MULTI_LABELS = [[1, 0], [1, 1], [0, 1], [0, 0]]


def exact(rows):
    return [[F(value) for value in row] for row in rows]


def decide(model, X, y, X_test):
    return model.fit(sparse.csr_array(np.array(X)), np.array(y)).decision_function(
        sparse.csr_array(np.array(X_test))
    )


# Hand-worked


def test_theta_by_hand():
    _, Y = indicator(LABELS)
    X = exact(TRAIN)
    assert rennie2003.class_theta(X, Y).tolist() == exact(
        [["4/7", "2/7", "1/7"], ["1/6", "2/6", "3/6"], ["1/4", "1/4", "2/4"]]
    )
    assert rennie2003.complement_theta(X, Y).tolist() == exact(
        [["1/7", "2/7", "4/7"], ["4/8", "2/8", "2/8"], ["4/10", "3/10", "3/10"]]
    )
    assert rennie2003.all_theta(X).tolist() == exact([["4/11", "3/11", "4/11"]])[0]


def test_eq_3_by_hand():
    # p(a) = 1/2: 1/2 4/7 (1/7)^2; p(b) = 1/4: 1/4 1/6 (1/2)^2; p(c) = 1/4: 1/4 1/4 (1/2)^2
    expected = [[log(F(2, 343)), log(F(1, 96)), log(F(1, 64))]]
    assert_close(decide(MultinomialNB(), TRAIN, LABELS, TEST), expected)


def test_eq_3_by_hand_multilabel():
    # p(a) = p(b) = 2/4: 1/2 4/8 (2/8)^2 and 1/2 2/8 (4/8)^2
    assert_close(decide(MultinomialNB(), MULTI_TRAIN, MULTI_LABELS, TEST), [[log(F(1, 64)), log(F(1, 32))]])


def test_eq_2_posterior_by_hand():
    model = MultinomialNB().fit(sparse.csr_array(np.array(TRAIN)), LABELS)
    joint = [F(2, 343), F(1, 96), F(1, 64)]
    expected = [[float(j / sum(joint)) for j in joint]]
    assert_close(model.predict_proba(sparse.csr_array(np.array(TEST))), expected)
    assert_close(model.predict_log_proba(sparse.csr_array(np.array(TEST))), np.log(expected))
    assert list(model.predict(sparse.csr_array(np.array(TEST)))) == ["c"]


def test_eq_6_by_hand():
    # 1/7 (4/7)^2 = 16/343, 1/2 (1/4)^2 = 1/32, 4/10 (3/10)^2 = 9/250: the least likely complement wins
    expected = [[log(F(343, 16)), log(F(32)), log(F(250, 9))]]
    assert_close(decide(ComplementNB(), TRAIN, LABELS, TEST), expected)
    model = ComplementNB().fit(sparse.csr_array(np.array(TRAIN)), LABELS)
    assert list(model.predict(sparse.csr_array(np.array(TEST)))) == ["b"]


def test_eq_7_by_hand():
    expected = [[log(F(1, 4)), log(F(4, 3)), log(F(125, 72))]]
    assert_close(decide(ComplementNB(against="class"), TRAIN, LABELS, TEST), expected)


def test_eq_8_by_hand():
    # all documents: 4/11 (4/11)^2 = 64/1331
    expected = [[log(F(1372, 1331)), log(F(2048, 1331)), log(F(16000, 11979))]]
    assert_close(decide(ComplementNB(against="all"), TRAIN, LABELS, TEST), expected)


def test_eq_8_by_hand_multilabel():
    # all: (1/3)^3 = 1/27; without a: 1/7 (3/7)^2 = 9/343; without b: 3/7 (1/7)^2 = 3/343
    expected = [[log(F(343, 243)), log(F(343, 81))]]
    assert_close(decide(ComplementNB(against="all"), MULTI_TRAIN, MULTI_LABELS, TEST), expected)
    expected = [[log(F(343, 9)), log(F(343, 3))]]
    assert_close(decide(ComplementNB(), MULTI_TRAIN, MULTI_LABELS, TEST), expected)


def test_eq_9_by_hand():
    # sum |log|: 1/7 2/7 4/7 = 8/343; for the other two classes the products are those of their documents
    expected = [[log(F(343, 16)) / log(F(343, 8)), 1, 1]]
    assert_close(decide(ComplementNB(norm=True), TRAIN, LABELS, TEST), expected)


def test_eq_9_by_hand_where_weights_have_both_signs():
    # against all, class a: log of 28/11, 21/22 and 7/11; 28/11 22/21 11/7 = 88/21
    scores = decide(ComplementNB(norm=True, against="all"), TRAIN, LABELS, TEST)
    assert_close(scores[0, 0], log(F(1372, 1331)) / log(F(88, 21)))


def test_eqs_10_to_12_by_hand():
    # log2(1+x); then log of 4/1, 4/2, 4/4; then length 1. In units of log 2 the first row is (2, 2, 0)
    X = sparse.csr_array(np.array([[1, 3, 1], [0, 7, 3], [0, 0, 1], [0, 0, 7]]))
    logged = [[1, 2, 1], [0, 3, 2], [0, 0, 1], [0, 0, 3]]
    weighted = log(2) * np.array([[2, 2, 0], [0, 3, 0], [0, 0, 0], [0, 0, 0]])
    unit = [[1 / sqrt(2), 1 / sqrt(2), 0], [0, 1, 0], [0, 0, 0], [0, 0, 0]]
    for settings, expected in (
        ({"idf": False, "length": None}, logged),
        ({"length": None}, weighted),
        ({}, unit),
    ):
        assert_close(FrequencyTransform(**settings).fit_transform(X).toarray(), expected)


# Against the literal reading, on random data


@per_case
@pytest.mark.parametrize("alpha", [1.0, 0.01])
def test_eq_3(case, alpha):
    expected = rennie2003.eq_3_scores(case.X_test, case.X, case.Y, alpha, case.weight)
    assert_close(case.fit(MultinomialNB(alpha=alpha)).decision_function(case.test), case.expected(expected))


@per_single_case
def test_eq_3_with_priors_given_or_uniform(case):
    C = case.Y.shape[1]
    given = np.arange(1, C + 1) / sum(range(1, C + 1))
    for settings, priors in (({"class_prior": given}, given), ({"fit_prior": False}, [1 / C] * C)):
        expected = rennie2003.eq_3_scores(case.X_test, case.X, case.Y, 1, case.weight, priors)
        scores = case.fit(MultinomialNB(**settings)).decision_function(case.test)
        assert_close(scores, case.expected(expected))


@per_case
@per_norm
@per_against
@pytest.mark.parametrize("alpha", [1.0, 0.01])
def test_eqs_6_to_9(case, norm, against, alpha):
    model = case.fit(ComplementNB(alpha=alpha, norm=norm, against=against))
    expected = rennie2003.complement_scores(case.X_test, case.X, case.Y, alpha, norm, against, case.weight)
    assert_close(model.decision_function(case.test), case.expected(expected))


@per_norm
@per_against
def test_an_indicator_of_single_labels_gives_the_same_scores(norm, against):
    case = make_case(5, "many")
    labels = ComplementNB(norm=norm, against=against).fit(case.train, case.y)
    matrix = ComplementNB(norm=norm, against=against).fit(case.train, case.Y)
    assert_close(matrix.decision_function(case.test), labels.decision_function(case.test))


@per_single_case
@pytest.mark.parametrize("alpha", [1.0, 0.01])
def test_multinomial_agrees_with_scikit_learn(case, alpha):
    ours = case.fit(MultinomialNB(alpha=alpha))
    peer = case.fit(naive_bayes.MultinomialNB(alpha=alpha))
    assert_close(ours.decision_function(case.test), case.expected(peer.predict_joint_log_proba(case.test)))
    assert_close(ours.predict_log_proba(case.test), peer.predict_log_proba(case.test))
    assert_close(ours.predict_proba(case.test), peer.predict_proba(case.test))
    assert list(ours.predict(case.test[1:])) == list(peer.predict(case.test[1:]))


# scikit-learn's signs: -log(theta of the complement) without norm, log(theta) / sum(log(theta)) with norm,
# which is -log(theta) / sum|log(theta)|. Ours are the same; neither has a prior.
@per_single_case
@per_norm
@pytest.mark.parametrize("alpha", [1.0, 0.01])
def test_complement_agrees_with_scikit_learn(case, norm, alpha):
    ours = case.fit(ComplementNB(alpha=alpha, norm=norm))
    peer = case.fit(naive_bayes.ComplementNB(alpha=alpha, norm=norm))
    assert_close(ours.decision_function(case.test), case.expected(peer.predict_joint_log_proba(case.test)))
    # the empty document, a tie, is left out
    assert list(ours.predict(case.test[1:])) == list(peer.predict(case.test[1:]))


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("real", [False, True])
def test_eqs_10_to_12(seed, real):
    case = make_case(seed, "many", real=real)
    transform = FrequencyTransform().fit(case.train)
    assert_close(transform.transform(case.train).toarray(), rennie2003.eqs_10_to_12(case.X, case.X))
    assert_close(transform.transform(case.test).toarray(), rennie2003.eqs_10_to_12(case.X_test, case.X))


@pytest.mark.parametrize("seed", [0, 1])
def test_each_transform_alone(seed):
    case = make_case(seed, "many")
    for settings, expected in (
        ({"idf": False, "length": None}, rennie2003.eq_10_log(case.X_test)),
        ({"log": False, "length": None}, rennie2003.eq_11_idf(case.X_test, case.X)),
        ({"log": False, "idf": False}, rennie2003.eq_12_unit_length(case.X_test)),
        ({"log": False, "idf": False, "length": None}, case.X_test),
    ):
        transform = FrequencyTransform(**settings).fit(case.train)
        assert_close(transform.transform(case.test).toarray(), expected)


@per_against
def test_the_complete_recipe_on_transformed_counts(against):
    # TWCNB: eqs. 10 to 12, then eq. 6 (or 8 for multi-label data) with eq. 9
    for case in (make_case(7, "many"), make_case(7, "multilabel")):
        transform = FrequencyTransform().fit(case.train)
        model = ComplementNB(norm=True, against=against).fit(transform.transform(case.train), case.y)
        X, X_test = rennie2003.eqs_10_to_12(case.X, case.X), rennie2003.eqs_10_to_12(case.X_test, case.X)
        expected = rennie2003.complement_scores(X_test, X, case.Y, 1, True, against)
        assert_close(model.decision_function(transform.transform(case.test)), expected)
