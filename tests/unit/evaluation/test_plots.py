"""Plots draw what they are given, without a window."""

import builtins
import sys

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from textbayes import ComplementNB, MultinomialNB, TextCounter
from textbayes.errors import (
    ExtraMissingError,
    ParameterError,
    ShapeError,
)
from textbayes.evaluation import (
    LearningCurve,
    StratifiedFolds,
    by_class_size,
    compare,
    f1,
    plot_class_sizes,
    plot_classes,
    plot_confusion,
    plot_learning_curves,
    plot_reliability,
    reliability_curve,
)

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

MODELS = {
    "mnb": make_pipeline(TextCounter(), MultinomialNB()),
    "cnb": make_pipeline(TextCounter(), ComplementNB()),
}
DOCUMENTS = (["wheat rose", "corn fell", "oil rose", "crude oil"] * 5, ["grain", "grain", "oil", "oil"] * 5)


def drawn(figure, tmp_path):
    """Draw a figure to a file, which finds what a figure alone does not."""
    figure.savefig(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 1000
    return figure.axes


@pytest.fixture(scope="module")
def curve():
    return compare(MODELS, DOCUMENTS, LearningCurve((1, 2, 5), runs=3), progress=False)


def test_learning_curves(curve, tmp_path):
    (ax,) = drawn(plot_learning_curves(curve, "macro_f1"), tmp_path)
    assert [line.get_label() for line in ax.get_lines()] == ["mnb", "cnb"]
    assert ax.get_lines()[0].get_xdata().tolist() == [1, 2, 5]
    means = [row.mean for row in curve.rows if (row.model, row.metric) == ("cnb", "macro_f1")]
    assert ax.get_lines()[1].get_ydata().tolist() == means
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "2", "5"]
    assert ax.get_ylabel() == "macro F1"


def test_learning_curves_need_their_protocol(curve):
    with pytest.raises(ParameterError, match=r"^metric='macro_auc'"):
        plot_learning_curves(curve, "macro_auc")
    with pytest.raises(ParameterError, match="LearningCurve"):
        plot_learning_curves(compare(MODELS, DOCUMENTS, StratifiedFolds(2), progress=False))


def test_classes(tmp_path):
    figures = {"a": np.array([0.9, 0.2, np.nan]), "b": f1(["x", "y", "z"], ["x", "y", "y"])}
    (ax,) = drawn(plot_classes(figures, ["один", "δύο", "ثلاثة"]), tmp_path)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["δύο", "один", "ثلاثة"]
    assert [bar.get_width() for bar in ax.containers[0]] == [0.2, 0.9, 0.0]
    assert len(ax.containers) == 2


def test_many_classes_leave_the_weakest(tmp_path):
    (ax,) = drawn(plot_classes(np.arange(100) / 100, [f"c{at}" for at in range(100)]), tmp_path)
    assert len(ax.get_yticklabels()) == 40
    assert ax.get_xlabel() == "F1, the 40 weakest of 100"


def test_classes_of_another_number():
    with pytest.raises(ShapeError, match="figures has 2 items, and classes has 1"):
        plot_classes([0.1, 0.2], ["a"])


def test_confusion(tmp_path):
    matrix, bars, *_ = drawn(plot_confusion(["a", "a", "b", "b"], ["a", "b", "a", "b"], k=1), tmp_path)
    assert matrix.get_images()[0].get_array().tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert [label.get_text() for label in bars.get_yticklabels()] == ["a → b"]


@pytest.mark.parametrize("number", [60, 77, 300])
def test_confusion_of_many_classes(tmp_path, number):
    names = [f"c{at:03} {'of a long name ' * 5}" for at in range(number)]
    matrix, bars, *_ = drawn(plot_confusion(names, [names[0], *names[:-1]], k=5), tmp_path)
    assert len(matrix.get_yticklabels()) == 40
    assert matrix.get_title() == f"40 of {number} classes, 39 of {number - 1} confusions"
    assert all(len(label.get_text()) <= 30 for label in matrix.get_yticklabels())
    assert len(bars.get_yticklabels()) == 5
    drawn(plot_confusion(names, names), tmp_path)


