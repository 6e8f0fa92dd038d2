"""Hsieh, Chang, Lin, Keerthi and Sundararajan (2008), "A dual coordinate descent method for large-scale
linear SVM", literally.

Algorithm 1 for the L2-loss SVM, with a constant feature 1 whose weight is the bias; and the optimality
condition as an equation.
"""

import numpy as np


def with_ones(X):
    """Append the constant feature 1 to each document."""
    return np.column_stack([np.asarray(X, dtype=float), np.ones(len(X))])


def dual_coordinate_descent(X, signs, cost, weights=None, rounds=2000):
    """(w, b) of one class; signs are 1 for its documents, −1 for the others."""
    X = with_ones(X)
    weights = np.ones(len(X)) if weights is None else weights
    alpha, w = np.zeros(len(X)), np.zeros(X.shape[1])
    for _ in range(rounds):
        for i in range(len(X)):
            if weights[i] == 0:
                continue
            D = 1 / (2 * cost * weights[i])
            G = signs[i] * (w @ X[i]) - 1 + D * alpha[i]
            old, alpha[i] = alpha[i], max(alpha[i] - G / (X[i] @ X[i] + D), 0)
            w += (alpha[i] - old) * signs[i] * X[i]
    return w[:-1], w[-1]


def one_against_the_rest(X, truth, cost, weights=None):
    """(weights, biases) of all classes; truth is an indicator."""
    found = [dual_coordinate_descent(X, np.where(own, 1, -1), cost, weights) for own in np.transpose(truth)]
    return np.array([w for w, _ in found]), np.array([b for _, b in found])


def counted_documents(X, truth, cost, table, biases, weights=None):
    """Σ ±2 · cost · shortfall · x for each class, bias last; at the optimum, these are the weights."""
    X, signs = np.asarray(X, dtype=float), np.where(truth, 1, -1)
    shortfalls = np.maximum(0, 1 - signs * (X @ table.T + biases))
    counts = 2 * cost * signs * shortfalls * (1 if weights is None else np.asarray(weights)[:, None])
    return counts.T @ with_ones(X)
