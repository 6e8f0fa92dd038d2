"""Mixtures of one component per class without one document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from textbayes._native import MixtureSettings, available_threads, mixture_loo_scores
from textbayes.statistics import ClassStatistics, LabelledRows

Reals = NDArray[np.float64]
# The largest number of scores at a time.
_CELLS = 1 << 21


def mixture_scores_without(
    statistics: ClassStatistics, learned: LabelledRows, settings: Sequence[MixtureSettings]
) -> Iterator[Reals]:
    """Score documents by mixtures of one component and all parameters, fitted without the document.

    Parameters
    ----------
    statistics : ClassStatistics
        Sums that include the documents, with the classes of ``learned`` in their order.
    learned : LabelledRows
        The documents, as they were learned.
    settings : sequence of MixtureSettings
        One or more smoothings, not None.

    Yields
    ------
    array of shape (documents, classes, settings)
        log p(c) G(x|c) of consecutive documents; of a label indicator, the log odds against the documents
        without the class. With one label per document, a class that has no other document scores −∞.
    """
    classes = len(statistics.class_documents)
    size = max(_CELLS // max(classes * len(settings), 1), 1)
    odds, kinds = statistics.multilabel, list(settings)
    for first in range(0, len(learned), size):
        block = learned.block(first, min(first + size, len(learned)))
        documents = block.by_slots(statistics.slots_of(block.targets))
        flat = mixture_loo_scores(statistics.sums, documents, kinds, odds, available_threads())
        yield flat.reshape(len(block), classes, len(settings))
