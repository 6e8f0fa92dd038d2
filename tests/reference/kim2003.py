"""Kim, Seo and Rim (2003), "Poisson Naive Bayes for Text Classification with Feature Weighting".

|V| is the number of columns. Complement means the documents without the class. A sample weight is a
document's share in g (a weight of 2 is the document twice); x, dl and the smoothing of eq. 7 use no weights.
"""

from math import exp, log

import numpy as np

from .multilabel import (
    class_document_frequencies,
    class_documents,
    class_priors,
    complement,
    sizes,
    weights_or_ones,
)


def eq_3_posterior(z, prior):
    """p(c|d) = e^z p(c) / (e^z p(c) + p(c-bar)) (Kim 2003, eq. 3)."""
    odds = exp(z) * prior
    return odds / (odds + (1 - prior))


def eq_6_log_odds(f, lam, mu):
    """sum_i log of a ratio of Poisson probabilities; the f! of eq. 5 cancels (Kim 2003, eqs. 4 to 6)."""
    return sum((-lam[i] + f[i] * log(lam[i])) - (-mu[i] + f[i] * log(mu[i])) for i in range(len(f)))


def eq_7_frequency(X, theta, tau=1):
    """f_ij = (x_ij + theta) / (dl_j + theta |V|) tau (Kim 2003, eq. 7)."""
    V = len(X[0])
    return np.array([[(x + theta) / (sum(row) + theta * V) * tau for x in row] for row in X])


def eq_9_g(X, has, alpha, s=None):
    """g(d|c): uniform and length-proportional shares interpolated (Kim 2003, eq. 9).

    `has[d]` says whether document d is in D_c. Where no document of D_c has a word, the second share is
    uniform too.
    """
    s = weights_or_ones(X, s)
    inside = [s[d] if has[d] else 0 for d in range(len(X))]
    size = sum(inside)
    words = sum(inside[d] * sum(X[d]) for d in range(len(X)))
    g = []
    for d in range(len(X)):
        by_length = inside[d] * sum(X[d]) / words if words > 0 else inside[d] / size
        g.append(alpha * inside[d] / size + (1 - alpha) * by_length)
    return g


def eq_8_means(X, Y, theta, alpha, s=None, tau=1):
    """lambda_i of every class: the mean of f over D_c with the shares g (Kim 2003, eq. 8)."""
    n, C, V = sizes(X, Y)
    f = eq_7_frequency(X, theta, tau)
    table = []
    for c in range(C):
        g = eq_9_g(X, [row[c] for row in Y], alpha, s)
        table.append([sum(g[d] * f[d][i] for d in range(n)) for i in range(V)])
    return np.array(table)


def complement_means(X, Y, theta, alpha, s=None, tau=1):
    """mu_i of every class, "in the same manner" from the documents without it (Kim 2003, after eq. 9)."""
    return eq_8_means(X, complement(Y), theta, alpha, s, tau)


def table_1(X, Y, s=None):
    """(a, b, c, d) of every class and term (Kim 2003, table 1)."""
    _, C, V = sizes(X, Y)
    inside, outside = class_document_frequencies(X, Y, s), class_document_frequencies(X, complement(Y), s)
    N_in, N_out = class_documents(X, Y, s), class_documents(X, complement(Y), s)
    return [
        [(inside[c][i], N_in[c] - inside[c][i], outside[c][i], N_out[c] - outside[c][i]) for i in range(V)]
        for c in range(C)
    ]


def eq_11_information_gain(X, Y, s=None):
    """H(C) - H(C|W_i) on document events, natural logarithms, 0 log 0 = 0 (Kim 2003, eq. 11)."""
    table = []
    for row in table_1(X, Y, s):
        gains = []
        for a, b, c, d in row:
            N = a + b + c + d
            gain = 0.0
            for joint, p_c, p_w in (
                (a, a + b, a + c),
                (b, a + b, b + d),
                (c, c + d, a + c),
                (d, c + d, b + d),
            ):
                if joint > 0:
                    gain += joint / N * log((joint * N) / (p_c * p_w))
            gains.append(gain)
        table.append(gains)
    return np.array(table)


def eq_12_chi2(X, Y, s=None):
    """(ad - bc)^2 / ((a+b)(a+c)(b+d)(c+d)), no N in front (Kim 2003, eq. 12).

    0 for a term in all documents or in none, where the quotient is 0/0.
    """
    table = []
    for row in table_1(X, Y, s):
        scores = []
        for a, b, c, d in row:
            below = (a + b) * (a + c) * (b + d) * (c + d)
            scores.append((a * d - b * c) ** 2 / below if below > 0 else 0)
        table.append(scores)
    return np.array(table)


