"""How many passes over the documents a linear SVM needs as a member of a blend.

    .venv/bin/python experiments/svm_passes.py      # 2 min; built-in corpus only

- Corpus: the training split of the built-in docstrings, two thirds for training (docstring_problems.py),
  words and word pairs, as smooth tf-idf of length 1.
- LinearSVM with C = 2 and 10, the values that AutoNB tries first and second, after 5, 10, 20 and 100 passes.
- The number of AutoNB (``variants.py``) is the smallest whose mean macro F1 on the held-out third is within
  .001 of that of 100 passes.
"""

from __future__ import annotations

import numpy as np
from sklearn.metrics import f1_score

from docstring_problems import DIVISIONS, LABELLINGS, problem_of
from textbayes import FrequencyTransform, LinearSVM
from written import conditions, markdown_table, share, write_results

PASSES = (5, 10, 20, 100)
COSTS = (2.0, 10.0)


def main() -> None:
    """Measure every number of passes and write the results."""
    rows: dict[str, list[list[float]]] = {}
    for division in range(DIVISIONS):
        for labelling in LABELLINGS:
            for cost, found in measured(labelling, division).items():
                rows.setdefault(f"{labelling}, C = {cost:g}", []).append(found)
    means = {name: np.mean(found, axis=0) for name, found in rows.items()}
    means["mean"] = np.mean(list(means.values()), axis=0)
    lines = [[name, *map(share, mean)] for name, mean in means.items()]
    parts = [
        "# Passes of a linear SVM",
        "Macro F1 on the held-out third, mean of two divisions (svm_passes.py).",
        markdown_table(["labels", *(f"{passes} passes" for passes in PASSES)], lines),
    ]
    write_results("svm_passes", {**conditions(), "figures": rows}, "\n\n".join(parts))


def measured(labelling: str, division: int) -> dict[float, list[float]]:
    """Return macro F1 after each number of passes, for each C."""
    problem = problem_of(labelling, division)
    transform = FrequencyTransform(idf="smooth").fit(problem.train)
    train, test = transform.transform(problem.train), transform.transform(problem.test)
    found: dict[float, list[float]] = {cost: [] for cost in COSTS}
    for cost in COSTS:
        for passes in PASSES:
            model = LinearSVM(C=cost, max_iter=passes, random_state=0).fit(train, problem.labels)
            macro = f1_score(problem.truth, model.predict(test), average="macro", zero_division=0)
            found[cost].append(round(float(macro), 4))
    return found


if __name__ == "__main__":
    main()
