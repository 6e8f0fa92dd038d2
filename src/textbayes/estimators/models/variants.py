"""The table of variants: one row per model, read by every module that lists or makes models.

``TextClassifier(model=...)``, AutoNB's search, model files and the command line read this table. A new model
takes one row here, a file in ``weights``, a file beside this one, and its tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from textbayes.estimators.models.centroid import CentroidClassifier
from textbayes.estimators.models.complement import ComplementNB
from textbayes.estimators.models.discriminative import DiscriminativeNB
from textbayes.estimators.models.linear_svm import LinearSVM
from textbayes.estimators.models.mixture import PoissonMixtureNB
from textbayes.estimators.models.multinomial import MultinomialNB
from textbayes.estimators.models.poisson import PoissonNB
from textbayes.estimators.models.poisson_by_class import ClasswisePoissonNB
from textbayes.estimators.text.frequency import FrequencyTransform

Settings = Mapping[str, Any]


@dataclass(frozen=True)
class SearchSettings:
    """How AutoNB's search tries a variant.

    Parameters
    ----------
    grid : tuple of float
        Values of the smoothing parameter to try, in this order.
    unit_grid : tuple of float
        The same for documents of length 1, which have about a tenth of the mass of one of mean length.
    parameters : mapping
        Fixed parameters of a candidate, in place of the variant's own.
    """

    grid: tuple[float, ...] = ()
    unit_grid: tuple[float, ...] = ()
    parameters: Settings = field(default_factory=dict)


@dataclass(frozen=True)
class Variant:
    """One row: a model, its fixed parameters, and how it can be learned and searched.

    Parameters
    ----------
    name : str
        Name of the variant.
    summary : str
        One-line description.
    paper : str
        Source.
    estimator : class
        The classifier.
    parameters : mapping
        Fixed parameters that make it this variant.
    transform : mapping, optional
        Parameters of the :class:`FrequencyTransform` to use with it; None for raw counts.
    by_name : bool, default=True
        Whether ``TextClassifier(model=name)`` and the command line offer it.
    smoothing : str, optional
        Name of the smoothing parameter.
    additive : bool, default=True
        Whether its statistics add, so that learning and forgetting are exact additions.
    exact_loo : bool, default=True
        Whether leave-one-out scores have a closed form; if not, they come from folds.
    by_length : bool, default=False
        Whether its statistics depend on the length of each document. Leave-one-out then removes whole
        documents, terms that occur nowhere else included.
    folds : bool, default=True
        Whether its scores are linear in the row and its weights sparse, so that it can be folded into one
        table with other models.
    seeded : bool, default=False
        Whether it takes a random_state.
    search : SearchSettings, optional
        How AutoNB's search tries it; None if it does not.

    Examples
    --------
    >>> from textbayes.estimators import VARIANTS
    >>> VARIANTS["twcnb"].make_model(), VARIANTS["twcnb"].make_transform()
    (ComplementNB(norm=True), FrequencyTransform())
    """

    name: str
    summary: str
    paper: str
    estimator: type[Any]
    parameters: Settings = field(default_factory=dict)
    transform: Settings | None = None
    by_name: bool = True
    smoothing: str | None = None
    additive: bool = True
    exact_loo: bool = True
    by_length: bool = False
    folds: bool = True
    seeded: bool = False
    search: SearchSettings | None = None

    @property
    def uses_sums(self) -> bool:
        """Whether it depends only on the sums of classes, terms and pairs."""
        return self.exact_loo and not self.by_length

    def make_model(self) -> Any:
        """Make the classifier. A random one gets a fixed seed: the same documents give the same model."""
        return self._make(self.parameters, 0)

    def make_candidate(self, parameters: Settings, random_state: int | None = None) -> Any:
        """Make the classifier with the search's fixed parameters and those of a candidate."""
        fixed = {} if self.search is None else self.search.parameters
        return self._make({**fixed, **parameters}, random_state)

    def _make(self, parameters: Settings, random_state: int | None) -> Any:
        seed = {"random_state": random_state} if self.seeded else {}
        return self.estimator(**parameters, **seed)

    def make_transform(self) -> FrequencyTransform | None:
        """Make the transform of counts; None for raw counts."""
        return None if self.transform is None else FrequencyTransform(**self.transform)


_ALPHAS = SearchSettings(grid=(0.1, 0.01, 1.0), unit_grid=(0.01, 0.001, 0.1))

