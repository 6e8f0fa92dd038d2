"""What the demonstration does: the whole story of a model, on one corpus."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB as PeerNB
from sklearn.pipeline import make_pipeline

from textbayes.datasets.corpus import Corpus, Document
from textbayes.datasets.docstrings import load_docstrings
from textbayes.estimators import Explanation, TextClassifier, TextCounter
from textbayes.evaluation import f1

T = TypeVar("T")

RECIPE = "complement"
"""The recipe whose story it is."""

_SHORT = (60, 140)  # characters of a text that is explained: two lines of a terminal


@dataclass(frozen=True, slots=True)
class Contender:
    """How one model did on the documents it had not seen.

    Parameters
    ----------
    name : str
        The model.
    accuracy, macro_f1 : float
        The share of documents it put into the right class, and the mean of the classes' F1.
    train_seconds, test_seconds : float
        How long it took, from raw text, to learn and to classify.
    """

    name: str
    accuracy: float
    macro_f1: float
    train_seconds: float
    test_seconds: float


@dataclass(frozen=True, slots=True)
class Correction:
    """A document that the model got wrong, and what it says of it in the course of time.

    Parameters
    ----------
    text, label : str
        The document: of those that were wrong, the one that was nearest to being right.
    before, taught, forgotten : str
        What it was classified as at first, after the model was taught its label, and after it forgot it.
    teach_seconds : float
        From teaching to the next prediction.
    same_bytes : bool
        Whether the model, taught and made to forget, is saved as the same bytes as before.
    """

    text: str
    label: str
    before: str
    taught: str
    forgotten: str
    teach_seconds: float
    same_bytes: bool


@dataclass(frozen=True, slots=True)
class Story:
    """Everything that the demonstration found out.

    Parameters
    ----------
    documents, classes, largest_class, smallest_class, megabytes
        The size of the corpus; megabytes of UTF-8.
    load_seconds : float
        How long it took to gather it.
    terms : int
        The size of its vocabulary.
    same_counts : bool
        Whether scikit-learn finds exactly the same terms and counts.
    counting_ratio : float
        How many times as long scikit-learn takes for counting.
    train, test : int
        How many documents were learned from, and how many were classified.
    contenders : list of Contender
        textbayes, then scikit-learn's MultinomialNB.
    majority : float
        The accuracy of always naming the largest class.
    explanation : Explanation
        Why a short text was classified as it was.
    correction : Correction or None
        A mistake that was corrected; None if there was none.
    file_bytes : int
        The size of the model file.
    load_model_seconds : float
        How long it took to load it.
    same_after_loading : bool
        Whether the model that was loaded gives the same probabilities to the bit.
    seconds : float
        How long the whole story took.
    """

    documents: int
    classes: int
    largest_class: int
    smallest_class: int
    megabytes: float
    load_seconds: float
    terms: int
    same_counts: bool
    counting_ratio: float
    train: int
    test: int
    contenders: list[Contender]
    majority: float
    explanation: Explanation = field(repr=False)
    correction: Correction | None
    file_bytes: int
    load_model_seconds: float
    same_after_loading: bool
    seconds: float


def run_demo(corpus: Corpus | None = None) -> Story:
    """Train, evaluate, explain, correct, forget and save on a corpus, by default the built-in one.

    Examples
    --------
    >>> from textbayes.cli.story import run_demo
    >>> from textbayes.datasets import Corpus, Document
    >>> train = [Document("Wheat rose.", ("grain",), "train"), Document("Oil fell.", ("crude",), "train")]
    >>> story = run_demo(Corpus("tiny", [*train, Document("Wheat, wheat!", ("grain",), "test")]))
    >>> story.same_counts, story.contenders[0].accuracy, story.same_after_loading
    (True, 1.0, True)
    """
    start = time.perf_counter()
    corpus = load_docstrings() if corpus is None else corpus
    loaded = time.perf_counter()
    train, test = corpus.train, corpus.test
    # A search takes half a minute more; the story has to be told in less than that.
    classifier = TextClassifier(RECIPE)
    contenders = [
        _contest("textbayes", classifier, train, test),
        _contest("scikit-learn", make_pipeline(CountVectorizer(), PeerNB()), train, test),
    ]
    sizes = Counter(corpus.label)
    largest = Counter(train.label).most_common(1)[0][0]
    return Story(
        documents=len(corpus),
        classes=len(sizes),
        largest_class=max(sizes.values()),
        smallest_class=min(sizes.values()),
        megabytes=sum(len(text.encode("utf-8", "surrogatepass")) for text in corpus.texts) / 1e6,
        load_seconds=loaded - start,
        **_count(corpus.texts),
        train=len(train),
        test=len(test),
        contenders=contenders,
        majority=test.label.count(largest) / len(test),
        explanation=classifier.explain(_short_text(classifier, test)),
        **_learn_and_save(classifier, test),
        seconds=time.perf_counter() - start,
    )


def _contest(name: str, model: Any, train: Corpus, test: Corpus) -> Contender:
    _, train_seconds = _timed(lambda: model.fit(train.texts, train.label))
    predicted, test_seconds = _timed(lambda: model.predict(test.texts))
    truth = np.array(test.label)
    accuracy, macro = float(np.mean(predicted == truth)), float(f1(truth, predicted).macro)
    return Contender(name, accuracy, macro, train_seconds, test_seconds)


def _count(texts: list[str]) -> dict[str, Any]:
    """Count as scikit-learn does, and beside it."""
    ours, theirs = TextCounter(), CountVectorizer()
    counts, seconds = _timed(lambda: ours.fit_transform(texts))
    peer_counts, peer_seconds = _timed(lambda: theirs.fit_transform(texts))
    same = np.array_equal(ours.get_feature_names_out(), theirs.get_feature_names_out())
    return {
        "terms": counts.shape[1],
        "same_counts": same and (counts != peer_counts).nnz == 0,
        "counting_ratio": peer_seconds / seconds,
    }


def _short_text(classifier: TextClassifier, test: Corpus) -> str:
    """A text that fits a terminal and was classified rightly; else just any."""
    short = [each for each in test if _SHORT[0] <= len(each.text) <= _SHORT[1] and "\n" not in each.text]
    predicted = classifier.predict([document.text for document in short]).tolist() if short else []
    right = [each for each, label in zip(short, predicted, strict=True) if each.label == label]
    return (right or test.documents)[0].text


def _learn_and_save(classifier: TextClassifier, test: Corpus) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder, "first.tb"), Path(folder, "second.tb")
        classifier.save(first)
        before = classifier.predict_proba(test.texts)
        correction = _correct(classifier, test, first, second)
        twin, seconds = _timed(lambda: TextClassifier.load(first))
        return {
            "correction": correction,
            "file_bytes": first.stat().st_size,
            "load_model_seconds": seconds,
            "same_after_loading": twin.predict_proba(test.texts).tobytes() == before.tobytes(),
        }


def _correct(classifier: TextClassifier, test: Corpus, first: Path, second: Path) -> Correction | None:
    wrong = _nearest_miss(classifier, test)
    if wrong is None:
        return None
    text, label = [wrong.text], [str(wrong.label)]
    (before,) = classifier.predict(text)
    (taught,), seconds = _timed(lambda: classifier.teach(text, label).predict(text))
    (forgotten,) = classifier.forget(text, label).predict(text)
    classifier.save(second)
    same = first.read_bytes() == second.read_bytes()
    return Correction(wrong.text, label[0], str(before), str(taught), str(forgotten), seconds, same)


def _nearest_miss(classifier: TextClassifier, test: Corpus) -> Document | None:
    """Of the documents that were classified wrongly, the one whose own class was the least behind."""
    column_of = {label: column for column, label in enumerate(classifier.classes_.tolist())}
    behind = {}
    for at, row in enumerate(classifier.predict_log_proba(test.texts)):
        column = column_of.get(test[at].label)
        if column is not None and row[column] < row.max():
            behind[at] = row.max() - row[column]
    return test[min(behind, key=behind.__getitem__)] if behind else None


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start
