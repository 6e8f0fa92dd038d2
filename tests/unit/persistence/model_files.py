"""Helpers that build, change and re-sign model files."""

import json

import numpy as np
from sklearn.pipeline import make_pipeline

from textbayes import (
    AutoNB,
    CompactClassifier,
    ComplementNB,
    DiscriminativeNB,
    FrequencyTransform,
    LinearSVM,
    MultinomialNB,
    PoissonMixtureNB,
    PoissonNB,
    TermSelector,
    TextClassifier,
    TextCounter,
    TunedClassifier,
)
from textbayes.counts import as_rows
from textbayes.estimators.auto import Candidate, Representation
from textbayes.persistence.digests import BLOCK_BYTES, digest_of, without_digest
from textbayes.persistence.format import LENGTH_BYTES

TEXTS = ["wheat rose 밀 🌾", "corn and wheat fell", "قمح crude oil", "oil, oil! fell", "गेहूँ rose"]
LABELS = ["grain", "grain", "oil", "oil", "밀"]


CANDIDATES = [
    Candidate("multinomial", Representation(log=True)),
    Candidate("complement", Representation(log=True, idf=True, length="mean", columns="words")),
    Candidate("centroid", Representation(terms=("chi2", 0.5))),
    Candidate("poisson"),
    Candidate("discriminative"),
]
MULTILABEL = [
    Candidate("complement-all"),
    Candidate("poisson-by-class", parameters=(("choices", ((1, "chi2", 0.01),)),)),
    Candidate("mixture"),
]


def models():
    """Return a fitted model for each kind of file, by name."""
    counter = TextCounter().fit(TEXTS)
    X = counter.transform(TEXTS)
    twcnb = make_pipeline(
        TextCounter(), FrequencyTransform(), TermSelector("chi2", k=9), ComplementNB(norm=True)
    )
    indicator = np.array([[label == name for name in sorted(set(LABELS))] for label in LABELS], dtype=int)
    pairs = np.arange(X.shape[1]) % 3 == 0
    return {
        "discriminative": (DiscriminativeNB(random_state=0).fit(X, LABELS), X),
        "linear-svm": (LinearSVM(random_state=0).fit(X, LABELS), X),
        "margin indicator": (LinearSVM(random_state=0).fit(X, indicator), X),
        "tuned": (TunedClassifier(MultinomialNB(), calibration="isotonic").fit(X, LABELS, range(1, 6)), X),
        "tuned indicator": (TunedClassifier(PoissonNB()).fit(X, indicator), X),
        "auto": (AutoNB(candidates=CANDIDATES, terms=pairs, random_state=0).fit(X, LABELS), X),
        "auto indicator": (AutoNB(candidates=MULTILABEL, random_state=0).fit(X, indicator), X),
        "automatic": (
            TextClassifier(AutoNB(candidates=CANDIDATES[:2], random_state=0)).fit(TEXTS, LABELS),
            TEXTS,
        ),
        "counter": (counter, TEXTS),
        "twcnb": (twcnb.fit(TEXTS, LABELS), TEXTS),
        "poisson": (PoissonNB(weighting="chi2").fit(X, LABELS), X),
        "indicator": (ComplementNB(against="all").fit(X, indicator), X),
        "mixture": (PoissonMixtureNB({"oil": 2}, keep=0.3, random_state=0).fit(X, LABELS), X),
        "mixtures": (PoissonMixtureNB(2, smoothing=None, random_state=0).fit(X, indicator), X),
        "mixed": (TextClassifier("mixture").fit(TEXTS, LABELS), TEXTS),
        "classifier": (TextClassifier("twcnb", TextCounter(min_df=2)).fit(TEXTS, LABELS), TEXTS),
        "compact": (TextClassifier("complement").fit(TEXTS, LABELS).compact(size=3000), TEXTS),
        "lists": (TextClassifier("multinomial").fit(TEXTS, [[label] for label in LABELS]), TEXTS),
    }


def use(model, inputs):
    """Exercise a model the way users do."""
    if hasattr(model, "predict"):
        scores = model.predict_proba(inputs)
        model.predict(inputs)
        if isinstance(model, TextClassifier):
            labels = [["new"]] if model.multilabel_ else ["new"]
            model.teach(["wheat and new words"], labels).forget(["wheat and new words"], labels)
            model.explain(TEXTS[0])
        elif isinstance(model, CompactClassifier):
            model.explain(TEXTS[0])
            model.inspect()
            repr(model)
        elif isinstance(model, AutoNB | TunedClassifier | DiscriminativeNB | LinearSVM):
            labels = np.eye(5, 3, dtype=int) if _is_indicator(model) else LABELS
            model.partial_fit(inputs, labels).forget(inputs, labels)
            model.predict(inputs)
            model.contributions(as_rows(inputs[:1]))
            repr(getattr(model, "leaderboard_", "")), str(getattr(model, "recipe_", ""))
        return scores
    return model.transform(inputs)


def _is_indicator(model):
    return model.multilabel_


def split(data):
    """Split a file into its parsed header and the rest."""
    length = int.from_bytes(data[:LENGTH_BYTES], "little")
    return json.loads(data[LENGTH_BYTES : LENGTH_BYTES + length]), data[LENGTH_BYTES + length :]


def joined(header, rest, sign=True, sign_arrays=True):
    """Build a file from a header (text, or a value to dump as JSON) and the rest, with valid digests."""
    if not sign or isinstance(header, bytes):
        return _framed(header if isinstance(header, bytes) else json.dumps(header).encode(), rest)
    metadata = {**header["__metadata__"]}
    if sign_arrays and metadata["format"] != "1":
        metadata["digests"] = _block_digests(header, rest) or metadata["digests"]
    old = metadata["digest"]
    text = _padded(json.dumps({**header, "__metadata__": metadata}).encode())
    data = [np.frombuffer(rest, np.uint8)] if metadata["format"] == "1" else []
    new = digest_of(without_digest(text, old), *data)
    return _framed(text.replace(old.encode(), new.encode(), 1), rest)


def _block_digests(header, rest):
    """The digests of all arrays; none if the header does not describe them."""
    try:
        places = sorted(entry["data_offsets"] for name, entry in header.items() if name != "__metadata__")
        blocks = [
            (at, min(at + BLOCK_BYTES, end))
            for begin, end in places
            for at in range(begin, min(end, len(rest)), BLOCK_BYTES)
        ]
        return "".join(digest_of(np.frombuffer(rest[begin:end], np.uint8)) for begin, end in blocks)
    except (KeyError, TypeError, ValueError, IndexError):
        return None


def _padded(text):
    return text + b" " * (-len(text) % 8)


def _framed(text, rest):
    text = _padded(text)
    return len(text).to_bytes(LENGTH_BYTES, "little") + text + rest
