"""How AutoNB blends, and when: the steady way, the others, and the rule that chooses, on the built-in corpus.

    .venv/bin/python experiments/auto_ways.py      # 10 min; built-in corpus only

Three labellings (docstring_problems.py), two divisions of the training split, 5 and 20 documents a class
and all. The candidates are searched once; each way of blending (search.py, ``_WAYS``) and the default choice
between them are then measured on the held-out third, beside the tuned LinearSVC of auto_vs_svm.py.

No competition: the ways, and the belief about them (a loss of .005, more or less .01), were settled on these
divisions, most of it on the first. This shows what they are worth, not that they are the best.
"""

from __future__ import annotations

import warnings
from itertools import product
from typing import Any
from unittest.mock import patch

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import f1_score

from auto_vs_svm import drawn, support_vectors
from docstring_problems import DIVISIONS, LABELLINGS, problem_of
from textbayes.estimators.auto import search
from textbayes.estimators.auto.held_out import TrainingSet
from textbayes.estimators.auto.members import Member
from textbayes.statistics import as_targets
from written import conditions, markdown_table, share, write_results

SIZES = (5, 20, None)
NAMES = ("steady", "freer", "by class, free", "chosen", "SVM")


def main() -> None:
    """Measure, and write."""
    rows: dict[str, list[list[float]]] = {}
    for labelling, each, division in product(LABELLINGS, SIZES, range(DIVISIONS)):
        whole = problem_of(labelling, division)
        problem = whole if each is None else drawn(whole, each, division)
        smallest = int(np.unique(problem.labels, return_counts=True)[1].min())
        found = [*measured(problem), support_vectors(problem, max(1, min(5, smallest))).macro]
        rows.setdefault(f"{labelling}, {each or 'all'}", []).append([round(value, 4) for value in found])
        print(labelling, each, division, rows[f"{labelling}, {each or 'all'}"][-1], flush=True)
    write(rows)


def measured(problem: Any) -> list[float]:
    """Macro F1 of each way, and of the chosen one."""
    targets = as_targets(problem.labels)
    judged = np.arange(len(problem.labels))
    tried = search.Search(
        TrainingSet(problem.train, problem.labels, targets, problem.pairs, judged, random_state=0), "macro_f1"
    )
    tried.run("default")
    parts: dict[Any, Any] = {}
    found = []
    for ways in [*((way,) for way in search._WAYS), search._WAYS]:
        with patch.object(search, "_WAYS", ways):
            members, blend, _, _ = tried.blended()
        for candidate in members:
            if candidate not in parts:
                member = Member(candidate, problem.pairs, random_state=0)
                member.fit(problem.train, problem.labels)
                parts[candidate] = member.scores(problem.test)
        given = targets.classes[blend([parts[candidate] for candidate in members]).argmax(axis=1)]
        found.append(float(f1_score(problem.truth, given, average="macro", zero_division=0.0)))
    return found


def write(rows: dict[str, list[list[float]]]) -> None:
    lines = []
    for name, found in rows.items():
        means = np.mean(found, axis=0)
        ahead = sum(one[-2] > one[-1] for one in found)
        lines.append([name, *(share(float(value)) for value in means), f"{ahead} of {len(found)}"])
    every = np.mean([np.mean(found, axis=0) for found in rows.values()], axis=0)
    lines.append(["mean", *(share(float(value)) for value in every), ""])
    parts = [
        "# How AutoNB blends",
        "Macro F1 on the held-out third, mean of two divisions: each way of blending, the way chosen, a "
        "tuned linear SVM, and in how many divisions AutoNB is ahead of it. See auto_ways.py.",
        markdown_table(["labels, documents a class", *NAMES, "ahead"], lines),
    ]
    write_results("auto_ways", {**conditions(), "macro_f1": rows}, "\n\n".join(parts))


if __name__ == "__main__":
    warnings.simplefilter("ignore", ConvergenceWarning)
    main()
