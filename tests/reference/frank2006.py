"""Frank and Bouckaert (2006), "Naive Bayes for Text Classification with Unbalanced Classes"."""

from math import exp, log, sqrt

import numpy as np

from .multilabel import class_counts, class_priors
from .rennie2003 import eq_10_log, eq_11_idf, length, linear_scores, logs


def eq_1_posterior(scores):
    """P(c|d) from the logarithms of P(c) prod P(w|c)^n, P(d) making them sum to one (Frank 2006, eq. 1)."""
    out = []
    for row in scores:
        joint = [exp(score - max(row)) for score in row]
        out.append([j / sum(joint) for j in joint])
    return np.array(out)


def eq_2_probabilities(counts, alpha=1):
    """P(w|c) with an initial count of alpha (1 in the paper) for every word (Frank 2006, eq. 2)."""
    table = []
    for row in counts:
        k, total = len(row), sum(row)
        table.append([(alpha + n) / (alpha * k + total) for n in row])
    return np.array(table)


def eq_3_normalise(counts, class_length):
    """Each class's counts scaled to the L1 length `class_length` (Frank 2006, eq. 3).

    "min" is the smallest of the classes' lengths before (section 5, MNB_PCNmin).
    """
    lengths = [sum(row) for row in counts]
    target = min(lengths) if class_length == "min" else class_length
    return np.array([[target * n / lengths[c] for n in counts[c]] for c in range(len(counts))])


def probabilities(X, Y, alpha=1, class_length=None, s=None):
    """Eq. 2, on the counts of eq. 3 if a class length is given."""
    counts = class_counts(X, Y, s)
    if class_length is not None:
        counts = eq_3_normalise(counts, class_length)
    return eq_2_probabilities(counts, alpha)


def eq_5_scores(X, X_train, Y, alpha=1, class_length=None, s=None):
    """log P(c) + sum_i n_i log P(w_i|c) of each class; eq. 5 is the difference of two (Frank 2006, eq. 5)."""
    table = probabilities(X_train, Y, alpha, class_length, s)
    return linear_scores(X, logs(table), [log(p) for p in class_priors(X_train, Y, s)])


def centroids(X, Y, norm="l2", s=None):
    """The class's word vector, to unit L2 length (Frank 2006, section 4) or unit L1 length (section 5).

    The mean and the sum of the documents are the same after that.
    """
    out = []
    for row in class_counts(X, Y, s):
        size = sum(row) if norm == "l1" else sqrt(sum(n * n for n in row))
        out.append([n / size for n in row])
    return np.array(out)


def eq_4_scores(X, X_train, Y, norm="l2", s=None):
    """x . c_c of each class; eq. 4 is the difference of two (Frank 2006, eq. 4)."""
    return linear_scores(X, centroids(X_train, Y, norm, s))


def section_5_transform(X, X_train):
    """log(1 + n) log(m / m_w), then scaled to l, the mean training length so far (Frank 2006, section 5).

    The base of the first logarithm is 2, as in FrequencyTransform; the paper does not say. A natural one
    gives the same vectors times log 2. A document without length keeps its zeros, and counts in the mean.
    """
    trained = eq_11_idf(eq_10_log(X_train), X_train)
    mean = sum(length(row) for row in trained) / len(trained)
    out = eq_11_idf(eq_10_log(X), X_train)
    return np.array([[mean * x / length(row) if length(row) > 0 else 0.0 for x in row] for row in out])
