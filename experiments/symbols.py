"""Emoji, emoticons, "c++" and "r&d" as tokens: ``tokens="symbols"`` and ``"unicode"``.

    .venv/bin/python experiments/symbols.py            # 3 min; downloads 11 MB

- Problems: tweets, sentences of reviews of products and of films, good or bad (opinion_problems.py); lines
  that describe Debian's packages by section, in English, German and Korean; the docstrings of the built-in
  corpus by module and by package. No corpus of a paper. Five stratified folds, shuffled with seed 0.
- Models: multinomial and complement naive Bayes, and a linear SVM, on words, and on words and pairs.
- Measured: the mean of accuracy and macro F1, the mean of the models, and the gain of "symbols", paired by
  fold, with its standard error.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import StratifiedKFold

import debian_problems
import docstring_problems
from opinion_problems import PROBLEMS, opinions
from textbayes import TextClassifier, TextCounter
from textbayes.text import TextSettings
from written import conditions, markdown_table, share, write_results

FOLDS = 5
MODELS = ("multinomial", "complement", "linear-svm")
NGRAMS = ((1, 1), (1, 2))
RULES = ("unicode", "symbols")
SIZE = 6000


def problems() -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield the name, texts and labels of each problem."""
    for name in PROBLEMS:
        yield name, *opinions(name)
    for language in ("en", "de", "ko"):
        texts, labels, _, _ = debian_problems.divided(language, SIZE)
        yield f"Debian {language}", texts, labels
    for labelling in ("module", "package"):
        texts, labels, _, _ = docstring_problems.divided(labelling, 0)
        yield f"docstrings by {labelling}", texts, labels


def main() -> None:
    """Measure both rules on every problem, and write the results."""
    figures: dict[str, Any] = conditions()
    rows = []
    for name, texts, labels in problems():
        found, symbols = measured(texts, labels), share_with_symbols(texts)
        means = found.mean(axis=(2, 3))
        gains = means[1] - means[0]
        error = float(gains.std(ddof=1) / np.sqrt(FOLDS))
        figures[name] = {"symbols": symbols, "scores": found.round(5).tolist()}
        scores = [share(float(mean)) for mean in means.mean(axis=1)]
        rows.append([name, f"{len(texts):,}", share(symbols), *scores, f"{gains.mean():+.4f} ± {error:.4f}"])
        print(rows[-1], flush=True)
    headings = ["problem", "texts", "with symbols", *RULES, "gain"]
    page = [
        "# Emoji, emoticons and words with a symbol",
        "See experiments/symbols.py.",
        markdown_table(headings, rows),
    ]
    write_results("symbols", figures, "\n\n".join(page))


def measured(texts: list[str], labels: list[str]) -> Any:
    """Return the scores, shape (rules, folds, models, ngrams)."""
    every, truth = np.array(texts, dtype=object), np.array(labels)
    found = np.zeros((len(RULES), FOLDS, len(MODELS), len(NGRAMS)))
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    for fold, (learned, held) in enumerate(folds.split(every, truth)):
        for (rule, tokens), (model, kind), (ngram, lengths) in (
            (one, other, last)
            for one in enumerate(RULES)
            for other in enumerate(MODELS)
            for last in enumerate(NGRAMS)
        ):
            counter = TextCounter(tokens=tokens, ngram_range=lengths)
            classifier = TextClassifier(kind, counter).fit(every[learned].tolist(), truth[learned].tolist())
            decided = classifier.predict(every[held].tolist())
            f1 = f1_score(truth[held], decided, average="macro", zero_division=0.0)
            found[rule, fold, model, ngram] = (accuracy_score(truth[held], decided) + f1) / 2
    return found


def share_with_symbols(texts: list[str]) -> float:
    """Return the share of the texts whose tokens differ."""
    words, symbols = (TextSettings(tokens=tokens).rules() for tokens in RULES)
    return float(np.mean([words.terms(text) != symbols.terms(text) for text in texts]))


if __name__ == "__main__":
    main()
