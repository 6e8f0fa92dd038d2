"""Speed of LinearSVM compared with scikit-learn's LinearSVC on 20 Newsgroups.

Both are fitted on ``FrequencyTransform(idf="smooth")`` of words, to the same tolerance. ``LinearSVC`` trains
one class after the other in double precision. Before timing, the scores are compared at a smaller tolerance.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from sklearn.svm import LinearSVC

import textbayes.weights.linear_svm as core
from classifiers import Counted, _counted, _described
from corpora import missing_note, newsgroups_or_docstrings
from measure import Run, Target, interleave, ratio
from options import asked, timing_options
from report import Report, machine
from textbayes import FrequencyTransform, LinearSVM

OURS, ONE, PEER = "textbayes", "textbayes, one thread", "scikit-learn LinearSVC"
TOLERANCE, CLOSE = 0.1, 0.001
AGREE = 0.01
LEAST = 2


def main() -> None:
    """Run the benchmark and write its report."""
    options = asked(timing_options(__doc__))
    corpus = newsgroups_or_docstrings()
    report = Report(f"Linear SVM on {corpus.name}", machine(corpus, options.rounds))
    if corpus.stand_in:
        report.note(missing_note())
    counted = _unit(_counted(corpus, options.documents))
    report.facts["counts"] = _described(counted)
    check_agreement(counted)
    report.add_targets(_measure(counted, options.rounds, report))
    report.deliver(options, "linear_svm")


def _unit(counted: Counted) -> Counted:
    transform = FrequencyTransform(idf="smooth")
    return replace(
        counted, train=transform.fit_transform(counted.train), test=transform.transform(counted.test)
    )


def check_agreement(counted: Counted) -> None:
    """Stop unless both give the same scores to 0.01."""
    ours, theirs = (make(CLOSE).fit(counted.train, counted.labels) for make in (_ours, _peer))
    apart = np.abs(ours.decision_function(counted.test) - theirs.decision_function(counted.test)).max()
    if apart > AGREE:
        raise SystemExit(f"The scores are {apart:.1e} apart, so the timings cannot be compared.")


def _measure(counted: Counted, rounds: int, report: Report) -> list[Target]:
    runs: dict[str, Run] = {
        OURS: partial(_learn, counted, core.available_threads()),
        ONE: partial(_learn, counted, 1),
        PEER: lambda: _peer(TOLERANCE).fit(counted.train, counted.labels),
    }
    timings = interleave(runs, rounds)
    report.add_timings("fit and weights", timings, against={"÷ textbayes": OURS, "÷ one thread": ONE})
    promise = f"LinearSVM: at least {LEAST} × as fast as LinearSVC"
    return [Target(promise, ratio(timings[PEER], timings[OURS]).median, LEAST)]


def _learn(counted: Counted, threads: int) -> Any:
    core.available_threads = lambda: threads
    model = _ours(TOLERANCE).fit(counted.train, counted.labels)
    # fit keeps the documents; the weights are computed at first use.
    return model.n_iter_


def _ours(tolerance: float) -> LinearSVM:
    return LinearSVM(tol=tolerance, random_state=0)


def _peer(tolerance: float) -> Any:
    return LinearSVC(C=1.0, dual=True, tol=tolerance, max_iter=100, random_state=0)


if __name__ == "__main__":
    main()
