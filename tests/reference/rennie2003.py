"""Rennie, Shih, Teevan and Karger (2003), "Tackling the Poor Assumptions of Naive Bayes Text Classifiers".

The equations are numbered as on the slides. Scores are per (document, class), and larger is always better:
where the paper takes an arg min (eq. 6), the score has a minus sign.
"""

from math import factorial, log, log2, prod, sqrt

import numpy as np

from .multilabel import all_counts, class_counts, class_priors, complement, document_frequencies


def theta(counts, alpha=1):
    """theta_yk = (n_yk + alpha) / (N_y + alpha d) of every class (Rennie 2003, before eq. 2; alpha is 1)."""
    return np.array([[(n + alpha) / (sum(row) + alpha * len(row)) for n in row] for row in counts])


def class_theta(X, Y, alpha=1, s=None):
    """The parameters of each class."""
    return theta(class_counts(X, Y, s), alpha)


def complement_theta(X, Y, alpha=1, s=None):
    """The parameters of each class's complement: all documents not labelled y (Rennie 2003, eq. 6)."""
    return theta(class_counts(X, complement(Y), s), alpha)


def all_theta(X, alpha=1, s=None):
    """The parameters of the class of all documents (Rennie 2003, eq. 8)."""
    return theta([all_counts(X, s)], alpha)[0]


def eq_1_probability(x, theta_y):
    """p(x; theta), the multinomial probability of whole counts x (Rennie 2003, eq. 1)."""
    x = [int(count) for count in x]
    orders = factorial(sum(x)) // prod(factorial(count) for count in x)
    return orders * prod(theta_y[k] ** x[k] for k in range(len(x)))


def linear_scores(X, w, b=None):
    """sum_k w_yk x_k + b_y: the form of eq. 3, which all the paper's classifiers share."""
    scores = np.zeros((len(X), len(w)))
    for d in range(len(X)):
        for y in range(len(w)):
            scores[d, y] = 0 if b is None else b[y]
            for k in range(len(X[d])):
                scores[d, y] += w[y][k] * X[d][k]
    return scores


def logs(table):
    """The logarithm of every entry."""
    return np.array([[log(entry) for entry in row] for row in table])


def eq_3_scores(X, X_train, Y, alpha=1, s=None, priors=None):
    """sum_k x_k log theta_yk + log p(y) (Rennie 2003, eqs. 2 and 3)."""
    priors = class_priors(X_train, Y, s) if priors is None else priors
    return linear_scores(X, logs(class_theta(X_train, Y, alpha, s)), [log(p) for p in priors])


def eq_6_weights(X_train, Y, alpha=1, s=None):
    """-log theta of the complement: the class whose complement fits least wins (Rennie 2003, eq. 6)."""
    return -logs(complement_theta(X_train, Y, alpha, s))


def eq_7_weights(X_train, Y, alpha=1, s=None):
    """log theta of the class minus that of its complement, one-vs-all (Rennie 2003, eq. 7).

    The slide writes p(x|y) - p(x|not y); "OVA uses the sum of normal NB and CC NB" says it means the
    logarithms (up to a multinomial coefficient that cancels).
    """
    return logs(class_theta(X_train, Y, alpha, s)) - logs(complement_theta(X_train, Y, alpha, s))


def eq_8_weights(X_train, Y, alpha=1, s=None):
    """log theta of all documents minus that of the complement (Rennie 2003, eq. 8), for multi-label data."""
    everything = [list(all_theta(X_train, alpha, s)) for _ in Y[0]]
    return logs(everything) - logs(complement_theta(X_train, Y, alpha, s))


def eq_9_weights(w):
    """w_yk / sum_k |w_yk| (Rennie 2003, eq. 9)."""
    return np.array([[entry / sum(abs(other) for other in row) for entry in row] for row in w])


WEIGHTS = {"complement": eq_6_weights, "class": eq_7_weights, "all": eq_8_weights}


def complement_scores(X, X_train, Y, alpha=1, norm=False, against="complement", s=None):
    """The scores of ComplementNB: eq. 6, 7 or 8, with or without eq. 9. There is no prior in them."""
    w = WEIGHTS[against](X_train, Y, alpha, s)
    return linear_scores(X, eq_9_weights(w) if norm else w)


def eq_10_log(X):
    """x' = log2(1 + x) (Rennie 2003, eq. 10)."""
    return np.array([[log2(1 + x) for x in row] for row in X])


def eq_11_idf(X, X_train):
    """x' = x log(documents / documents with the term) (Rennie 2003, eq. 11).

    The training documents are counted; a term must occur in at least one of them.
    """
    df = document_frequencies(X_train)
    return np.array([[row[k] * log(len(X_train) / df[k]) for k in range(len(row))] for row in X])


def length(row):
    """The L2 length of a document."""
    return sqrt(sum(x * x for x in row))


def eq_12_unit_length(X):
    """x' = x / ||x||_2 (Rennie 2003, eq. 12); a document without length keeps its zeros."""
    return np.array([[x / length(row) if length(row) > 0 else 0.0 for x in row] for row in X])


def eqs_10_to_12(X, X_train):
    """The three transforms in order; eq. 11 counts the training documents."""
    return eq_12_unit_length(eq_11_idf(eq_10_log(X), eq_10_log(X_train)))
