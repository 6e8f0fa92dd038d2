"""Text classifiers from model files: whole or compact ones, for commands and the server."""

from __future__ import annotations

import os

from textbayes.answering import CompactClassifier
from textbayes.errors import CompactModelError, ModelForeignError
from textbayes.estimators.base.files import load
from textbayes.estimators.text.classifier import TextClassifier


def load_text_model(path: str | os.PathLike[str]) -> TextClassifier | CompactClassifier:
    """Load a model that classifies texts, whole or compact.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.estimators.text.loading import load_text_model
    >>> TextClassifier("complement").fit(["wheat", "oil"], ["grain", "oil"]).compact().save("small.tb")
    >>> load_text_model("small.tb").predict(["oil"]).tolist()
    ['oil']
    """
    loaded = load(path)
    if not isinstance(loaded, TextClassifier | CompactClassifier):
        why = f"it holds a {type(loaded).__name__}, not a {TextClassifier.__name__}"
        raise ModelForeignError(os.fspath(path), why)
    return loaded


def load_learner(path: str | os.PathLike[str], what: str) -> TextClassifier:
    """Load a model that can learn; for a compact one, raise an error that says ``what`` cannot be used.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.estimators.text.loading import load_learner
    >>> TextClassifier("complement").fit(["wheat", "oil"], ["grain", "oil"]).compact().save("small.tb")
    >>> load_learner("small.tb", "teach")
    Traceback (most recent call last):
    textbayes.errors.CompactModelError: This is a compact model, so teach cannot be used.
      A compact model has weights, but no documents and no sums: it learns nothing.
      Use the model that it was made from, and compact that one again.    [model-compact]
    """
    loaded = load_text_model(path)
    if isinstance(loaded, CompactClassifier):
        raise CompactModelError(what)
    return loaded
