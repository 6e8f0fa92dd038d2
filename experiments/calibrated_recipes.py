"""Calibrated probabilities of every recipe, on texts with their own training and test side.

For each model that ``TextClassifier`` takes by name, and "auto": the expected calibration error on the test
texts in fifteen bins, of the model's own posterior and of calibrated probabilities; accuracy, or with several
labels micro and macro F1; and how many times as much processor time fitting takes with the calibration
(median of three runs). Named models are measured again, and others keep their figures:

    python experiments/calibrated_recipes.py auto complement
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
from sklearn.metrics import f1_score

from text_problems import Texts, texts_of
from textbayes import TextClassifier
from textbayes.estimators.models.variants import NAMED
from textbayes.evaluation import calibration_error
from written import conditions, markdown_table, read_figures, share, use_shared_corpora, write_results

CORPORA = ("docstrings", "R8", "20 Newsgroups", "Reuters-90")
RUNS = 3


def labels_of(texts: Texts, indicator: Any) -> list[Any]:
    """Return one label for each text, or a list."""
    if not texts.multilabel:
        return list(indicator.tolist())
    return [[texts.categories[place] for place in np.flatnonzero(row)] for row in indicator]


def fitted(name: str, texts: Texts, calibrate: bool) -> tuple[TextClassifier, float]:
    """Fit a model and answer once; return it and the processor seconds."""
    labels, start = labels_of(texts, texts.labels), time.process_time()
    model = TextClassifier(name, calibrate=calibrate).fit(texts.train, labels)
    model.predict_proba(texts.test[:1])
    return model, time.process_time() - start


def measured(name: str, texts: Texts) -> dict[str, float]:
    """Measure a model with and without its calibration."""
    seconds: dict[bool, list[float]] = {False: [], True: []}
    # "auto" is always calibrated.
    ways = (True,) if name == "auto" else (False, True)
    models: dict[bool, TextClassifier] = {}
    for _ in range(1 if name in ("auto", "mixture") else RUNS):
        for calibrate in ways:
            models[calibrate], own = fitted(name, texts, calibrate)
            seconds[calibrate].append(own)
    found = {"calibrated": _error(models[True], texts), **_quality(models[True], texts)}
    if False in models:
        found["raw"] = _error(models[False], texts)
        found["time"] = float(np.median(seconds[True]) / np.median(seconds[False]))
    return found


def _error(model: TextClassifier, texts: Texts) -> float:
    probabilities = model.predict_proba(texts.test)
    if not texts.multilabel:
        return calibration_error(texts.truth, probabilities, classes=model.classes_)
    return calibration_error(_columns(model, texts), probabilities)


def _columns(model: TextClassifier, texts: Texts) -> Any:
    """Return the truth in the order of the model's classes."""
    place = {category: at for at, category in enumerate(texts.categories)}
    return texts.truth[:, [place[label] for label in model.classes_.tolist()]]


def _quality(model: TextClassifier, texts: Texts) -> dict[str, float]:
    if not texts.multilabel:
        return {"accuracy": float(np.mean(model.predict(texts.test) == texts.truth))}
    truth, given = _columns(model, texts), model.predict(texts.test)
    decided = np.array([[label in own for label in model.classes_.tolist()] for own in given])
    probabilities = model.predict_proba(texts.test)
    return {
        "micro": float(f1_score(truth, decided, average="micro")),
        "macro": float(f1_score(truth, decided, average="macro", zero_division=0)),
        "labels": float(probabilities.sum(axis=1).mean()),
        "true labels": float(truth.sum(axis=1).mean()),
    }


def _cell(found: dict[str, float]) -> str:
    if "raw" not in found:
        return share(found["calibrated"])
    return f"{share(found['raw'])} → {share(found['calibrated'])} ({found['time']:.1f} ×)"


def main() -> None:
    """Run the experiment and write the table."""
    use_shared_corpora()
    names = sys.argv[1:] or [*NAMED, "auto"]
    figures: dict[str, dict[str, dict[str, float]]] = read_figures("calibrated_recipes")
    for corpus in CORPORA:
        texts = texts_of(corpus)
        for name in names:
            figures.setdefault(name, {})[corpus] = measured(name, texts)
            print(corpus, name, figures[name][corpus], file=sys.stderr, flush=True)
    rows = [
        [
            name,
            *(
                f"{share(of[c]['raw'])} → {share(of[c]['calibrated'])} ({of[c]['time']:.1f} ×)"
                for c in CORPORA
            ),
        ]
        for name, of in figures.items()
    ]
    page = "\n\n".join(
        [
            "# Calibrated probabilities of every recipe",
            "Expected calibration error on the test texts: posterior → calibrated (processor time of fit).",
            markdown_table(["model", *CORPORA], rows),
        ]
    )
    write_results("calibrated_recipes", {**conditions(), "figures": figures}, page)


if __name__ == "__main__":
    main()
