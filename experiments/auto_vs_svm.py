"""AutoNB beside a tuned linear SVM and the best single naive Bayes model: six corpora and learning curves.

    .venv/bin/python experiments/auto_vs_svm.py [corpus ...]      # all six by default
    .venv/bin/python experiments/auto_vs_svm.py --keep-svm [corpus ...]     # keep the stored SVM figures
    .venv/bin/python experiments/auto_vs_svm.py --curves

The protocol, written before the first run:

- All models get the same count matrix, ``TextCounter(ngram_range=(1, 2))`` fitted on the training side.
- AutoNB has its defaults, ``pair_columns`` and ``random_state=0``. Its blend contains linear SVMs as members.
- "Without SVM" is AutoNB with every other model. The best single naive Bayes model is the first candidate on
  that leaderboard, fitted alone.
- SVM: scikit-learn's LinearSVC on sublinear tf-idf, C of 0.1, 0.5, 2 and 10, words or words with pairs, by
  five-fold grid search for the same measure on all cores; refitted on all training documents.
- Measures: macro F1 and the error rate; on Reuters-90, which is multilabel, micro and macro break-even.
- Time: from the count matrix to the fitted model, including the search, one after the other in one process.
- Curves: 1, 2, 5, 10 and 20 training documents per class, five draws, the same for both; the whole test side.
  The SVM's grid search has at most five folds, and no more than documents per class. With one document per
  class, C is 1 and only words are used.

Nothing is chosen on test documents.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import f1_score
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC

from textbayes import AutoNB, TextCounter
from textbayes.datasets import (
    Corpus,
    categories_in_both,
    data_home,
    load_newsgroups,
    load_reuters21578,
    read_documents,
)
from textbayes.estimators.auto.representation import WordColumns
from textbayes.estimators.models.variants import DEFAULT_SEARCH
from textbayes.evaluation import break_even
from written import RESULTS, conditions, markdown_table, share, use_shared_corpora, write_results

# Every model that AutoNB searches by default, except the linear SVM.
BAYES = [name for name in DEFAULT_SEARCH if name != "linear-svm"]
PENALTIES = (0.1, 0.5, 2.0, 10.0)
EACH = (1, 2, 5, 10, 20)
DRAWS = 5
# Grim's single-label Reuters: the minimum number of documents per class.
LEAST_DOCUMENTS = 20


@dataclass(frozen=True, eq=False)
class Problem:
    """Counts and labels of the training and test side."""

    train: csr_matrix
    labels: NDArray[Any]
    test: csr_matrix
    truth: NDArray[Any]
    pairs: NDArray[np.bool_]

    @property
    def multilabel(self) -> bool:
        """True if the labels are an indicator matrix."""
        return self.labels.ndim == 2


@dataclass(frozen=True)
class Figures:
    """Results of a model: macro F1 and errors; in multilabel data, macro and micro break-even."""

    macro: float
    other: float
    seconds: float
    detail: str


def stored(name: str) -> Corpus:
    return Corpus(name, list(read_documents(data_home() / f"{name}.jsonl.zst")))


def grim_reuters() -> Corpus:
    corpus = load_reuters21578()
    corpus = corpus.where(lambda document: document.split is not None and len(document.labels) == 1)
    sizes = Counter(corpus.label)
    corpus = corpus.where(lambda document: sizes[document.label] >= LEAST_DOCUMENTS)
    learned = set(corpus.train.label)
    return corpus.where(lambda document: document.label in learned)


CORPORA: dict[str, Callable[[], Corpus]] = {
    "R8": lambda: stored("r8-all-terms"),
    "WebKB-4": lambda: stored("webkb-stemmed"),
    "R52": lambda: stored("r52-all-terms"),
    "Reuters, single-label": grim_reuters,
    "20 Newsgroups": load_newsgroups,
    "Reuters-90": load_reuters21578,
}


def problem_of(name: str) -> Problem:
    """Count a corpus."""
    corpus = CORPORA[name]()
    counter = TextCounter(ngram_range=(1, 2))
    train, test = counter.fit_transform(corpus.train.texts), counter.transform(corpus.test.texts)
    pairs = np.array([" " in term for term in counter.get_feature_names_out()])
    if name != "Reuters-90":
        return Problem(train, np.array(corpus.train.label), test, np.array(corpus.test.label), pairs)
    categories = categories_in_both(corpus)
    labels, truth = (
        np.array([[category in document.labels for category in categories] for document in side], dtype=int)
        for side in (corpus.train, corpus.test)
    )
    return Problem(train, labels, test, truth, pairs)


def measured(problem: Problem, model: Any, seconds: float, detail: str) -> Figures:
    """Evaluate a model on the test side."""
    if problem.multilabel:
        found = break_even(problem.truth, model.decision_function(problem.test))
        return Figures(found.macro, found.micro, seconds, detail)
    given = model.predict(problem.test)
    macro = f1_score(problem.truth, given, average="macro", zero_division=0.0)
    return Figures(macro, float(np.mean(given != problem.truth)), seconds, detail)


def automatic(problem: Problem, candidates: Any = "default") -> tuple[Figures, Figures]:
    """Evaluate AutoNB and the best single candidate on its leaderboard."""
    start = time.perf_counter()
    model = AutoNB(candidates=candidates, pair_columns=problem.pairs, random_state=0)
    model.fit(problem.train, problem.labels)
    figures = measured(problem, model, time.perf_counter() - start, str(model.recipe_))
    best = next(entry for entry in model.leaderboard_ if entry.candidate is not None)
    pipeline = best.candidate.pipeline(problem.pairs, problem.train.shape[1], random_state=0)
    pipeline.fit(problem.train, problem.labels)
    return figures, measured(problem, pipeline, best.seconds, best.name)


def support_vectors(problem: Problem, folds: int = 5) -> Figures:
    """Evaluate the tuned linear SVM."""
    svm = LinearSVC(dual=True, random_state=0)
    steps = [
        ("columns", WordColumns(problem.pairs)),
        ("tfidf", TfidfTransformer(sublinear_tf=True)),
        ("svm", OneVsRestClassifier(svm) if problem.multilabel else svm),
    ]
    penalty = "svm__estimator__C" if problem.multilabel else "svm__C"
    grid = {"columns__pairs": [problem.pairs, np.zeros(0, bool)], penalty: PENALTIES if folds > 1 else (1.0,)}
    kind = KFold if problem.multilabel else StratifiedKFold
    start = time.perf_counter()
    if folds > 1:
        scoring: Any = break_even_of if problem.multilabel else "f1_macro"
        divided = kind(folds, shuffle=True, random_state=0)
        search = GridSearchCV(Pipeline(steps), grid, scoring=scoring, cv=divided, n_jobs=-1)
    else:
        search = Pipeline(steps)
    search.fit(problem.train, problem.labels)
    seconds = time.perf_counter() - start
    chosen = getattr(search, "best_params_", {penalty: 1.0, "columns__pairs": problem.pairs})
    columns = "words" if len(chosen["columns__pairs"]) else "words and pairs"
    return measured(problem, search, seconds, f"C={chosen[penalty]:g}, {columns}")


def break_even_of(model: Any, X: csr_matrix, truth: NDArray[Any]) -> float:
    """Return the macro break-even of the categories with documents."""
    occur = truth.any(axis=0)
    return break_even(truth[:, occur], model.decision_function(X)[:, occur]).macro


def compare(names: list[str]) -> None:
    """Run the given corpora and keep the stored results of the others."""
    path = RESULTS / "auto_vs_svm.json"
    rows = json.loads(path.read_text(encoding="utf-8"))["corpora"] if path.exists() else {}
    for name in names:
        problem = problem_of(name)
        auto, _ = automatic(problem)
        bayes, single = automatic(problem, BAYES)
        print(name, auto, bayes, single, flush=True)
        found = {"auto": asdict(auto), "bayes": asdict(bayes), "single": asdict(single)}
        rows[name] = {**rows.get(name, {}), **found}
        if "--keep-svm" not in sys.argv or "svm" not in rows[name]:
            rows[name]["svm"] = asdict(support_vectors(problem))
        write(rows)


def write(rows: dict[str, dict[str, dict[str, Any]]]) -> None:
    models = ("auto", "bayes", "svm", "single")
    headings = ["corpus", "AutoNB", "without SVM", "SVM", "best single NB"]
    headings += ["AutoNB", "without SVM", "SVM", "single NB", "seconds", "SVM's"]
    lines = [
        [name]
        + [share(row[model]["macro"]) for model in models]
        + [_other(name, row[model]["other"]) for model in models]
        + [f"{row[model]['seconds']:.1f}" for model in ("auto", "svm")]
        for name, row in rows.items()
    ]
    details = [
        f"**{name}.** SVM: {row['svm']['detail']}. Best single NB: {row['single']['detail']}. AutoNB:\n\n"
        + "\n".join(f"    {line}" for line in row["auto"]["detail"].splitlines())
        for name, row in rows.items()
    ]
    parts = [
        "# AutoNB and a tuned linear SVM",
        "Macro F1 (Reuters-90: macro break-even) on the test side, then the error rate (Reuters-90: micro "
        'break-even), then seconds to fit. AutoNB\'s blends contain linear SVMs as members; "without SVM" is '
        "AutoNB with every other model. The protocol is in experiments/auto_vs_svm.py.",
        markdown_table(headings, lines),
        *details,
    ]
    write_results("auto_vs_svm", {**conditions(), "corpora": rows}, "\n\n".join(parts))


def _other(name: str, value: float) -> str:
    return share(value) if name == "Reuters-90" else f"{value:.1%}"


def curves(names: list[str]) -> None:
    """Measure learning curves."""
    rows: dict[str, dict[str, list[float]]] = {}
    for name in names:
        problem = problem_of(name)
        for each in EACH:
            found = [both(drawn(problem, each, draw), each) for draw in range(DRAWS)]
            rows[f"{name}, {each}"] = {
                model: [round(float(pair[at]), 4) for pair in found]
                for at, model in enumerate(("auto", "svm"))
            }
            print(name, each, rows[f"{name}, {each}"], flush=True)
            write_curves(rows)


def drawn(problem: Problem, each: int, draw: int) -> Problem:
    """Draw n documents of each class, or all of a smaller class."""
    random = np.random.default_rng(draw)
    chosen = np.concatenate(
        [
            random.permutation(np.flatnonzero(problem.labels == label))[:each]
            for label in np.unique(problem.labels)
        ]
    )
    train = problem.train[chosen]
    # Drop terms that are in none of the drawn documents.
    known = np.flatnonzero(np.bincount(train.indices, minlength=train.shape[1]))
    return Problem(
        train[:, known], problem.labels[chosen], problem.test[:, known], problem.truth, problem.pairs[known]
    )


def both(problem: Problem, each: int) -> tuple[float, float]:
    """Return macro F1 of both models."""
    smallest = min(Counter(problem.labels.tolist()).values())
    auto = AutoNB(pair_columns=problem.pairs, random_state=0).fit(problem.train, problem.labels)
    folds = max(1, min(5, each, smallest))
    return measured(problem, auto, 0.0, "").macro, support_vectors(problem, folds).macro


def write_curves(rows: dict[str, dict[str, list[float]]]) -> None:
    lines = []
    for name, row in rows.items():
        auto, svm = np.array(row["auto"]), np.array(row["svm"])
        gain = auto - svm
        lines.append(
            [
                name,
                share(auto.mean()),
                share(svm.mean()),
                f"{gain.mean():+.3f}",
                f"{np.sum(gain > 0)} of {DRAWS}",
            ]
        )
    parts = [
        "# Learning curves",
        "Macro F1 on the test side, mean of five draws. AutoNB's blends contain linear SVMs as members. The "
        "protocol is in experiments/auto_vs_svm.py.",
        markdown_table(["corpus, documents per class", "AutoNB", "SVM", "gain", "ahead in"], lines),
    ]
    write_results("auto_curves", {**conditions(), "curves": rows}, "\n\n".join(parts))


if __name__ == "__main__":
    warnings.simplefilter("ignore", ConvergenceWarning)
    use_shared_corpora()
    if "--curves" in sys.argv:
        curves([name for name in sys.argv[1:] if name in CORPORA] or ["R8", "WebKB-4", "20 Newsgroups"])
    else:
        compare([name for name in sys.argv[1:] if name in CORPORA] or list(CORPORA))
