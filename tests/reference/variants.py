"""Every classifier with every setting that changes its arithmetic, and documents for them."""

import numpy as np
from scipy import sparse

from textbayes import CentroidClassifier, ComplementNB, MultinomialNB, PoissonNB

LINEAR = [
    MultinomialNB(alpha=0.5),
    MultinomialNB(class_length=7.5),
    MultinomialNB(class_length="min", fit_prior=False),
    *(
        ComplementNB(norm=norm, against=against)
        for against in ("complement", "class", "all")
        for norm in (False, True)
    ),
    CentroidClassifier(),
    CentroidClassifier(norm="l1"),
]
POISSON = [PoissonNB(weighting=weighting) for weighting in (None, "ig", "chi2", "ratio")]
VARIANTS = [*LINEAR, *POISSON]
LABELS = ("밀", "قمح", "गेहूँ", "🌾 wheat", "crude")


def documents(count, columns, classes, seed=0, entries=6, real=False, multilabel=False):
    """Return random sparse documents, and labels ("class 7"; no class is empty) or an indicator."""
    rng = np.random.default_rng(seed)
    columns_of = rng.integers(0, columns, size=count * entries)
    values = rng.integers(1, 5, size=count * entries).astype(float)
    if real:
        values *= rng.uniform(0.1, 3.0, size=values.size)
    rows = np.repeat(np.arange(count), entries)
    X = sparse.csr_matrix((values, (rows, columns_of)), shape=(count, columns))
    if multilabel:
        return X, (rng.random((count, classes)) < 0.3).astype(int)
    codes = np.concatenate([np.arange(classes), rng.integers(0, classes, size=count - classes)])
    return X, np.array([f"class {code}" for code in codes])


def all_scores(model, X):
    """Return the score of every document and class, shape (documents, classes), from top_k."""
    labels, scores = model.top_k(X, len(model.classes_))
    places = np.searchsorted(model.classes_, labels)
    table = np.empty_like(scores)
    np.put_along_axis(table, places, scores, axis=1)
    return table


def state(model):
    """Return the complete state of a model, to compare bit by bit."""
    statistics = model._statistics
    arrays = {name: array.tobytes() for name, array in statistics.sums.state().items()}
    rest = (statistics.columns, model.n_features_in_, model.classes_.tolist(), statistics.order.tolist())
    return arrays, rest, model.class_documents_.tobytes(), list(getattr(model, "feature_names_in_", ()))
