"""Calibration of predicted probabilities on 20 Newsgroups by date.

Counts of ``TextCounter()``, 11,314 / 7,532 messages. Measures the expected calibration error of the predicted
class on the test messages: fifteen equal bins of its probability, and in each bin the difference between mean
probability and accuracy, weighted by the size of the bin. The calibrations are fitted on leave-one-out scores
of the training messages.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes import ComplementNB, MultinomialNB, TextCounter, TunedClassifier
from textbayes.datasets import load_newsgroups
from written import conditions, markdown_table, share, use_shared_corpora, write_results

BINS = 15
MODELS: dict[str, Any] = {
    "MultinomialNB()": MultinomialNB(),
    "MultinomialNB(0.1)": MultinomialNB(0.1),
    "ComplementNB()": ComplementNB(),
}
WAYS = {
    "tuned": {},
    "no biases": {"biases": False},
    "temperature": {"biases": False, "calibration": "temperature"},
    "isotonic": {"biases": False, "calibration": "isotonic"},
}


def calibration_error(probabilities: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Return the expected calibration error of the best class.

    >>> calibration_error(np.array([[0.9, 0.1], [0.9, 0.1]]), np.array([True, False]))
    0.4
    """
    sure = probabilities.max(axis=1)
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)
    gaps = np.bincount(bins, sure, minlength=BINS) - np.bincount(bins, right, minlength=BINS)
    return float(np.abs(gaps).sum() / len(sure))


def main() -> None:
    """Run the experiment and write the table."""
    use_shared_corpora()
    corpus = load_newsgroups()
    counter = TextCounter()
    train, test = counter.fit_transform(corpus.train.texts), counter.transform(corpus.test.texts)
    labels, truth = np.array(corpus.train.label), np.array(corpus.test.label)
    rows, figures = [], {}
    for name, model in MODELS.items():
        tuned = {way: TunedClassifier(model, **settings) for way, settings in WAYS.items()}
        for way, contestant in ({"plain": model} | tuned).items():
            contestant.fit(train, labels)
            probabilities = contestant.predict_proba(test)
            right = contestant.classes_[probabilities.argmax(axis=1)] == truth
            error = calibration_error(probabilities, right)
            figures[f"{name}, {way}"] = {"accuracy": float(right.mean()), "calibration_error": error}
            rows.append([name, way, share(float(1 - right.mean())), share(error)])
    page = "\n\n".join(
        [
            "# Calibrated probabilities",
            "20 Newsgroups by date, test messages.",
            markdown_table(["model", "probabilities", "error", "expected calibration error"], rows),
        ]
    )
    write_results("calibration", {**conditions(), "figures": figures}, page)


if __name__ == "__main__":
    main()
