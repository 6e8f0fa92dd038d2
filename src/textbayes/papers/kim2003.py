"""Reuters-21578, ModApte: 9,603 training and 3,299 test documents, 90 categories.

Documents without any of the ninety categories are kept: they count in every complement. Title and body;
tokens of two or more letters, lower case, without English stop words, Porter stems: 19,955 terms. F1 is
measured at the break-even point of each category, where precision equals recall.

UM is multinomial naive Bayes with Laplace smoothing, each category against the rest. PNB is eq. 15 with
α = .8; -IG, -CHI and -PrR weight terms by eqs. 11, 12 and 13.

The paper does not give θ. It is chosen for each weighting on the training documents alone: three random
folds, the mean of micro and macro break-even, the best of .01, .003, …, .00003. PNB* uses for each bin of
category sizes the weighting with the best mean F1 in the same folds. The paper does not give the limits of
its five bins; ours are those of ``by_class_size``: 10, 30, 100 and 300 training documents.

KoreanNews2002 (tables 3 and 5) is private. The same recipe runs on a corpus of your own, with its split if it
has one; otherwise the first two thirds are for training, as in the paper. Tokens are then words of any
script, without stop words and stemming.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold

from textbayes.datasets import Corpus, categories_in_both
from textbayes.errors import NoDocumentsError
from textbayes.estimators import ComplementNB, PoissonNB, TextCounter
from textbayes.evaluation import BreakEven, break_even, by_class_size
from textbayes.papers.corpora import REUTERS, Corpora
from textbayes.papers.paper import Paper
from textbayes.papers.problems import Problem, count_problem
from textbayes.papers.records import Finding

Reals = NDArray[np.float64]

WEIGHTINGS: dict[str, str | None] = {"PNB": None, "PNB-IG": "ig", "PNB-CHI": "chi2", "PNB-PrR": "ratio"}
THETAS = (0.01, 0.003, 0.001, 0.0003, 0.0001, 0.00003)
COUNTS = (1.0, 0.1, 0.01, 0.001)
ALPHAS = tuple(tenth / 10 for tenth in range(11))
ALPHA = 0.8
FOLDS = 3
# The categories of figure 2; the text names only corn.
CATEGORIES = ("corn", "crude", "interest", "trade")


def unigram_model(alpha: float = 1.0) -> ComplementNB:
    """UM: multinomial naive Bayes, each category against the documents without it."""
    return ComplementNB(alpha, against="class")


def reuters_problem(corpus: Corpus) -> Problem:
    """Count the training and test documents of the ninety categories."""
    counter = TextCounter(tokens="letters", stop_words="english", stemmer="porter")
    return count_problem(corpus.train, corpus.test, categories_in_both(corpus), counter)


def named_problem(corpus: Corpus) -> Problem:
    """Count the user's own corpus, split after two thirds if it has no split."""
    if not len(corpus.train) or not len(corpus.test):
        cut = 2 * len(corpus) // 3
        documents = [
            replace(document, split="train" if at < cut else "test") for at, document in enumerate(corpus)
        ]
        corpus = Corpus(corpus.name, documents)
    classes = categories_in_both(corpus)
    if not classes:
        raise NoDocumentsError(corpus.name, "classes with documents in the training and in the test split")
    return count_problem(corpus.train, corpus.test, classes, TextCounter(tokens="unicode"))


@dataclass(frozen=True, slots=True)
class Choice:
    """The choice for one weighting on the training documents.

    Parameters
    ----------
    theta : float
        The best θ.
    per_class : array of shape (classes,)
        The mean F1 of each class over the folds with this θ; NaN for a class that no fold could measure.
    """

    theta: float
    per_class: Reals


@dataclass(frozen=True)
class Chosen:
    """A problem, and the choice for each weighting on its training documents."""

    problem: Problem
    choices: Mapping[str, Choice]

    def scores(self, name: str, alpha: float = ALPHA) -> Reals:
        """Train with a weighting and its θ, and score the test documents for each class."""
        model = PoissonNB(self.choices[name].theta, alpha, WEIGHTINGS[name])
        return model_scores(self.problem, model)


def model_scores(problem: Problem, model: Any) -> Reals:
    """Train on the training part and score the test part."""
    model.fit(problem.train, problem.topics.astype(np.int64))
    scores: Reals = model.decision_function(problem.test)
    return scores


def choose(problem: Problem, weighting: str | None, quick: bool = False) -> Choice:
    """Choose θ for one weighting in folds of the training documents."""
    thetas = THETAS[2:4] if quick else THETAS
    results = [_cross_validate(problem, PoissonNB(theta, ALPHA, weighting), quick) for theta in thetas]
    best = int(np.argmax([score for score, _ in results]))
    return Choice(thetas[best], results[best][1])


