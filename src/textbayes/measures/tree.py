"""Labels in a tree, such as "sport/ball/tennis": F1 of labels together with their ancestors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import ParameterConflictError, ParameterError
from textbayes.errors.checks import check_option
from textbayes.measures.averages import Averages
from textbayes.measures.decided import f1_of_counts
from textbayes.measures.indicators import Flags, Reals, both_indicators
from textbayes.persistence import Stored

_AVERAGES = ("micro", "macro")


@dataclass(frozen=True)
class TreeF1:
    """F1 of labels in a tree: a metric for ``AutoNB(metric=...)``.

    Every label counts together with its ancestors: "a/b/c" is also "a/b" and "a". So a wrong label in the
    right branch is partly right (Kiritchenko and others 2006). ``metric="tree_f1"`` is ``TreeF1()``.

    Parameters
    ----------
    separator : str, default="/"
        What separates the names of a label.
    average : {"micro", "macro"}, default="micro"
        F1 of all labels and ancestors together, or the mean over the nodes of the tree.

    Examples
    --------
    >>> from textbayes import TreeF1
    >>> TreeF1(separator=".").ancestors("sport.ball.tennis")
    ['sport', 'sport.ball', 'sport.ball.tennis']
    """

    separator: str = "/"
    average: str = "micro"

    def __post_init__(self) -> None:
        """Check the settings."""
        if not isinstance(self.separator, str) or not self.separator:
            raise ParameterError("separator", self.separator, "a text, such as '/'")
        check_option("average", self.average, _AVERAGES)

    @property
    def name(self) -> str:
        """The name of the metric."""
        return "tree_f1" if self.average == "micro" else "macro_tree_f1"

    def ancestors(self, label: str) -> list[str]:
        """Return the ancestors of a label from the top down, and the label; the root does not count."""
        parts = label.split(self.separator)
        found = [self.separator.join(parts[: depth + 1]) for depth in range(len(parts))]
        return [node for node in found if node] or [label]

    def nodes(self, classes: Sequence[Any]) -> Flags:
        """Return which nodes of the tree each class has, shape (classes, nodes), with the nodes sorted.

        Examples
        --------
        >>> from textbayes import TreeF1
        >>> TreeF1().nodes(["a/b", "a/c"]).astype(int).tolist()
        [[1, 1, 0], [1, 0, 1]]
        """
        for label in classes:
            if not isinstance(label, str):
                why = f"The tree is read from labels such as 'a{self.separator}b', so labels must be texts"
                raise ParameterConflictError("metric", self, "y", f"the label {label!r}", why)
        own = [self.ancestors(label) for label in classes]
        place = {node: at for at, node in enumerate(sorted({node for nodes in own for node in nodes}))}
        found = np.zeros((len(own), len(place)), dtype=bool)
        for at, nodes in enumerate(own):
            found[at, [place[node] for node in nodes]] = True
        return found

    def store(self) -> Stored:
        """Return the settings."""
        return Stored({"separator": self.separator, "average": self.average})

    @classmethod
    def restore(cls, stored: Stored) -> TreeF1:
        """Load the settings; refuse invalid ones."""
        try:
            return cls(stored.value("separator", str), stored.value("average", str))
        except ParameterError:
            stored.refuse("its metric of a tree is invalid")


def tree_f1(truth: Any, decisions: Any, separator: str = "/") -> Averages:
    """Measure F1 of labels in a tree, each label together with its ancestors.

    Parameters
    ----------
    truth, decisions : labels of shape (documents,), or lists of labels
        What is true and what was decided: texts such as "a/b/c"; of each document one, or a list of them.
    separator : str, default="/"
        What separates the names of a label.

    Returns
    -------
    Averages
        ``per_class`` has a figure for every node of the tree, in the order of the sorted nodes. ``micro`` is
        the hierarchical F1 of Kiritchenko, Matwin, Nock and Famili 2006: P = Σ|A ∩ B| / Σ|A| and
        R = Σ|A ∩ B| / Σ|B| over documents, where A are the decided labels with their ancestors and B the
        true ones. ``macro`` is the mean over nodes.

    Examples
    --------
    The first decision shares "sport" with the truth; the second is right.

    >>> from textbayes.evaluation import tree_f1
    >>> print(tree_f1(["sport/tennis", "art"], ["sport/golf", "art"]))
    micro .667, macro .500, 4 classes
    """
    tree = TreeF1(separator)
    both = [_label_lists(each) for each in (truth, decisions)]
    classes = sorted({label for lists in both for labels in lists for label in labels}, key=str)
    nodes, place = tree.nodes(classes), {label: at for at, label in enumerate(classes)}
    true, decided, _ = both_indicators(*(_expanded(lists, place, nodes) for lists in both))
    sums = (each.sum(axis=0) for each in (true.multiply(decided), decided, true))
    return f1_of_counts(*(np.asarray(each, dtype=np.int64).ravel() for each in sums))


def with_ancestors(flags: Flags, nodes: Flags) -> Flags:
    """Turn decisions about classes into decisions about the nodes of a tree.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes import TreeF1
    >>> from textbayes.measures import with_ancestors
    >>> with_ancestors(np.array([[True, False]]), TreeF1().nodes(["a/b", "a/c"])).tolist()
    [[True, True, False]]
    """
    found = np.zeros((len(flags), nodes.shape[1]), dtype=bool)
    documents, classes = np.nonzero(flags)
    # A document has few labels: all first ones are added, then all second ones, and so on.
    while len(documents):
        first = np.concatenate([[True], documents[1:] != documents[:-1]])
        found[documents[first]] |= nodes[classes[first]]
        documents, classes = documents[~first], classes[~first]
    return found


def tree_costs(nodes: Flags) -> Reals:
    """Return 1 − F1 of each pair of classes and their ancestors, shape (classes, classes).

    Examples
    --------
    >>> from textbayes import TreeF1
    >>> from textbayes.measures import tree_costs
    >>> tree_costs(TreeF1().nodes(["a/b", "a/c", "d"])).tolist()
    [[0.0, 0.5, 1.0], [0.5, 0.0, 1.0], [1.0, 1.0, 0.0]]
    """
    counted = nodes.astype(np.float64)
    sizes = counted.sum(axis=1)
    shared: NDArray[np.float64] = counted @ counted.T
    return np.asarray(1.0 - 2.0 * shared / np.maximum(sizes[:, None] + sizes[None, :], 1.0))


def _label_lists(labels: Iterable[Any]) -> list[list[Any]]:
    listed = [label.item() if isinstance(label, np.generic) else label for label in labels]
    return [
        [] if label is None else list(label) if isinstance(label, list | tuple | set) else [label]
        for label in listed
    ]


def _expanded(lists: list[list[Any]], place: dict[Any, int], nodes: Flags) -> Flags:
    flags = np.zeros((len(lists), len(place)), dtype=bool)
    for at, labels in enumerate(lists):
        flags[at, [place[label] for label in labels]] = True
    return with_ancestors(flags, nodes)
