"""Text classifiers from model files: whole or compact ones, for commands and the server."""

from __future__ import annotations

import os
from typing import Any

from sklearn.pipeline import Pipeline

from textbayes.answering import CompactClassifier
from textbayes.errors import CompactModelError, ModelKindError, ParameterError
from textbayes.estimators.base.files import load
from textbayes.estimators.text.classifier import TextClassifier


def load_text_model(path: str | os.PathLike[str]) -> TextClassifier | CompactClassifier:
    """Load a model that classifies texts: whole, compact, or a pipeline that starts with a TextCounter.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.estimators.text.loading import load_text_model
    >>> TextClassifier("complement").fit(["wheat", "oil"], ["grain", "oil"]).compact().save("small.tb")
    >>> load_text_model("small.tb").predict(["oil"]).tolist()
    ['oil']
    """
    return _text_model(load(path), os.fspath(path))


def _text_model(loaded: Any, path: str) -> TextClassifier | CompactClassifier:
    if isinstance(loaded, TextClassifier | CompactClassifier):
        return loaded
    if not isinstance(loaded, Pipeline):
        raise ModelKindError(path, f"a {type(loaded).__name__}", "a model that classifies texts")
    try:
        return TextClassifier.from_pipeline(loaded)
    except ParameterError as error:
        steps = ", ".join(type(step).__name__ for _, step in loaded.steps)
        found = f"a Pipeline of {steps} ({error.why.partition('.')[0]})"
        raise ModelKindError(path, found, "a model that classifies texts") from None


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
    loaded = load(path)
    if isinstance(loaded, CompactClassifier):
        raise CompactModelError(what)
    if isinstance(loaded, Pipeline):
        raise ModelKindError(
            os.fspath(path), "a scikit-learn Pipeline, which keeps no documents", f"a model that can {what}"
        )
    found = _text_model(loaded, os.fspath(path))
    assert isinstance(found, TextClassifier)
    return found