def choose_count(problem: Problem, quick: bool = False) -> float:
    """Choose the smoothing count of UM in the same folds."""
    return max(COUNTS, key=lambda count: _cross_validate(problem, unigram_model(count), quick)[0])


def _cross_validate(problem: Problem, model: Any, quick: bool) -> tuple[float, Reals]:
    """Return the mean score of a model over the folds, and the mean F1 of each class."""
    found, figures = [], np.full((FOLDS, len(problem.classes)), np.nan)
    places = {name: column for column, name in enumerate(problem.classes)}
    for fold, (learned, held_out) in enumerate(_folds(problem, quick)):
        part = problem.part(learned, held_out)
        found.append(break_even(part.truth, model_scores(part, model)))
        figures[fold, [places[name] for name in part.classes]] = found[-1].per_class
    known = ~np.isnan(figures)
    sums = np.where(known, figures, 0.0).sum(axis=0)
    means = np.divide(sums, known.sum(axis=0), out=np.full(len(sums), np.nan), where=known.any(axis=0))
    return float(np.mean([(each.micro + each.macro) / 2 for each in found])), means


def _folds(problem: Problem, quick: bool) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    folds = list(KFold(FOLDS, shuffle=True, random_state=0).split(np.arange(len(problem.topics))))
    return folds[:1] if quick else folds


def bin_weightings(chosen: Chosen, figures: Mapping[str, Reals] | None = None) -> list[str]:
    """PNB*: for each bin of class sizes, the weighting with the best mean F1.

    Parameters
    ----------
    chosen : Chosen
        A problem and its choices.
    figures : mapping of str to array, optional
        The F1 of each class with each weighting; by default in the training folds.
    """
    sizes = chosen.problem.topics.sum(axis=0)
    figures = figures or {name: choice.per_class for name, choice in chosen.choices.items()}
    means = {name: [found.mean for found in by_class_size(values, sizes)] for name, values in figures.items()}
    bins = range(len(next(iter(means.values()))))
    # A bin that no fold could measure has no mean; it gets the first: no weighting.
    return [max(means, key=lambda name: np.nan_to_num(means[name][at], nan=-1.0)) for at in bins]


def bin_optimised_scores(chosen: Chosen, best: list[str]) -> Reals:
    """Score the classes of each bin with the weighting chosen for it."""
    sizes = chosen.problem.topics.sum(axis=0)
    scores = np.empty(chosen.problem.truth.shape)
    for name in sorted(set(best)):
        classes = np.isin(_bin_of(sizes), [at for at, chosen_name in enumerate(best) if chosen_name == name])
        scores[:, classes] = chosen.scores(name)[:, classes]
    return scores


def _bin_of(sizes: NDArray[np.int64]) -> NDArray[np.intp]:
    lows = [found.low for found in by_class_size(np.zeros(len(sizes)), sizes)]
    return np.searchsorted(lows[1:], sizes, side="right")


def chosen_on(problem: Problem, quick: bool = False) -> Chosen:
    """Choose θ for every weighting."""
    return Chosen(problem, {name: choose(problem, weights, quick) for name, weights in WEIGHTINGS.items()})


def _reuters(corpora: Corpora) -> Chosen:
    return corpora.once(
        "kim2003, Reuters", lambda: chosen_on(reuters_problem(corpora.reuters), corpora.quick)
    )


def _pair(table: str, corpus: str, method: str, found: BreakEven) -> Iterator[Finding]:
    yield Finding(table, corpus, method, "micro F1", found.micro)
    yield Finding(table, corpus, method, "macro F1", found.macro)


def _alpha_curve(chosen: Chosen, quick: bool) -> dict[float, BreakEven]:
    alphas = (0.0, ALPHA, 1.0) if quick else ALPHAS
    return {alpha: break_even(chosen.problem.truth, chosen.scores("PNB", alpha)) for alpha in alphas}


def smoothing(corpora: Corpora) -> Iterator[Finding]:
    """Yield the θ chosen for each weighting."""
    for name, choice in _reuters(corpora).choices.items():
        yield Finding("theta", REUTERS, name, "theta", choice.theta)


def alpha_tables(corpora: Corpora) -> Iterator[Finding]:
    """Table 2 and figures 1 and 2: UM, and PNB over α."""
    chosen = _reuters(corpora)
    um = break_even(chosen.problem.truth, model_scores(chosen.problem, unigram_model()))
    yield from _pair("table 2", REUTERS, "UM", um)
    curve = _alpha_curve(chosen, corpora.quick)
    yield from _extremes("table 2", REUTERS, list(curve.values()))
    for alpha, found in curve.items():
        yield Finding("figure 1", REUTERS, "PNB", "micro F1", found.micro, alpha)
        yield Finding("figure 1", REUTERS, "UM", "micro F1", um.micro, alpha)
    yield from _category_curves(chosen.problem.classes, curve)


