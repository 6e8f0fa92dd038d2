"""A model after a hundred corrections compared with the same model settled.

    .venv/bin/python experiments/corrections.py                    # 5 min; built-in corpus only
    .venv/bin/python experiments/corrections.py R8 WebKB-4 "20 Newsgroups"    # also corpora of the papers
    .venv/bin/python experiments/corrections.py --steps            # 4 min; how far a correction moves weights

- Corpora: the training split of the built-in docstrings, two thirds for training (docstring_problems.py), by
  module, by package and by kind. Defaults are judged there; corpora of the papers are reported only.
- ``TextClassifier(AutoNB(updates=...))`` with "any" and "auto" is fitted. Then it is taught 100 texts of the
  other side, one by one, with their true labels: those it gets wrong, and others if they are fewer.
- "As taught": the share of these texts that it then classifies as taught. "As settled": the share of the
  texts that were not taught whose label is that of the model after ``settle()``.
- Wanted on the built-in corpus: as taught at least 95 %, as settled at least 99 %.
- For comparison with "as settled": the model "before" the corrections, and "another seed", the same recipe
  fitted on the same texts, whose fitted weights visit the documents in another order.
- The step of a correction was chosen on divisions 0 and 1; the figures are those of division 2. The divisions
  are of the same documents, so they are not independent.
"""

from __future__ import annotations

import copy
import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docstring_problems import LABELLINGS, divided
from text_problems import CORPORA
from textbayes import AutoNB, TextClassifier
from textbayes.estimators.auto.folding import LearnedPart
from written import RESULTS, conditions, markdown_table, share, use_shared_corpora, write_results

CORRECTIONS = 100
TAUGHT, SETTLED = 0.95, 0.99
Reals = NDArray[np.float64]
Sides = tuple[list[str], list[str], list[str], list[str]]
Direction = Callable[[LearnedPart, Reals, Reals], Reals]


def main(names: list[str]) -> None:
    """Correct a model on every corpus and write the results."""
    use_shared_corpora()
    path = RESULTS / "corrections.json"
    rows: dict[str, Any] = json.loads(path.read_text("utf-8"))["rows"] if path.exists() else {}
    for name in names or [f"docstrings, {labelling}" for labelling in LABELLINGS]:
        sides = sides_of(name, 2)
        for updates in ("any", "auto"):
            rows[f"{name}: {updates}"] = found = corrected(sides, updates)
            print(name, updates, found, flush=True)
    write(rows)


def sides_of(name: str, division: int) -> Sides:
    """Return the texts and labels to learn, then the texts and labels to correct and to compare."""
    if name not in CORPORA:
        return divided(name.partition(", ")[2], division)
    corpus = CORPORA[name]()
    return corpus.train.texts, corpus.train.label, corpus.test.texts, corpus.test.label


def corrected(sides: Sides, updates: str) -> dict[str, Any]:
    """Fit a model, correct it, compare it with the settled one."""
    train, labels, texts, truth = sides
    classifier = TextClassifier(AutoNB(updates=updates, random_state=0)).fit(train, labels)
    first = classifier.predict(texts)
    taught = to_correct(first, truth)
    seconds = []
    for at in taught.tolist():
        start = time.perf_counter()
        classifier.teach([texts[at]], [truth[at]]).predict([texts[at]])
        seconds.append(time.perf_counter() - start)
    settled_at_once, warm = classifier.is_settled_, classifier.predict(texts)
    start = time.perf_counter()
    classifier.settle()
    settle_seconds, settled = time.perf_counter() - start, classifier.predict(texts)
    again = TextClassifier(AutoNB(candidates=classifier.model_.recipe_, random_state=1))
    again.fit([*train, *(texts[at] for at in taught)], [*labels, *(truth[at] for at in taught)])
    others = np.setdiff1d(np.arange(len(texts)), taught)
    compared = {"as_settled": warm, "before": first, "another_seed": again.predict(texts)}
    return {
        "updates": classifier.model_.updates_,
        "settled_at_once": settled_at_once,
        "wrong": int(np.sum(first != np.array(truth))),
        "texts": len(others),
        "as_taught": agreement(warm, np.array(truth), taught),
        "as_taught_settled": agreement(settled, np.array(truth), taught),
        **{name: agreement(given, settled, others) for name, given in compared.items()},
        "teach_ms": round(1000 * float(np.median(seconds)), 2),
        "settle_seconds": round(settle_seconds, 2),
    }


def to_correct(given: NDArray[Any], truth: list[str]) -> NDArray[np.intp]:
    """Return the texts to correct: those with a wrong label first."""
    return np.argsort(given == np.array(truth), kind="stable")[:CORRECTIONS]


