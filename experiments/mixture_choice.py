"""How ``background="auto"``, ``keep="auto"`` and ``n_components="auto"`` of PoissonMixtureNB choose.

    .venv/bin/python experiments/mixture_choice.py     # 15 min; downloads Debian's package index (9 MB)

- Problems: the docstrings of the built-in corpus by module, by package and by kind of object, and lines that
  describe Debian's packages by section. Counted as words, and as letters without English stop words, Porter
  stems, that occur three times. No corpus of a paper.
- Rules, by documents left out: the fewest errors; the least log loss; and of those within one standard error
  of the fewest errors, the one with the least log loss. Shares are chosen by the fewest errors, or by the
  same rule. The score of a rule on a problem is the mean of accuracy and macro F1 on the held-out texts. The
  rule with the greatest mean over the problems is used.
- Not blind: with a coarser grid, single-label Reuters was tested with the third rule (6.8 % errors with the
  strength left open, 5.9 % with all three), and with a fourth, the greatest mean of accuracy and macro F1 of
  the documents left out (7.2 and 5.9 %). On the docstrings the fourth scored .756 with the strength left open
  and .759 with all three, where the third scored .756 and .768.
- What is left open: the strength; also the number of components; also the share of parameters. The fixed
  choices are the former default (a prior of 30 words) and a mix of .2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import accuracy_score, f1_score

import debian_problems
import docstring_problems
from poisson_theta import COUNTERS
from textbayes import PoissonMixtureNB, TextCounter
from textbayes.estimators.models import mixture_choice
from textbayes.estimators.models.mixture_choice import Losses
from written import conditions, markdown_table, share, write_results

Divided = tuple[list[str], list[str], list[str], list[str]]

MIN_OCCURRENCES = 3
FIXED = {
    "prior 30": {"smoothing": "prior", "background": 30.0},
    "mix .2": {"smoothing": "mix", "background": 0.2},
}
OPEN: dict[str, dict[str, Any]] = {
    "strength": {},
    "and components": {"n_components": "auto"},
    "and share": {"keep": "auto"},
    "all three": {"n_components": "auto", "keep": "auto"},
}


def least_log_loss(losses: Losses) -> int:
    """Return the candidate with the least log loss."""
    return int(np.argmin(losses.log_losses @ losses.weights))


WITHIN, FEWEST = "within one standard error", "fewest errors"
RULES: dict[str, Callable[[Losses], int]] = {
    FEWEST: mixture_choice.best_share,
    "least log loss": least_log_loss,
    WITHIN: mixture_choice.best_strength,
}


def problems() -> Iterator[tuple[str, Divided]]:
    """Yield the problems."""
    for labelling in docstring_problems.LABELLINGS:
        yield labelling, docstring_problems.divided(labelling, 0)
    yield "Debian", debian_problems.divided("en", 6000)


def main() -> None:
    """Measure every rule and write the results."""
    figures: dict[str, dict[str, list[float]]] = {}
    for name, (texts, labels, held, truth) in problems():
        for counted, settings in COUNTERS.items():
            counter = TextCounter(**settings, **({"min_count": MIN_OCCURRENCES} if settings else {}))
            X, test = counter.fit_transform(texts), counter.transform(held)
            figures[f"{name}, {counted}"] = measured(X, np.array(labels), test, np.array(truth))
            print(name, counted, figures[f"{name}, {counted}"], flush=True)
    write(figures)


def measured(X: Any, y: NDArray[Any], test: Any, truth: NDArray[Any]) -> dict[str, list[float]]:
    """Return accuracy and macro F1 of each choice."""
    found = {name: _figures(parameters, X, y, test, truth) for name, parameters in FIXED.items()}
    for rule, function in RULES.items():
        with patch.object(mixture_choice, "best_strength", function):
            for name, parameters in OPEN.items():
                if rule == WITHIN or name == "strength" or (rule == FEWEST and name == "all three"):
                    found[f"{rule}: {name}"] = _figures(parameters, X, y, test, truth)
    with patch.object(mixture_choice, "best_share", RULES[WITHIN]):
        found[f"{WITHIN}, shares too: all three"] = _figures(OPEN["all three"], X, y, test, truth)
    return found


def _figures(
    parameters: dict[str, Any], X: Any, y: NDArray[Any], test: Any, truth: NDArray[Any]
) -> list[float]:
    decided = PoissonMixtureNB(**parameters, random_state=0).fit(X, y).predict(test)
    f1 = f1_score(truth, decided, average="macro", zero_division=0.0)
    return [round(float(accuracy_score(truth, decided)), 5), round(float(f1), 5)]


def write(figures: dict[str, dict[str, list[float]]]) -> None:
    """Write the figures and the page."""
    names = list(next(iter(figures.values())))
    table = np.array([[of[name] for name in names] for of in figures.values()])
    means = table.mean(axis=0)
    summary = [
        [name, share(row[:2].mean()), share(row[0]), share(row[1])]
        for name, row in zip(names, means, strict=True)
    ]
    each = [
        [problem, *(f"{of[name][0]:.3f}".removeprefix("0") for name in names)]
        for problem, of in figures.items()
    ]
    parts = [
        "# Choices of PoissonMixtureNB",
        "Problems and rules are in experiments/mixture_choice.py.",
        markdown_table(["choice", "score", "accuracy", "macro F1"], summary),
        "Accuracy by problem:",
        markdown_table(["problem", *names], each),
    ]
    write_results("mixture_choice", {**conditions(), "problems": figures}, "\n\n".join(parts))


if __name__ == "__main__":
    main()
