"""Each class against the rest; AUC; ten random splits of 66 % for training and 34 % for testing.

Reuters-21578: the 10,794 training and test documents of the ModApte split that have a topic; the ten largest
categories. The paper does not say whether it used documents without a topic; with them there are more
significant wins (experiment). WebKB: the four common classes, 4,199 pages, text only. 20 Newsgroups: 19,997
messages, without headers. Industry Sector if available. Tokens of two or more letters, lower case, without
English stop words.

Each split is stratified by the class in question, and everything is learned from its training documents:
words that occur only once are dropped, counts become log(1 + n) · log(m / m_w) in natural logarithms, and
documents are scaled to their mean length. MNB is eq. 2; MNB-PCN first scales the counts of each class to the
sum 1 (eq. 3), MNB-PCNmin to the smaller of the two class sums; the centroid classifier is eq. 4.

A difference is significant if Nadeau and Bengio's corrected resampled t-test gives p < .05. The sign test
counts all wins and losses.

Figure 1 is computed: a word with relative frequency .1 in both classes, 20,000 words in the vocabulary,
100,000 in the corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.model_selection import StratifiedShuffleSplit

from textbayes.datasets import Corpus
from textbayes.estimators import CentroidClassifier, FrequencyTransform, MultinomialNB, TextCounter
from textbayes.evaluation import corrected_t_test, one_vs_rest_auc, sign_test
from textbayes.papers.corpora import NEWSGROUPS, REUTERS, SECTOR, WEBKB, Corpora, load_if_present
from textbayes.papers.paper import Paper
from textbayes.papers.problems import indicator
from textbayes.papers.records import Finding
from textbayes.papers.schneider2004 import LARGEST

Reals = NDArray[np.float64]

RUNS = 10
QUICK_RUNS = 2
TRAIN_SHARE, TEST_SHARE = 0.66, 0.34
LEVEL = 0.05

MODELS: Mapping[str, Callable[[], Any]] = {
    "MNB": MultinomialNB,
    "MNB-PCN": lambda: MultinomialNB(class_length=1.0),
    "MNB-PCNmin": lambda: MultinomialNB(class_length="min"),
    "centroid": CentroidClassifier,
    "centroid, L1": lambda: CentroidClassifier(norm="l1"),
}
# Figure, the two classifiers, and whether it shows 20 Newsgroups only.
COMPARISONS = (
    ("figure 2", "MNB-PCN", "MNB", False),
    ("figure 3", "MNB-PCNmin", "MNB", True),
    ("figure 4", "centroid", "MNB-PCN", False),
    ("figure 5", "MNB-PCNmin", "centroid", True),
)


def odds_ratio(share: float, class_length: float | None = None) -> float:
    """Figure 1: the odds ratio of an irrelevant word for a class with the given share of all words.

    Examples
    --------
    >>> from textbayes.papers.frank2006 import odds_ratio
    >>> round(odds_ratio(0.5), 3), round(odds_ratio(0.9), 3), round(odds_ratio(0.9, class_length=1.0), 3)
    (1.0, 2.452, 1.0)
    """
    sizes = np.array([share, 1.0 - share]) * 100_000
    counts = np.zeros((2, 20_000))
    counts[:, 0], counts[:, 1:] = 0.1 * sizes, 0.9 * sizes[:, None] / 19_999
    weights = MultinomialNB(class_length=class_length).fit(counts, ["one", "two"]).weights_
    return float(np.exp(weights[0, 0] - weights[1, 0]))


def hold_out_areas(counts: csr_matrix, truth: NDArray[np.bool_], runs: int) -> dict[str, Reals]:
    """Measure the AUC of every model in each split of one two-class problem."""
    areas: dict[str, list[float]] = {name: [] for name in MODELS}
    splits = StratifiedShuffleSplit(runs, train_size=TRAIN_SHARE, test_size=TEST_SHARE, random_state=0)
    labels = truth.astype(int)
    for learned, held_out in splits.split(labels, labels):
        train, test = _transformed(counts[learned], counts[held_out])
        for name, make in MODELS.items():
            scores = make().fit(train, labels[learned]).decision_function(test)
            areas[name].append(one_vs_rest_auc(labels[held_out], scores).macro)
    return {name: np.array(values) for name, values in areas.items()}


def _transformed(train: csr_matrix, test: csr_matrix) -> tuple[csr_matrix, csr_matrix]:
    often = np.flatnonzero(np.asarray(train.sum(axis=0)).ravel() > 1)
    transform = FrequencyTransform(length="mean")
    # The transform uses Rennie's log2, Frank the natural logarithm. The scale matters for Laplace smoothing.
    scale = np.log(2)
    return transform.fit_transform(train[:, often]) * scale, transform.transform(test[:, often]) * scale


def class_areas(corpus: Corpus, classes: Sequence[str], runs: int) -> dict[str, dict[str, Reals]]:
    """Measure the two-class problem of each class."""
    counts = TextCounter(tokens="letters", stop_words="english").fit_transform(corpus.texts)
    truth = indicator(corpus, classes)
    return {name: hold_out_areas(counts, truth[:, at], runs) for at, name in enumerate(classes)}


def compare(
    table: str, corpus: str, areas: Mapping[str, Mapping[str, Reals]], one: str, other: str
) -> Iterator[Finding]:
    """Count the classes on which one classifier beats another, and those where it is significant."""
    differences = [of_class[one] - of_class[other] for of_class in areas.values()]
    means = np.array([difference.mean() for difference in differences])
    sure = np.array([corrected_t_test(each, TEST_SHARE).p_value < LEVEL for each in differences])
    counts = {
        "wins": means > 0,
        "losses": means < 0,
        "significant wins": sure & (means > 0),
        "significant losses": sure & (means < 0),
    }
    method = f"{one} against {other}"
    for measure, which in counts.items():
        yield Finding(table, corpus, method, measure, int(which.sum()))
    p_value = sign_test(int((means > 0).sum()), int((means < 0).sum())).p_value
    yield Finding(table, corpus, method, "sign test p", p_value)


def figure_1(_corpora: Corpora) -> Iterator[Finding]:
    """The estimated odds ratio of an irrelevant word, by class skew."""
    for percent in (1, 5, *range(10, 100, 10), 95, 99):
        share = percent / 100
        yield Finding("figure 1", "arithmetic", "MNB", "odds ratio", odds_ratio(share), share)
        yield Finding("figure 1", "arithmetic", "MNB-PCN", "odds ratio", odds_ratio(share, 1.0), share)


def _compared(corpora: Corpora, name: str, corpus: Corpus, classes: Sequence[str]) -> Iterator[Finding]:
    areas = class_areas(corpus, classes, QUICK_RUNS if corpora.quick else RUNS)
    for figure, one, other, only_newsgroups in COMPARISONS:
        if only_newsgroups and name != NEWSGROUPS:
            continue
        yield from compare(figure, name, areas, one, other)
        for method in (one, other):
            for label, of_class in areas.items():
                yield Finding(figure, name, method, "AUC", float(of_class[method].mean()), label)
    yield from _experiments(name, areas)


def _experiments(name: str, areas: Mapping[str, Mapping[str, Reals]]) -> Iterator[Finding]:
    """Claims in the text of the paper: footnote 1, and centroids of unit L1 length."""
    yield from compare("footnote 1", name, areas, "MNB-PCNmin", "MNB-PCN")
    gaps = [abs(of_class["centroid, L1"].mean() - of_class["MNB-PCN"].mean()) for of_class in areas.values()]
    yield Finding(
        "section 5", name, "centroid, L1, and MNB-PCN", "greatest difference of AUC", float(max(gaps))
    )


def reuters_figures(corpora: Corpora) -> Iterator[Finding]:
    """The ten largest categories of Reuters."""
    split = corpora.reuters.where(lambda document: document.split is not None)
    yield from _compared(corpora, REUTERS, split.where(lambda document: bool(document.labels)), LARGEST)
    if not corpora.quick:
        # The paper does not say whether it used documents without a topic.
        areas = class_areas(split, LARGEST, RUNS)
        yield from compare("experiment: documents without a topic too", REUTERS, areas, "MNB-PCN", "MNB")


def webkb_figures(corpora: Corpora) -> Iterator[Finding]:
    """The four classes of WebKB."""
    yield from _compared(corpora, WEBKB, corpora.webkb, corpora.webkb.classes)


def newsgroups_figures(corpora: Corpora) -> Iterator[Finding]:
    """The twenty groups; skipped in a quick run, where they would take as long as all the rest."""
    if not corpora.quick:
        yield from _compared(corpora, NEWSGROUPS, corpora.newsgroups, corpora.newsgroups.classes)


def sector_figures(corpora: Corpora) -> Iterator[Finding]:
    """The classes of Industry Sector, if available; skipped in a quick run."""
    corpus = None if corpora.quick else load_if_present(lambda: corpora.sector)
    if corpus is not None:
        yield from _compared(corpora, SECTOR, corpus, corpus.classes)


PAPER = Paper(
    name="frank2006",
    recipe=__doc__,
    steps={
        "figure 1": figure_1,
        "Reuters": reuters_figures,
        "WebKB": webkb_figures,
        "20 Newsgroups": newsgroups_figures,
        "Industry Sector": sector_figures,
    },
    axes={
        "figure 1": "share of all words in the first class",
        **{f"figure {number}": "class" for number in range(2, 6)},
    },
    reasons={},
)