def eq_13_ratio(lam, mu):
    """lambda'/mu' + mu'/lambda': p(w|c) and p(w|c-bar) are the smoothed means (Kim 2003, eq. 13)."""
    return np.array(
        [[lam[c][i] / mu[c][i] + mu[c][i] / lam[c][i] for i in range(len(lam[c]))] for c in range(len(lam))]
    )


def weights(X, Y, theta, alpha, weighting=None, s=None):
    """w_ic of every class and term: eq. 11, 12 or 13, or 1 where there is no weighting."""
    if weighting == "ig":
        return eq_11_information_gain(X, Y, s)
    if weighting == "chi2":
        return eq_12_chi2(X, Y, s)
    if weighting == "ratio":
        return eq_13_ratio(eq_8_means(X, Y, theta, alpha, s), complement_means(X, Y, theta, alpha, s))
    return np.array([[1] * len(X[0]) for _ in Y[0]])


def eq_10_z(X, X_train, Y, theta, alpha, weighting=None, s=None, tau=1):
    """z_jc over the whole vocabulary, absent terms included, tau kept throughout (Kim 2003, eq. 10)."""
    lam, mu = eq_8_means(X_train, Y, theta, alpha, s, tau), complement_means(X_train, Y, theta, alpha, s, tau)
    w, f = weights(X_train, Y, theta, alpha, weighting, s), eq_7_frequency(X, theta, tau)
    z = np.zeros((len(X), len(Y[0])))
    for j in range(len(X)):
        for c in range(len(Y[0])):
            W = sum(w[c])
            for i in range(len(X[0])):
                above = -lam[c][i] + f[j][i] * log(lam[c][i])
                below = -mu[c][i] + f[j][i] * log(mu[c][i])
                z[j, c] += w[c][i] / W * (above - below)
    return z


def eq_14_parts(X, X_train, Y, theta, alpha, weighting=None, s=None):
    """(W_c, A_c, B_c, z-hat_jc, dl'_j), the parts of eqs. 14 and 15 (Kim 2003, section 3.4)."""
    lam, mu = eq_8_means(X_train, Y, theta, alpha, s), complement_means(X_train, Y, theta, alpha, s)
    w = weights(X_train, Y, theta, alpha, weighting, s)
    terms, classes = range(len(X[0])), range(len(Y[0]))
    W = [sum(w[c]) for c in classes]
    A = [sum(w[c][i] * (mu[c][i] - lam[c][i]) for i in terms) for c in classes]
    B = [theta * sum(w[c][i] * log(lam[c][i] / mu[c][i]) for i in terms) for c in classes]
    z_hat = [
        [sum(w[c][i] * x[i] * log(lam[c][i] / mu[c][i]) for i in terms if x[i] > 0) for c in classes]
        for x in X
    ]
    return W, A, B, z_hat, [sum(x) + theta * len(x) for x in X]


def eq_14_z(X, X_train, Y, theta, alpha, weighting=None, s=None, tau=1):
    """z_jc = tau / W_c (A_c + (B_c + z-hat_jc) / dl'_j) (Kim 2003, eq. 14)."""
    W, A, B, z_hat, dl = eq_14_parts(X, X_train, Y, theta, alpha, weighting, s)
    return np.array(
        [[tau / W[c] * (A[c] + (B[c] + z_hat[j][c]) / dl[j]) for c in range(len(W))] for j in range(len(X))],
        dtype=float,
    )


def eq_15_z_star(X, X_train, Y, theta, alpha, weighting=None, s=None):
    """z*_jc = (B_c + z-hat_jc) / dl'_j (Kim 2003, eq. 15)."""
    W, _, B, z_hat, dl = eq_14_parts(X, X_train, Y, theta, alpha, weighting, s)
    return np.array(
        [[(B[c] + z_hat[j][c]) / dl[j] for c in range(len(W))] for j in range(len(X))], dtype=float
    )


def posteriors(X, X_train, Y, theta, alpha, weighting=None, s=None, tau=1):
    """Eq. 3 with the z of eq. 14 for every class against its complement, not normalised over classes."""
    z, prior = eq_14_z(X, X_train, Y, theta, alpha, weighting, s, tau), class_priors(X_train, Y, s)
    return np.array([[eq_3_posterior(z[j][c], prior[c]) for c in range(len(prior))] for j in range(len(X))])
