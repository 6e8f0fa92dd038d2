"""Speed of TextClassifier from raw text to labels compared with a scikit-learn pipeline on 20 Newsgroups.

Trains on the training split (by date) and predicts the test split. Before timing, the labels of both
libraries are compared: with ``TextCounter(tokens="words")`` and ``MultinomialNB()`` they are equal.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB as PeerNB
from sklearn.pipeline import make_pipeline

from corpora import missing_note, newsgroups_or_docstrings
from measure import Run, Target, interleave, ratio
from options import asked, timing_options
from report import Report, machine
from textbayes import TextClassifier, TextCounter
from textbayes.datasets import load_docstrings, load_newsgroups

OURS, PEER = "textbayes", "scikit-learn"
SHORT = "Does anyone know where I can buy a used hard disk for an old Mac? Thanks, prices by mail please."
SHARE, ONE_TEXT, TEACH = 10.0, 100e-6, 5e-3
RECIPES = ("multinomial", "complement", "twcnb", "poisson")


def main() -> None:
    """Run the benchmark and write its report."""
    options = asked(timing_options(__doc__))
    corpus = newsgroups_or_docstrings()
    labelled = load_docstrings() if corpus.stand_in else load_newsgroups()
    train, test = (
        split if options.documents is None else split[:: max(1, len(split) // options.documents)]
        for split in (labelled.train, labelled.test)
    )
    report = Report(f"Texts of {corpus.name} to labels", machine(corpus, options.rounds))
    if corpus.stand_in:
        report.note(missing_note())
    peer = make_pipeline(CountVectorizer(), PeerNB()).fit(train.texts, train.label)
    same = TextClassifier("multinomial", TextCounter(tokens="words")).fit(train.texts, train.label)
    if not np.array_equal(same.predict(test.texts), peer.predict(test.texts)):
        raise SystemExit("The two libraries give different labels, so the timings cannot be compared.")
    targets = _many(report, same, peer, list(test.texts), options.rounds)
    ours = {name: TextClassifier(name).fit(train.texts, train.label) for name in RECIPES}
    targets += _one(report, ours, peer, options.rounds)
    targets += _taught(report, ours, list(test.texts), list(test.label), options.rounds)
    report.add_targets(targets)
    report.deliver(options, "text_classifier")


def _many(report: Report, ours: Any, peer: Any, texts: list[str], rounds: int) -> list[Target]:
    contest: dict[str, Run] = {PEER: partial(peer.predict, texts), OURS: partial(ours.predict, texts)}
    timings = interleave(contest, rounds)
    report.add_timings(f"predict {len(texts):,} texts", timings, against={"÷ textbayes": OURS})
    promise = f"predict {len(texts):,} texts: at least {SHARE:g} × as fast as CountVectorizer + MultinomialNB"
    return [Target(promise, ratio(timings[PEER], timings[OURS]).median, SHARE)]


def _one(report: Report, ours: dict[str, Any], peer: Any, rounds: int) -> list[Target]:
    contest: dict[str, Run] = {PEER: partial(peer.predict, [SHORT])}
    contest |= {name: partial(classifier.predict, [SHORT]) for name, classifier in ours.items()}
    timings = interleave(contest, rounds, repeat=200)
    report.add_timings("predict one text of 19 words", timings, against={"÷ complement": "complement"})
    seconds = timings["complement"].median
    return [Target("predict one short text, µs, at most", seconds * 1e6, ONE_TEXT * 1e6, at_least=False)]


def _taught(
    report: Report, ours: dict[str, Any], texts: list[str], labels: list[Any], rounds: int
) -> list[Target]:
    """Teach a new message at each call, then predict."""
    contest: dict[str, Run] = {name: _teacher(classifier, texts, labels) for name, classifier in ours.items()}
    fixed = ("multinomial", "complement")
    timings = interleave({name: contest[name] for name in fixed}, 8 * rounds)
    timings |= interleave({name: run for name, run in contest.items() if name not in fixed}, rounds)
    report.add_timings("teach one text, then predict one", timings, against={})
    return [
        Target(
            f"teach and predict with {name}, ms, at most",
            timings[name].median * 1e3,
            TEACH * 1e3,
            at_least=False,
        )
        for name in fixed
    ]


def _teacher(classifier: Any, texts: list[str], labels: list[Any]) -> Run:
    examples = iter(list(zip(texts, labels, strict=True)))

    def teach() -> Any:
        text, label = next(examples)
        return classifier.teach([text], [label]).predict([SHORT])

    return teach


if __name__ == "__main__":
    main()
