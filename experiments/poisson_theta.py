"""The default theta of PoissonNB, chosen on a corpus that no paper reports.

The rule, written before the first run:

- Corpus: the training split of the built-in docstrings in two representations, because the effect of theta
  depends on theta times the number of terms: ``TextCounter()``, and letters without English stop words,
  Porter stems.
- Five stratified folds, shuffled with seed 0; the vocabulary comes from the four training folds.
- Grid: half decades from 1e-5 to 1, all four weightings; alpha is .8, the paper's value.
- Measures: accuracy and macro F1 of ``predict``, and the macro break-even of ``decision_function``, which the
  paper reports. With two representations and four weightings this gives 24 columns.
- The score of a theta in a fold is the mean of its columns. The best theta has the greatest mean over the
  folds. The rule chooses the *largest* theta whose loss against it, paired by fold, is within one standard
  error: on texts unlike the training texts, more smoothing is safer.

The average rank over the columns is only reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import StratifiedKFold

from textbayes import PoissonNB, TextCounter
from textbayes.datasets import load_docstrings
from textbayes.evaluation import break_even
from written import conditions, markdown_table, share, write_results

THETAS = tuple(float(f"{value:.0e}") for value in 10.0 ** np.arange(-5, 0.25, 0.5))
WEIGHTINGS = (None, "ig", "chi2", "ratio")
MEASURES = ("accuracy", "macro F1", "break-even")
FOLDS = 5
COUNTERS: dict[str, dict[str, Any]] = {
    "words": {},
    "stems": {"tokens": "letters", "stop_words": "english", "stemmer": "porter"},
}

Reals = NDArray[np.float64]


def main() -> None:
    """Run the grid, apply the rule and write the results."""
    corpus = load_docstrings().train
    texts, labels = np.array(corpus.texts, dtype=object), np.array(corpus.label)
    columns: dict[str, Reals] = {}
    terms: dict[str, float] = {}
    for name, settings in COUNTERS.items():
        found, terms[name] = measured(texts, labels, settings)
        columns |= {f"{name}, {column}": values for column, values in found.items()}
    write(columns, terms)


def measured(texts: NDArray[Any], labels: NDArray[Any], settings: Any) -> tuple[dict[str, Reals], float]:
    """Return an array (thetas, folds) for each column, and the mean of |V|."""
    columns: dict[str, Reals] = {}
    terms = []
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    for fold, (learned, held) in enumerate(folds.split(texts, labels)):
        counter = TextCounter(**settings)
        model = PoissonNB().fit(counter.fit_transform(texts[learned]), labels[learned])
        terms.append(model.n_features_in_)
        rows = counter.transform(texts[held])
        for weighting, theta, values in grid(model, rows, labels[held]):
            for measure, value in zip(MEASURES, values, strict=True):
                name = f"{weighting or 'none'}, {measure}"
                columns.setdefault(name, np.zeros((len(THETAS), FOLDS)))[theta, fold] = value
    return columns, float(np.mean(terms))


def grid(model: PoissonNB, rows: Any, labels: NDArray[Any]) -> Iterator[tuple[str | None, int, list[float]]]:
    """Score held-out documents for every weighting and theta, with the statistics learned once."""
    truth = labels[:, None] == model.classes_
    for weighting in WEIGHTINGS:
        for at, theta in enumerate(THETAS):
            model.set_params(theta=theta, weighting=weighting)
            decided = model.predict(rows)
            ranked = break_even(truth, model.decision_function(rows))
            f1 = f1_score(labels, decided, average="macro", zero_division=0.0)
            yield weighting, at, [accuracy_score(labels, decided), f1, ranked.macro]


def chosen_theta(scores: Reals) -> tuple[int, int, Reals, Reals]:
    """Apply the rule to scores (thetas, folds).

    Returns
    -------
    best, chosen : int
        Positions in the grid.
    loss, error : arrays
        The mean loss of each theta against the best, and its standard error.

    Examples
    --------
    The third is a little worse than the second, by less than its error; the fourth is clearly worse.

    >>> best, chosen, *_ = chosen_theta(np.array([[0.1, 0.1], [0.5, 0.6], [0.54, 0.55], [0.2, 0.2]]))
    >>> best, chosen
    (1, 2)
    """
    best = int(np.argmax(scores.mean(axis=1)))
    losses = scores[best] - scores
    loss = losses.mean(axis=1)
    error = losses.std(axis=1, ddof=1) / np.sqrt(scores.shape[1])
    chosen = int(np.flatnonzero(loss <= error).max())
    return best, chosen, loss, error


def write(columns: dict[str, Reals], terms: dict[str, float]) -> None:
    """Write the figures and the page."""
    stacked = np.array(list(columns.values()))
    best, chosen, loss, error = chosen_theta(stacked.mean(axis=0))
    ranks = np.mean([rankdata(-column.mean(axis=1)) for column in columns.values()], axis=0)
    headings = ["theta", *(f"theta·V, {name}" for name in terms), "score", "loss", "± error", "mean rank"]
    summary = [
        [
            f"{theta:g}",
            *(f"{theta * size:,.3g}" for size in terms.values()),
            share(float(stacked[:, at].mean())),
            f"{loss[at]:.4f}",
            f"{error[at]:.4f}",
            f"{ranks[at]:.1f}",
        ]
        for at, theta in enumerate(THETAS)
    ]
    verdict = (
        f"Chosen: theta = {THETAS[chosen]:g}, that is theta·V = "
        + " and ".join(f"{THETAS[chosen] * size:,.0f} ({name})" for name, size in terms.items())
        + f"; the greatest mean score is at {THETAS[best]:g}."
    )
    names = [f"{theta:g}" for theta in THETAS]
    each = [
        [name, *(share(float(value)) for value in column.mean(axis=1))] for name, column in columns.items()
    ]
    parts = [
        "# The default theta of PoissonNB",
        verdict,
        "The rule is in experiments/poisson_theta.py.",
        markdown_table(headings, summary),
        "Every column, mean of the folds:",
        markdown_table(["", *names], each),
    ]
    figures = {
        **conditions(),
        "chosen": THETAS[chosen],
        "best": THETAS[best],
        "thetas": THETAS,
        "terms": terms,
        "columns": {name: column.round(5).tolist() for name, column in columns.items()},
    }
    write_results("poisson_theta", figures, "\n\n".join(parts))


if __name__ == "__main__":
    main()
