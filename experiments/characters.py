"""Which columns and kinds of models AutoNB's search tries, and how strongly biases of a blend are held.

    .venv/bin/python experiments/characters.py      # 2 min; downloads Debian's package index

- Problems (debian_problems.py): lines that describe packages in English, Korean, Japanese, Russian and
  German, by section; first lines and whole docstrings of the built-in corpus's training split, by module.
- Every kind of model is searched on words, on words and pairs, and on character n-grams (2 to 5), and the
  best of each kind and type of columns is a member. Blends of some of the members are compared on held-out
  texts: macro F1, with the offset for rare classes chosen on training documents; accuracy; and log loss.
- The rule: a kind of model or type of columns stays in the default if leaving it out costs .003 in mean macro
  F1; of the kinds of naive Bayes, which replace each other, one stays. The bias penalty is in the middle of
  those whose macro F1 on training documents is within .001 of the best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import f1_score

from debian_problems import divided
from textbayes import TextCounter
from textbayes.counts import as_rows
from textbayes.decisions import blend_out_of_sample
from textbayes.estimators.auto.candidate import Candidate
from textbayes.estimators.auto.choosing import prior_weights
from textbayes.estimators.auto.column_kinds import column_kinds
from textbayes.estimators.auto.rounds import Plan
from textbayes.estimators.auto.search import Search
from textbayes.measures import two_columns
from textbayes.scores import scores_per_count
from textbayes.statistics import LabelledRows, as_targets
from written import conditions, markdown_table, share, write_results

PROBLEMS = (
    ("en", 1000),
    ("en", 5000),
    ("ko", 2500),
    ("ja", 4000),
    ("ru", 2000),
    ("de", 5000),
    ("summaries", 200),
    ("summaries", 3000),
    ("docstrings", 200),
    ("docstrings", 600),
)
KINDS = ("multinomial", "one-vs-all", "complement", "centroid", "linear-svm", "discriminative")
OFFSETS = (0.0, 0.1, 0.2, 0.3, 0.5)
PENALTIES = (0.1, 1.0, 3.0, 10.0, 100.0)
_DEFAULT = ("one-vs-all", "centroid", "linear-svm")

Kept = Callable[[Candidate], bool]


class Member(NamedTuple):
    """A candidate, its quality, and its scores of training documents left out and of held-out ones."""

    candidate: Candidate
    value: float
    left_out: NDArray[np.float32]
    held_out: NDArray[np.float64]


class Figures(NamedTuple):
    """Macro F1, accuracy and log loss on held-out texts, and macro F1 on training documents left out."""

    macro: float
    accuracy: float
    loss: float
    left_out: float


def on(columns: str) -> Kept:
    return lambda candidate: candidate.representation.columns != columns


def without(kind: str) -> Kept:
    return lambda candidate: candidate.kind != kind


BLENDS: dict[str, Kept] = {
    "every kind and column": lambda _: True,
    "without words alone": on("words"),
    "without words and pairs": on("pairs"),
    "without characters": on("characters"),
    **{f"without {kind}": without(kind) for kind in KINDS},
    "one-vs-all, centroid, linear-svm": lambda candidate: candidate.kind in _DEFAULT,
}


def main() -> None:
    """Compare the blends on every problem."""
    figures: dict[str, list[Figures]] = {name: [] for name in BLENDS}
    penalties: dict[float, list[Figures]] = {penalty: [] for penalty in PENALTIES}
    for name, size in PROBLEMS:
        problem = Problem(name, size)
        for blend, kept in BLENDS.items():
            figures[blend].append(problem.figures(kept))
        for penalty in PENALTIES:
            penalties[penalty].append(problem.figures(BLENDS["every kind and column"], penalty))
        print(name, size, figures["every kind and column"][-1], flush=True)
    write(figures, penalties)


class Problem:
    """The members that a search finds on one problem, and their scores."""

    def __init__(self, name: str, size: int) -> None:
        texts, labels, held, truth = divided(name, size)
        counter = TextCounter(tokens="unicode", ngram_range=(1, 2), characters=(2, 5))
        self.counts, self.labels = counter.fit_transform(texts), np.array(labels)
        self.held = counter.transform(held)
        self.kinds = column_kinds(counter.get_feature_names_out(), self.counts.shape[1])
        documents = LabelledRows(as_rows(self.counts), as_targets(self.labels))
        self.search = Plan("macro_f1", list(KINDS), True, "any", None, 0).search(documents, self.kinds)
        self.search.run()
        self.truth = np.searchsorted(documents.targets.classes, truth)
        self.members = list(self._members(self.search))

    def _members(self, search: Search) -> Iterator[Member]:
        for result in search.best_per_kind():
            own = result.candidate
            pipeline = own.pipeline(self.kinds, self.counts.shape[1], 0).fit(self.counts, self.labels)
            scores = two_columns(pipeline.decision_function(self.held))
            if own.per_count:
                rows = pipeline[:-1].transform(self.held) if len(pipeline) > 1 else self.held
                scores = scores_per_count(scores, result.bias, np.asarray(rows.sum(axis=1)).ravel())
            yield Member(own, result.quality.value, result.blended_scores, scores)

    def figures(self, kept: Kept, penalty: float = 3.0) -> Figures:
        """Blend some of the members."""
        members = [member for member in self.members if kept(member.candidate)]
        search, truth = self.search, self.search.truth
        blend, left = blend_out_of_sample(
            [member.left_out for member in members],
            truth,
            False,
            search.fold_of,
            prior_weights=prior_weights([member.candidate for member in members]),
            bias_penalty=penalty,
        )
        held, sizes = blend([member.held_out for member in members]), truth.sum(axis=0)
        rare, own = np.log(sizes.max() / sizes), truth.argmax(axis=1)
        known = [_macro(own, left + size * rare) for size in OFFSETS]
        best = OFFSETS[int(np.argmax(known))]
        right = float(np.mean(held.argmax(axis=1) == self.truth))
        return Figures(_macro(self.truth, held + best * rare), right, _loss(self.truth, held), max(known))


def _macro(truth: NDArray[np.integer], scores: NDArray[np.float64]) -> float:
    return float(f1_score(truth, scores.argmax(axis=1), average="macro"))


def _loss(truth: NDArray[np.integer], scores: NDArray[np.float64]) -> float:
    peak = scores.max(axis=1)
    logs = peak + np.log(np.exp(scores - peak[:, None]).sum(axis=1))
    return float(np.mean(logs - scores[np.arange(len(scores)), truth]))


def write(figures: dict[str, list[Figures]], penalties: dict[float, list[Figures]]) -> None:
    """Write the mean figures, and those of every problem."""
    named = [*figures.items(), *((f"bias penalty {penalty:g}", of) for penalty, of in penalties.items())]
    lines = [[name, *_means(of)] for name, of in named]
    headings = ["members", "macro F1", "accuracy", "log loss", "macro F1, left out"]
    parts = [
        "# Kinds of models, columns, and the penalty of biases",
        f"Means of {len(PROBLEMS)} problems (characters.py).",
        markdown_table(headings, lines),
    ]
    every = {name: [one._asdict() for one in of] for name, of in named}
    problems = [f"{name} {size}" for name, size in PROBLEMS]
    write_results("characters", {**conditions(), "problems": problems, "figures": every}, "\n\n".join(parts))


def _means(of: Sequence[Figures]) -> list[str]:
    macro, accuracy, loss, left = np.mean(of, axis=0).tolist()
    return [share(macro), share(accuracy), f"{loss:.3f}", share(left)]


if __name__ == "__main__":
    main()
