"""Speed of the classifiers and the term selector compared with scikit-learn on 20 Newsgroups.

Both libraries get the counts of ``TextCounter()`` and integer labels, as scikit-learn's loader returns them.
Before timing, their scores and predictions are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn import naive_bayes as peer
from sklearn.feature_selection import SelectKBest, chi2

from corpora import BenchmarkCorpus, missing_note, newsgroups_or_docstrings
from measure import Run, Target, Timing, interleave, ratio
from options import asked, timing_options
from report import Report, machine
from textbayes import ComplementNB, MultinomialNB, TermSelector, TextCounter
from textbayes.datasets import load_docstrings, load_newsgroups
from textbayes.terms import SCORES

OURS, PEER = "textbayes", "scikit-learn"
CHI2 = "scikit-learn SelectKBest(chi2)"
KEPT_TERMS = 10_000
FIT, PREDICT, SELECT = 5, 3, 5
# A score is a sum of a thousand products, which the two libraries add in different orders.
AGREE = 1e-12

Make = Callable[[], Any]
MODELS: dict[str, tuple[Make, Make]] = {
    "MultinomialNB": (MultinomialNB, peer.MultinomialNB),
    "ComplementNB": (ComplementNB, peer.ComplementNB),
    "ComplementNB, norm": (partial(ComplementNB, norm=True), partial(peer.ComplementNB, norm=True)),
}


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts of the training and test split, and the training labels."""

    train: csr_matrix
    labels: NDArray[np.intp]
    test: csr_matrix


def main() -> None:
    """Run the benchmark and write its report."""
    options = asked(timing_options(__doc__))
    corpus = newsgroups_or_docstrings()
    report = Report(f"Classifying {corpus.name}", machine(corpus, options.rounds))
    if corpus.stand_in:
        report.note(missing_note())
    counted = _counted(corpus, options.documents)
    report.facts["counts"] = _described(counted)
    check_agreement(counted)
    report.add_targets(_measure(counted, options.rounds, report))
    report.deliver(options, "classifiers")


def _counted(corpus: BenchmarkCorpus, documents: int | None) -> Counted:
    labelled = load_docstrings() if corpus.stand_in else load_newsgroups()
    # Spread over the split, so that a quick trial has more than one class.
    train, test = (
        split if documents is None else split[:: max(1, len(split) // documents)]
        for split in (labelled.train, labelled.test)
    )
    counter = TextCounter()
    rows = counter.fit_transform(train.texts)
    return Counted(
        rows, np.unique(np.array(train.label), return_inverse=True)[1], counter.transform(test.texts)
    )


def _described(counted: Counted) -> str:
    (documents, terms), entries = counted.train.shape, counted.train.nnz
    return (
        f"{documents:,} × {terms:,} with {entries:,} entries to train on, {counted.test.shape[0]:,} × "
        f"{terms:,} with {counted.test.nnz:,} to predict, {counted.labels.max() + 1} classes"
    )


def check_agreement(counted: Counted) -> None:
    """Stop unless both libraries give the same scores (up to rounding) and labels."""
    for name, (make, make_peer) in MODELS.items():
        ours = make().fit(counted.train, counted.labels)
        theirs = make_peer().fit(counted.train, counted.labels)
        expected = theirs._joint_log_likelihood(counted.test)
        apart = np.abs(ours.decision_function(counted.test) - expected).max() / np.abs(expected).max()
        if apart > AGREE or not np.array_equal(ours.predict(counted.test), theirs.predict(counted.test)):
            raise SystemExit(
                f"{name} is {apart:.1e} apart from scikit-learn's, so the timings cannot be compared."
            )


def _measure(counted: Counted, rounds: int, report: Report) -> list[Target]:
    targets = []
    for name, makers in MODELS.items():
        for title, runs, least in _contests(makers, counted, rounds):
            timings = interleave(runs, rounds)
            report.add_timings(f"{name}: {title}", timings, against={"÷ textbayes": OURS})
            targets.append(_target(f"{name}: {title}", timings, PEER, OURS, least))
    timings = interleave(_selectors(counted), rounds)
    report.add_timings("selecting terms: fit", timings, against={"÷ SelectKBest": CHI2})
    targets += [_target(f"TermSelector({score!r})", timings, CHI2, score, SELECT) for score in SCORES]
    return targets


def _contests(
    makers: tuple[Make, Make], counted: Counted, rounds: int
) -> list[tuple[str, dict[str, Run], float]]:
    X, y, new = counted.train, counted.labels, counted.test
    named = dict(zip((OURS, PEER), makers, strict=True))
    return [
        ("fit", {name: partial(_fit, make, X, y) for name, make in named.items()}, FIT),
        (
            "first predict after fit",
            # One fitted model per round, and one for the warm-up, so that fit is not timed.
            {
                name: _predict_once([_fit(make, X, y) for _ in range(rounds + 1)], new)
                for name, make in named.items()
            },
            PREDICT,
        ),
        ("predict", {name: partial(_fit(make, X, y).predict, new) for name, make in named.items()}, PREDICT),
    ]


def _fit(make: Make, X: csr_matrix, y: NDArray[np.intp]) -> Any:
    return make().fit(X, y)


def _predict_once(models: list[Any], new: csr_matrix) -> Run:
    return lambda: models.pop().predict(new)


def _selectors(counted: Counted) -> dict[str, Run]:
    k = min(KEPT_TERMS, counted.train.shape[1])
    makers: dict[str, Make] = {CHI2: partial(SelectKBest, chi2, k=k)}
    makers |= {score: partial(TermSelector, score, k=k) for score in SCORES}
    return {name: partial(_fit, make, counted.train, counted.labels) for name, make in makers.items()}


def _target(name: str, timings: dict[str, Timing], slow: str, fast: str, least: float) -> Target:
    promise = f"{name}: at least {least:g} × as fast as {slow}"
    return Target(promise, ratio(timings[slow], timings[fast]).median, least)


if __name__ == "__main__":
    main()
