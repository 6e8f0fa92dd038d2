"""Su, Zhang, Ling and Matwin (2008), "Discriminative Parameter Learning for Bayesian Networks", literally.

The frequency estimate for multinomial naive Bayes: every visit of a document adds its counts to its class,
times 1 − P(c|d) by the model so far. The model so far is P(w|c) = (alpha + n_wc) / (alpha k + n_c).
"""

from math import exp, log

import numpy as np


def class_probabilities(x, counts, priors, alpha):
    """P(c|d) of one document, by the counts so far."""
    scores = []
    for c, row in enumerate(counts):
        denominator = alpha * len(row) + sum(row)
        scores.append(log(priors[c]) + sum(x[t] * log((alpha + row[t]) / denominator) for t in range(len(x))))
    best = max(scores)
    shares = [exp(score - best) for score in scores]
    return [share / sum(shares) for share in shares]


def discriminative_counts(X, y, visits, block, alpha, weights=None):
    """n_wc after the visits; y is each document's class number. A block is judged by one model."""
    classes = max(y) + 1
    weights = [1.0] * len(X) if weights is None else list(weights)
    priors = [
        sum(w for w, k in zip(weights, y, strict=True) if k == c) / sum(weights) for c in range(classes)
    ]
    counts = np.zeros((classes, len(X[0])))
    for first in range(0, len(visits), block):
        some = visits[first : first + block]
        doubts = [1.0 - class_probabilities(X[d], counts, priors, alpha)[y[d]] for d in some]
        for d, doubt in zip(some, doubts, strict=True):
            counts[y[d]] += weights[d] * doubt * np.asarray(X[d])
    return counts, priors


def scores(X, counts, priors, alpha):
    """log P(c) + Σ x log P(w|c)."""
    total = alpha * counts.shape[1] + counts.sum(axis=1, keepdims=True)
    return np.asarray(X) @ np.log((alpha + counts) / total).T + np.log(priors)


def one_vs_rest_weights(X, truth, orders, block, alpha, weights=None, several=False, learn_biases=True):
    """Our two-sided version: (weights, biases), the mean over orders of visits; truth is an indicator."""
    X, truth = np.asarray(X, dtype=float), np.asarray(truth)
    settings = (block, alpha, weights, several, learn_biases)
    found = [_one_vs_rest(X, truth, visits, *settings) for visits in orders]
    return tuple(np.mean(parts, axis=0) for parts in zip(*found, strict=True))


def _one_vs_rest(X, truth, visits, block, alpha, weights, several, learn_biases):
    documents, classes = truth.shape
    weights = np.ones(documents) if weights is None else weights
    own = (truth * weights[:, None]).sum(axis=0)
    start = np.log((own + 1) / (sum(weights) - own + 1)) if several and learn_biases else np.zeros(classes)
    counts, rows = np.zeros((2, classes, X.shape[1])), np.zeros((2, classes))
    for first in range(0, len(visits), block):
        some = visits[first : first + block]
        biases = start + np.log((1 + rows[0]) / (1 + rows[1])) * learn_biases
        model = np.log((alpha + counts[0]) / (alpha + counts[1])), biases
        for d in some:
            shares = _shares(model[0] @ X[d] + model[1], several)
            for c in range(classes):
                error = 1 - shares[c] if truth[d, c] else shares[c]
                if error >= 0.01:
                    side = 0 if truth[d, c] else 1
                    counts[side, c] += weights[d] * error * X[d]
                    rows[side, c] += weights[d] * error
    biases = start + np.log((1 + rows[0]) / (1 + rows[1])) * learn_biases
    return np.log((alpha + counts[0]) / (alpha + counts[1])), biases


def _shares(scores, several):
    if several:
        return 1 / (1 + np.exp(-scores))
    shares = np.exp(scores - max(scores))
    return shares / sum(shares)
