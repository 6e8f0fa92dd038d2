"""save and load: any estimator in one file."""

from __future__ import annotations

import os
from typing import Any

from sklearn.pipeline import Pipeline

from textbayes.errors import ModelDamagedError, ModelUnsavableError
from textbayes.estimators.base.storing import restore_estimator, store_estimator
from textbayes.persistence import Stored, read_model, write_model


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a model to one file.

    Parameters
    ----------
    model : estimator
        Any estimator of textbayes, fitted or not, or a scikit-learn ``Pipeline`` of them.
    path : path
        The file. One that is there is replaced in one step: a crash leaves it as it was.

    Raises
    ------
    ModelUnsavableError
        For another estimator, or a parameter that is not a number, a text or a list of them.
    FileWriteError
        When the file cannot be written.

    Notes
    -----
    The file is in the safetensors format: numbers and text, never a pickle. Nothing runs when it is loaded.

    Examples
    --------
    >>> import textbayes
    >>> counter = textbayes.TextCounter().fit(["wheat rose", "crude fell"])
    >>> textbayes.save(counter, "counter.tb")
    >>> textbayes.load("counter.tb").transform(["wheat and crude and wheat"]).toarray()
    array([[1, 0, 0, 2]])
    """
    write_model(_stored(model), path)


def load(path: str | os.PathLike[str], verify: bool | None = None) -> Any:
    """Load a model from the file that save wrote.

    The file is mapped into memory and read where it lies: a large model is ready at once, and processes that
    load the same file share its memory.

    Parameters
    ----------
    path : path
        The file.
    verify : bool, optional
        Read the whole file and compare it with its digest first; by default for files up to 64 MiB. A larger
        file is checked piece by piece, as its pieces are used.

    Returns
    -------
    estimator
        As it was saved. What it learns from now on stays in memory until it is saved again.

    Raises
    ------
    FileMissingError, ModelForeignError, ModelDamagedError, ModelVersionError
        When there is no file, or not a sound one.

    Examples
    --------
    >>> import textbayes
    >>> textbayes.save(textbayes.MultinomialNB(alpha=0.5).fit([[2, 0], [0, 1]], ["a", "b"]), "model.tb")
    >>> textbayes.load("model.tb").predict([[1, 0]])
    array(['a'], dtype='<U1')
    """
    stored = read_model(path, verify)
    try:
        return _restored(stored)
    except RecursionError:
        raise ModelDamagedError(stored.path, "its configuration is nested too deeply") from None


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
    if stored.configuration.get("kind") != "Pipeline":
        return restore_estimator(stored)
    steps = stored.value("steps", list)
    named = steps and all(isinstance(name, str) for name in steps)
    stored.check(bool(named) and len(set(steps)) == len(steps), "the steps of its pipeline are not sound")
    return Pipeline([(name, restore_estimator(stored.part(name))) for name in steps])
