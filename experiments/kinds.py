"""What AutoNB loses if it tries only the kinds of models that fold into sparse weight tables.

    .venv/bin/python experiments/kinds.py      # 6 min; built-in corpus only

- Corpus: the training split of the built-in docstrings, two thirds for training (docstring_problems.py),
  words and word pairs. One label: modules, packages and kinds, with 20 documents per class, and all. Several
  labels: every docstring has its package and its kind, or its module as well; 300 and 1000 documents.
- AutoNB with ``updates="any"`` and ``random_state=0``, searching the kinds that fold (the default), and every
  kind: also Poisson mixtures with one label, also Poisson models with several.
- Measures on the held-out third: macro F1, and with several labels macro break-even. Seconds of ``fit``.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from auto_vs_svm import Problem, drawn, measured
from docstring_problems import DIVISIONS, LABELLINGS, problem_of, problem_of_several
from textbayes import AutoNB
from textbayes.estimators.models.variants import SEARCHED
from written import conditions, markdown_table, share, write_results

SEARCHES = {"kinds that fold": "default", "every kind": list(SEARCHED)}


def main() -> None:
    """Run both searches on every problem and write the results."""
    rows: dict[str, list[list[float]]] = {}
    for name, problem in problems():
        found = []
        for candidates in SEARCHES.values():
            start = time.perf_counter()
            model = AutoNB(candidates=candidates, updates="any", pair_columns=problem.pairs, random_state=0)
            model.fit(problem.train, problem.labels)
            seconds = time.perf_counter() - start
            found += [round(measured(problem, model, 0.0, "").macro, 4), round(seconds, 2)]
        rows.setdefault(name, []).append(found)
        print(name, found, flush=True)
    means = np.array([np.mean(found, axis=0) for found in rows.values()])
    lines = [
        [name, share(mean[0]), share(mean[2]), f"{mean[1]:.1f}", f"{mean[3]:.1f}"]
        for name, mean in [*zip(rows, means, strict=True), ("mean", means.mean(axis=0))]
    ]
    parts = [
        "# Kinds of models that fold, and every kind",
        "Macro F1 on the held-out third, with several labels macro break-even, and seconds of `AutoNB.fit`, "
        "mean of two divisions (kinds.py).",
        markdown_table(["labels, documents", *SEARCHES, "seconds", "seconds, every kind"], lines),
    ]
    write_results("kinds", {**conditions(), "figures": rows}, "\n\n".join(parts))


def problems() -> Iterator[tuple[str, Problem]]:
    """Yield every problem with its name."""
    for division in range(DIVISIONS):
        for labelling in LABELLINGS:
            whole = problem_of(labelling, division)
            yield f"{labelling}, 20 a class", drawn(whole, 20, division)
            yield f"{labelling}, all", whole
        for several in (("package", "kind"), LABELLINGS):
            for most in (300, 1000):
                yield f"{' and '.join(several)}, {most}", problem_of_several(several, division, most)


if __name__ == "__main__":
    main()