_MULTINOMIAL = Variant(
    "multinomial",
    "words of a class",
    "Rennie 2003, eqs. 1–3",
    MultinomialNB,
    smoothing="alpha",
    search=_ALPHAS,
)
_COMPLEMENT = Variant(
    "complement",
    "words of all other classes",
    "Rennie 2003, eq. 6",
    ComplementNB,
    smoothing="alpha",
    search=_ALPHAS,
)
_POISSON = Variant(
    "poisson",
    "Poisson counts of documents of one length",
    "Kim 2003, eq. 10",
    PoissonNB,
    smoothing="theta",
    by_length=True,
    folds=False,
    search=SearchSettings(grid=(0.0003, 0.001)),
)
_ROWS = (
    _MULTINOMIAL,
    replace(
        _MULTINOMIAL,
        name="multinomial-min",
        summary="words of a class, classes scaled to the size of the smallest",
        paper="Frank 2006, eq. 3",
        parameters={"class_length": "min"},
        search=None,
    ),
    replace(
        _MULTINOMIAL,
        name="normalised",
        summary="tf-idf of mean length, classes scaled to one length",
        paper="Frank 2006, section 5",
        parameters={"class_length": 1.0},
        transform={"length": "mean"},
        search=None,
    ),
    _COMPLEMENT,
    replace(
        _COMPLEMENT,
        name="one-vs-all",
        summary="a class against the documents without it",
        paper="Rennie 2003, eq. 7",
        parameters={"against": "class"},
        by_name=False,
        search=replace(_ALPHAS, parameters={"against": "class"}),
    ),
    replace(
        _COMPLEMENT,
        name="complement-all",
        summary="all documents against those without the class; for several labels",
        paper="Rennie 2003, eq. 8",
        parameters={"against": "all"},
        search=replace(_ALPHAS, parameters={"against": "all"}),
    ),
    replace(
        _COMPLEMENT,
        name="twcnb",
        summary="log, idf and length 1, complement, weights normalised",
        paper="Rennie 2003, table 4",
        parameters={"norm": True},
        transform={},
        search=None,
    ),
    _POISSON,
    *(
        replace(
            _POISSON,
            name=f"poisson-{weighting}",
            summary=f"Poisson counts, terms weighted by {meaning}",
            paper=f"Kim 2003, {equation}",
            parameters={"weighting": weighting},
            search=None,
        )
        for weighting, meaning, equation in (
            ("ig", "information gain", "eq. 11"),
            ("chi2", "χ²", "eq. 12"),
            ("ratio", "probability ratio", "eq. 13"),
        )
    ),
    Variant(
        "poisson-by-class",
        "PNB*: Poisson counts, with the weighting and the smoothing that suit each class",
        "Kim 2003, section 5",
        ClasswisePoissonNB,
        by_name=False,
        exact_loo=False,
        by_length=True,
        folds=False,
        search=SearchSettings(),
    ),
    Variant(
        "mixture",
        "several Poisson components a class, over a background common to all",
        "Grim 2008, eq. 13",
        PoissonMixtureNB,
        {"n_components": "auto"},
        smoothing="background",
        additive=False,
        exact_loo=False,
        folds=False,
        seeded=True,
        search=SearchSettings(grid=(100.0, 30.0)),
    ),
    Variant(
        "centroid",
        "direction of a class's tf-idf",
        "Frank 2006, section 4",
        CentroidClassifier,
        transform={},
        search=SearchSettings(),
    ),
    Variant(
        "linear-svm",
        "linear support vector machine with squared hinge loss, on tf-idf",
        "Hsieh 2008, algorithm 1",
        LinearSVM,
        transform={"idf": "smooth"},
        smoothing="C",
        additive=False,
        exact_loo=False,
        seeded=True,
        search=SearchSettings(grid=(2.0, 10.0, 0.5), parameters={"max_iter": 30}),
    ),
    Variant(
        "discriminative",
        "frequencies weighted by the errors of the model so far, for and against each class",
        "Su 2008",
        DiscriminativeNB,
        {"against": "rest", "max_iter": 1, "block_size": 1, "orders": 3},
        transform={"idf": "smooth"},
        by_name=False,
        smoothing="alpha",
        additive=False,
        exact_loo=False,
        seeded=True,
        search=SearchSettings(
            grid=(0.03,),
            parameters={"against": "rest", "max_iter": 1, "block_size": 1, "orders": 3},
        ),
    ),
)

VARIANTS: dict[str, Variant] = {row.name: row for row in _ROWS}
"""Every variant by its name."""

NAMED = tuple(row.name for row in _ROWS if row.by_name)
"""Variants that ``TextClassifier(model=...)`` and the command line offer."""

SEARCHED = tuple(row.name for row in _ROWS if row.search is not None)
"""Variants that AutoNB's search can try."""

FOLDING = tuple(name for name in SEARCHED if VARIANTS[name].folds)
"""Variants that fold into one weight table with others."""
