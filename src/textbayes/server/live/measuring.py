"""How good a model is: leave-one-out if it has a closed form, or texts left out by folds."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from textbayes.errors import TextbayesError
from textbayes.estimators import TextClassifier
from textbayes.server.live.learner import columns_of
from textbayes.server.store import State

_FOLDS = 5
# Fewer texts say nothing; more take long and say little more.
_FEWEST, _MOST = 10, 5000
_PAIRS = 20


def measure(classifier: TextClassifier, states: Sequence[State]) -> dict[str, Any]:
    """Measure a model on texts that it has learned, each classified by a model without it.

    Parameters
    ----------
    classifier : TextClassifier
        A settled model. It does not change.
    states : sequence of State
        Documents that it has learned, whose texts are known.

    Returns
    -------
    dict
        ``documents``, ``seconds``, and if it could be measured ``accuracy``, ``macro_f1`` and ``confusions``.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.server.live.measuring import measure
    >>> texts, labels = ["wheat corn", "corn wheat", "crude oil", "oil crude"], ["a", "a", "b", "b"]
    >>> measure(TextClassifier("complement").fit(texts, labels), [])["accuracy"]
    1.0
    """
    start = time.perf_counter()
    try:
        found = _in_closed_form(classifier) or _by_folds(classifier, states)
    except TextbayesError:  # such as a class whose texts are all in one fold
        found = {}
    return {
        "documents": classifier.documents_,
        **found,
        "seconds": round(time.perf_counter() - start, 3),
    }


def _in_closed_form(classifier: TextClassifier) -> dict[str, Any]:
    inspected = classifier.inspect(terms=1)
    left_out = inspected.leave_one_out
    if left_out is None:
        return {}
    confused = [asdict(pair) for pair in (inspected.confusions or [])[:_PAIRS]]
    return {"accuracy": left_out.accuracy, "macro_f1": left_out.macro_f1, "confusions": confused}


def _by_folds(classifier: TextClassifier, states: Sequence[State]) -> dict[str, Any]:
    """Leave out a fifth of the texts at a time: the model forgets them, settles and classifies them."""
    chosen = _chosen(states)
    if len(chosen) < _FEWEST or len(classifier.classes_) < 2:
        return {}
    truth: list[Any] = []
    decided: list[Any] = []
    for fold in range(_FOLDS):
        texts, labels, weights = columns_of(chosen[fold::_FOLDS])
        without = classifier.fork().forget(texts, labels, weights, settle=False).settle()
        found = without.predict(texts)
        truth += labels
        decided += found if isinstance(found, list) else found.tolist()
    return _figures(truth, decided)


def _chosen(states: Sequence[State]) -> list[State]:
    """Return the texts to leave out, in an order in which every fifth has each class in proportion."""
    order = np.random.default_rng(0).permutation(len(states))[:_MOST]
    return sorted((states[place] for place in order), key=lambda state: str(state.labels))


def _figures(truth: list[Any], decided: list[Any]) -> dict[str, Any]:
    if isinstance(truth[0], list):
        right = [set(one) == set(other) for one, other in zip(truth, decided, strict=True)]
        return {"accuracy": float(np.mean(right)), "macro_f1": _macro_f1(truth, decided), "confusions": []}
    pairs = Counter((one, other) for one, other in zip(truth, decided, strict=True) if one != other)
    sizes = Counter(truth)
    confused = [
        {"label": one, "other": other, "documents": count, "share": count / sizes[one]}
        for (one, other), count in pairs.most_common(_PAIRS)
    ]
    return {
        "accuracy": 1.0 - pairs.total() / len(truth),
        "macro_f1": _macro_f1([[label] for label in truth], [[label] for label in decided]),
        "confusions": confused,
    }


def _macro_f1(truth: list[list[Any]], decided: list[list[Any]]) -> float:
    """Return the mean F1 over the classes of the texts: a class that no text here has says nothing."""
    there = Counter(label for labels in truth for label in labels)
    found = Counter(label for labels in decided for label in labels)
    pairs = zip(truth, decided, strict=True)
    both = Counter(label for one, other in pairs for label in {*one} & {*other})
    return float(np.mean([2 * both[label] / (count + found[label]) for label, count in there.items()]))
