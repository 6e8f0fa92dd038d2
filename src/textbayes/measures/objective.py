"""What a search maximises: a metric for certain classes, and the weights of the classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from textbayes.errors import ParameterError
from textbayes.measures.class_weights import balanced_weights, cell_weights, class_weights
from textbayes.measures.costs import CostMatrix, check_one_label
from textbayes.measures.indicators import Flags, Reals
from textbayes.measures.metrics import METRICS, SEARCHED_METRICS
from textbayes.measures.tree import TreeF1, tree_costs

_TREES = {"tree_f1": TreeF1(), "macro_tree_f1": TreeF1(average="macro")}


@dataclass(frozen=True, eq=False)
class Objective:
    """A metric for certain classes, and the weights of the classes.

    Parameters
    ----------
    name : str
        The name of the metric.
    costs : array of shape (classes, classes), optional
        What it costs to decide the class of a column if that of the row is true. Biases are chosen by it.
    nodes : array of bool, shape (classes, nodes), optional
        The nodes of the tree of labels that each class has.
    class_weight : "balanced", array of shape (classes,), or None
        How often a document of each class counts.
    """

    name: str
    costs: Reals | None = None
    nodes: Flags | None = None
    class_weight: Reals | str | None = None

    @property
    def reads_probabilities(self) -> bool:
        """Whether scores are read as log probabilities, so that they must be scaled before."""
        return self.name in ("log_loss", CostMatrix.name)

    @property
    def has_mean_cost(self) -> bool:
        """Whether the metric is the mean of the costs."""
        return self.name == CostMatrix.name

    @property
    def unit(self) -> float:
        """What counts as a difference of 1: the mean cost of an error, or 1."""
        if not self.has_mean_cost or self.costs is None or len(self.costs) < 2:
            return 1.0
        errors = (self.costs - np.diag(self.costs)[:, None]).sum() / (len(self.costs) * (len(self.costs) - 1))
        return float(errors) or 1.0

    def weights_of(self, truth: Flags, multilabel: bool, weights: Reals | None) -> Reals | None:
        """Return the weight of each class among these documents, or None if all are 1."""
        if isinstance(self.class_weight, str):
            return balanced_weights(truth, weights, multilabel)
        return self.class_weight

    def document_weights(self, truth: Flags, multilabel: bool, weights: Reals | None) -> Reals | None:
        """Return how often documents count, with several labels in each class: see ``cell_weights``."""
        own = self.weights_of(truth, multilabel, weights)
        found: Reals | None = cell_weights(truth, weights, own, multilabel)
        return found


def check_metric(metric: Any) -> None:
    """Raise an error for a metric that cannot be searched for.

    Examples
    --------
    >>> from textbayes.measures import check_metric
    >>> check_metric("acuracy")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    textbayes.errors.ParameterError: metric='acuracy' is not an option. Did you mean 'accuracy'?
      ...
    """
    if isinstance(metric, CostMatrix | TreeF1) or (isinstance(metric, str) and metric in SEARCHED_METRICS):
        return
    raise ParameterError("metric", metric, (*SEARCHED_METRICS, "a CostMatrix", "a TreeF1"))


def objective(
    metric: str | CostMatrix | TreeF1,
    classes: Sequence[Any],
    multilabel: bool = False,
    class_weight: Any = None,
) -> Objective:
    """Return the objective of a search.

    Parameters
    ----------
    metric : str, CostMatrix or TreeF1
        The metric.
    classes : sequence
        The labels of the documents.
    multilabel : bool
        Whether documents have several labels.
    class_weight : None, "balanced", or dict
        The weights of the classes.

    Examples
    --------
    >>> from textbayes import CostMatrix
    >>> from textbayes.measures import objective
    >>> objective(CostMatrix([[0, 20], [1, 0]], ["ham", "spam"]), ["ham", "spam"]).unit
    10.5
    """
    check_metric(metric)
    weights, tree = class_weights(class_weight, classes), metric
    if isinstance(metric, str):
        if metric not in _TREES:
            return Objective(metric, class_weight=weights)
        tree = _TREES[metric]
    if isinstance(tree, TreeF1):
        nodes = tree.nodes(classes)
        return Objective(tree.name, tree_costs(nodes), nodes, weights)
    assert isinstance(metric, CostMatrix)
    check_one_label(metric, multilabel)
    return Objective(metric.name, metric.of(classes), class_weight=weights)


def metric_name(metric: str | CostMatrix | TreeF1) -> str:
    """Return the name of a metric.

    Examples
    --------
    >>> from textbayes import TreeF1
    >>> from textbayes.measures import metric_name
    >>> metric_name(TreeF1("."))
    'tree_f1'
    """
    return metric if isinstance(metric, str) else metric.name


def metric_title(name: str) -> str:
    """Return the title of a metric in tables.

    Examples
    --------
    >>> from textbayes.measures import metric_title
    >>> metric_title("mean_cost"), metric_title("macro_f1")
    ('mean cost', 'macro F1')
    """
    return METRICS[name].title if name in METRICS else name.replace("_", " ")


def shown_figures(name: str, *figures: float) -> tuple[float, ...]:
    """Return figures of a search as tables show them: those of losses, which count negatively, positive.

    Examples
    --------
    >>> from textbayes.measures import shown_figures
    >>> shown_figures("mean_cost", -0.25), shown_figures("macro_f1", 0.75)
    ((0.25,), (0.75,))
    """
    is_loss = name == CostMatrix.name or (name in METRICS and not METRICS[name].larger_is_better)
    return tuple(-figure + 0.0 for figure in figures) if is_loss else figures
