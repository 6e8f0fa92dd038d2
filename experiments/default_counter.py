"""Which counter TextCounter() and the named models of TextClassifier use by default: one for both.

    .venv/bin/python experiments/default_counter.py      # 3 min; downloads Debian's package index

- Problems (debian_problems.py): lines that describe packages in English, German, Russian, Korean, Japanese
  and Chinese, by section; first lines and whole docstrings of the built-in corpus, by module.
- Counters: "words", scikit-learn's rule; "unicode", the same with pairs of characters in scripts without
  spaces; and "unicode" with character n-grams (2 to 5) beside words. Models: complement, multinomial, twcnb
  and linear-svm, with their own transforms. Figures: macro F1 and accuracy on held-out texts, and the time to
  count by one thread, as a ratio to "words" in interleaved rounds.
- The rule: "unicode" replaces "words" if it loses at most .002 mean macro F1 on texts with spaces, gains on
  texts without, and counts texts with spaces in at most 1.1 times the time. Character n-grams are added if
  they gain .02 mean macro F1 on texts with spaces and without, and count in at most twice the time.
"""

from __future__ import annotations

import time

import numpy as np
from sklearn.metrics import f1_score

from debian_problems import divided
from textbayes import TextClassifier, TextCounter
from written import conditions, markdown_table, share, write_results

WITH_SPACES = (
    ("en", 1000),
    ("en", 5000),
    ("de", 5000),
    ("ru", 2000),
    ("ko", 2500),
    ("summaries", 3000),
    ("docstrings", 600),
)
WITHOUT_SPACES = (("ja", 1000), ("ja", 4000), ("zh_CN", 300), ("zh_CN", 600))
COUNTERS = {
    "words": {"tokens": "words"},
    "unicode": {"tokens": "unicode"},
    "unicode, characters": {"tokens": "unicode", "characters": (2, 5)},
}
MODELS = ("complement", "multinomial", "twcnb", "linear-svm")
ROUNDS = 15


def measured(name: str, size: int) -> list[dict[str, object]]:
    """The figures of each counter and model on one problem."""
    texts, labels, held, truth = divided(name, size)
    found = []
    for counter, settings in COUNTERS.items():
        for model in MODELS:
            classifier = TextClassifier(model, TextCounter(**settings), keep_documents=False)
            decided = classifier.fit(texts, labels).predict(held)
            found.append(
                {
                    "problem": f"{name}, {size}",
                    "counter": counter,
                    "model": model,
                    "macro_f1": float(f1_score(truth, decided, average="macro")),
                    "accuracy": float(np.mean(np.asarray(truth) == np.asarray(decided))),
                }
            )
    return found


def ratios(name: str, size: int) -> dict[str, float]:
    """The least time to count a problem's texts by each counter, divided by that of words."""
    texts = divided(name, size)[0]
    seconds = {counter: float("inf") for counter in COUNTERS}
    for _ in range(ROUNDS):
        for counter, settings in COUNTERS.items():
            start = time.process_time()
            TextCounter(**settings, n_jobs=1).fit_transform(texts)
            seconds[counter] = min(seconds[counter], time.process_time() - start)
    return {counter: own / seconds["words"] for counter, own in seconds.items()}


def mean(rows: list[dict[str, object]], counter: str, problems: tuple[tuple[str, int], ...]) -> float:
    names = {f"{name}, {size}" for name, size in problems}
    return float(
        np.mean([row["macro_f1"] for row in rows if row["counter"] == counter and row["problem"] in names])
    )


def main() -> None:
    problems = (*WITH_SPACES, *WITHOUT_SPACES)
    rows = [row for name, size in problems for row in measured(name, size)]
    times = {f"{name}, {size}": ratios(name, size) for name, size in (("docstrings", 600), ("ja", 4000))}
    means = {
        counter: (mean(rows, counter, WITH_SPACES), mean(rows, counter, WITHOUT_SPACES))
        for counter in COUNTERS
    }
    spaces, none = (np.array(each) for each in zip(*means.values(), strict=True))
    seconds = times["docstrings, 600"]
    with_pairs = spaces[1] >= spaces[0] - 0.002 and none[1] > none[0] and seconds["unicode"] <= 1.1
    gains = min(spaces[2] - spaces[1], none[2] - none[1])
    with_characters = gains >= 0.02 and seconds["unicode, characters"] <= 2.0
    chosen = "unicode, characters" if with_characters else "unicode" if with_pairs else "words"
    figures = {**conditions(), "rows": rows, "time": times, "chosen": chosen}
    headings = ["counter", "macro F1, with spaces", "macro F1, without", *(f"time, {name}" for name in times)]
    lines = [
        [counter, *map(share, means[counter]), *(f"{own[counter]:.2f} ×" for own in times.values())]
        for counter in COUNTERS
    ]
    details = [
        [f"{name}, {size}", *(share(mean(rows, counter, ((name, size),))) for counter in COUNTERS)]
        for name, size in problems
    ]
    page = [
        "# The default counter",
        f"{figures['date']}; {figures['versions']}. Means over {', '.join(MODELS)}. Chosen: {chosen}.",
        markdown_table(headings, lines),
        markdown_table(["macro F1", *COUNTERS], details),
    ]
    write_results("default_counter", figures, "\n\n".join(page))


if __name__ == "__main__":
    main()
