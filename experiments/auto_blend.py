"""The settings of AutoNB's blend, chosen on a corpus that no paper reports.

    .venv/bin/python experiments/auto_blend.py      # 7 min; built-in corpus only

The rule:

- Corpus: the training split of the built-in docstrings, with three labellings and two divisions
  (docstring_problems.py); words and word pairs; 1, 2, 5, 10 and 20 documents per class, and all.
- The candidates are searched once with the defaults; their held-out scores do not depend on the blend.
- Grid: the scores of models of sums whole, or per count (divided by the sum of the row);
  ``weight_penalty`` 10, 100 and 1000; ``bias_penalty`` .1 and 1; prior weights equal, or half of them for the
  linear SVMs.
- The score of a setting is the mean macro F1 on the held-out third, over labellings and sizes. The default
  blend of search.py must be within .0005 of the greatest score. (The first form of the rule asked for the
  greatest score, but four settings tied.)
- For comparison: what AutoNB selects (the default blend or that of the best candidate's peers), the best
  single candidate, and the tuned LinearSVC of linear_svms.py. The blend contains linear SVMs as members.

Similar grids had been tried on these divisions before the rule was written, by scripts that were not kept. So
the result confirms the settings more than it finds them. Before there were scores per count, AutoNB chose
between scores standardised by class and by document; its selection then scored .517, with mixtures among the
members. Scores divided by the L2 norm of the row scored less than by its sum.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import f1_score

from docstring_problems import DIVISIONS, LABELLINGS, problem_of
from linear_svms import support_vectors
from text_problems import Problem, drawn
from textbayes.decisions import fit_blend
from textbayes.decisions.blending import BIAS_PENALTY, WEIGHT_PENALTY
from textbayes.estimators.auto.choosing import choose_blend, prior_weights
from textbayes.estimators.auto.held_out import TrainingSet
from textbayes.estimators.auto.members import Member
from textbayes.estimators.auto.search import Search
from textbayes.statistics import as_targets
from written import conditions, markdown_table, share, write_results

SIZES = (1, 2, 5, 10, 20, None)
GRID = list(product(("whole", "per count"), (10.0, 100.0, 1000.0), (0.1, 1.0), ("equal", "half")))
BESIDE = ("selected", "single", "SVM")
# The default blend.
DEFAULT = ("per count", WEIGHT_PENALTY, BIAS_PENALTY, "half")
LEVEL = 0.0005


def main() -> None:
    """Run the experiment and write the results."""
    rows: dict[str, list[list[float]]] = {}
    for labelling, each, division in product(LABELLINGS, SIZES, range(DIVISIONS)):
        whole = problem_of(labelling, division)
        problem = whole if each is None else drawn(whole, each, division)
        smallest = int(np.unique(problem.labels, return_counts=True)[1].min())
        found = [*measured(problem), support_vectors(problem, max(1, min(5, smallest))).macro]
        name = f"{labelling}, {each or 'all'}"
        rows.setdefault(name, []).append([round(value, 4) for value in found])
        print(name, division, dict(zip(BESIDE, found[-3:], strict=True)), flush=True)
    write(rows)


def measured(problem: Problem) -> Iterator[float]:
    """Return macro F1 of each setting, of AutoNB's selection and of the best single candidate."""
    targets, evaluated = as_targets(problem.labels), np.arange(len(problem.labels))
    training = TrainingSet(problem.train, problem.labels, targets, problem.pairs, evaluated, random_state=0)
    search = Search(training, "macro_f1")
    search.run("default")
    scored: dict[Any, NDArray[np.float64]] = {}

    def scores(candidate: Any, divided: bool) -> NDArray[np.float64]:
        key = candidate, divided and candidate.per_count
        if key not in scored:
            member = Member(candidate, problem.pairs, 0, per_count=key[1])
            member.fit(problem.train, problem.labels)
            scored[key] = member.scores(problem.test)
        return scored[key]

    def macro(blend: Any, candidates: list[Any], divided: bool = True) -> float:
        parts = [scores(candidate, divided) for candidate in candidates]
        given = targets.classes[blend(parts).argmax(axis=1)]
        return float(f1_score(problem.truth, given, average="macro", zero_division=0.0))

    members = search.best_per_kind()
    candidates = [result.candidate for result in members]
    parts = {
        "whole": [result.scores for result in members if result.scores is not None],
        "per count": [result.blended_scores for result in members],
    }
    for divided, weight_penalty, bias_penalty, usual in GRID:
        blend = fit_blend(
            parts[divided],
            search.truth,
            multilabel=False,
            weight_penalty=weight_penalty,
            bias_penalty=bias_penalty,
            prior_weights=prior_weights(candidates) if usual == "half" else None,
        )
        yield macro(blend, candidates, divided == "per count")
    chosen = choose_blend(search)
    yield macro(chosen.blend, chosen.members)
    yield macro(lambda parts: parts[0], [search.best.candidate], divided=False)


def write(rows: dict[str, list[list[float]]]) -> None:
    means = np.array([np.mean(found, axis=0) for found in rows.values()])
    every = means.mean(axis=0)
    default, best = GRID.index(DEFAULT), int(np.argmax(every[: len(GRID)]))
    level = every[default] >= every[best] - LEVEL
    settings = [
        [divided, f"{weights:g}", f"{biases:g}", usual, share(float(every[at]))]
        for at, (divided, weights, biases, usual) in enumerate(GRID)
    ]
    lines = [
        [
            name,
            share(float(mean[default])),
            *(share(float(value)) for value in mean[len(GRID) :]),
            f"{sum(one[-3] > one[-1] for one in found)} of {len(found)}",
        ]
        for (name, found), mean in zip(rows.items(), means, strict=True)
    ]
    lines.append(
        ["mean", share(float(every[default])), *(share(float(value)) for value in every[len(GRID) :]), ""]
    )
    divided, weights, biases, usual = GRID[best]
    parts = [
        "# Settings of AutoNB's blend",
        f"Macro F1 on the held-out third. Greatest mean: scores {divided}, "
        f"weight_penalty = {weights:g}, bias_penalty = {biases:g}, prior weights {usual}. The default "
        f"({', '.join(map(str, DEFAULT))}) {'ties' if level else 'does not tie'} with it (auto_blend.py).",
        markdown_table(["scores", "weights", "biases", "prior weights", "mean"], settings),
        "The default blend, AutoNB's selection, the best single candidate, a tuned linear SVM, and the "
        "number of divisions where AutoNB is ahead of the SVM. The blends contain linear SVMs as members:",
        markdown_table(["labels, documents per class", "default", *BESIDE, "ahead"], lines),
    ]
    figures = {**conditions(), "grid": [list(setting) for setting in GRID], "macro_f1": rows}
    write_results("auto_blend", figures, "\n\n".join(parts))


if __name__ == "__main__":
    warnings.simplefilter("ignore", ConvergenceWarning)
    main()
