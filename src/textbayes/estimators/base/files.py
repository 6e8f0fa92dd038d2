"""save and load estimators."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from sklearn.pipeline import Pipeline

from textbayes.answering import CompactClassifier
from textbayes.errors import ModelUnsavableError
from textbayes.estimators.base.storing import restore_estimator, store_estimator, verify_file
from textbayes.persistence import Stored, read_model, write_model

# The attribute of a loaded model that says which file it is from.
_ORIGIN = "_origin"


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Save a model to a file.

    Parameters
    ----------
    model : estimator
        Any estimator of textbayes, fitted or not, a scikit-learn ``Pipeline`` of them, or a
        :class:`textbayes.CompactClassifier`.
    path : path
        The file. An existing one is replaced atomically, and keeps its permissions; a symbolic link is
        followed.

    Raises
    ------
    ModelChangedError
        If the model was loaded from this file, and another program has changed the file since.
    ModelLockedError
        If another program is changing the file: see :func:`textbayes.persistence.write_lock`.
    ModelDamagedError
        If the model was loaded from a file that is damaged.
    ModelUnsavableError
        For an estimator of another package, or a parameter that is not a number, a string or a list of them.
    FileWriteError
        If the file cannot be written, is read-only, or is not a regular file.

    Notes
    -----
    The file is in the safetensors format: numbers and text, not a pickle. Loading it runs no code.

    Examples
    --------
    >>> import textbayes
    >>> counter = textbayes.TextCounter().fit(["wheat rose", "crude fell"])
    >>> textbayes.save(counter, "counter.tb")
    >>> textbayes.load("counter.tb").transform(["wheat and crude and wheat"]).toarray()
    array([[1, 0, 0, 2]])
    """
    if type(model) is CompactClassifier:
        return model.save(path)
    origin = getattr(model, _ORIGIN, None)
    verify_file(model)
    if hasattr(model, "check_contents"):
        model.check_contents()
    stored = replace(_stored(model), origin=origin)
    written = write_model(stored, path)
    if origin is not None:
        setattr(model, _ORIGIN, origin.saved(path, written))
    return None


def load(path: str | os.PathLike[str], verify: bool = True, mmap: bool = False) -> Any:
    """Load a model from a file written by ``save``.

    The file is read into memory, and nothing that happens to it later changes the model.

    Parameters
    ----------
    path : path
        The file.
    verify : bool, default=True
        Whether to compare all digests of the file now. Otherwise the parts of the file are checked when they
        are used, and all before the model is saved again.
    mmap : bool, default=False
        Whether to map the file into memory instead, so that processes share its memory and only what is used
        is read; with ``verify=False`` a large model loads at once. A mapped file must not be changed in
        place. If it is, methods of the model raise a ModelChangedError.

    Returns
    -------
    estimator
        The saved estimator, or a :class:`textbayes.CompactClassifier`. Further learning does not change the
        file.

    Raises
    ------
    FileMissingError, FileReadError, ModelForeignError, ModelDamagedError, ModelVersionError
        If the file is missing, does not fit into memory or is not a valid model file.

    Examples
    --------
    >>> import textbayes
    >>> textbayes.save(textbayes.MultinomialNB(alpha=0.5).fit([[2, 0], [0, 1]], ["a", "b"]), "model.tb")
    >>> textbayes.load("model.tb").predict([[1, 0]])
    array(['a'], dtype='<U1')
    """
    stored = read_model(path, verify, mmap)
    with stored.restoring():
        model = _restored(stored)
    if type(model) is not CompactClassifier:  # which keeps what was stored
        setattr(model, _ORIGIN, stored.origin)
    return model


def is_current(model: Any, path: str | os.PathLike[str]) -> bool:
    """Return whether a file still has the contents that a model was loaded from.

    Examples
    --------
    >>> import textbayes
    >>> from textbayes.estimators.base.files import is_current
    >>> textbayes.save(textbayes.TextCounter().fit(["wheat"]), "counter.tb")
    >>> counter = textbayes.load("counter.tb")
    >>> is_current(counter, "counter.tb")
    True
    >>> textbayes.save(textbayes.TextCounter().fit(["oil"]), "counter.tb")
    >>> is_current(counter, "counter.tb")
    False
    """
    origin = getattr(model, _ORIGIN, None)
    return origin is not None and origin.is_at(path) and not origin.changed(path)


def _stored(model: Any) -> Stored:
    if type(model) is not Pipeline:
        return store_estimator(model)
    if model.memory is not None:
        raise ModelUnsavableError("parameter 'memory'", model.memory)
    stored = Stored({"kind": "Pipeline", "steps": [name for name, _ in model.steps]})
    for name, step in model.steps:
        stored = stored.with_part(name, store_estimator(step))
    return stored


def _restored(stored: Stored) -> Any:
    if stored.configuration.get("kind") == CompactClassifier.__name__:
        return CompactClassifier(stored)
    if stored.configuration.get("kind") != "Pipeline":
        return restore_estimator(stored)
    steps = stored.value("steps", list)
    named = steps and all(isinstance(name, str) for name in steps)
    stored.check(bool(named) and len(set(steps)) == len(steps), "the steps of its pipeline are invalid")
    return Pipeline([(name, restore_estimator(stored.part(name))) for name in steps])
