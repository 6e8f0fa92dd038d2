"""Labels, decisions and scores in the forms that every measure reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import LabelsError, NoDocumentsError, ParameterError, ShapeError

if TYPE_CHECKING:
    from scipy import sparse

Reals = NDArray[np.float64]
Flags = NDArray[np.bool_]
Counts = NDArray[np.int64]
Indicator: TypeAlias = "sparse.csr_array"

# Cells in a block of scores: ranking a block takes at most 64 MB.
CELLS = 1 << 20


def as_indicator(truth: Any) -> Indicator:
    """Check an indicator, dense or sparse; a single column may be flat."""
    from scipy import sparse

    if not sparse.issparse(truth):
        truth = np.asarray(truth)
        truth = truth[:, None] if truth.ndim == 1 else truth
    if truth.ndim != 2 or truth.dtype.kind not in "biuf":
        raise LabelsError(f"{truth.dtype} of {truth.ndim} dimensions, where an indicator is needed")
    indicator = sparse.csr_array(truth, copy=True)
    indicator.sum_duplicates()
    indicator.eliminate_zeros()
    if np.any(indicator.data != 1):
        raise LabelsError("an indicator with other values than 0 and 1")
    return indicator.astype(np.int64)


def indicator_of(codes: Sequence[Sequence[int]], classes: int) -> Indicator:
    """Make an indicator from the class numbers of each document."""
    from scipy import sparse

    starts = np.concatenate([[0], np.cumsum([len(each) for each in codes], dtype=np.int64)])
    columns = np.fromiter((code for each in codes for code in each), np.int64, int(starts[-1]))
    return sparse.csr_array((np.ones(len(columns), np.int64), columns, starts), shape=(len(codes), classes))


def class_sizes(indicator: Indicator) -> Counts:
    """Count the documents of each class; at least one class must have some."""
    sizes: Counts = np.bincount(indicator.indices, minlength=indicator.shape[1])
    if not sizes.any():
        raise NoDocumentsError("truth", "documents that have classes", "document with a class")
    return sizes


def both_indicators(truth: Any, decisions: Any) -> tuple[Indicator, Indicator, list[Any]]:
    """Make indicators from labels or indicators, and return the class of each column.

    The classes of labels are those that are true or decided somewhere, sorted; None is no class.
    """
    if is_flat(truth) and is_flat(decisions):
        _check_shapes("decisions", np.shape(decisions), np.shape(truth))
        labels, decided_labels = (np.asarray(each).tolist() for each in (truth, decisions))
        classes = sorted({*labels, *decided_labels} - {None})
        code_of = {label: code for code, label in enumerate(classes)}
        return _of_labels(labels, code_of), _of_labels(decided_labels, code_of), classes
    true, decided = as_indicator(truth), as_indicator(decisions)
    _check_shapes("decisions", decided.shape, true.shape)
    return true, decided, list(range(true.shape[1]))


def is_flat(labels: Any) -> bool:
    """Return True for one label per document, False for an indicator."""
    from scipy import sparse

    return not sparse.issparse(labels) and np.ndim(labels) == 1


def score_blocks(scores: Any, shape: tuple[int, int]) -> Iterator[tuple[int, Reals]]:
    """Check scores block by block, and yield each block with the number of its first row."""
    start = 0
    for block in _blocks(scores, shape):
        if block.shape[1] != shape[1] or start + len(block) > shape[0]:
            raise ShapeError("scores", (start + len(block), block.shape[1]), "truth", shape)
        if np.isnan(block).any():
            row, column = np.argwhere(np.isnan(block))[0]
            place = f"scores[{start + int(row)}, {int(column)}]"
            raise ParameterError(place, float("nan"), "a number for every document and class")
        yield start, block
        start += len(block)
    if start != shape[0]:
        raise ShapeError("scores", (start, shape[1]), "truth", shape)


def all_scores(scores: Any, shape: tuple[int, int]) -> Reals:
    """Check scores, and join their blocks."""
    return np.concatenate([np.empty((0, shape[1])), *(block for _, block in score_blocks(scores, shape))])


def _blocks(scores: Any, shape: tuple[int, int]) -> Iterator[Reals]:
    if not isinstance(scores, np.ndarray | list | tuple) and not hasattr(scores, "__array__"):
        yield from map(_two_dimensional, scores)
        return
    if isinstance(scores, list | tuple) and any(np.ndim(block) == 2 for block in scores[:1]):
        yield from map(_two_dimensional, scores)
        return
    matrix = _two_dimensional(scores)
    rows = max(1, CELLS // max(1, shape[1]))
    for start in range(0, len(matrix), rows):
        yield matrix[start : start + rows]


def _two_dimensional(scores: Any) -> Reals:
    block = np.asarray(scores, dtype=np.float64)
    if block.ndim not in (1, 2):
        raise ShapeError("scores", block.shape, "truth", ("documents", "classes"))
    return block[:, None] if block.ndim == 1 else block


def _check_shapes(name: str, shape: tuple[int, ...], truth: tuple[int, ...]) -> None:
    if shape != truth:
        raise ShapeError(name, shape, "truth", truth)


def _of_labels(labels: list[Any], code_of: dict[Any, int]) -> Indicator:
    return indicator_of([[] if label is None else [code_of[label]] for label in labels], len(code_of))
