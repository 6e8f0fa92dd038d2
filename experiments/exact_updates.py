"""When should AutoNB prefer a recipe whose updates are exact? The rule, from the built-in corpus.

    .venv/bin/python experiments/exact_updates.py      # 8 min; built-in corpus only

- Corpus: the training split of the built-in docstrings, two thirds for training (docstring_problems.py),
  words and word pairs. One label: modules, packages and kinds; 2, 5, 10, 20 documents per class, and all; two
  divisions. Several labels: package and kind, and module as well; 300 and 1000 documents; two divisions.
- One search with ``updates="auto"``. "Exact" is the best blend of candidates whose statistics add, "any" the
  best blend of all candidates. Both are measured on the held-out third: macro F1, with several labels macro
  break-even.
- A rule takes "any" if it leads on held-out training documents by at least a difference and by a number of
  standard errors of the lead. It should keep nearly all of the advantage of "any" where that is at least .01,
  and take "exact" elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import f1_score

from docstring_problems import DIVISIONS, LABELLINGS, problem_of, problem_of_several
from text_problems import Problem, drawn
from textbayes.estimators.auto.choosing import Choice, choose_blend
from textbayes.estimators.auto.held_out import TrainingSet
from textbayes.estimators.auto.recipe import Recipe
from textbayes.estimators.auto.search import Search
from textbayes.evaluation import break_even
from textbayes.statistics import as_targets
from written import conditions, markdown_table, share, write_results

SIZES = (2, 5, 10, 20, None)
# Least lead, and standard errors.
RULES = list(product((0.0, 0.005, 0.01, 0.02), (0.0, 1.0, 2.0, 3.0)))
DEFAULT = (0.005, 1.0)
REAL = 0.01


def main() -> None:
    """Measure both blends on every problem and write the results."""
    rows: dict[str, list[float]] = {}
    for name, problem in problems():
        rows[name] = [round(value, 4) for value in measured(problem)]
        print(name, rows[name], flush=True)
    write(rows)


def problems() -> Iterator[tuple[str, Problem]]:
    """Yield every problem with its name."""
    for labelling, division in product(LABELLINGS, range(DIVISIONS)):
        whole = problem_of(labelling, division)
        for each in SIZES:
            problem = whole if each is None else drawn(whole, each, division)
            yield f"{labelling}, {each or 'all'}, {division}", problem
    for several, most, division in product((("package", "kind"), LABELLINGS), (300, 1000), range(DIVISIONS)):
        name = f"{' and '.join(several)}, {most}, {division}"
        yield name, problem_of_several(several, division, most)


def measured(problem: Problem) -> Iterator[float]:
    """Yield the figures of "exact" and "any", the held-out lead of "any", and its standard error."""
    labels = problem.labels
    targets = as_targets(labels)
    evaluated = np.arange(labels.shape[0])
    search = Search(
        TrainingSet(problem.train, labels, targets, problem.pairs, evaluated, 0), "macro_f1", "auto"
    )
    search.run("default")
    exact, best = choose_blend(search, additive=True), choose_blend(search)
    yield from (figure(problem, choice, targets.classes) for choice in (exact, best))
    yield from best.quality.lead(exact.quality)


def figure(problem: Problem, choice: Choice, classes: NDArray[Any]) -> float:
    """Measure a blend on the held-out third."""
    recipe = Recipe.of(choice.members, choice.blend, classes, choice.per_count)
    model = recipe.fit(problem.train, problem.labels, problem.pairs, random_state=0)
    if problem.multilabel:
        return float(break_even(problem.truth, model.decision_function(problem.test)).macro)
    given = model.predict(problem.test)
    return float(f1_score(problem.truth, given, average="macro", zero_division=0.0))


def write(rows: dict[str, list[float]]) -> None:
    exact, best, lead, error = np.array(list(rows.values())).T
    real = best - exact >= REAL
    lines = []
    for least, errors in RULES:
        taken = (lead > least) & (lead > errors * error)
        chosen = np.where(taken, best, exact)
        mark = " (the rule)" if (least, errors) == DEFAULT else ""
        lines.append(
            [
                f"{least:g}{mark}",
                f"{errors:g}",
                share(float(chosen.mean())),
                f"{np.mean(~taken):.0%}",
                f"{np.mean(taken[real]):.0%}",
                share(float((best - chosen)[real].mean())),
                share(float((best - chosen)[~real].mean())),
            ]
        )
    figures = [
        [name, share(one[0]), share(one[1]), f"{one[2]:+.3f}", f"{one[3]:.3f}"] for name, one in rows.items()
    ]
    headings = ["lead of", "errors", "mean", "exact taken", "any kept", "loss there", "loss elsewhere"]
    parts = [
        "# Exact updates or any",
        f"Mean over {len(rows)} problems: exact {share(float(exact.mean()))}, any "
        f"{share(float(best.mean()))}. "
        f"A rule takes any if it leads on held-out documents by a difference and by a number of standard "
        f'errors. "Any kept": among the {int(real.sum())} problems where any is better by {REAL:g} or more '
        "(exact_updates.py).",
        markdown_table(headings, lines),
        "On the held-out third, and the lead on training documents with its standard error:",
        markdown_table(["labels, documents, division", "exact", "any", "lead", "error"], figures),
    ]
    write_results("exact_updates", {**conditions(), "figures": rows}, "\n\n".join(parts))


if __name__ == "__main__":
    main()
