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