def test_only_confused_classes_are_shown_side_by_side(tmp_path):
    names = [f"c{at:03}" for at in range(100)]
    truth = names * 10
    confused = {"c003": "c090", "c090": "c003", "c050": "c007", "c007": "c050"}
    predicted = [confused.get(name, name) if at < 700 else name for at, name in enumerate(truth)]
    matrix, *_ = drawn(plot_confusion(truth, predicted), tmp_path)
    labels = [label.get_text() for label in matrix.get_yticklabels()]
    assert set(confused) <= set(labels)
    assert abs(labels.index("c003") - labels.index("c090")) == 1
    assert abs(labels.index("c050") - labels.index("c007")) == 1
    assert matrix.get_title() == "4 of 100 classes, 28 of 28 confusions"
    # Shares are of all documents of a class, also of those taken for classes that are not shown.
    shares = matrix.get_images()[0].get_array()
    assert shares[labels.index("c003"), labels.index("c090")] == 0.7


def test_confusion_of_several_labels(tmp_path):
    truth, decided = np.array([[1, 0], [1, 1]]), np.array([[0, 1], [1, 1]])
    matrix, *_ = drawn(plot_confusion(truth, decided, classes=["oil", "gas"]), tmp_path)
    assert [label.get_text() for label in matrix.get_xticklabels()] == ["oil", "gas"]
    assert not matrix.get_title()


def test_reliability(tmp_path):
    curve = reliability_curve([0, 1, 1, 0], [0.1, 0.9, 0.6, 0.4])
    (ax,) = drawn(plot_reliability({"mnb": curve, "cnb": curve}), tmp_path)
    assert ax.get_lines()[1].get_xdata().tolist() == curve.probability.tolist()
    assert len(ax.get_legend().get_texts()) == 3
    drawn(plot_reliability(curve), tmp_path)


def test_class_sizes(tmp_path):
    bins = by_class_size([0.2, 0.9], [3, 400])
    (ax,) = drawn(plot_class_sizes({"mnb": bins, "cnb": bins}, "break-even"), tmp_path)
    assert [bar.get_height() for bar in ax.containers[0]] == [0.2, 0, 0, 0, 0.9]
    assert ax.get_ylabel() == "mean break-even"


def test_given_axes(curve, tmp_path):
    from matplotlib.figure import Figure

    figure = Figure()
    left, right = figure.subplots(1, 2)
    assert plot_learning_curves(curve, ax=left) is figure
    assert plot_class_sizes(by_class_size([0.2], [3]), ax=right) is figure
    assert len(drawn(figure, tmp_path)) == 2


def test_without_matplotlib(monkeypatch):
    whole = builtins.__import__

    def missing(name, *arguments, **named):
        if name.startswith("matplotlib"):
            raise ImportError("No module named 'matplotlib'")
        return whole(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(ExtraMissingError, match=r"pip install 'textbayes\[plots\]'"):
        plot_class_sizes(by_class_size([0.2], [3]))


def test_plots_are_not_loaded_before_they_are_needed():
    import subprocess

    program = "import sys, textbayes.evaluation; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_labels_are_no_formulas_and_have_no_control_characters(tmp_path):
    names = ["$\\frac{$", "a\x1b", "$x$ and $"]
    plot_classes({"$\\frac{$": [0.1, 0.2, 0.3], "b": [0.1, 0.2, 0.3]}, names).savefig(
        tmp_path / "classes.png"
    )
    figure = plot_confusion(names, ["a\x1b", "$x$ and $", "$x$ and $"])
    figure.savefig(tmp_path / "confusion.png")
    shown = {label.get_text() for label in figure.axes[0].get_yticklabels()}
    assert shown == {"$\\frac{$", r"a\x1b", "$x$ and $"}
    curve = reliability_curve([0, 1, 1], [0.2, 0.7, 0.9])
    plot_reliability({"$\\frac{$": curve}).savefig(tmp_path / "curve.png")
