"""Schneider (2004), "A New Feature Selection Score for Multinomial Naive Bayes Text Classification".

In multi-label data |S| is the number of documents, each once, and p(c_j) = |c_j| / |S|, which is what
turns eq. 10 into eq. 11; eq. 3 as printed divides by the sum of the class sizes. In single-label data both
are the same. 0 log 0 is 0 throughout, and a term that no document contains scores 0.
"""

from math import log

import numpy as np

from .multilabel import (
    all_counts,
    all_documents,
    class_counts,
    class_document_frequencies,
    class_documents,
    class_priors,
    document_frequencies,
    sizes,
    weights_or_ones,
)


def x_log_ratio(p, over, under):
    """p log(over / under), 0 where p is 0."""
    return 0.0 if p == 0 else p * log(over / under)


def eq_2_probabilities(X, Y, s=None):
    """p(w_t|c_j) with a Laplacean prior (Schneider 2004, eq. 2)."""
    table = []
    for row in class_counts(X, Y, s):
        table.append([(1 + n) / (len(row) + sum(row)) for n in row])
    return np.array(table)


def eq_3_priors(X, Y, s=None):
    """p(c_j) = |c_j| / |S| (Schneider 2004, eq. 3)."""
    return class_priors(X, Y, s)


def eq_4_mi(X, Y, s=None):
    """MI(W_t; C) with word events (Schneider 2004, eq. 4).

    The event is one occurrence of a word: p(W_t = 1, c_j) is the share of all occurrences that are of w_t
    in a document of c_j, and p(c_j) the share of all occurrences that are in documents of c_j.
    """
    _, C, V = sizes(X, Y)
    n_ct, n_t = class_counts(X, Y, s), all_counts(X, s)
    n = sum(n_t)
    out = []
    for t in range(V):
        total = 0.0
        for c in range(C):
            p_c = sum(n_ct[c]) / n
            for p_xc, p_x in (
                (n_ct[c][t] / n, n_t[t] / n),
                ((sum(n_ct[c]) - n_ct[c][t]) / n, (n - n_t[t]) / n),
            ):
                total += x_log_ratio(p_xc, p_xc, p_x * p_c)
        out.append(total)
    return np.array(out)


def document_probabilities(X):
    """p(w_t|d) = n(w_t, d) / |d| (Schneider 2004, before eq. 6); zeros for a document without words."""
    return [[x / sum(row) if sum(row) > 0 else 0 for x in row] for row in X]


def eq_8_kl(X, Y, s=None):
    """KL_t(S): the mean over the documents of p(w|d) log(p(w|d) / p(w|c(d))) (Schneider 2004, eq. 8).

    The divergence "for a word" is that word's term of eq. 5, which is 0 where the document lacks it.
    A document of several classes adds one such term for each of them.
    """
    n, C, V = sizes(X, Y)
    s, p_d, p_c = weights_or_ones(X, s), document_probabilities(X), eq_2_probabilities(X, Y, s)
    out = []
    for t in range(V):
        total = 0.0
        for d in range(n):
            for c in range(C):
                if Y[d][c]:
                    total += s[d] * x_log_ratio(p_d[d][t], p_d[d][t], p_c[c][t])
        out.append(total / all_documents(X, s))
    return np.array(out)


def exact_k(X, Y, s=None):
    """The exact counterpart of eq. 12: the mean over the documents of p(w|d) log(p(w|d) / p(w)).

    The paper calls eq. 12 an approximation of "the average divergence of the distribution of w_t in the
    individual training documents from the global distribution"; this is that average. p(w) as in eq. 12.
    """
    s, p_d, p = weights_or_ones(X, s), document_probabilities(X), p_w(X, s)
    out = []
    for t in range(len(X[0])):
        total = 0.0
        for d in range(len(X)):
            total += s[d] * x_log_ratio(p_d[d][t], p_d[d][t], p[t])
        out.append(total / all_documents(X, s))
    return np.array(out)


def exact_score(X, Y, s=None):
    """kl_exact: the exact K_t(S) minus eq. 8, what eq. 13 approximates."""
    return exact_k(X, Y, s) - eq_8_kl(X, Y, s)


def q_wc(X, Y, s=None):
    """q(w_t|c_j) = N_jt / |c_j|, the share of the class's documents with the word (before eq. 11)."""
    N_jt, size = class_document_frequencies(X, Y, s), class_documents(X, Y, s)
    return np.array([[N / size[c] for N in N_jt[c]] for c in range(len(size))])


def p_w(X, s=None):
    """p(w_t): occurrences of w_t over all occurrences (Schneider 2004, before eq. 12)."""
    n_t = all_counts(X, s)
    return [n / sum(n_t) for n in n_t]


def q_w(X, s=None):
    """q(w_t): the share of all documents with the word (Schneider 2004, before eq. 12)."""
    return [df / all_documents(X, s) for df in document_frequencies(X, s)]


def eq_10_kl(X, Y, s=None):
    """The approximate KL_t(S) as eqs. 9 and 10 write it, before it is simplified (Schneider 2004, eq. 10)."""
    _, C, V = sizes(X, Y)
    p, N_jt, size = eq_2_probabilities(X, Y, s), class_document_frequencies(X, Y, s), class_documents(X, Y, s)
    out = []
    for t in range(V):
        total = 0.0
        for j in range(C):
            p_tilde = p[j][t] * size[j] / N_jt[j][t] if N_jt[j][t] > 0 else 0
            total += N_jt[j][t] * x_log_ratio(p_tilde, p_tilde, p[j][t])
        out.append(total / all_documents(X, s))
    return np.array(out)


def eq_11_kl(X, Y, s=None):
    """-sum_j p(c_j) p(w_t|c_j) log q(w_t|c_j), the classes with the word only (Schneider 2004, eq. 11)."""
    _, C, V = sizes(X, Y)
    prior, p, q = eq_3_priors(X, Y, s), eq_2_probabilities(X, Y, s), q_wc(X, Y, s)
    out = []
    for t in range(V):
        total = 0.0
        for j in range(C):
            if q[j][t] > 0:
                total -= prior[j] * p[j][t] * log(q[j][t])
        out.append(total)
    return np.array(out)


def eq_12_k(p, q):
    """-p(w_t) log q(w_t), 0 for a word in no document (Schneider 2004, eq. 12)."""
    return np.array([-p[t] * log(q[t]) if q[t] > 0 else 0.0 for t in range(len(p))])


def eq_13_kl_score(X, Y, s=None):
    """KL(w_t): eq. 12 minus eq. 11 (Schneider 2004, eq. 13)."""
    return eq_12_k(p_w(X, s), q_w(X, s)) - eq_11_kl(X, Y, s)


def eq_14_p(X, Y, s=None):
    """p'(w_t) = sum_j p(c_j) p(w_t|c_j) (Schneider 2004, eq. 14)."""
    _, C, V = sizes(X, Y)
    prior, p = eq_3_priors(X, Y, s), eq_2_probabilities(X, Y, s)
    return [sum(prior[j] * p[j][t] for j in range(C)) for t in range(V)]


def eq_14_dkl_score(X, Y, s=None):
    """dKL(w_t): eq. 13 with p'(w_t) of eq. 14 in eq. 12 (Schneider 2004, eq. 14)."""
    return eq_12_k(eq_14_p(X, Y, s), q_w(X, s)) - eq_11_kl(X, Y, s)
