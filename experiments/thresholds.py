"""Thresholds of Reuters' ninety categories, chosen without a look at the test documents.

The protocol of notes_table.py: 9,603 / 3,299 documents, 19,955 stems. Each model learns the training
documents; its thresholds come from its leave-one-out scores of the same documents; F1 is that of the test
documents. The rule: SCut with a shrinkage of 10, ratios from 1/4 to 4. Theta is the notes' .001 and .01.
Beside it: the same on training scores, which the model has seen; plain SCut; and PCut.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from notes_table import counted
from textbayes import ComplementNB, FrequencyTransform, PoissonNB, TextCounter
from textbayes.datasets import categories_in_both, load_reuters21578
from textbayes.decisions import proportional_thresholds, scut_thresholds
from written import conditions, markdown_table, share, use_shared_corpora, write_results

Reals = NDArray[np.float64]
Flags = NDArray[np.bool_]
AIM = (0.84, 0.55)
MODELS: list[tuple[str, Any, bool]] = [
    ('PoissonNB(0.001, weighting="ratio")', PoissonNB(0.001, weighting="ratio"), False),
    ('PoissonNB(0.01, weighting="chi2")', PoissonNB(0.01, weighting="chi2"), False),
    ('ComplementNB(against="all"), transforms', ComplementNB(against="all"), True),
    ('ComplementNB(against="all", norm=True), transforms', ComplementNB(against="all", norm=True), True),
]


def f1(given: Flags, truth: Flags) -> tuple[float, float]:
    """Return micro and macro F1; a category never given, or never right, has 0."""
    hits, sizes = (given & truth).sum(axis=0), given.sum(axis=0) + truth.sum(axis=0)
    macro = np.divide(2.0 * hits, sizes, out=np.zeros(len(hits)), where=sizes > 0).mean()
    return float(2.0 * hits.sum() / max(sizes.sum(), 1)), float(macro)


def main() -> None:
    """Measure the models and write the table."""
    use_shared_corpora()
    reuters = load_reuters21578()
    stems = TextCounter(tokens="letters", stop_words="english", stemmer="porter")
    problem = counted(reuters, categories_in_both(reuters), stems)
    transform = FrequencyTransform().fit(problem.train)
    truth = problem.topics > 0
    figures: dict[str, dict[str, Any]] = {}
    for name, model, transformed in MODELS:
        train, test = (
            transform.transform(rows) if transformed else rows for rows in (problem.train, problem.test)
        )
        model.fit(train, problem.topics)
        begun = time.perf_counter()
        left_out = model.loo_scores(train, problem.topics)
        seconds = time.perf_counter() - begun
        seen, scores = model.decision_function(train), model.decision_function(test)
        found = {rule: f1(scores > cut, problem.truth) for rule, cut in _cuts(left_out, seen, truth).items()}
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
    best = max(figures.values(), key=lambda found: found["f1"][rules[0]][0])["f1"][rules[0]]
    met = all(measured >= wanted for measured, wanted in zip(best, AIM, strict=True))
    aim, measured = (" / ".join(map(share, pair)) for pair in (AIM, best))
    verdict = f"Wanted of the best model: {aim}. Measured: {measured}, {'met' if met else 'not met'}."
    page = "\n\n".join(
        [
            "# Thresholds without a look at the test documents",
            "Reuters-21578, 90 categories. F1 on the test documents, micro / macro.",
            verdict,
            markdown_table(["", *rules], rows),
        ]
    )
    write_results("thresholds", {**conditions(), "aim": AIM, "models": figures}, page)


if __name__ == "__main__":
    main()
