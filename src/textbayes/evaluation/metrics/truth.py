"""What is true, and what a model made of it: the forms that every metric reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from textbayes.errors import EvaluationEmptyError, EvaluationScoreError, EvaluationShapeError, LabelsError

Reals = NDArray[np.float64]
Flags = NDArray[np.bool_]
Counts = NDArray[np.int64]

# Blocks of scores hold about so many cells: 64 MB at most with what ranking them takes.
CELLS = 1 << 20


def as_indicator(truth: Any) -> sparse.csr_array:
    """Check an indicator, dense or sparse; one column may be flat."""
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


def indicator_of(codes: Sequence[Sequence[int]], classes: int) -> sparse.csr_array:
    """Make an indicator of each document's classes by number."""
    starts = np.concatenate([[0], np.cumsum([len(each) for each in codes], dtype=np.int64)])
    columns = np.fromiter((code for each in codes for code in each), np.int64, int(starts[-1]))
    return sparse.csr_array((np.ones(len(columns), np.int64), columns, starts), shape=(len(codes), classes))


def class_sizes(indicator: sparse.csr_array) -> Counts:
    """Count each class's documents; some class has some."""
    sizes: Counts = np.bincount(indicator.indices, minlength=indicator.shape[1])
    if not sizes.any():
        raise EvaluationEmptyError("no document has any class", "documents that have classes")
    return sizes


def both_indicators(truth: Any, decisions: Any) -> tuple[sparse.csr_array, sparse.csr_array, list[Any]]:
    """Make indicators of labels or indicators, with the classes of their columns.

    For labels these are the classes that are true or decided somewhere, sorted; None is no class.
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
    """Say whether there is one label a document, or an indicator."""
    return not sparse.issparse(labels) and np.ndim(labels) == 1


def score_blocks(scores: Any, shape: tuple[int, int]) -> Iterator[tuple[int, Reals]]:
    """Check scores block by block, each with the number of its first row."""
    start = 0
    for block in _blocks(scores, shape):
        if block.shape[1] != shape[1] or start + len(block) > shape[0]:
            raise EvaluationShapeError("scores", (start + len(block), block.shape[1]), "truth", shape)
        if np.isnan(block).any():
            row, column = np.argwhere(np.isnan(block))[0]
            raise EvaluationScoreError("scores", start + int(row), int(column), float("nan"), "a number")
        yield start, block
        start += len(block)
    if start != shape[0]:
        raise EvaluationShapeError("scores", (start, shape[1]), "truth", shape)


def all_scores(scores: Any, shape: tuple[int, int]) -> Reals:
    """Check scores, and put their blocks together."""
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
        raise EvaluationShapeError("scores", block.shape, "truth", ("documents", "classes"))
    return block[:, None] if block.ndim == 1 else block


def _check_shapes(name: str, shape: tuple[int, ...], truth: tuple[int, ...]) -> None:
    if shape != truth:
        raise EvaluationShapeError(name, shape, "truth", truth)


def _of_labels(labels: list[Any], code_of: dict[Any, int]) -> sparse.csr_array:
    return indicator_of([[] if label is None else [code_of[label]] for label in labels], len(code_of))
