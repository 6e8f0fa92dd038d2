"""Speed of the EM of PoissonMixtureNB compared with the same EM in scipy.sparse and numpy.

Counts of 20 Newsgroups by date, four components per class, a prior of 30 words, twenty iterations from a
random start on both sides. Before timing, three iterations of both from the same responsibilities must give
the same parameters. The peer is written twice: on all terms, as the equations are printed, and on the terms
of each class only, which is faster.
"""

from __future__ import annotations

import pickle
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.special import logsumexp

from classifiers import Counted, _counted, _described
from corpora import missing_note, newsgroups_or_docstrings
from measure import Target, interleave, ratio
from options import asked, timing_options
from report import Report, machine
from textbayes import PoissonMixtureNB

OURS, PLAIN, TRIMMED = "textbayes", "scipy, all terms", "scipy, the class's terms"
COMPONENTS, ITERATIONS, STRENGTH = 4, 20, 30.0
LEAST = 10
AGREE = 1e-9

Reals = NDArray[np.float64]


class Mixture(NamedTuple):
    """f(m) and θ of the components of a class; θ by component, on the given terms."""

    weights: Reals
    theta: Reals


def em(X: csr_matrix, q: Reals, background: Reals, iterations: int) -> Mixture:
    """Eqs. 16–21 on the documents of a class, from responsibilities q (documents, components)."""
    transposed, lengths = X.T.tocsr(), np.asarray(X.sum(axis=1)).ravel()
    for iteration in range(iterations + 1):
        sums, total = (transposed @ q).T, lengths @ q
        theta = (sums + STRENGTH * background) / (total + STRENGTH)[:, None]
        log_ratio, weights = np.log(theta / background), q.mean(axis=0)
        if iteration < iterations:
            scores = X @ log_ratio.T + np.log(weights) + np.outer(lengths, (background - theta).sum(axis=1))
            q = np.exp(scores - logsumexp(scores, axis=1, keepdims=True))
    return Mixture(weights, theta)


def dealt(documents: int, random: np.random.Generator) -> Reals:
    """Assign the documents to components at random."""
    return np.eye(COMPONENTS)[random.permutation(documents) % COMPONENTS]


def fit_plain(counted: Counted) -> list[Mixture]:
    """Every class on all terms."""
    random, X = np.random.default_rng(0), counted.train
    background = np.asarray(X.sum(axis=0)).ravel() / X.sum()
    groups = [X[counted.labels == label] for label in np.unique(counted.labels)]
    return [em(own, dealt(own.shape[0], random), background, ITERATIONS) for own in groups]


def fit_trimmed(counted: Counted) -> list[Mixture]:
    """Every class on its own terms; with all parameters kept, other terms do not change its scores."""
    random, X = np.random.default_rng(0), counted.train
    background, found = np.asarray(X.sum(axis=0)).ravel() / X.sum(), []
    for label in np.unique(counted.labels):
        own = X[counted.labels == label]
        terms = np.unique(own.indices)
        found.append(trimmed_em(own[:, terms], dealt(own.shape[0], random), background[terms]))
    return found


def trimmed_em(X: csr_matrix, q: Reals, background: Reals) -> Mixture:
    """Like em with all parameters kept: θ and θ_0 sum to 1, so lengths cancel in eq. 12."""
    transposed, lengths = X.T.tocsr(), np.asarray(X.sum(axis=1)).ravel()
    for iteration in range(ITERATIONS + 1):
        theta = ((transposed @ q).T + STRENGTH * background) / (lengths @ q + STRENGTH)[:, None]
        weights = q.mean(axis=0)
        if iteration < ITERATIONS:
            scores = X @ np.log(theta / background).T + np.log(weights)
            q = np.exp(scores - logsumexp(scores, axis=1, keepdims=True))
    return Mixture(weights, theta)


def ours(keep: float = 1.0, iterations: int = ITERATIONS) -> PoissonMixtureNB:
    """The same in textbayes."""
    options = {"smoothing": "prior", "background": STRENGTH, "keep": keep, "random_state": 0}
    return PoissonMixtureNB(COMPONENTS, max_iter=iterations, tol=0.0, **options)


def check_agreement(counted: Counted) -> None:
    """Stop unless three iterations of both give the same parameters."""
    first = ours(iterations=1).fit(counted.train, counted.labels)
    later = ours(iterations=4).fit(counted.train, counted.labels)
    label = first.classes_[0]
    X = counted.train[counted.labels == label].astype(float)
    q = first.responsibilities(X, label)
    expected = em(X, q, np.maximum(first.background_, 1e-300), 2)
    for at, component in enumerate(later.components_[0]):
        apart = np.abs(component.theta - expected.theta[at][component.terms]).max()
        if apart > AGREE * component.theta.max():
            raise SystemExit(f"The two are {apart:.1e} apart, so the timings cannot be compared.")


def main() -> None:
    """Run the benchmark and write its report."""
    options = asked(timing_options(__doc__, rounds=5))
    corpus = newsgroups_or_docstrings()
    report = Report(f"Mixtures on {corpus.name}", machine(corpus, options.rounds))
    if corpus.stand_in:
        report.note(missing_note())
    counted = _counted(corpus, options.documents)
    seen = np.unique(counted.train.indices)
    counted = Counted(counted.train[:, seen], counted.labels, counted.test[:, seen])
    report.facts["counts"] = _described(counted)
    check_agreement(counted)
    report.add_targets(_measure(counted, options.rounds, report))
    report.deliver(options, "mixture")


def _measure(counted: Counted, rounds: int, report: Report) -> list[Target]:
    X, y = counted.train, counted.labels
    everything = {
        OURS: lambda: ours().fit(X, y),
        PLAIN: partial(fit_plain, counted),
        TRIMMED: partial(fit_trimmed, counted),
    }
    timings = interleave(everything, rounds)
    report.add_timings("EM, everything kept", timings, against={"÷ textbayes": OURS})
    speed = ratio(timings[PLAIN], timings[OURS]).median
    _measure_kept(counted, rounds, report)
    return [Target(f"EM: at least {LEAST} × as fast as {PLAIN}", speed, LEAST)]


def _measure_kept(counted: Counted, rounds: int, report: Report) -> None:
    """Measure models with fewer parameters."""
    models = {f"keep={keep:g}": ours(keep).fit(counted.train, counted.labels) for keep in (1.0, 0.5, 0.1)}
    timings = interleave(
        {name: partial(model.predict, counted.test) for name, model in models.items()}, rounds
    )
    report.add_timings("predict", timings, against={"÷ keep=0.1": "keep=0.1"})
    rows = {
        name: (f"{model.n_parameters_:,}", f"{_entries(model):,}", f"{len(pickle.dumps(model)) / 1e6:.1f} MB")
        for name, model in models.items()
    }
    raw = {
        name: {"parameters": model.n_parameters_, "entries": _entries(model)}
        for name, model in models.items()
    }
    report.add_rows("stored", ["parameters", "entries", "pickled"], rows, raw)


def _entries(model: PoissonMixtureNB) -> int:
    return len(model.model_.own.terms) + len(model.model_.own.bare_terms)


if __name__ == "__main__":
    main()
