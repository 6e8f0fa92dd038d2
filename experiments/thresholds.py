"""Thresholds for the ninety categories of Reuters, chosen on training documents only.

The protocol of reuters_tables.py: 9,603 / 3,299 documents, 19,955 stems. Each model is fitted on the training
documents, its thresholds come from their leave-one-out scores, and F1 is measured on the test documents. The
rule is SCut with a shrinkage of 10 and ratios from 1/4 to 4; theta is .001 and .01. For comparison: SCut on
training scores, SCut without shrinkage, and PCut.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes import ComplementNB, FrequencyTransform, PoissonNB
from textbayes.datasets import load_reuters21578
from textbayes.decisions import proportional_thresholds, scut_thresholds
from textbayes.papers import kim2003
from written import conditions, markdown_table, share, use_shared_corpora, write_results

Reals = NDArray[np.float64]
Flags = NDArray[np.bool_]
MODELS: list[tuple[str, Any, bool]] = [
    ('PoissonNB(0.001, weighting="ratio")', PoissonNB(0.001, weighting="ratio"), False),
    ('PoissonNB(0.01, weighting="chi2")', PoissonNB(0.01, weighting="chi2"), False),
    ('ComplementNB(against="all"), transforms', ComplementNB(against="all"), True),
    ('ComplementNB(against="all", norm=True), transforms', ComplementNB(against="all", norm=True), True),
]


def f1(given: Flags, truth: Flags) -> tuple[float, float]:
    """Return micro and macro F1; a category that is never predicted, or never correctly, has 0."""
    hits, sizes = (given & truth).sum(axis=0), given.sum(axis=0) + truth.sum(axis=0)
    macro = np.divide(2.0 * hits, sizes, out=np.zeros(len(hits)), where=sizes > 0).mean()
    return float(2.0 * hits.sum() / max(sizes.sum(), 1)), float(macro)


def main() -> None:
    """Measure the models and write the table."""
    use_shared_corpora()
    problem = kim2003.reuters_problem(load_reuters21578())
    topics = problem.topics.astype(np.int64)
    transform = FrequencyTransform().fit(problem.train)
    figures: dict[str, dict[str, Any]] = {}
    for name, model, transformed in MODELS:
        train, test = (
            transform.transform(rows) if transformed else rows for rows in (problem.train, problem.test)
        )
        model.fit(train, topics)
        begun = time.perf_counter()
        left_out = model.loo_scores(train, topics)
        seconds = time.perf_counter() - begun
        seen, scores = model.decision_function(train), model.decision_function(test)
        found = {
            rule: f1(scores > cut, problem.truth)
            for rule, cut in _cuts(left_out, seen, problem.topics).items()
        }
        figures[name] = {"f1": found, "leave_one_out_seconds": round(seconds, 1)}
    _write(figures)


def _cuts(left_out: Reals, seen: Reals, truth: Flags) -> dict[str, Reals]:
    return {
        "SCut, shrinkage 10": scut_thresholds(left_out, truth).thresholds,
        "SCut, no shrinkage": scut_thresholds(left_out, truth, 0.0).thresholds,
        "PCut": proportional_thresholds(left_out, truth),
        "SCut on training scores": scut_thresholds(seen, truth).thresholds,
    }


def _write(figures: dict[str, dict[str, Any]]) -> None:
    rules = list(next(iter(figures.values()))["f1"])
    rows = [
        [name, *(" / ".join(map(share, found["f1"][rule])) for rule in rules)]
        for name, found in figures.items()
    ]
    page = "\n\n".join(
        [
            "# Thresholds from leave-one-out scores",
            "Reuters-21578, 90 categories. F1 on the test documents, micro / macro.",
            markdown_table(["", *rules], rows),
        ]
    )
    write_results("thresholds", {**conditions(), "models": figures}, page)


if __name__ == "__main__":
    main()
