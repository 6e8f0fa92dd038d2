"""With labels drawn by lot no protocol beats chance: nothing that looks at labels sees the test side.

The same models with their terms selected on all documents, as is done by mistake, beat it by far, so the test
would find a protocol or a comparison that leaks.
"""

from typing import ClassVar

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, ShuffleSplit
from sklearn.pipeline import make_pipeline

from textbayes import ComplementNB, FrequencyTransform, MultinomialNB, TermSelector, TextCounter
from textbayes.datasets import Corpus, Document
from textbayes.evaluation import FixedSplit, LearningCurve, RepeatedHoldOut, StratifiedFolds, compare

DOCUMENTS, TERMS = 200, 3000
PROTOCOLS = {
    "fixed": FixedSplit(),
    "folds": StratifiedFolds(5),
    "hold-out": RepeatedHoldOut(5),
    "curve": LearningCurve((10, 50), runs=5),
}


def random_corpus(several=False):
    """Draw words, labels and splits, each without regard to the others."""
    random = np.random.default_rng(11)
    labels = random.permutation(np.repeat(["동전", "رأس"], DOCUMENTS // 2))
    also = random.random(DOCUMENTS) < 0.5
    return Corpus(
        "lots",
        [
            Document(
                " ".join(f"w{word:04}" for word in random.choice(TERMS, 60)),
                (str(label), "또") if several and more else (str(label),),
                "test" if at % 3 == 0 else "train",
                str(at),
            )
            for at, (label, more) in enumerate(zip(labels, also, strict=True))
        ],
    )


def models():
    chosen = make_pipeline(TextCounter(), TermSelector("ig"), MultinomialNB())
    grid = {"termselector__k": [30, 300], "multinomialnb__alpha": [0.1, 1.0]}
    return {
        "selected": make_pipeline(TextCounter(min_df=2), TermSelector("dkl", 100), MultinomialNB()),
        "weighted": make_pipeline(
            TextCounter(), FrequencyTransform(), TermSelector("chi2", 100), ComplementNB(norm=True)
        ),
        "chosen": GridSearchCV(chosen, grid, cv=ShuffleSplit(1, random_state=0)),
    }


@pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=PROTOCOLS)
def test_no_protocol_beats_chance(protocol):
    found = compare(models(), random_corpus(), protocol, ["accuracy", "macro_auc"], progress=False)
    for row in found.rows:
        # Of 200 coins, tested at least 66 at a time: .5 ± .06 is one standard deviation of the fewest.
        assert abs(row.mean - 0.5) < 0.15, row


@pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=PROTOCOLS)
def test_selection_outside_the_runs_beats_it_by_far(protocol):
    corpus = random_corpus()
    counter, selector = TextCounter(min_df=2), TermSelector("dkl", 100)
    selector.fit(counter.fit_transform(corpus.texts), corpus.label)
    kept = [str(term) for term in counter.get_feature_names_out()[selector.get_support()]]
    leaking = {"leaking": make_pipeline(_only(kept), MultinomialNB())}
    found = compare(leaking, corpus, protocol, ["accuracy"], progress=False)
    assert found.rows[-1].mean > 0.7


def _only(terms):
    """Count the given terms and nothing else, as a counter would whose terms were selected beforehand."""
    return TextCounter(tokens="|".join(rf"\b{term}\b" for term in terms))


@pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=PROTOCOLS)
def test_several_labels(protocol):
    found = compare(models(), random_corpus(several=True), protocol, ["macro_auc"], progress=False)
    for row in found.rows:
        assert abs(row.mean - 0.5) < 0.15, row


class Spy(TextCounter):
    """A counter that notes what it is fitted to."""

    seen: ClassVar[list] = []

    def fit_transform(self, texts, y=None):
        Spy.seen.append(frozenset(texts))
        return super().fit_transform(texts, y)


@pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=PROTOCOLS)
def test_nothing_is_fitted_to_a_test_document(protocol, monkeypatch):
    monkeypatch.setattr(Spy, "seen", [])
    corpus = random_corpus()
    compare({"a": make_pipeline(Spy(), MultinomialNB())}, corpus, protocol, progress=False)
    runs = list(protocol.divide(corpus.labels, corpus.splits))
    assert len(Spy.seen) == len(runs)
    for texts, run in zip(Spy.seen, runs, strict=True):
        assert texts == {corpus.texts[at] for at in run.train}
        assert not texts & {corpus.texts[at] for at in run.test}
