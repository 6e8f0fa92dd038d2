"""``textbayes evaluate``: a model and labelled texts → precision, recall, F1 and confusions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from textbayes.answering import Answerer
from textbayes.cli.console import (
    data_console,
    print_json,
    print_message,
    print_table,
    shortened,
    show_status,
)
from textbayes.cli.documents import (
    Data,
    Delimiter,
    Encoding,
    Format,
    Json,
    LabelColumn,
    MaxRecord,
    ModelFile,
    NoHeader,
    OnError,
    Only,
    Separator,
    TextColumn,
)
from textbayes.cli.models import load_model
from textbayes.cli.sources import labels_of, source_of
from textbayes.evaluation import (
    BestClasses,
    ClassReport,
    ConfusedPair,
    calibration_error,
    class_report,
    confused_pairs,
    plot_classes,
    plot_confusion,
    plot_reliability,
    precision_recall_at,
    reliability_curve,
)
from textbayes.evaluation.plots import check_matplotlib
from textbayes.evaluation.tables import share
from textbayes.measures import indicator_of, log_loss
from textbayes.statistics import kind_of_classes

app = typer.Typer(add_completion=False)

# How many of the best classes of a text are measured.
_BEST = (1, 3, 5)


@dataclass(frozen=True)
class Evaluation:
    """The quality of a model on labelled texts.

    Parameters
    ----------
    documents : int
        The number of texts.
    accuracy : float
        The share of texts classified correctly; for multilabel texts, with all labels correct.
    report : ClassReport
        Precision, recall, F1 and documents of each class, and their averages.
    confused : list of ConfusedPair
        The pairs of classes confused most often.
    log_loss : float
        The mean negative logarithm of the probability of the true class; for multilabel texts, of each cell.
    calibration_error : float
        How far probabilities are from how often they come true.
    best : list of BestClasses
        Precision and recall of the best classes of each text.
    classes : list
        The classes of the model and of the texts, sorted.
    truth, decided : arrays
        Labels, or indicators with a column for each class.
    probabilities : array of shape (texts, classes)
        The probability of each class; 0 for a class that the model does not know.
    """

    documents: int
    accuracy: float
    report: ClassReport
    confused: list[ConfusedPair]
    log_loss: float
    calibration_error: float
    best: list[BestClasses]
    classes: list[Any] = field(repr=False)
    truth: Any = field(repr=False)
    decided: Any = field(repr=False)
    probabilities: Any = field(repr=False)


@app.command()
def evaluate_command(
    model: ModelFile,
    data: Data,
    pairs: Annotated[
        int, typer.Option("--pairs", metavar="K", min=1, help="The number of confused pairs to show.")
    ] = 10,
    top: Annotated[
        list[int] | None,
        typer.Option(
            "--top",
            metavar="K",
            min=1,
            help="Precision and recall of the K best classes of a text; repeatable. "
            f"Default: {', '.join(map(str, _BEST))}.",
            show_default=False,
        ),
    ] = None,
    plots: Annotated[
        Path | None,
        typer.Option("--plots", metavar="DIR", help="Save figures to this folder.", show_default=False),
    ] = None,
    text: TextColumn = None,
    label: LabelColumn = None,
    separator: Separator = None,
    format: Format = None,
    encoding: Encoding = "utf-8",
    no_header: NoHeader = False,
    delimiter: Delimiter = None,
    on_error: OnError = "stop",
    only: Only = None,
    max_record: MaxRecord = None,
    as_json: Json = False,
) -> None:
    """Evaluate a model on labelled texts.

    Prints precision, recall, F1 and the number of documents of each class, how good the probabilities and the
    best few classes are, and the pairs of classes confused most often.
    """
    if plots is not None:
        check_matplotlib()
    classifier = load_model(model)
    source = source_of(
        data,
        only,
        text=text,
        label=label,
        separator=separator,
        format=format,
        encoding=encoding,
        no_header=no_header,
        delimiter=delimiter,
        on_error=on_error,
        max_record=max_record,
    ).split_like(classifier)
    corpus = source.corpus(classifier.multilabel_)
    kind = kind_of_classes(classifier.classes_)
    labels = labels_of(corpus.documents, source.name, classifier.multilabel_, kind)
    with show_status(f"Classifying {len(corpus):,} documents…"):
        found = evaluate(classifier, corpus.texts, labels, pairs, top or _BEST)
    unknown = [str(name) for name in found.classes if name not in set(classifier.classes_.tolist())]
    if unknown:
        print_message(
            f"The model does not know {shortened(', '.join(unknown))}: such documents count as wrong."
        )
    if as_json:
        print_json(_record(found))
    else:
        _print(found)
    if plots is not None:
        with show_status("Drawing…"):
            files = draw(found, plots)
        print_message(*(f"Figure: {file}" for file in files))


def evaluate(
    classifier: Answerer,
    texts: Sequence[str],
    labels: Sequence[Any],
    pairs: int = 10,
    top: Sequence[int] = _BEST,
) -> Evaluation:
    """Classify texts and compare the predictions with their labels.

    Parameters
    ----------
    classifier : TextClassifier or CompactClassifier
        The model.
    texts, labels
        The documents.
    pairs : int, default=10
        The largest number of confused pairs.
    top : sequence of int
        How many of the best classes count in precision and recall; fewer if there are fewer classes.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.cli.evaluate import evaluate
    >>> classifier = TextClassifier().fit(["wheat corn", "crude oil"], ["grain", "oil"])
    >>> found = evaluate(classifier, ["corn", "oil", "crude corn oil"], ["grain", "oil", "grain"])
    >>> found.accuracy, [str(pair) for pair in found.confused]
    (0.6666666666666666, ['grain → oil: 1 document, 50% of grain'])
    """
    predicted = classifier.predict(texts)
    known = {each for label in labels for each in (label if isinstance(label, list) else [label])}
    classes = sorted({*known, *classifier.classes_.tolist()})
    truth, decided, names = np.asarray(labels, dtype=object), np.asarray(predicted, dtype=object), None
    indicator = _indicator(labels if classifier.multilabel_ else [[label] for label in labels], classes)
    if classifier.multilabel_:
        truth, decided, names = indicator.toarray(), _indicator(predicted, classes).toarray(), classes
    right = truth == decided
    # A class that the model does not know has no probability.
    probabilities = np.zeros(indicator.shape)
    known_classes = set(classifier.classes_.tolist())
    columns = [at for at, label in enumerate(classes) if label in known_classes]
    probabilities[:, columns] = classifier.predict_proba(texts)
    return Evaluation(
        documents=len(labels),
        accuracy=float((right.all(axis=1) if names else right).mean()),
        report=class_report(truth, decided, names),
        confused=confused_pairs(truth, decided, pairs, names),
        log_loss=log_loss(indicator, probabilities, classifier.multilabel_),
        calibration_error=calibration_error(truth, probabilities, classes=classes),
        best=[
            precision_recall_at(indicator, probabilities, k)
            for k in sorted({min(k, len(classes)) for k in top})
        ],
        classes=classes,
        truth=truth,
        decided=decided,
        probabilities=probabilities,
    )


def draw(found: Evaluation, folder: Path) -> list[Path]:
    """Draw an evaluation: F1 by class, confusions and a reliability diagram.

    Parameters
    ----------
    found : Evaluation
        The evaluation.
    folder : Path
        The folder for the figures; created if missing.

    Returns
    -------
    list of Path
        The PNG files.
    """
    names = None if found.truth.ndim == 1 else found.classes
    rows = found.report.rows
    curve = reliability_curve(found.truth, found.probabilities, classes=found.classes)
    figures = {
        "classes": plot_classes([row.f1 for row in rows], [row.label for row in rows]),
        "confusion": plot_confusion(found.truth, found.decided, classes=names),
        "reliability": plot_reliability(curve),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, figure in figures.items():
        figure.savefig(folder / f"{name}.png", dpi=120)
    return [folder / f"{name}.png" for name in figures]


def _indicator(labels: Sequence[Sequence[Any]], classes: list[Any]) -> Any:
    code_of = {label: code for code, label in enumerate(classes)}
    return indicator_of([sorted({code_of[label] for label in own}) for own in labels], len(classes))


def _record(found: Evaluation) -> dict[str, Any]:
    return {
        "documents": found.documents,
        "accuracy": found.accuracy,
        "micro_f1": found.report.averages.micro,
        "macro_f1": found.report.averages.macro,
        "log_loss": found.log_loss,
        "calibration_error": found.calibration_error,
        "best": [asdict(best) for best in found.best],
        "classes": found.report.to_records(),
        "confused": [asdict(pair) for pair in found.confused],
    }


def _print(found: Evaluation) -> None:
    print_table(found.report)
    console = data_console()
    console.print(f"\n{found.documents:,} documents, accuracy {found.accuracy:.1%}.", soft_wrap=True)
    console.print(
        f"Probabilities: calibration error {share(found.calibration_error)}, log loss {found.log_loss:.3f}.",
        soft_wrap=True,
    )
    for best in found.best:
        classes = "The best class" if best.k == 1 else f"The best {best.k} classes"
        console.print(
            f"{classes} of a text: precision {share(best.precision)}, recall {share(best.recall)}.",
            soft_wrap=True,
        )
    if found.confused:
        console.print("\nConfused most often:")
    for pair in found.confused:
        console.print(f"  {pair}", markup=False, soft_wrap=True)
