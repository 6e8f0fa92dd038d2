"""What AutoNB loses if it tries only the kinds of models that fold into sparse weight tables.

    .venv/bin/python experiments/kinds.py      # 3 min; built-in corpus only

- Corpus: the training split of the built-in docstrings, two thirds for training (docstring_problems.py, first
  division), words and word pairs. One label: modules, packages and kinds, with 20 documents per class, and
  all. Several labels: every docstring has its package and its kind, or its module as well; 300 and 1000
  documents.
- AutoNB with ``updates="any"`` and ``random_state=0``, searching the kinds that fold (the default), and every
  kind: also Poisson mixtures with one label, also Poisson models with several.
- Measures on the held-out third: macro F1, and with several labels macro break-even.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from docstring_problems import LABELLINGS, problem_of, problem_of_several
from linear_svms import figures_of
from text_problems import Problem, drawn
from textbayes import AutoNB
from textbayes.estimators.models.variants import SEARCHED
from written import conditions, markdown_table, share, write_results

SEARCHES = {"kinds that fold": "default", "every kind": list(SEARCHED)}


def main() -> None:
    """Run both searches on every problem and write the results."""
    rows: dict[str, list[float]] = {}
    for name, problem in problems():
        rows[name] = [round(figure(problem, candidates), 4) for candidates in SEARCHES.values()]
        print(name, rows[name], flush=True)
    write(rows)


def problems() -> Iterator[tuple[str, Problem]]:
    """Yield every problem with its name."""
    for labelling in LABELLINGS:
        whole = problem_of(labelling, 0)
        yield f"{labelling}, 20 a class", drawn(whole, 20, 0)
        yield f"{labelling}, all", whole
    for several in (("package", "kind"), LABELLINGS):
        for most in (300, 1000):
            yield f"{' and '.join(several)}, {most}", problem_of_several(several, 0, most)


def figure(problem: Problem, candidates: str | list[str]) -> float:
    """Search, and measure the choice."""
    model = AutoNB(candidates=candidates, updates="any", terms=problem.pairs, random_state=0)
    model.fit(problem.train, problem.labels)
    return figures_of(problem.truth, model, problem.test).macro


def write(rows: dict[str, list[float]]) -> None:
    means = np.mean(list(rows.values()), axis=0).tolist()
    lines = [[name, *map(share, found)] for name, found in [*rows.items(), ("mean", means)]]
    parts = [
        "# Kinds of models that fold, and every kind",
        "Macro F1 on the held-out third, with several labels macro break-even (kinds.py).",
        markdown_table(["labels, documents", *SEARCHES], lines),
    ]
    write_results("kinds", {**conditions(), "figures": rows}, "\n\n".join(parts))


if __name__ == "__main__":
    main()
