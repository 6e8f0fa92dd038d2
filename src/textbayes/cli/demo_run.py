"""The work behind ``textbayes demo``: train, evaluate, explain, correct, settle, forget and save."""

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

_SHORT = (60, 140)  # the length of the text to explain, in characters: two lines of a terminal


@dataclass(frozen=True, slots=True)
class Contender:
    """The result of one model on the test documents.

    Parameters
    ----------
    name : str
        The package of the model.
    accuracy, macro_f1 : float
        The share of documents classified correctly, and the mean F1 of the classes.
    train_seconds, test_seconds : float
        The time to train and to classify, from raw text.
    """

    name: str
    accuracy: float
    macro_f1: float
    train_seconds: float
    test_seconds: float


@dataclass(frozen=True, slots=True)
class Correction:
    """A misclassified document, taught, settled, and forgotten again.

    Parameters
    ----------
    text, label : str
        The misclassified document whose own class had the smallest deficit.
    before, taught, settled, forgotten : str
        Its predicted label at first, after teaching it, after settling, and after forgetting it.
    teach_seconds, settle_seconds : float
        The time from teaching to the next prediction, and the time to settle.
    exact : bool
        Whether the model was settled without a refit.
    same_labels : float
        The share of the test documents whose label did not change when the model was settled.
    same_bytes : bool
        Whether the model file after teaching and forgetting has the same bytes as before.
    """

    text: str
    label: str
    before: str
    taught: str
    settled: str
    forgotten: str
    teach_seconds: float
    settle_seconds: float
    exact: bool
    same_labels: float
    same_bytes: bool


@dataclass(frozen=True, slots=True)
class DemoRun:
    """All results of the demo.

    Parameters
    ----------
    documents, classes, largest_class, smallest_class, megabytes
        The size of the corpus; megabytes of UTF-8.
    load_seconds : float
        The time to collect the corpus.
    terms : int
        The size of the vocabulary.
    same_counts : bool
        Whether scikit-learn finds exactly the same terms and counts.
    counting_ratio : float
        scikit-learn's counting time divided by ours.
    train, test : int
        The number of training and test documents.
    contenders : list of Contender
        textbayes, then scikit-learn's MultinomialNB.
    recipe, updates : str
        The recipe that the search found, and whether its updates are "exact" or "any".
    majority : float
        The accuracy of always predicting the largest class.
    explanation : Explanation
        The explanation of a short text.
    correction : Correction or None
        A corrected mistake; None if the model made none.
    file_bytes : int
        The size of the model file.
    load_model_seconds : float
        The time to load the model file.
    same_after_loading : bool
        Whether the loaded model gives bit-identical probabilities.
    seconds : float
        The total time.
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
    recipe: str
    updates: str
    majority: float
    explanation: Explanation = field(repr=False)
    correction: Correction | None
    file_bytes: int
    load_model_seconds: float
    same_after_loading: bool
    seconds: float


def run_demo(corpus: Corpus | None = None) -> DemoRun:
    """Train, evaluate, explain, correct, settle, forget and save on a corpus, by default the built-in one.

    Examples
    --------
    >>> from textbayes.cli.demo_run import run_demo
    >>> from textbayes.datasets import Corpus, Document
    >>> train = [Document("Wheat rose.", ("grain",), "train"), Document("Oil fell.", ("crude",), "train")]
    >>> run = run_demo(Corpus("tiny", [*train, Document("Wheat, wheat!", ("grain",), "test")]))
    >>> run.same_counts, run.contenders[0].accuracy, run.same_after_loading
    (True, 1.0, True)
    """
    start = time.perf_counter()
    corpus = load_docstrings() if corpus is None else corpus
    loaded = time.perf_counter()
    train, test = corpus.train, corpus.test
    classifier = TextClassifier()
    contenders = [
        _contest("textbayes", classifier, train, test),
        _contest("scikit-learn", make_pipeline(CountVectorizer(), PeerNB()), train, test),
    ]
    sizes = Counter(corpus.label)
    largest = Counter(train.label).most_common(1)[0][0]
    return DemoRun(
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
        recipe=classifier.model_.recipe_.summary(),
        updates=classifier.model_.updates_,
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
    """Count with textbayes and scikit-learn, and compare terms, counts and times."""
    ours, theirs = TextCounter(tokens="words"), CountVectorizer()
    counts, seconds = _timed(lambda: ours.fit_transform(texts))
    peer_counts, peer_seconds = _timed(lambda: theirs.fit_transform(texts))
    same = np.array_equal(ours.get_feature_names_out(), theirs.get_feature_names_out())
    return {
        "terms": counts.shape[1],
        "same_counts": same and (counts != peer_counts).nnz == 0,
        "counting_ratio": peer_seconds / seconds,
    }


def _short_text(classifier: TextClassifier, test: Corpus) -> str:
    """Return a correctly classified text that fits a terminal, or else the first text."""
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
    (taught,), teach_seconds = _timed(lambda: classifier.teach(text, label).predict(text))
    exact, quick = classifier.is_settled_, classifier.predict(test.texts)
    _, settle_seconds = _timed(classifier.settle)
    (settled,), slow = classifier.predict(text), classifier.predict(test.texts)
    (forgotten,) = classifier.forget(text, label).predict(text)
    classifier.save(second)
    return Correction(
        wrong.text,
        label[0],
        before=str(before),
        taught=str(taught),
        settled=str(settled),
        forgotten=str(forgotten),
        teach_seconds=teach_seconds,
        settle_seconds=settle_seconds,
        exact=exact,
        same_labels=float(np.mean(quick == slow)),
        same_bytes=first.read_bytes() == second.read_bytes(),
    )


def _nearest_miss(classifier: TextClassifier, test: Corpus) -> Document | None:
    """Return the misclassified document whose own class has the smallest deficit."""
    column_of = {label: column for column, label in enumerate(classifier.classes_.tolist())}
    deficits = {}
    for at, row in enumerate(classifier.predict_log_proba(test.texts)):
        column = column_of.get(test[at].label)
        if column is not None and row[column] < row.max():
            deficits[at] = row.max() - row[column]
    return test[min(deficits, key=deficits.__getitem__)] if deficits else None


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start
