"""Models by name, as ``TextClassifier(model=...)`` and the command line take them."""

from __future__ import annotations

from typing import Any

from textbayes.errors import ParameterError
from textbayes.estimators.auto import AutoNB, Recipe
from textbayes.estimators.models.variants import NAMED, VARIANTS, Variant
from textbayes.estimators.text.counter import TextCounter

AUTO = "auto"
_SEARCH = Variant(
    AUTO,
    "the variants that suit the texts best, found by a search and blended",
    "Kim 2003, section 5",
    AutoNB,
    additive=False,
    exact_loo=False,
    seeded=True,
)

MODEL_NAMES = (AUTO, *NAMED)
"""Every name that ``TextClassifier(model=...)`` takes."""


def find_variant(name: Any) -> Variant:
    """Return the variant of that name.

    Examples
    --------
    >>> from textbayes.estimators.text.model_names import find_variant
    >>> find_variant("twcnb").make_model()
    ComplementNB(norm=True)
    """
    if not isinstance(name, str) or name not in MODEL_NAMES:
        raise ParameterError("model", name, [*MODEL_NAMES, "a classifier of textbayes"])
    return _SEARCH if name == AUTO else VARIANTS[name]


def default_counter(model: Any) -> TextCounter:
    """Make the counter to use with a model, or the model of that name, when none is given.

    It is ``TextCounter()``. A model that is searched for also gets word pairs and character n-grams.

    Examples
    --------
    >>> from textbayes.estimators.text.model_names import default_counter
    >>> default_counter("auto")
    TextCounter(characters=(2, 5), ngram_range=(1, 2))
    """
    made = find_variant(model).make_model() if isinstance(model, str) else model
    if not getattr(made, "searches", False):
        return TextCounter()
    recipe = made.candidates if isinstance(made.candidates, Recipe) else None
    characters = (2, 5) if recipe is None or recipe.uses_characters else None
    return TextCounter(ngram_range=(1, 2), characters=characters)


def make_parts(model: Any, counter: TextCounter | None, transform: Any) -> dict[str, Any]:
    """Return the parts of a TextClassifier, by name: those given, or the variant's and the defaults."""
    variant = find_variant(model) if isinstance(model, str) else None
    if variant is not None and transform is None:
        transform = variant.make_transform()
    made = model if variant is None else variant.make_model()
    return {
        "counter": default_counter(model) if counter is None else counter,
        "transform": transform,
        "model": made,
        "narrows": counter is None and getattr(made, "is_searched", False),
    }
