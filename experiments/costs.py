"""Biases for a cost matrix, and the score of a recipe with several labels.

Costs: three labellings of the training split of the built-in corpus, two divisions each. AutoNB, searched for
accuracy, learns two thirds of the documents to learn; biases are chosen on its scores of the others, and the
mean cost is measured on the documents held out. Three kinds of random costs, three matrices each: an error
has a cost by its true class (log-normal), by the pair of classes (uniform), or by the pair (log-normal).
Costs are relative to those of the decisions without biases.

Rule, fixed in advance: the way with the least mean relative cost is the default. Biases chosen by labels are
tried from as many documents for each class as where they are not behind it.

Several labels: of the best single candidate, F1 at break-even and F1 with thresholds of other folds on the
training documents, and F1 of its decisions on the documents held out. The score of a recipe should be the one
that is nearer to the last.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from docstring_problems import DIVISIONS, LABELLINGS, divided, problem_of_several
from textbayes import AutoNB, TextCounter
from textbayes.decisions import cost_biases, expected_cost_biases, pairwise_biases
from textbayes.evaluation import f1
from written import conditions, markdown_table, share, write_results

Reals = NDArray[np.float64]
KINDS = ["multinomial", "complement", "linear-svm"]
KINDS_OF_SEVERAL = ["one-vs-all", "complement-all", "linear-svm"]
WAYS = ("pairs of classes", "expected cost", "cost by labels", "no biases: least expected cost")
COSTS = ("by true class", "uniform", "log-normal")
MATRICES = 3


def drawn_costs(kind: str, classes: int, seed: int) -> Reals:
    """Draw a cost matrix.

    >>> drawn_costs("uniform", 2, 0).round(2).tolist()
    [[0.0, 0.27], [0.04, 0.0]]
    """
    random = np.random.default_rng(seed)
    if kind == "by true class":
        costs = np.exp(1.5 * random.normal(size=classes))[:, None] * np.ones((1, classes))
    elif kind == "uniform":
        costs = random.random((classes, classes))
    else:
        costs = np.exp(1.5 * random.normal(size=(classes, classes)))
    np.fill_diagonal(costs, 0.0)
    return costs


def relative_costs(labelling: str, division: int) -> tuple[float, dict[str, dict[str, float]]]:
    """Return the documents for each class on which biases are chosen, and the relative costs of each way."""
    texts, labels, held, truth = divided(labelling, division)
    y, counter = np.array(labels), TextCounter()
    counts, test = counter.fit_transform(texts), counter.transform(held)
    other = np.random.default_rng(division).permutation(len(y)) % 3 == 0
    model = AutoNB("accuracy", candidates=KINDS, random_state=0).fit(counts[~other], y[~other])
    classes = model.classes_
    known = np.isin(y, classes) & other
    scores, new = (np.log(np.maximum(model.predict_proba(rows), 1e-30)) for rows in (counts[known], test))
    own, measured = classes == y[known][:, None], np.isin(truth, classes)
    codes, new = np.searchsorted(classes, np.array(truth)[measured]), new[measured]
    found: dict[str, dict[str, float]] = {}
    for kind in COSTS:
        rows = [
            _relative(scores, own, new, codes, drawn_costs(kind, len(classes), at)) for at in range(MATRICES)
        ]
        found[kind] = {way: round(float(np.mean([row[way] for row in rows])), 3) for way in WAYS}
    return round(len(scores) / len(classes), 1), found


def _relative(
    scores: Reals, truth: NDArray[np.bool_], new: Reals, codes: NDArray[np.intp], costs: Reals
) -> dict[str, float]:
    def cost(decided: NDArray[np.intp]) -> float:
        return float(costs[codes, decided].mean())

    biases = (pairwise_biases(costs), expected_cost_biases(scores, costs), cost_biases(scores, truth, costs))
    found = [cost(np.argmax(new + each, axis=1)) for each in biases]
    found.append(cost(np.argmin(np.exp(new) @ costs, axis=1)))
    plain = cost(np.argmax(new, axis=1))
    return {way: each / plain for way, each in zip(WAYS, found, strict=True)}


def several(documents: int, division: int, metric: str) -> dict[str, float]:
    """Measure the best single candidate on labels of two labellings."""
    problem: Any = problem_of_several(("package", "kind"), division, documents)
    model = AutoNB(metric, candidates=KINDS_OF_SEVERAL, blend=False, random_state=0)
    model.fit(problem.train, problem.labels)
    chosen = [entry for entry in model.leaderboard_ if entry.chosen]
    (even,) = (entry.score for entry in chosen if entry.candidate is not None)
    decided = f1(problem.truth, model.predict(problem.test))
    figures = {"break-even": even, "thresholds of other folds": model.best_score_}
    return figures | {"held out": decided.micro if metric == "micro_f1" else decided.macro}


def main() -> None:
    """Measure both, and write the tables."""
    costs = {
        f"{labelling}, division {division}": relative_costs(labelling, division)
        for labelling in LABELLINGS
        for division in range(DIVISIONS)
    }
    labels = {
        f"{documents} documents, {metric}, division {division}": several(documents, division, metric)
        for documents in (300, 1000, 3000)
        for metric in ("micro_f1", "macro_f1")
        for division in range(DIVISIONS)
    }
    rows = [
        [name, f"{each:g}", kind, *(share(figures[way]) for way in WAYS)]
        for name, (each, kinds) in costs.items()
        for kind, figures in kinds.items()
    ]
    means = [np.mean([kinds[kind][way] for _, kinds in costs.values() for kind in COSTS]) for way in WAYS]
    rows.append(["mean", "", "", *(share(float(mean)) for mean in means)])
    page = "\n\n".join(
        [
            "# Biases for a cost matrix, and the score with several labels",
            "Mean cost on documents held out, relative to decisions without biases:",
            markdown_table(["labelling", "documents per class", "costs", *WAYS], rows),
            "F1 of the best single candidate with several labels:",
            markdown_table(
                ["documents", *next(iter(labels.values()))],
                [[name, *map(share, figures.values())] for name, figures in labels.items()],
            ),
            f"{conditions()['date']}; {conditions()['versions']}.",
        ]
    )
    write_results("costs", {**conditions(), "costs": costs, "several": labels}, page)


if __name__ == "__main__":
    main()
