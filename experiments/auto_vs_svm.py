"""The default TextClassifier beside two tuned linear SVMs and the best single naive Bayes model.

    .venv/bin/python experiments/auto_vs_svm.py [corpus ...]      # all seven by default
    .venv/bin/python experiments/auto_vs_svm.py --curves [corpus ...]
    … --keep-svm      # keep the stored figures of the SVMs
    … --no-svm        # the same, and measure no SVM, even if no figures are stored
    … --only-svm      # measure the SVMs alone, where no figures are stored

The protocol, written before the first run:

- Everything starts from the same texts, with the division of the corpus into a training and a test side. The
  built-in corpus, docstrings, divides itself by a hash of the name of each document.
- "Default" is ``TextClassifier()``. Its blend may contain linear SVMs as members.
- "Without SVM" is ``TextClassifier(AutoNB(candidates="bayes", random_state=0))``. The best single naive Bayes
  model is the first candidate on that leaderboard, fitted alone.
- SVM: scikit-learn's LinearSVC on sublinear tf-idf, C of 0.1, 0.5, 2 and 10, words or words with pairs, by
  five-fold grid search for the same measure; refitted on all training documents.
- SVM with characters: the same on words, pairs, and 2 to 5 characters inside words (``char_wb``) that occur
  in two documents. The characters are a block with a tf-idf of their own, as in a FeatureUnion. Three folds
  on the built-in corpus, single-label Reuters, 20 Newsgroups and Reuters-90, because five take more than
  twenty minutes on a busy core.
- Measures: macro F1 and the error rate; on Reuters-90, which is multilabel, micro and macro break-even.
- Time: from the texts to the fitted model, including the search. The SVMs use one thread, ours all cores.
  So times are compared in CPU seconds, the sum over all threads, which also depend less on other work on the
  machine.
- Curves: 1, 2, 5, 10, 20 and 50 training documents per class, five draws, the same for all; the test side,
  or 2,000 of its documents, stratified. The grid search has at most five folds, and no more than documents
  per class. With one document per class, C is 1 and the first SVM uses only words.

Nothing is chosen on test documents.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from linear_svms import SVMS, Figures, Stopwatch, figures_of, folds_of, measured_svm
from text_problems import BUILT_IN, CORPORA, Texts, texts_of
from textbayes import AutoNB, TextClassifier
from written import RESULTS, conditions, markdown_table, share, use_shared_corpora, write_results

BAYES = "bayes"
EACH = (1, 2, 5, 10, 20, 50)
DRAWS = 5
CURVES = (BUILT_IN, "R8", "WebKB-4", "20 Newsgroups")
MOST_TESTS = 2000
OURS = ("auto", "bayes")
TITLES = {
    "auto": "default",
    "bayes": "without SVM",
    "svm": "SVM",
    "svm_characters": "SVM with characters",
    "single": "best single NB",
}
Row = dict[str, Any]


def automatic(texts: Texts, model: Any = "auto") -> tuple[Figures, TextClassifier]:
    """Fit and evaluate a classifier of raw texts."""
    watch = Stopwatch()
    classifier = TextClassifier(model).fit(texts.train, texts.given())
    spent = watch.read()
    detail = str(classifier.model_.recipe_)
    return figures_of(texts.truth, classifier, texts.test, detail, **spent), classifier


def without_svm(candidates: Any = BAYES) -> AutoNB:
    return AutoNB(candidates=candidates, random_state=0)


def measured_ours(texts: Texts) -> dict[str, Row]:
    """Evaluate the default, the search without the SVM, and the best single candidate of the latter."""
    auto, _ = automatic(texts)
    bayes, classifier = automatic(texts, without_svm())
    best = next(entry for entry in classifier.model_.leaderboard_ if entry.candidate is not None)
    single, _ = automatic(texts, without_svm([best.candidate]))
    found = {"auto": asdict(auto), "bayes": asdict(bayes), "single": asdict(single)}
    found["single"]["detail"] = best.name
    return found


def compare(names: Sequence[str]) -> None:
    """Measure the given corpora, and keep the stored results of the others."""
    stored = _stored("auto_vs_svm", "corpora")
    # In the order of the corpora.
    rows: dict[str, Row] = {name: stored.get(name, {}) for name in CORPORA}
    for name in names:
        texts = texts_of(name)
        for kind in SVMS:
            if _is_due(rows[name], kind):
                rows[name][kind] = measured_svm(kind, name, texts)
                print(name, kind, rows[name][kind], flush=True)
                write(rows)
        if "--only-svm" not in sys.argv:
            rows[name].update(measured_ours(texts))
            known = [kind for kind in TITLES if kind in rows[name]]
            print(name, {kind: rows[name][kind]["macro"] for kind in known}, flush=True)
            write(rows)


def _stored(name: str, part: str) -> dict[str, Row]:
    path = RESULTS / f"{name}.json"
    found: dict[str, Row] = json.loads(path.read_text(encoding="utf-8"))[part] if path.exists() else {}
    return found


def _is_due(row: Row, kind: str) -> bool:
    """True if an SVM must be measured."""
    if "--no-svm" in sys.argv:
        return False
    return kind not in row or not {"--keep-svm", "--only-svm"} & set(sys.argv)


def write(rows: dict[str, Row]) -> None:
    known = {name: row for name, row in rows.items() if row}
    parts = [
        "# The default model and two tuned linear SVMs",
        'The blends of the default contain linear SVMs as members; those of "without SVM" do not. The '
        "protocol is in experiments/auto_vs_svm.py.",
        "Macro F1 on the test side (Reuters-90: macro break-even):",
        _table(known, "macro", _macro),
        "Error rate (Reuters-90: micro break-even):",
        _table(known, "other", _other),
        "CPU seconds from the texts to the fitted model, and the default's share of those of the slower SVM:",
        _times(known),
        *(_details(name, row) for name, row in known.items()),
    ]
    write_results("auto_vs_svm", {**conditions(), "corpora": known}, "\n\n".join(parts))


def _table(rows: dict[str, Row], measure: str, shown: Any) -> str:
    lines = [
        [name, *(shown(name, row[kind][measure]) if kind in row else "" for kind in TITLES)]
        for name, row in rows.items()
    ]
    return markdown_table(["corpus", *TITLES.values()], lines)


def _macro(_: str, value: float) -> str:
    return share(value)


def _other(name: str, value: float) -> str:
    return share(value) if name == "Reuters-90" else f"{value:.1%}"


def _times(rows: dict[str, Row]) -> str:
    kinds = [*OURS, *SVMS]
    lines = []
    for name, row in rows.items():
        seconds = [row.get(kind, {}).get("cpu") for kind in kinds]
        ratio = "" if None in seconds else f"{seconds[0] / max(seconds[2:]):.2f}"
        lines.append([name, *("" if cpu is None else f"{cpu:.1f}" for cpu in seconds), ratio])
    return markdown_table(["corpus", *(TITLES[kind] for kind in kinds), "share"], lines)


def _details(name: str, row: Row) -> str:
    kinds = [kind for kind in ("svm", "svm_characters", "single") if kind in row]
    chosen = [f"{TITLES[kind]}: {row[kind]['detail']}." for kind in kinds]
    text = f"**{name}.** " + " ".join(line[0].upper() + line[1:] for line in chosen)
    if "auto" not in row:
        return text
    return f"{text} Default:\n\n" + "\n".join(f"    {line}" for line in row["auto"]["detail"].splitlines())


def curves(names: Sequence[str]) -> None:
    """Measure learning curves, and keep the stored ones of other corpora."""
    stored = _stored("auto_curves", "curves")
    keys = [f"{name}, {each}" for name in CURVES for each in EACH]
    rows: dict[str, Row] = {key: stored.get(key, {}) for key in keys}
    for name in names:
        texts = texts_of(name).fewer_tests(MOST_TESTS)
        for each in EACH:
            row, draws = rows[f"{name}, {each}"], [texts.drawn(each, draw) for draw in range(DRAWS)]
            for kind, svm in SVMS.items():
                if _is_due(row, kind):
                    row[kind] = [_rounded(svm(draw, folds_of(draw.labels))) for draw in draws]
            if "--only-svm" not in sys.argv:
                row["auto"] = [_rounded(automatic(draw)[0]) for draw in draws]
                row["bayes"] = [_rounded(automatic(draw, without_svm())[0]) for draw in draws]
            print(name, each, row, flush=True)
            write_curves(rows)


def _rounded(figures: Figures) -> float:
    return round(figures.macro, 4)


def write_curves(rows: dict[str, Row]) -> None:
    known = {name: row for name, row in rows.items() if row}
    kinds = [*OURS, *SVMS]
    lines = []
    for name, row in known.items():
        line = [name, *(share(float(np.mean(row[kind]))) if kind in row else "" for kind in kinds)]
        if all(kind in row for kind in kinds):
            lead = np.mean(row["auto"]) - max(np.mean(row[kind]) for kind in SVMS)
            wins = np.array(row["auto"]) > np.max([row[kind] for kind in SVMS], axis=0)
            line += [f"{lead:+.3f}", f"{wins.sum()} of {DRAWS}"]
        lines.append(line + [""] * (len(kinds) + 3 - len(line)))
    headings = ["corpus, documents per class", *(TITLES[kind] for kind in kinds), "lead", "ahead of both in"]
    parts = [
        "# Learning curves",
        'Macro F1 on the test side, mean of five draws. "Lead" is that of the default over the better SVM. '
        "The protocol is in experiments/auto_vs_svm.py.",
        markdown_table(headings, lines),
    ]
    write_results("auto_curves", {**conditions(), "curves": known}, "\n\n".join(parts))


if __name__ == "__main__":
    warnings.simplefilter("ignore", ConvergenceWarning)
    use_shared_corpora()
    asked = [name for name in sys.argv[1:] if name in CORPORA]
    if "--curves" in sys.argv:
        curves(asked or CURVES)
    else:
        compare(asked or list(CORPORA))
