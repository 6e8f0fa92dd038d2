"""Recipes: a representation of counts and a model, by one name. The one table of them.

It stands beside the estimators that it names. Adding a variant takes its weights, its estimator, one line
here, and its paper's test; ``TextClassifier(model=...)``, the command line and the documentation read it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from textbayes.errors import UnknownOptionError
from textbayes.estimators.auto import AutoNB
from textbayes.estimators.models.centroid import CentroidClassifier
from textbayes.estimators.models.complement import ComplementNB
from textbayes.estimators.models.linear_svm import LinearSVM
from textbayes.estimators.models.mixture import PoissonMixtureNB
from textbayes.estimators.models.multinomial import MultinomialNB
from textbayes.estimators.models.poisson import PoissonNB
from textbayes.estimators.text.counter import TextCounter
from textbayes.estimators.text.frequency import FrequencyTransform

Make = Callable[[], Any]


def _counts() -> None:
    """Counts as they are."""


# Every script; a search also looks at word pairs.
_WORDS = partial(TextCounter, tokens="unicode")
_WORDS_AND_PAIRS = partial(TextCounter, tokens="unicode", ngram_range=(1, 2))


@dataclass(frozen=True)
class Recipe:
    """A representation and a model.

    Parameters
    ----------
    name : str
        What it is called.
    summary : str
        What it is, in a line.
    paper : str
        Where it comes from.
    model : callable
        Makes the classifier.
    transform : callable
        Makes what transforms counts first; None for counts as they are.
    ranges : mapping of str to tuple
        The model's parameters worth tuning, each from the least to the greatest sensible value.
    counter : callable
        Makes the counter of texts, where none is given.
    """

    name: str
    summary: str
    paper: str
    model: Make
    transform: Make = _counts
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    counter: Make = _WORDS


_ALPHA = {"alpha": (1e-3, 10.0)}
_GRIM = {"background": (1.0, 300.0), "keep": (0.05, 1.0)}
_KIM = {"theta": (1e-5, 1e-1), "alpha": (0.0, 1.0)}
_LIST = (
    Recipe("multinomial", "words of a class", "Rennie 2003, eqs. 1–3", MultinomialNB, ranges=_ALPHA),
    Recipe(
        "multinomial-min",
        "words of a class, classes scaled to the size of the smallest",
        "Frank 2006, eq. 3",
        partial(MultinomialNB, class_length="min"),
        ranges=_ALPHA,
    ),
    Recipe(
        "normalised",
        "tf-idf of mean length, classes scaled to one length",
        "Frank 2006, section 5",
        partial(MultinomialNB, class_length=1.0),
        partial(FrequencyTransform, length="mean"),
        ranges=_ALPHA,
    ),
    Recipe("complement", "words of all other classes", "Rennie 2003, eq. 6", ComplementNB, ranges=_ALPHA),
    Recipe(
        "complement-all",
        "all documents against those without the class; for several labels",
        "Rennie 2003, eq. 8",
        partial(ComplementNB, against="all"),
        ranges=_ALPHA,
    ),
    Recipe(
        "twcnb",
        "log, idf and length 1, complement, weights normalised",
        "Rennie 2003, table 4",
        partial(ComplementNB, norm=True),
        FrequencyTransform,
        ranges=_ALPHA,
    ),
    Recipe(
        "poisson", "Poisson counts of documents of one length", "Kim 2003, eq. 10", PoissonNB, ranges=_KIM
    ),
    *(
        Recipe(
            f"poisson-{weighting}",
            f"Poisson counts, terms weighted by {meaning}",
            f"Kim 2003, {equation}",
            partial(PoissonNB, weighting=weighting),
            ranges=_KIM,
        )
        for weighting, meaning, equation in (
            ("ig", "information gain", "eq. 11"),
            ("chi2", "χ²", "eq. 12"),
            ("ratio", "probability ratio", "eq. 13"),
        )
    ),
    Recipe(
        "mixture",
        "several Poisson components a class, over a background common to all",
        "Grim 2008, eq. 13",
        # The same documents give the same model, so that teaching and forgetting leave no trace.
        partial(PoissonMixtureNB, "auto", random_state=0),
        ranges=_GRIM,
    ),
    Recipe(
        "centroid",
        "direction of a class's tf-idf",
        "Frank 2006, section 4",
        CentroidClassifier,
        FrequencyTransform,
    ),
    Recipe(
        "linear-svm",
        "tf-idf of a class's doubtful documents less that of others: a linear support vector machine",
        "Hsieh 2008, algorithm 1",
        # The same documents give the same model, to the bit.
        partial(LinearSVM, random_state=0),
        partial(FrequencyTransform, idf="smooth"),
        ranges={"C": (0.1, 10.0)},
    ),
)

RECIPES: dict[str, Recipe] = {recipe.name: recipe for recipe in _LIST}
"""Every recipe by its name."""

AUTO = "auto"
AUTO_RECIPE = Recipe(
    AUTO,
    "what suits the texts best, searched among all of these and blended",
    "Kim 2003, section 5",
    # The same texts give the same model.
    partial(AutoNB, random_state=0),
    counter=_WORDS_AND_PAIRS,
)
"""What "auto" stands for: no recipe of the table, but a search among them."""


def find_recipe(name: Any) -> Recipe:
    """Look a recipe up.

    Examples
    --------
    >>> from textbayes.estimators.text.recipes import find_recipe
    >>> find_recipe("twcnb").model()
    ComplementNB(norm=True)
    """
    known = {AUTO: AUTO_RECIPE, **RECIPES}
    recipe = known.get(name) if isinstance(name, str) else None
    if recipe is None:
        raise UnknownOptionError("model", name, [AUTO, *RECIPES, "a classifier of textbayes"])
    return recipe


def default_counter(model: Any) -> TextCounter:
    """Make the counter for a recipe's name or a model, where none is given.

    Examples
    --------
    >>> from textbayes.estimators.text.recipes import default_counter
    >>> default_counter("auto")
    TextCounter(ngram_range=(1, 2), tokens='unicode')
    """
    if isinstance(model, str):
        return find_recipe(model).counter()  # type: ignore[no-any-return]
    return _WORDS_AND_PAIRS() if isinstance(model, AutoNB) else _WORDS()
