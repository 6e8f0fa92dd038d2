"""The number of components of each class."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import ParameterError

# The fewest documents per component.
LEAST_DOCUMENTS = 2
# With "auto", the fewest documents per component on average.
AUTO_DOCUMENTS = 20
AUTO_MOST = 16

_ALLOWED = (
    'a whole number from 1 up, a share of a class\'s documents between 0 and 1, "auto", or {label: number}'
)


def check_component_counts(n_components: Any) -> None:
    """Check a number of components in any of its forms."""
    numbers = n_components.values() if isinstance(n_components, Mapping) else [n_components]
    for number in numbers:
        whole = isinstance(number, Integral) and not isinstance(number, bool) and int(number) >= 1
        share = isinstance(number, Real) and not isinstance(number, Integral) and 0 < float(number) < 1
        name = isinstance(number, str) and number == "auto"
        if not (whole or share or name):
            raise ParameterError("n_components", n_components, _ALLOWED)


def component_counts(n_components: Any, classes: NDArray[Any], documents: NDArray[np.integer]) -> list[int]:
    """Return the number of components of each class, from the number of its documents.

    Every component has at least two documents. A negative number means that held-out documents choose the
    number, up to its absolute value.

    Parameters
    ----------
    n_components : int, float, "auto" or mapping of label to these
        The parameter of PoissonMixtureNB. A class that is not in a mapping gets one component.
    classes : array
        The labels.
    documents : array of int
        The number of documents of each class.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.weights import component_counts
    >>> numbers = {"a": 4, "b": 0.5, "c": "auto"}
    >>> component_counts(numbers, np.array(["a", "b", "c", "d"]), np.array([5, 9, 70, 9]))
    [2, 4, -3, 1]
    """
    labels = classes.tolist()
    numbers = n_components if isinstance(n_components, Mapping) else dict.fromkeys(labels, n_components)
    for label in numbers:
        if label not in labels:
            raise ParameterError(
                f"n_components[{label!r}]", numbers[label], f"numbers for labels of y: {labels[:5]} …"
            )
    return [_count(numbers.get(label, 1), int(count)) for label, count in zip(labels, documents, strict=True)]


def _count(number: Any, documents: int) -> int:
    if isinstance(number, str):
        most = min(documents // AUTO_DOCUMENTS, AUTO_MOST)
        return -most if most > 1 else 1
    count = int(number) if isinstance(number, Integral) else round(float(number) * documents)
    return max(1, min(count, documents // LEAST_DOCUMENTS))
