"""The settings of DiscriminativeNB on the built-in corpus.

The training split of load_docstrings, words of ``TextCounter()`` and words with word pairs; macro F1 of
fold_scores in five folds. The rule, written before the run: take the mean over both representations; choose
the fewest visits with a mean within .002 of the greatest, then the largest block, then the alpha nearest 1.
MultinomialNB with the same alphas is shown for comparison.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.metrics import f1_score

from textbayes import DiscriminativeNB, MultinomialNB, TextCounter
from textbayes.datasets import load_docstrings
from written import conditions, markdown_table, share, write_results

ALPHAS = (0.01, 0.1, 0.3, 1.0)
VISITS = (1, 2, 5, 10)
BLOCKS = (1, 32)
SEEDS = (0,)
NEAR = 0.002


def main() -> None:
    """Measure every setting, apply the rule and write the results."""
    train = load_docstrings().train
    labels = np.array(train.label)
    counters = {"words": TextCounter(), "words and pairs": TextCounter(ngram_range=(1, 2))}
    counts = {name: counter.fit_transform(train.texts) for name, counter in counters.items()}
    found = {
        (visits, block, alpha): [
            np.mean(
                [
                    _macro(DiscriminativeNB(alpha, visits, block, random_state=seed), X, labels)
                    for seed in SEEDS
                ]
            )
            for X in counts.values()
        ]
        for visits, block, alpha in product(VISITS, BLOCKS, ALPHAS)
    }
    plain = {alpha: [_macro(MultinomialNB(alpha), X, labels) for X in counts.values()] for alpha in ALPHAS}
    best = max(np.mean(figures) for figures in found.values())
    near = [setting for setting, figures in found.items() if np.mean(figures) >= best - NEAR]
    chosen = min(near, key=lambda setting: (setting[0], -setting[1], abs(np.log(setting[2]))))
    _write(list(counts), found, plain, chosen)


def _macro(model: Any, X: csr_matrix, labels: NDArray[Any]) -> float:
    model.fit(X, labels)
    scores = model.fold_scores(X, labels, folds=5)
    return float(f1_score(labels, model.classes_[scores.argmax(axis=1)], average="macro"))


def _write(names: list[str], found: Any, plain: Any, chosen: tuple[int, int, float]) -> None:
    rows = [
        [*map(str, setting), *map(share, figures), share(float(np.mean(figures)))]
        for setting, figures in found.items()
    ]
    rows += [
        ["MultinomialNB", "", str(alpha), *map(share, values), share(float(np.mean(values)))]
        for alpha, values in plain.items()
    ]
    verdict = "By the rule: max_iter={}, block_size={}, alpha={}.".format(*chosen)
    page = "\n\n".join(
        [
            "# The settings of DiscriminativeNB",
            "Built-in corpus, training split, five folds, macro F1.",
            verdict,
            markdown_table(["max_iter", "block_size", "alpha", *names, "mean"], rows),
        ]
    )
    figures = {"/".join(map(str, setting)): values for setting, values in (found | plain_keys(plain)).items()}
    write_results("discriminative", {**conditions(), "chosen": chosen, "macro_f1": figures}, page)


def plain_keys(plain: dict[float, list[float]]) -> dict[tuple[str, float], list[float]]:
    """Return the keys of the figures of MultinomialNB."""
    return {("MultinomialNB", alpha): values for alpha, values in plain.items()}


if __name__ == "__main__":
    main()
