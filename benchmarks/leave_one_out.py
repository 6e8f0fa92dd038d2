"""Cost of leave-one-out compared with one scoring pass over the same documents, on 20 Newsgroups.

A pass is ``decision_function`` of a newly fitted model, including the weights, because ``loo_scores`` also
computes its weights. Before timing, some documents are checked against models that forget them.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from classifiers import Counted, _counted, _described
from corpora import missing_note, newsgroups_or_docstrings
from measure import Run, Target, interleave, ratio
from options import asked, timing_options
from report import Report, machine
from textbayes import CentroidClassifier, ComplementNB, FrequencyTransform, MultinomialNB

PASS, LEFT_OUT = "one scoring pass", "loo_scores"
AT_MOST = 3
AGREE = 1e-9
MODELS: dict[str, tuple[Any, bool]] = {
    "MultinomialNB": (MultinomialNB(), True),
    'MultinomialNB, class_length="min"': (MultinomialNB(class_length="min"), True),
    "ComplementNB": (ComplementNB(), True),
    'ComplementNB, against="class"': (ComplementNB(against="class"), True),
    'ComplementNB, against="all"': (ComplementNB(against="all"), True),
    "ComplementNB, norm": (ComplementNB(norm=True), True),
    'ComplementNB, against="all", norm': (ComplementNB(against="all", norm=True), False),
    "CentroidClassifier": (CentroidClassifier(), True),
}


def main() -> None:
    """Run the benchmark and write its report."""
    options = asked(timing_options(__doc__))
    corpus = newsgroups_or_docstrings()
    report = Report(f"Leave-one-out on {corpus.name}", machine(corpus, options.rounds))
    if corpus.stand_in:
        report.note(missing_note())
    counted = _counted(corpus, options.documents)
    report.facts["counts"] = _described(counted)
    check_agreement(counted)
    report.add_targets(_measure(counted, options.rounds, report))
    report.deliver(options, "leave_one_out")


def check_agreement(counted: Counted) -> None:
    """Stop unless ten documents get the scores of models that have forgotten them."""
    X, y = counted.train, counted.labels
    sizes = np.bincount(y)
    several = np.flatnonzero(sizes[y] > 1)
    for name, (model, _) in MODELS.items():
        fitted = copy.deepcopy(model).fit(X, y)
        left_out = fitted.loo_scores(X, y)
        for row in several[:: max(1, len(several) // 10)]:
            expected = copy.deepcopy(fitted).forget(X[[row]], y[[row]]).decision_function(X[[row]])[0]
            apart = np.abs(left_out[row] - expected).max() / np.abs(expected).max()
            if apart > AGREE:
                raise SystemExit(f"{name} is {apart:.1e} apart from a refit, so there is nothing to time.")


def _measure(counted: Counted, rounds: int, report: Report) -> list[Target]:
    targets = []
    weighted = FrequencyTransform().fit(counted.train).transform(counted.train)
    for kind, X in (("counts", counted.train), ("log, idf, length", weighted)):
        for name, (model, promised) in MODELS.items():
            runs = _runs(
                lambda model=model, X=X: copy.deepcopy(model).fit(X, counted.labels), X, counted, rounds
            )
            timings = interleave(runs, rounds)
            title = f"{name}: {kind}"
            report.add_timings(title, timings, against={"÷ one pass": PASS})
            if promised:
                cost = ratio(timings[LEFT_OUT], timings[PASS]).median
                promise = f"{title}: at most {AT_MOST} × one pass"
                targets.append(Target(promise, cost, AT_MOST, at_least=False))
    return targets


def _runs(fit: Callable[[], Any], X: Any, counted: Counted, rounds: int) -> dict[str, Run]:
    # One fitted model per round, and one for the warm-up, so that fit is not timed.
    models = [fit() for _ in range(rounds + 1)]
    return {
        PASS: lambda: models.pop().decision_function(X),
        LEFT_OUT: partial(fit().loo_scores, X, counted.labels),
    }


if __name__ == "__main__":
    main()
