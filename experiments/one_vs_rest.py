"""The settings of DiscriminativeNB(against="rest") that AutoNB tries, on the built-in corpus.

    .venv/bin/python experiments/one_vs_rest.py  # 15 min; built-in corpus only

Three labellings (docstring_problems.py), two divisions of the training split. Documents of length 1, log and
idf or log alone, words or words with pairs. Five folds of the training part choose alpha, .003 or .03; then
macro F1 on the held-out third. Compared: 1 and 2 visits, 1 and 3 orders, blocks of 1 and 32.

The rule: AutoNB tries the cheapest setting (visits × orders) whose mean is within .005 of the greatest. Such
grids had been tried while the model was developed, most of them on the first division.

For comparison: scikit-learn's LinearSVC, C of .5, 2 and 10 by the same folds.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.svm import LinearSVC

from docstring_problems import DIVISIONS, LABELLINGS, problem_of
from text_problems import Problem
from textbayes import DiscriminativeNB, FrequencyTransform
from textbayes.estimators.auto.representation import ColumnsOfKind
from written import conditions, markdown_table, share, write_results

ALPHAS = (0.003, 0.03)
PENALTIES = (0.5, 2.0, 10.0)
SETTINGS = [(1, 1, 1), (1, 3, 1), (1, 3, 32), (2, 3, 1)]
NEAR = 0.005


def main() -> None:
    """Measure every setting and write the results."""
    rows: dict[str, list[list[float]]] = {}
    for labelling, division in product(LABELLINGS, range(DIVISIONS)):
        problem = problem_of(labelling, division)
        for setting in [*SETTINGS, "svm"]:
            found = [
                held_out(problem, setting, idf, pairs) for idf in (True, False) for pairs in (False, True)
            ]
            name = "LinearSVC" if setting == "svm" else " ".join(map(str, setting))
            rows.setdefault(name, []).append(found)
            print(labelling, division, name, found, flush=True)
    write(rows)


def held_out(problem: Problem, setting: Any, idf: bool, pairs: bool) -> float:
    """Return macro F1 on the held-out third, with smoothing or penalty chosen in folds."""
    columns = ColumnsOfKind("all" if pairs else "words", problem.pairs)
    transform = FrequencyTransform(log=True, idf=idf, length="unit").fit(columns.transform(problem.train))
    X, held = (transform.transform(columns.transform(of)) for of in (problem.train, problem.test))
    divided = StratifiedKFold(5, shuffle=True, random_state=0)

    def macro(truth: Any, given: Any) -> float:
        return float(f1_score(truth, given, average="macro", zero_division=0.0))

    def in_folds(model: BaseEstimator) -> float:
        return macro(problem.labels, cross_val_predict(clone(model), X, problem.labels, cv=divided))

    best = max(models(setting), key=in_folds)
    return macro(problem.truth, best.fit(X, problem.labels).predict(held))


def models(setting: Any) -> list[Any]:
    """Return the models that the folds choose from."""
    if setting == "svm":
        return [LinearSVC(C=penalty, random_state=0) for penalty in PENALTIES]
    visits, orders, block = setting
    settings = {
        "max_iter": visits,
        "orders": orders,
        "block_size": block,
        "against": "rest",
        "random_state": 0,
    }
    return [DiscriminativeNB(alpha, **settings) for alpha in ALPHAS]


def write(rows: dict[str, list[list[float]]]) -> None:
    means = {
        name: np.array(found).reshape(len(LABELLINGS), DIVISIONS, 4).mean(axis=1)
        for name, found in rows.items()
    }
    lines = [
        [
            name,
            *(share(float(value)) for value in found.mean(axis=1)),
            *(share(float(value)) for value in found.mean(axis=0)),
            share(float(found.mean())),
        ]
        for name, found in means.items()
    ]
    best = max(float(found.mean()) for name, found in means.items() if name != "LinearSVC")
    near = [setting for setting in SETTINGS if means[" ".join(map(str, setting))].mean() >= best - NEAR]
    chosen = min(near, key=lambda setting: (setting[0] * setting[1], -setting[2]))
    headings = [
        "visits, orders, block",
        *LABELLINGS,
        "idf words",
        "idf pairs",
        "log words",
        "log pairs",
        "mean",
    ]
    parts = [
        '# DiscriminativeNB(against="rest")',
        "By the rule: {} visits, {} orders, blocks of {}.".format(*chosen),
        "Macro F1 on the held-out third, mean of two divisions; the rule is in one_vs_rest.py.",
        markdown_table(headings, lines),
    ]
    write_results("one_vs_rest", {**conditions(), "chosen": chosen, "macro_f1": rows}, "\n\n".join(parts))


if __name__ == "__main__":
    main()
