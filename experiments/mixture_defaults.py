"""The defaults of PoissonMixtureNB, chosen on a corpus that no paper reports.

The rule, written before the first run:

- Corpus: the training split of the built-in docstrings in two representations: ``TextCounter()``, and letters
  without English stop words, Porter stems.
- Five stratified folds, shuffled with seed 0; the vocabulary comes from the four training folds.
- Grid: "mix" with b from .01 to .7, "prior" with s in half decades from 10 to 30,000 words; one and two
  components per class, seed 0; all parameters kept, and half of them.
- Measures: accuracy and macro F1 of ``predict``. With two representations, two numbers of components and two
  shares of parameters this gives 16 columns. The score of a strength in a fold is the mean of its columns.
- For each smoothing, the best strength has the greatest mean over the folds. The rule chooses the *largest*
  strength whose loss against it, paired by fold, is within one standard error: more smoothing is safer.
- The default smoothing is the one with the higher score, but "prior" if its loss is within one standard
  error, because only "prior" keeps EM monotone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import StratifiedKFold

from poisson_theta import COUNTERS, FOLDS, chosen_theta
from textbayes import PoissonMixtureNB, TextCounter
from textbayes.datasets import load_docstrings
from written import conditions, markdown_table, share, write_results

STRENGTHS = {
    "mix": (0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7),
    "prior": (10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 10000.0, 30000.0),
}
SHAPES = [(components, keep) for components in (1, 2) for keep in (1.0, 0.5)]
MEASURES = ("accuracy", "macro F1")

Reals = NDArray[np.float64]


def main() -> None:
    """Run the grid, apply the rule and write the results."""
    corpus = load_docstrings().train
    texts, labels = np.array(corpus.texts, dtype=object), np.array(corpus.label)
    columns: dict[str, dict[str, Reals]] = {smoothing: {} for smoothing in STRENGTHS}
    for name, settings in COUNTERS.items():
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
        for fold, (learned, held) in enumerate(folds.split(texts, labels)):
            counter = TextCounter(**settings)
            X, test = counter.fit_transform(texts[learned]), counter.transform(texts[held])
            for smoothing in STRENGTHS:
                measure(columns[smoothing], name, fold, smoothing, X, labels[learned], test, labels[held])
    write(columns)


def measure(
    columns: dict[str, Reals],
    name: str,
    fold: int,
    smoothing: str,
    X: Any,
    y: NDArray[Any],
    test: Any,
    truth: NDArray[Any],
) -> None:
    """Fill one fold in the columns of a smoothing: arrays (strengths, folds)."""
    for components, keep in SHAPES:
        for at, strength in enumerate(STRENGTHS[smoothing]):
            options = {"keep": keep, "smoothing": smoothing, "background": strength, "random_state": 0}
            decided = PoissonMixtureNB(components, **options).fit(X, y).predict(test)
            f1 = f1_score(truth, decided, average="macro", zero_division=0.0)
            for title, value in zip(MEASURES, (accuracy_score(truth, decided), f1), strict=True):
                column = f"{name}, {components} component{'s'[: components - 1]}, keep {keep:g}, {title}"
                columns.setdefault(column, np.zeros((len(STRENGTHS[smoothing]), FOLDS)))[at, fold] = value


def write(columns: dict[str, dict[str, Reals]]) -> None:
    """Apply the rule and write the figures and the page."""
    parts, chosen, scores = ["# The defaults of PoissonMixtureNB"], {}, {}
    for smoothing, found in columns.items():
        stacked = np.array(list(found.values()))
        best, at, loss, error = chosen_theta(stacked.mean(axis=0))
        chosen[smoothing], scores[smoothing] = STRENGTHS[smoothing][at], stacked.mean(axis=0)[at]
        rows = [
            [f"{strength:g}", share(float(stacked[:, row].mean())), f"{loss[row]:.4f}", f"{error[row]:.4f}"]
            for row, strength in enumerate(STRENGTHS[smoothing])
        ]
        parts += [
            f'"{smoothing}": chosen {chosen[smoothing]:g}, best {STRENGTHS[smoothing][best]:g}.',
            markdown_table([smoothing, "score", "loss", "± error"], rows),
            markdown_table(
                ["", *(f"{strength:g}" for strength in STRENGTHS[smoothing])],
                [[name, *(share(float(v)) for v in column.mean(axis=1))] for name, column in found.items()],
            ),
        ]
    lead = scores["mix"] - scores["prior"]
    error = float(lead.std(ddof=1) / np.sqrt(len(lead)))
    default = "mix" if lead.mean() > error else "prior"
    verdict = (
        f'Chosen: smoothing="{default}"; background {chosen["prior"]:g} words with "prior", '
        f'{chosen["mix"]:g} with "mix". "mix" leads by {lead.mean():.4f} ± {error:.4f}.'
    )
    parts[1:1] = [verdict, "The rule is in experiments/mixture_defaults.py."]
    figures = {
        **conditions(),
        "default": default,
        "chosen": chosen,
        "strengths": STRENGTHS,
        "columns": {
            smoothing: {name: column.round(5).tolist() for name, column in found.items()}
            for smoothing, found in columns.items()
        },
    }
    write_results("mixture_defaults", figures, "\n\n".join(parts))


if __name__ == "__main__":
    main()
