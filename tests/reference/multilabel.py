"""The sums that all papers use: documents, words and document frequencies, per class and in total.

Everywhere ``X[d][t]`` is the count of term t in document d, ``Y[d][c]`` is 1 where document d has class c
and 0 elsewhere, and ``s[d]`` is the document's sample weight (None: every weight is 1).

A document counts once in the totals and once in each of its classes; the complement of a class is the
documents without it, the documents without any class included. A weight of 2 is the document twice.
"""

from fractions import Fraction

import numpy as np


def indicator(y):
    """Labels to (sorted classes, Y). In single-label data each document has one class."""
    classes = sorted(set(y))
    return classes, [[1 if label == c else 0 for c in classes] for label in y]


def complement(Y):
    """The indicator of the complements: the documents without class c."""
    return [[1 - has for has in row] for row in Y]


def sizes(X, Y):
    """(documents, classes, terms)."""
    return len(X), len(Y[0]), len(X[0])


def weights_or_ones(X, s):
    """The sample weights; 1 for every document where there are none."""
    return [1] * len(X) if s is None else list(s)


def class_documents(X, Y, s=None):
    """|D_c|: the (weighted) number of documents with class c."""
    n, C, _ = sizes(X, Y)
    s = weights_or_ones(X, s)
    return [sum(s[d] * Y[d][c] for d in range(n)) for c in range(C)]


def all_documents(X, s=None):
    """|S|: the (weighted) number of documents, each once however many classes it has."""
    return sum(weights_or_ones(X, s))


def class_counts(X, Y, s=None):
    """n_ct: how often term t occurs in the documents of class c."""
    n, C, V = sizes(X, Y)
    s = weights_or_ones(X, s)
    return [[sum(s[d] * Y[d][c] * X[d][t] for d in range(n)) for t in range(V)] for c in range(C)]


def all_counts(X, s=None):
    """n_t: how often term t occurs in the documents, each counted once."""
    s = weights_or_ones(X, s)
    return [sum(s[d] * X[d][t] for d in range(len(X))) for t in range(len(X[0]))]


def class_document_frequencies(X, Y, s=None):
    """N_ct: how many documents of class c contain term t."""
    n, C, V = sizes(X, Y)
    s = weights_or_ones(X, s)
    return [[sum(s[d] * Y[d][c] for d in range(n) if X[d][t] > 0) for t in range(V)] for c in range(C)]


def document_frequencies(X, s=None):
    """df_t: how many documents contain term t, each counted once."""
    s = weights_or_ones(X, s)
    return [sum(s[d] for d in range(len(X)) if X[d][t] > 0) for t in range(len(X[0]))]


def class_priors(X, Y, s=None):
    """p(c), the share of the documents that have class c (Kim 2003, below eq. 11; Frank 2006, below eq. 1).

    Schneider's eq. 3 divides by the sum of the class sizes: the same number in single-label data.
    """
    return [Fraction(size) / Fraction(all_documents(X, s)) for size in class_documents(X, Y, s)]


def refit_without(fit, X, y, i, s=None):
    """Leave-one-out by definition: fit on all documents but document i.

    `fit` takes (X, y) or, where there are sample weights, (X, y, s); y is labels or an indicator.
    """
    keep = [d for d in range(len(X)) if d != i]
    X, y = np.asarray(X)[keep], np.asarray(y)[keep]
    return fit(X, y) if s is None else fit(X, y, np.asarray(s)[keep])