def agreement(given: NDArray[Any], expected: NDArray[Any], among: NDArray[np.intp]) -> float:
    """Return the share of equal labels."""
    return round(float(np.mean(given[among] == expected[among])), 4)


def write(rows: dict[str, Any]) -> None:
    """Write the figures and a page."""
    lines = [
        [
            name,
            row["updates"],
            str(row["wrong"]),
            share(row["as_taught"]),
            share(row["as_taught_settled"]),
            share(row["as_settled"]),
            share(row["before"]),
            share(row["another_seed"]),
            f"{row['teach_ms']:.1f} ms",
            f"{row['settle_seconds']:.1f} s",
        ]
        for name, row in rows.items()
    ]
    headings = ["corpus: updates=", "found", "wrong at first", "as taught", "settled: as taught"]
    headings += ["as settled", "before", "another seed", "teach and predict 1", "settle"]
    own = {name: row for name, row in rows.items() if name.startswith("docstrings")}
    verdicts = [verdict(own, "as_taught", TAUGHT), verdict(own, "as_settled", SETTLED)]
    parts = [
        "# Corrections without settling",
        f"{CORRECTIONS} texts taught one by one, then compared with the settled model (corrections.py). "
        f"On the built-in corpus: {'; '.join(verdicts)}.",
        markdown_table(headings, lines),
    ]
    write_results("corrections", {**conditions(), "rows": rows}, "\n\n".join(parts))


def verdict(rows: dict[str, Any], figure: str, least: float) -> str:
    """Say whether all rows reach a figure, and which do not."""
    missed = [f"{name} ({share(row[figure])})" for name, row in rows.items() if row[figure] < least]
    reached = f"not reached: {', '.join(missed)}" if missed else "reached"
    return f"{figure.replace('_', ' ')} at least {share(least)} {reached}"


def held_by(strength: float, own: bool) -> Direction:
    """Return a direction that moves frequent terms less, by their own square or the mean square."""

    def direction(part: LearnedPart, values: Reals, frequencies: Reals) -> Reals:
        squares = (part.length * values) ** 2
        typical = squares if own else squares.sum() / max(np.count_nonzero(squares), 1)
        return np.asarray(values / (1.0 + 2.0 * part.C * strength * typical * np.maximum(frequencies - 1, 0)))

    return direction


STEPS: dict[str, Direction] = {
    "no change": lambda _, values, __: 0.0 * values,
    "all terms alike": lambda _, values, __: values,
    **{f"own square × {strength:g}": held_by(strength, True) for strength in (0.3, 1.0, 3.0, 10.0)},
    **{f"mean square × {strength:g}": held_by(strength, False) for strength in (0.3, 1.0, 3.0, 10.0)},
}


def compare_steps() -> None:
    """Measure every step on division 0 and write the results."""
    rows: dict[str, list[float]] = {name: [] for name in STEPS}
    for labelling in LABELLINGS:
        train, labels, texts, truth = divided(labelling, 0)
        fitted = TextClassifier(AutoNB(updates="any", random_state=0)).fit(train, labels)
        taught = to_correct(fitted.predict(texts), truth)
        lessons = [([texts[at]], [truth[at]]) for at in taught]
        others, settled = np.setdiff1d(np.arange(len(texts)), taught), None
        for name, direction in STEPS.items():
            LearnedPart.direction = direction  # type: ignore[method-assign]
            classifier = copy.deepcopy(fitted)
            for lesson in lessons:
                classifier.teach(*lesson)
            warm = classifier.predict(texts)
            if settled is None:
                settled = classifier.settle().predict(texts)
            shares = agreement(warm, np.array(truth), taught), agreement(warm, settled, others)
            rows[name] += shares
            print(labelling, name, *shares, flush=True)
    headings = [
        "step",
        *(f"{name}: {figure}" for name in LABELLINGS for figure in ("as taught", "as settled")),
    ]
    lines = [[name, *map(share, row)] for name, row in rows.items()]
    parts = [
        "# How far a correction moves fitted weights",
        "Division 0 of the built-in corpus (corrections.py --steps). The weight of a term moves less if the "
        "term has more documents, by the term's own square in the text or by the mean square of its terms.",
        markdown_table(headings, lines),
    ]
    write_results("corrections_steps", {**conditions(), "rows": rows}, "\n\n".join(parts))


if __name__ == "__main__":
    compare_steps() if sys.argv[1:] == ["--steps"] else main(sys.argv[1:])
