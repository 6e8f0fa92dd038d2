"""The Reuters tables of Kim 2003, Rennie 2003 and Schneider 2004, measured with the library's estimators.

Reuters-21578, ModApte. First table (Kim 2003, table 4; Rennie 2003): 90 categories, all 9,603 training
documents, including those without any of the categories; title and body, tokens of two or more letters, lower
case, without English stop words, Porter stems: 19,955 terms. Second table (Schneider 2004, figures 2 and 3):
the documents of the ten largest classes, tokens of letters, numbers replaced by NUM, nothing dropped: 22,510
terms. Each topic is a two-class problem with its own term selection and classifier; documents are ranked by
log odds.

The ranking of a category with n test documents is cut after n documents, where precision equals recall.
Nothing is chosen on the test set: theta is .01 and .001, everything else is a default. The reference figures
are an earlier, independent measurement; the script fails if a figure differs from them by more than .01.
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
    """A row: micro and macro as published, in the reference measurement, and here."""

    name: str
    published: str
    reference: Pair | None
    ours: Pair

    @property
    def difference(self) -> float | None:
        """The greater difference from the reference, with figures rounded to three digits."""
        if self.reference is None:
            return None
        return max(
            abs(round(ours, 3) - reference) for ours, reference in zip(self.ours, self.reference, strict=True)
        )


# name, published, reference (micro, macro), and the model.
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

# criterion, words, published, reference (micro, macro).
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
    for name, published, reference, make in CLASSIFIERS:
        found = break_even(problem.truth, kim2003.model_scores(problem, make()))
        yield Row(name, published, reference, _pair(found))


def selection_rows(problem: Problem, by_length: bool = False) -> Iterator[Row]:
    """Measure the selections of the second table."""
    scores = schneider2004.topic_scores(problem)
    for score, words, published, reference in SELECTIONS:
        found = schneider2004.recall(problem, scores, score, words, by_length)
        name = f"{score}, {words:,} words"
        yield Row(name, "" if by_length else published, None if by_length else reference, _pair(found))


def _pair(found: BreakEven) -> Pair:
    return found.micro, found.macro


def _title(name: str, problem: Problem) -> str:
    documents = f"{problem.train.shape[0]:,} / {problem.test.shape[0]:,} documents"
    return f"{name}: {documents}, {problem.train.shape[1]:,} terms"


def _write(tables: dict[str, list[Row]]) -> None:
    held = [row for rows in tables.values() for row in rows if row.difference is not None]
    worst = max(row.difference or 0.0 for row in held)
    verdict = f"{len(held)} rows; the greatest difference from the reference is {share(worst)}" + (
        "." if worst <= WITHIN else f", more than {share(WITHIN)}."
    )
    headings = ["", "published", "reference", "here", "difference"]
    parts = [f"## {title}\n\n{markdown_table(headings, map(_cells, rows))}" for title, rows in tables.items()]
    figures = {
        **conditions(),
        "greatest_difference": round(worst, 4),
        "tables": {title: [asdict(row) for row in rows] for title, rows in tables.items()},
    }
    page = "\n\n".join(["# Reuters tables", "Micro / macro break-even.", verdict, *parts])
    write_results("reuters_tables", figures, page)
    if worst > WITHIN:
        raise SystemExit(verdict)


def _cells(row: Row) -> list[str]:
    shown = ["" if pair is None else " / ".join(map(share, pair)) for pair in (row.reference, row.ours)]
    return [row.name, row.published, *shown, share(row.difference)]


if __name__ == "__main__":
    main()
