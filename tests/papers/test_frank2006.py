"""Frank and Bouckaert (2006), "Naive Bayes for Text Classification with Unbalanced Classes"."""

from fractions import Fraction as F
from math import log

import numpy as np
import pytest
from scipy import sparse

from reference import frank2006
from reference.cases import CASES, IDS, assert_close, make_case
from textbayes import CentroidClassifier, FrequencyTransform, MultinomialNB

per_case = pytest.mark.parametrize("case", CASES, ids=IDS)
per_class_length = pytest.mark.parametrize("class_length", [1, 2.5, "min"])

# Two classes by hand: a has (3,1) in 4 words, b has (0,2) in 2 words; priors 2/3 and 1/3.
TRAIN = [[2, 1], [1, 0], [0, 2]]
LABELS = ["a", "a", "b"]


def exact(rows):
    return [[F(value) for value in row] for row in rows]


def difference(model, X, y, x):
    """Eq. 5 with the sign of the paper: the first class minus the second, minus decision_function."""
    model.fit(sparse.csr_array(np.array(X)), np.array(y))
    return -model.decision_function(sparse.csr_array(np.array([x])))[0]


# Hand-worked


def test_eq_2_by_hand():
    assert frank2006.eq_2_probabilities(exact([[3, 1], [0, 2]])).tolist() == exact(
        [["4/6", "2/6"], ["1/4", "3/4"]]
    )
    assert difference(MultinomialNB(), TRAIN, LABELS, [1, 2]) == pytest.approx(
        log(F(2, 3) * F(4, 6) * F(2, 6) ** 2) - log(F(1, 3) * F(1, 4) * F(3, 4) ** 2), rel=1e-12
    )


@pytest.mark.parametrize(
    ("class_length", "table"),
    [
        (1, [["7/12", "5/12"], ["1/3", "2/3"]]),  # (1 + 3/4) / 3
        (2, [["5/8", "3/8"], ["1/4", "3/4"]]),  # (1 + 2 3/4) / 4
        ("min", [["5/8", "3/8"], ["1/4", "3/4"]]),  # b's length is 2
    ],
)
def test_eq_3_by_hand(class_length, table):
    counts = frank2006.eq_3_normalise(exact([[3, 1], [0, 2]]), class_length)
    assert frank2006.eq_2_probabilities(counts).tolist() == exact(table)
    (a0, a1), (b0, b1) = exact(table)
    assert difference(MultinomialNB(class_length=class_length), TRAIN, LABELS, [1, 2]) == pytest.approx(
        log(2 * a0 * a1**2) - log(b0 * b1**2), rel=1e-12
    )


def test_eq_1_by_hand():
    # 2/3 7/12 and 1/3 1/3: 7/18 and 2/18
    model = MultinomialNB(class_length=1).fit(sparse.csr_array(np.array(TRAIN)), LABELS)
    assert_close(model.predict_proba(sparse.csr_array(np.array([[1, 0]]))), [[7 / 9, 2 / 9]])


def test_eq_4_by_hand():
    # a is (3,4) of length 5, b is (0,2): c_a = (3/5, 4/5), c_b = (0, 1)
    X, y = [[1, 4], [2, 0], [0, 2]], ["a", "a", "b"]
    assert difference(CentroidClassifier(), X, y, [1, 2]) == pytest.approx(float(F(11, 5) - 2), rel=1e-12)
    # L1: c_a = (3/7, 4/7)
    assert difference(CentroidClassifier(norm="l1"), X, y, [1, 2]) == pytest.approx(
        float(F(11, 7) - 2), rel=1e-12
    )


def test_section_3_an_irrelevant_word_has_odds_of_one():
    # relative frequency 1/10 in both, 90 words and 10 words: eq. 2 favours the large class, eq. 3 does not
    X, y = [[9, 81, 0], [1, 0, 9]], ["large", "small"]
    with_word, without = [1, 0, 0], [0, 0, 0]

    def odds(model):
        model.fit(sparse.csr_array(np.array(X)), np.array(y))
        scores = model.decision_function(sparse.csr_array(np.array([with_word, without])))
        return scores[0] - scores[1]

    assert odds(MultinomialNB()) == pytest.approx(log(F(2, 13) / F(10, 93)), rel=1e-12)
    for class_length in (1, 7, "min"):
        assert odds(MultinomialNB(class_length=class_length)) == pytest.approx(0, abs=1e-14)


def test_section_5_transform_by_hand():
    # log2(1+x) is (4,3,0) and (0,0,1), each times log(2/1): lengths 5 log 2 and log 2, mean 3 log 2
    X = sparse.csr_array(np.array([[15, 7, 0], [0, 0, 1]]))
    expected = log(2) * np.array([[12 / 5, 9 / 5, 0], [0, 0, 3]])
    assert_close(FrequencyTransform(length="mean").fit_transform(X).toarray(), expected)


# Against the literal reading, on random data


@per_case
@per_class_length
@pytest.mark.parametrize("alpha", [1.0, 0.1])
def test_eqs_2_3_and_5(case, class_length, alpha):
    model = case.fit(MultinomialNB(alpha=alpha, class_length=class_length))
    expected = frank2006.eq_5_scores(case.X_test, case.X, case.Y, alpha, class_length, case.weight)
    assert_close(model.decision_function(case.test), case.expected(expected))


@pytest.mark.parametrize("case", [c for c in CASES if not c.multilabel], ids=lambda c: c.name)
@pytest.mark.parametrize("class_length", [None, 1, "min"])
def test_eq_1(case, class_length):
    model = case.fit(MultinomialNB(class_length=class_length))
    expected = frank2006.eq_5_scores(case.X_test, case.X, case.Y, 1, class_length, case.weight)
    assert_close(model.predict_proba(case.test), frank2006.eq_1_posterior(expected))


@per_case
@pytest.mark.parametrize("norm", ["l2", "l1"])
def test_eq_4(case, norm):
    model = case.fit(CentroidClassifier(norm=norm))
    expected = frank2006.eq_4_scores(case.X_test, case.X, case.Y, norm, case.weight)
    assert_close(model.decision_function(case.test), case.expected(expected))


def test_section_4_with_length_one_the_weights_are_logs_of_l1_centroids():
    case = make_case(8, "two")
    p_0, p_1 = frank2006.centroids(case.X, case.Y, "l1")
    model = case.fit(MultinomialNB(class_length=1, class_prior=[0.5, 0.5]))
    assert_close(model.decision_function(case.test), case.X_test @ (np.log1p(p_1) - np.log1p(p_0)))


# Assumption: a training document of length 0 counts in the mean length (the paper does not say). In these
# cases the first document is empty, and the second has a term that no other document has.
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_section_5_transform(seed):
    case = make_case(seed, "many")
    transform = FrequencyTransform(length="mean").fit(case.train)
    assert_close(transform.transform(case.test).toarray(), frank2006.section_5_transform(case.X_test, case.X))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_section_5_transform_without_empty_documents(seed):
    case = make_case(seed, "many")
    filled = case.X[1:]
    transform = FrequencyTransform(length="mean").fit(sparse.csr_array(filled))
    assert_close(transform.transform(case.test).toarray(), frank2006.section_5_transform(case.X_test, filled))
