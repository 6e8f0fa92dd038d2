"""Plots of evaluations with matplotlib (``pip install 'textbayes[plots]'``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from textbayes.errors import ExtraMissingError, ParameterError, ShapeError
from textbayes.errors.checks import check_option
from textbayes.errors.printable import printable
from textbayes.evaluation.comparison import Comparison
from textbayes.evaluation.reports import confused_pairs, confusion_counts
from textbayes.evaluation.results import Reals
from textbayes.measures import METRICS, Averages, ReliabilityCurve, SizeBin

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Indices = NDArray[np.intp]

# Bars or rows that can still be read.
_READABLE = 40
_LONGEST_NAME = 30


def plot_learning_curves(comparison: Comparison, metric: str | None = None, ax: Axes | None = None) -> Figure:
    """Plot a metric over the number of training documents per class, a line with interval for each model.

    Parameters
    ----------
    comparison : Comparison
        A comparison with the protocol LearningCurve.
    metric : str, optional
        One of its metrics; the first by default.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib figure
        The figure, such as for ``savefig("curve.png")``.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from textbayes import MultinomialNB, TextCounter
    >>> from textbayes.evaluation import LearningCurve, compare, plot_learning_curves
    >>> texts, labels = ["wheat rose", "oil rose", "oil fell"] * 4, ["grain", "oil", "oil"] * 4
    >>> model = make_pipeline(TextCounter(), MultinomialNB())
    >>> found = compare([model], (texts, labels), LearningCurve((1, 2), runs=3))
    >>> plot_learning_curves(found).axes[0].get_ylabel()
    'accuracy'
    """
    if comparison.points == (None,):
        raise ParameterError("comparison.protocol", comparison.protocol, "a comparison by LearningCurve")
    metric = comparison.metrics[0] if metric is None else metric
    check_option("metric", metric, comparison.metrics)
    ax = _axes(ax)
    points = [point for point in comparison.points if point is not None]
    for model in comparison.models:
        rows = [row for row in comparison.rows if (row.model, row.metric) == (model, metric)]
        (line,) = ax.plot(points, [row.mean for row in rows], marker="o", label=printable(model))
        lows = [row.mean if row.low is None else row.low for row in rows]
        highs = [row.mean if row.high is None else row.high for row in rows]
        ax.fill_between(points, lows, highs, color=line.get_color(), alpha=0.15, linewidth=0)
    ax.set_xscale("log")
    ax.set_xticks(points, [str(point) for point in points])
    ax.minorticks_off()
    ax.set_xlabel("training documents a class")
    ax.set_ylabel(METRICS[metric].title)
    _draw_legend(ax)
    return _figure(ax)


def plot_classes(figures: Any, classes: Sequence[Any], title: str = "F1", ax: Axes | None = None) -> Figure:
    """Plot a bar for each class, the weakest at the bottom.

    Parameters
    ----------
    figures : Averages or array of shape (classes,), or dict of name and such
        The figures of one model, or of several.
    classes : sequence
        The names of the classes. Of more than 40 classes, the 40 weakest of the first model are drawn.
    title : str
        The name of the metric.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.

    Examples
    --------
    >>> from textbayes.evaluation import f1, plot_classes
    >>> figure = plot_classes(f1(["oil", "oil", "gas"], ["oil", "gas", "gas"]), ["gas", "oil"])
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['gas', 'oil']
    """
    named = figures if isinstance(figures, Mapping) else {title: figures}
    columns = {name: _per_class(each) for name, each in named.items()}
    for column in columns.values():
        if column.shape != (len(classes),):
            raise ShapeError("figures", column.shape, "classes", (len(classes),))
    first = next(iter(columns.values()))
    shown = np.argsort(np.nan_to_num(first, nan=np.inf), kind="stable")[:_READABLE]
    ax = _axes(ax, height=1.5 + 0.22 * len(shown))
    thickness = 0.8 / len(columns)
    for at, (name, column) in enumerate(columns.items()):
        places = np.arange(len(shown)) + (at - (len(columns) - 1) / 2) * thickness
        ax.barh(places, np.nan_to_num(column[shown]), thickness, label=printable(name))
    ax.set_yticks(np.arange(len(shown)), [printable(classes[at]) for at in shown], parse_math=False)
    ax.set_xlabel(
        title + (f", the {len(shown)} weakest of {len(classes)}" if len(shown) < len(classes) else "")
    )
    if len(columns) > 1:
        _draw_legend(ax)
    return _figure(ax)


def plot_confusion(truth: Any, predicted: Any, k: int = 10, classes: Sequence[Any] | None = None) -> Figure:
    """Plot the confusion matrix, and the pairs of classes that are confused most often.

    Classes that are confused with each other stand side by side. Of more than 40 classes, the matrix shows
    only confused ones, at most the 40 with the most errors; its title says how many it shows.

    Parameters
    ----------
    truth, predicted, classes
        As for :func:`class_report`.
    k : int, default=10
        The number of pairs.

    Examples
    --------
    >>> from textbayes.evaluation import plot_confusion
    >>> figure = plot_confusion(["corn", "wheat", "oil"], ["wheat", "wheat", "oil"])
    >>> [label.get_text() for label in figure.axes[1].get_yticklabels()]
    ['corn → wheat']
    """
    counts, names = confusion_counts(truth, predicted, classes)
    pairs = confused_pairs(truth, predicted, k, classes)
    sizes = np.asarray(counts.sum(axis=1)).ravel()
    kept = _confused_classes(counts)
    part = counts[kept][:, kept].toarray()
    order = _clustered(part)
    shown, part = kept[order], part[np.ix_(order, order)]
    size = 2.5 + 0.25 * len(shown)
    figure = _new_figure(size + 4.5, max(size, 1.5 + 0.3 * len(pairs)))
    matrix, bars = figure.subplots(1, 2, width_ratios=[size, 3])
    _draw_matrix(matrix, part, sizes[shown], [_short(names[at]) for at in shown])
    if len(shown) < len(names):
        errors, own = (int(each.sum() - each.trace()) for each in (counts, part))
        matrix.set_title(f"{len(shown)} of {len(names):,} classes, {own:,} of {errors:,} confusions")
    bars.barh(np.arange(len(pairs)), [pair.documents for pair in pairs])
    labels = [f"{_short(pair.truth)} → {_short(pair.decided)}" for pair in pairs]
    bars.set_yticks(np.arange(len(pairs)), labels, parse_math=False)
    bars.invert_yaxis()
    bars.set_xlabel("documents confused")
    return figure


def plot_reliability(curves: Any, ax: Axes | None = None) -> Figure:
    """Plot how often predictions of a probability come true.

    Parameters
    ----------
    curves : ReliabilityCurve, or dict of name and such
        The curve of one model, or of several. On the diagonal, probabilities are calibrated.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.

    Examples
    --------
    >>> from textbayes.evaluation import plot_reliability, reliability_curve
    >>> figure = plot_reliability({"mnb": reliability_curve([0, 1, 1], [0.2, 0.7, 0.9])})
    >>> figure.axes[0].get_legend().get_texts()[-1].get_text()
    'mnb, error .200'
    """
    named = {"model": curves} if isinstance(curves, ReliabilityCurve) else dict(curves)
    ax = _axes(ax)
    ax.plot([0, 1], [0, 1], color="0.6", linestyle="--", label="as said")
    for name, curve in named.items():
        error = f"{curve.error:.3f}".removeprefix("0")
        (line,) = ax.plot(curve.probability, curve.frequency, label=f"{printable(name)}, error {error}")
        # The area of a point is its share of the cases.
        ax.scatter(
            curve.probability, curve.frequency, 200 * curve.cases / curve.cases.sum(), color=line.get_color()
        )
    ax.set_xlabel("probability")
    ax.set_ylabel("share that came true")
    _draw_legend(ax)
    return _figure(ax)


def plot_class_sizes(bins: Any, title: str = "F1", ax: Axes | None = None) -> Figure:
    r"""Plot a metric by class size (Kim 2003, figure 3).

    Parameters
    ----------
    bins : list of SizeBin, or dict of name and such
        The result of :func:`by_class_size`, of one model or several with the same bins.
    title : str
        The name of the metric.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.

    Examples
    --------
    >>> from textbayes.evaluation import by_class_size, plot_class_sizes
    >>> figure = plot_class_sizes(by_class_size([0.2, 0.9], [3, 40], bins=(10,)))
    >>> [label.get_text() for label in figure.axes[0].get_xticklabels()]
    ['0–9\n1 class', '10+\n1 class']
    """
    named: dict[str, list[SizeBin]] = dict(bins) if isinstance(bins, Mapping) else {title: list(bins)}
    ax = _axes(ax)
    width = 0.8 / len(named)
    for at, (name, each) in enumerate(named.items()):
        places = np.arange(len(each)) + (at - (len(named) - 1) / 2) * width
        ax.bar(
            places,
            [size_bin.mean if size_bin.classes else 0.0 for size_bin in each],
            width,
            label=printable(name),
        )
    first = next(iter(named.values()))
    ax.set_xticks(np.arange(len(first)), [_bin_label(size_bin) for size_bin in first])
    ax.set_xlabel("training documents of the class")
    ax.set_ylabel(f"mean {title}")
    if len(named) > 1:
        _draw_legend(ax)
    return _figure(ax)


def _draw_legend(ax: Axes) -> None:
    for text in ax.legend().get_texts():
        text.set_parse_math(False)  # a name may have dollar signs


def _bin_label(size_bin: SizeBin) -> str:
    return f"{size_bin.name}\n{size_bin.classes} {'class' if size_bin.classes == 1 else 'classes'}"


def _per_class(figures: Any) -> Reals:
    return np.asarray(figures.per_class if isinstance(figures, Averages) else figures, dtype=np.float64)


def _confused_classes(counts: Any) -> Indices:
    """Choose the classes to show: all, or of many those with the most errors, if they have any."""
    right = counts.diagonal()
    errors = np.asarray(counts.sum(axis=0) + counts.sum(axis=1)).ravel() - 2 * right
    if len(errors) <= _READABLE or not errors.any():
        return np.arange(min(len(errors), _READABLE))
    return np.sort(np.argsort(-errors, kind="stable")[: min(_READABLE, np.count_nonzero(errors))])


def _clustered(counts: Any) -> Indices:
    """Order classes so that those confused with each other stand side by side."""
    if len(counts) < 3:
        return np.arange(len(counts))
    sizes = np.maximum(counts.sum(axis=1), 1)
    shares = counts / sizes[:, None]
    distances = 1.0 - np.minimum(shares + shares.T, 1.0)
    np.fill_diagonal(distances, 0.0)
    tree = linkage(squareform(distances, checks=False), "average", optimal_ordering=True)
    return np.asarray(leaves_list(tree), dtype=np.intp)


def _short(name: Any) -> str:
    text = printable(name)
    return text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 1]}…"


def _draw_matrix(ax: Axes, counts: Any, sizes: Any, names: list[str]) -> None:
    # Shares of each row; with counts, large classes would hide the others.
    rows = np.maximum(sizes, 1)[:, None]
    image = ax.imshow(counts / rows, cmap="Blues", vmin=0, vmax=1)
    ax.figure.colorbar(image, ax=ax, label="share of the class", shrink=0.7)
    ax.set_xticks(np.arange(len(names)), names, rotation=90, parse_math=False)
    ax.set_yticks(np.arange(len(names)), names, parse_math=False)
    ax.set_xlabel("decided")
    ax.set_ylabel("truth")


def _axes(ax: Axes | None, width: float = 6.4, height: float = 4.8) -> Axes:
    return _new_figure(width, height).subplots() if ax is None else ax


def _figure(ax: Axes) -> Figure:
    figure = ax.get_figure(root=True)
    assert figure is not None
    return figure


def check_matplotlib() -> None:
    """Raise an error if figures cannot be drawn, before any work."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise ExtraMissingError("plots", str(error)) from error


def _new_figure(width: float, height: float) -> Figure:
    check_matplotlib()
    # Not pyplot: it keeps figures in global state and may need a window.
    from matplotlib.figure import Figure

    return Figure(figsize=(width, min(height, 100.0)), layout="constrained")
