"""Documents drawn from Poisson mixtures, and small classes to run EM on."""

import numpy as np

from .grim import background


def draw(rng, thetas, weights, documents, length):
    """Draw documents from a Poisson mixture; return X and the component of each."""
    origin = rng.choice(len(weights), size=documents, p=weights)
    lengths = rng.poisson(length, size=documents) + 1
    return rng.poisson(thetas[origin] * lengths[:, None]).astype(float), origin


def dense_documents(seed, classes=2, documents=14, terms=8):
    """Return real counts without zeros: every component has seen every term, so every theta is explicit."""
    rng = np.random.default_rng([2008, seed])
    X, y = [], []
    for c in range(classes):
        thetas = rng.dirichlet(np.full(terms, 0.6), size=2)
        counts, _ = draw(rng, thetas, [0.5, 0.5], documents + c, 30)
        X.append(counts + rng.uniform(0.05, 0.6, size=counts.shape))
        y += [f"c{c}"] * (documents + c)
    return np.concatenate(X), np.array(y)


def sparse_documents(seed, documents=30, terms=20):
    """Return integer counts with many zeros from classes of two components, so that some terms are unseen."""
    rng = np.random.default_rng([1899, seed])
    thetas = rng.dirichlet(np.full(terms, 0.3), size=(2, 2))
    parts = [draw(rng, thetas[c], [0.4, 0.6], documents, 12)[0] for c in range(2)]
    X = np.concatenate(parts)
    X[0, X.sum(axis=0) == 0] = 1  # every term is somewhere
    return X, np.array(["a"] * documents + ["b"] * documents)


def random_class(seed, M, real=False):
    """(X, theta_0, random components) with empty documents and terms of one document only."""
    rng = np.random.default_rng([seed, M])
    n, N = int(rng.integers(2, 9)), int(rng.integers(2, 7))
    X = rng.poisson(rng.uniform(0.3, 2.0), size=(n, N)) * (rng.uniform(0.2, 3, size=(n, N)) if real else 1.0)
    X[0] += 1
    other = rng.poisson(1.0, size=(4, N)) + 0.5
    theta_0 = background(np.concatenate([X, other]).tolist())
    q = rng.dirichlet(np.ones(M), size=n).tolist()
    return X.tolist(), theta_0, q
