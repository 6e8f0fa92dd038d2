"""``n_components="auto"`` compared with fixed numbers of components, on a corpus that no paper reports.

"auto" adds components to a class while one more increases the likelihood of held-out documents of the class
by more than the standard error of the mean difference, in three folds.

Corpus: the training split of the built-in docstrings, five stratified folds shuffled with seed 0, tokens of
letters, without English stop words, Porter stems, a prior of 30 words, seed 0. Two kinds of classes: those of
the corpus, and the same merged three by three in alphabetical order, which are mixtures by construction.
Measures on the held-out fold: accuracy, macro F1, and the mean log-likelihood of a document in its class
relative to the background.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import StratifiedKFold

from poisson_theta import COUNTERS, FOLDS
from textbayes import PoissonMixtureNB, TextCounter
from textbayes.datasets import load_docstrings
from written import conditions, markdown_table, share, write_results

CHOICES = (1, 2, 3, 4, 8, "auto")
JOINED = 3


def main() -> None:
    """Measure every choice on both kinds of classes and write the results."""
    corpus = load_docstrings().train
    texts, labels = np.array(corpus.texts, dtype=object), np.array(corpus.label)
    _, codes = np.unique(labels, return_inverse=True)
    joined = np.array([f"group {code // JOINED:02}" for code in codes])
    parts, figures = ['# Number of components: "auto" and fixed numbers'], conditions()
    for title, y in (("The classes of the corpus", labels), ("Classes merged three by three", joined)):
        rows = measured(texts, y)
        figures[title] = rows
        lines = [
            [str(choice), f"{found[3]:.1f}", share(found[0]), share(found[1]), f"{found[2]:.2f}"]
            for choice, found in zip(CHOICES, rows, strict=True)
        ]
        headings = ["n_components", "components per class", "accuracy", "macro F1", "log-likelihood"]
        parts += [f"{title}:", markdown_table(headings, lines)]
    parts.append("See experiments/mixture_auto.py.")
    write_results("mixture_auto", figures, "\n\n".join(parts))


def measured(texts: NDArray[Any], labels: NDArray[Any]) -> list[list[float]]:
    """Return mean accuracy, macro F1, log-likelihood and components per class of each choice."""
    found = np.zeros((len(CHOICES), FOLDS, 4))
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(texts, labels)
    for fold, (learned, held) in enumerate(folds):
        counter = TextCounter(**COUNTERS["stems"])
        X, test = counter.fit_transform(texts[learned]), counter.transform(texts[held])
        for at, choice in enumerate(CHOICES):
            model = PoissonMixtureNB(choice, smoothing="prior", background=30.0, random_state=0).fit(
                X, labels[learned]
            )
            found[at, fold] = figures_of(model, test, labels[held])
    return found.mean(axis=1).round(4).tolist()


def figures_of(model: PoissonMixtureNB, test: Any, truth: NDArray[Any]) -> list[float]:
    """Measure one model."""
    decided = model.predict(test)
    own = np.searchsorted(model.classes_, truth)
    prior = np.log(model.class_documents_ / model.class_documents_.sum())
    likelihood = np.mean(model.decision_function(test)[np.arange(len(own)), own] - prior[own])
    f1 = f1_score(truth, decided, average="macro", zero_division=0.0)
    return [accuracy_score(truth, decided), f1, float(likelihood), float(model.model_.own.sizes.mean())]


if __name__ == "__main__":
    main()