def _extremes(table: str, corpus: str, curve: list[BreakEven]) -> Iterator[Finding]:
    for name, extreme in (("PNB (min)", min), ("PNB (max)", max)):
        yield Finding(table, corpus, name, "micro F1", extreme(found.micro for found in curve))
        yield Finding(table, corpus, name, "macro F1", extreme(found.macro for found in curve))


def _category_curves(classes: list[str], curve: Mapping[float, BreakEven]) -> Iterator[Finding]:
    for category in (name for name in CATEGORIES if name in classes):
        place = classes.index(category)
        values = {alpha: float(found.per_class[place]) for alpha, found in curve.items()}
        for alpha, value in values.items():
            yield Finding("figure 2", REUTERS, category, "F1", value, alpha)
        if category == "corn":
            best = max(values, key=lambda alpha: values[alpha])
            yield Finding("figure 2", REUTERS, "PNB, corn", "best alpha", best)


def weighting_tables(corpora: Corpora) -> Iterator[Finding]:
    """Table 4 and figure 3: the weightings, overall and by category size."""
    yield from _weightings("table 4", "figure 3", REUTERS, _reuters(corpora))


def _weightings(table: str, figure: str, corpus: str, chosen: Chosen) -> Iterator[Finding]:
    sizes = chosen.problem.topics.sum(axis=0)
    for name in ("UM", *WEIGHTINGS, "PNB*"):
        found = break_even(chosen.problem.truth, _scores(chosen, name))
        yield from _pair(table, corpus, name, found)
        for bin_ in by_class_size(found, sizes):
            if bin_.classes:
                yield Finding(figure, corpus, name, "macro F1", bin_.mean, bin_.name)


def _scores(chosen: Chosen, name: str) -> Reals:
    if name == "UM":
        return model_scores(chosen.problem, unigram_model())
    return bin_optimised_scores(chosen, bin_weightings(chosen)) if name == "PNB*" else chosen.scores(name)


def named_tables(corpora: Corpora) -> Iterator[Finding]:
    """Tables 3 and 5 and figure 3 on the user's own corpus, if there is one."""
    if corpora.named is None:
        return
    chosen = chosen_on(named_problem(corpora.named), corpora.quick)
    name = corpora.named.name
    um = break_even(chosen.problem.truth, model_scores(chosen.problem, unigram_model()))
    yield from _pair("table 3", name, "UM", um)
    yield from _extremes("table 3", name, list(_alpha_curve(chosen, corpora.quick).values()))
    yield from _weightings("table 5", "figure 3", name, chosen)


def experiments(corpora: Corpora) -> Iterator[Finding]:
    """Further runs that explain the numbers that differ."""
    chosen = _reuters(corpora)
    best_count = choose_count(chosen.problem, corpora.quick)
    for count in COUNTS:
        found = break_even(chosen.problem.truth, model_scores(chosen.problem, unigram_model(count)))
        note = " (chosen on the training documents)" if count == best_count else ""
        yield from _pair("experiment", REUTERS, f"UM, count {count:g}{note}", found)
    for name in ("PNB", "PNB-CHI"):
        for theta in (0.01, 0.001):
            model = PoissonNB(theta, ALPHA, WEIGHTINGS[name])
            found = break_even(chosen.problem.truth, model_scores(chosen.problem, model))
            yield from _pair("experiment", REUTERS, f"{name}, theta {theta:g}", found)
    truth = chosen.problem.truth
    figures = {name: break_even(truth, chosen.scores(name)).per_class for name in WEIGHTINGS}
    best = bin_optimised_scores(chosen, bin_weightings(chosen, figures))
    yield from _pair("experiment", REUTERS, "PNB*, bins chosen on the test set", break_even(truth, best))


_UM = (
    "The paper does not give the smoothing of UM, and rare categories depend on it. Laplace's count of one "
    "gives them almost nothing; a count chosen on the training documents, like theta, gives more than was "
    "published (see the experiment). Tables 2 and 4 disagree about it, too."
)

PAPER = Paper(
    name="kim2003",
    recipe=__doc__,
    steps={
        "theta": smoothing,
        "table 2, figures 1 and 2": alpha_tables,
        "table 4, figure 3": weighting_tables,
        "tables 3 and 5": named_tables,
        "experiments": experiments,
    },
    axes={"figure 1": "alpha", "figure 2": "alpha", "figure 3": "training documents of the class"},
    reasons={
        "table 2: UM, macro F1": _UM,
        "table 4: UM, macro F1": _UM,
        "table 4: PNB*, macro F1": (
            "The paper calls PNB* bin-optimised and near optimal, but does not say on which documents the "
            "weighting of each bin was chosen. We choose it on the training documents, where the bins of "
            "small classes have few documents. Chosen on the test set, which is not a valid result, the "
            "number is met (see the experiment)."
        ),
    },
)
