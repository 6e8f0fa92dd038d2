"""The defaults of AutoNB's blend, chosen on a corpus that no paper reports.

    .venv/bin/python experiments/auto_defaults.py

The rule, written down before the run:

- Corpus: the training split of the built-in docstrings, nothing else; words and word pairs. Three stratified
  divisions of it, two thirds to learn from. Of these: 2, 5, 10 and 20 documents a class, and all.
- The candidates are searched as by default: their held-out scores do not depend on the penalties.
- Grid: ``weight_penalty`` 1, 10, 100 and 1000; ``bias_penalty`` .1, .3, 1, 3 and 10. Beside it, in no
  competition: the plain mean of the standardised scores, and the best single candidate.
- The score of a pair of penalties in a division is the mean over the five sizes of the macro F1 on the third
  that was held out. The best pair has the greatest mean over the divisions. Chosen is, of the pairs whose
  loss against it, paired by division, is within one standard error, the one with the greatest weight penalty,
  then the greatest bias penalty: a blend nearer to the plain mean is the safer error.

What was looked at before this rule was written, on one division of the same split: how scores are
standardised, the grid of smoothing, and weighting documents by class (experiments/README.md, "What did not
help").
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedShuffleSplit

from auto_vs_svm import Problem, drawn
from textbayes import TextCounter
from textbayes.datasets import load_docstrings
from textbayes.decisions import Blend, fit_blend
from textbayes.estimators.auto.held_out import TrainingSet
from textbayes.estimators.auto.members import Member
from textbayes.estimators.auto.search import Search
from textbayes.statistics import as_targets
from written import conditions, markdown_table, share, write_results

Pair = tuple[float, float]
PAIRS: list[Pair] = list(product((1.0, 10.0, 100.0, 1000.0), (0.1, 0.3, 1.0, 3.0, 10.0)))
SIZES = (2, 5, 10, 20, None)
DIVISIONS = 3


def main() -> None:
    """Run the grid, apply the rule, write what came out."""
    corpus = load_docstrings().train
    texts, labels = np.array(corpus.texts, dtype=object), np.array(corpus.label)
    rows = ["plain", "single", *PAIRS]
    scores = np.zeros((len(rows), DIVISIONS, len(SIZES)))
    divisions = StratifiedShuffleSplit(DIVISIONS, test_size=1 / 3, random_state=0)
    for division, (learned, held) in enumerate(divisions.split(texts, labels)):
        whole = counted(texts, labels, learned, held)
        for size, each in enumerate(SIZES):
            problem = whole if each is None else drawn(whole, each, division)
            found = measured(problem)
            scores[:, division, size] = [found[row] for row in rows]
            print(division, each, {row: round(value, 3) for row, value in found.items()}, flush=True)
    write(rows, scores)


def counted(texts: NDArray[Any], labels: NDArray[Any], learned: Any, held: Any) -> Problem:
    counter = TextCounter(ngram_range=(1, 2))
    train, test = counter.fit_transform(texts[learned]), counter.transform(texts[held])
    pairs = np.array([" " in term for term in counter.get_feature_names_out()])
    return Problem(train, labels[learned], test, labels[held], pairs)


def measured(problem: Problem) -> dict[Any, float]:
    """Macro F1 of the held-out third, by every pair of penalties and what stands beside them."""
    targets = as_targets(problem.labels)
    everything = np.arange(len(targets))
    counts = problem.train.astype(np.float64)
    search = Search(TrainingSet(counts, problem.labels, targets, problem.pairs, everything, 0), "macro_f1")
    search.run("default")
    members = search._members()
    learned = [result.scores for result in members if result.scores is not None]
    scored = [test_scores(problem, result.candidate) for result in members]

    def macro(scores: NDArray[np.float64]) -> float:
        given = targets.classes[scores.argmax(axis=1)]
        return float(f1_score(problem.truth, given, average="macro", zero_division=0.0))

    found: dict[Any, float] = {"single": macro(test_scores(problem, search.best.candidate))}
    for pair in PAIRS:
        blend = fit_blend(learned, search.truth, False, weight_penalty=pair[0], bias_penalty=pair[1])
        found[pair] = macro(blend(scored))
    equal, none = np.full(len(members), 1 / len(members)), np.zeros(len(targets.classes))
    found["plain"] = macro(Blend(equal, none, blend.scales, blend.centres, blend.by_document)(scored))
    return found


def test_scores(problem: Problem, candidate: Any) -> NDArray[np.float64]:
    member = Member(candidate, problem.pairs, random_state=0)
    member.fit(problem.train, problem.labels)
    return member.scores(problem.test)


def chosen_pair(scores: NDArray[np.float64]) -> tuple[int, int, NDArray[np.float64], NDArray[np.float64]]:
    """Apply the rule to scores (pairs, divisions): the best, the chosen, losses and their errors.

    >>> scores = np.repeat([[0.5], [0.6], [0.4]], 3, axis=1)
    >>> chosen_pair(np.vstack([scores, np.zeros((17, 3))]))[:2]
    (1, 1)
    """
    best = int(np.argmax(scores.mean(axis=1)))
    losses = scores[best] - scores
    loss, error = losses.mean(axis=1), losses.std(axis=1, ddof=1) / np.sqrt(scores.shape[1])
    within = np.flatnonzero(loss <= error)
    return best, max(within.tolist(), key=lambda at: PAIRS[at]), loss, error


def write(rows: list[Any], scores: NDArray[np.float64]) -> None:
    best, chosen, loss, error = chosen_pair(scores[2:].mean(axis=2))
    headings = ["weights", "biases", *(f"{size or 'all'}" for size in SIZES), "mean", "loss", "± error"]
    lines = []
    for at, row in enumerate(rows):
        names = [f"{value:g}" for value in row] if isinstance(row, tuple) else [str(row), ""]
        lost = [f"{loss[at - 2]:.4f}", f"{error[at - 2]:.4f}"] if at >= 2 else ["", ""]
        sizes = [share(float(value)) for value in scores[at].mean(axis=0)]
        lines.append([*names, *sizes, share(float(scores[at].mean())), *lost])
    verdict = (
        f"Chosen: weight_penalty = {PAIRS[chosen][0]:g}, bias_penalty = {PAIRS[chosen][1]:g}; "
        f"the greatest mean is at {PAIRS[best][0]:g} and {PAIRS[best][1]:g}."
    )
    parts = [
        "# The defaults of AutoNB's blend",
        verdict,
        "Macro F1 by documents a class, mean of three divisions. The rule: experiments/auto_defaults.py.",
        markdown_table(headings, lines),
    ]
    figures = {
        **conditions(),
        "chosen": PAIRS[chosen],
        "best": PAIRS[best],
        "rows": [list(row) if isinstance(row, tuple) else row for row in rows],
        "scores": scores.round(5).tolist(),
    }
    write_results("auto_defaults", figures, "\n\n".join(parts))


if __name__ == "__main__":
    main()
