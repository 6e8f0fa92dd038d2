"""The two tables of the reading notes, measured again with the library's own estimators.

Reuters-21578, ModApte. First table (Kim 2003, table 4; Rennie 2003): 90 categories, all 9,603 training
documents, those without a topic included as documents of no category; title and body, letters only, two at
least, lower case, English stop words dropped, Porter stems: 19,955 terms. Second table (Schneider 2004,
figures 2 and 3): the documents of the ten largest classes, words of letters, every number the token NUM,
nothing dropped: 22,510 terms; for every topic its own two-class problem, terms selected and classifier
trained for it, documents ranked by log odds.

A category's ranking is cut at as many test documents as it truly has, where precision equals recall. Nothing
here was chosen by looking at the test set: theta is the notes' .01 and .001, everything else a default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from textbayes import PoissonNB
from textbayes.datasets import load_reuters21578
from textbayes.evaluation import BreakEven, break_even
from textbayes.papers import kim2003, rennie2003, schneider2004
from textbayes.papers.problems import Problem
from written import conditions, markdown_table, share, use_shared_corpora, write_results

Pair = tuple[float, float]
WITHIN = 0.01


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the notes: micro and macro as published, as the notes measured them, and as measured."""

    name: str
    published: str
    notes: Pair | None
    ours: Pair

    @property
    def difference(self) -> float | None:
        """The greater of the two distances from the notes, of figures rounded as theirs are."""
        if self.notes is None:
            return None
        return max(abs(round(ours, 3) - notes) for ours, notes in zip(self.ours, self.notes, strict=True))


# name, published, the notes' micro and macro, and the model.
CLASSIFIERS: list[tuple[str, str, Pair | None, Callable[[], Any]]] = [
    (
        "UM / MNB, one-vs-all",
        ".721 / .321 (Kim), .739 / .270 (Rennie)",
        (0.734, 0.246),
        kim2003.unigram_model,
    ),
    ("PNB, theta .01", ".769 / .431", (0.744, 0.412), lambda: PoissonNB(0.01)),
    ("PNB-IG, theta .01", ".797 / .580", (0.786, 0.575), lambda: PoissonNB(0.01, weighting="ig")),
    ("PNB-CHI, theta .01", ".817 / .660", (0.802, 0.616), lambda: PoissonNB(0.01, weighting="chi2")),
    ("PNB-PrR, theta .01", ".819 / .590", (0.824, 0.589), lambda: PoissonNB(0.01, weighting="ratio")),
    ("PNB-PrR, theta .001", "", (0.849, 0.612), lambda: PoissonNB(0.001, weighting="ratio")),
    ("PNB, theta 1", "", (0.652, 0.294), lambda: PoissonNB(1.0)),
    (
        "TWCNB as OVA against all documents",
        ".844 / .647",
        (0.834, 0.654),
        rennie2003.MULTILABEL_MODELS["TWCNB"],
    ),
    (
        "linear SVM on the same transforms",
        ".887 / .694",
        (0.878, 0.684),
        rennie2003.MULTILABEL_MODELS["SVM"],
    ),
]

# score, words, published, the notes' micro and macro.
SELECTIONS: list[tuple[str, int, str, Pair | None]] = [
    ("mi", 100, ".865 / .761", (0.861, 0.754)),
    ("dkl", 100, ".880 / .788", (0.882, 0.790)),
    ("kl", 100, "", (0.847, 0.753)),
    ("kl_exact", 100, "", None),
    ("mi", 20_000, ".893 / .783", (0.895, 0.782)),
    ("dkl", 20_000, "", (0.899, 0.793)),
    ("kl", 20_000, ".901 / .822", (0.887, 0.778)),
    ("kl_exact", 20_000, "", None),
]


def main() -> None:
    """Measure both tables and write them."""
    use_shared_corpora()
    reuters = load_reuters21578()
    ninety, ten = kim2003.reuters_problem(reuters), schneider2004.reuters_problem(reuters)
    tables = {
        _title("Ninety categories", ninety): list(classifier_rows(ninety)),
        _title("Ten largest classes, terms selected", ten): list(selection_rows(ten)),
        "The same, log odds divided by document length (Schneider 2004, eq. 6)": list(
            selection_rows(ten, by_length=True)
        ),
    }
    _write(tables)


def classifier_rows(problem: Problem) -> Iterator[Row]:
    """Measure the classifiers of the first table."""
    for name, published, notes, make in CLASSIFIERS:
        found = break_even(problem.truth, kim2003.model_scores(problem, make()))
        yield Row(name, published, notes, _pair(found))


def selection_rows(problem: Problem, by_length: bool = False) -> Iterator[Row]:
    """Measure the selections of the second table."""
    scores = schneider2004.topic_scores(problem)
    for score, words, published, notes in SELECTIONS:
        found = schneider2004.recall(problem, scores, score, words, by_length)
        name = f"{score}, {words:,} words"
        yield Row(name, "" if by_length else published, None if by_length else notes, _pair(found))


def _pair(found: BreakEven) -> Pair:
    return found.micro, found.macro


def _title(name: str, problem: Problem) -> str:
    documents = f"{problem.train.shape[0]:,} / {problem.test.shape[0]:,} documents"
    return f"{name}: {documents}, {problem.train.shape[1]:,} terms"


def _write(tables: dict[str, list[Row]]) -> None:
    held = [row for rows in tables.values() for row in rows if row.difference is not None]
    worst = max(row.difference or 0.0 for row in held)
    verdict = f"{len(held)} rows of the notes; the greatest difference is {share(worst)}" + (
        "." if worst <= WITHIN else f", more than {share(WITHIN)}."
    )
    headings = ["", "published", "notes", "here", "difference"]
    parts = [f"## {title}\n\n{markdown_table(headings, map(_cells, rows))}" for title, rows in tables.items()]
    figures = {
        **conditions(),
        "greatest_difference": round(worst, 4),
        "tables": {title: [asdict(row) for row in rows] for title, rows in tables.items()},
    }
    page = "\n\n".join(["# The tables of the reading notes", "Micro / macro break-even.", verdict, *parts])
    write_results("notes_table", figures, page)
    if worst > WITHIN:
        raise SystemExit(verdict)


def _cells(row: Row) -> list[str]:
    shown = ["" if pair is None else " / ".join(map(share, pair)) for pair in (row.notes, row.ours)]
    return [row.name, row.published, *shown, share(row.difference)]


if __name__ == "__main__":
    main()
