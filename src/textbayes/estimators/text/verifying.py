"""Verify a model file: everything that is otherwise checked when it is first used."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import Any

from sklearn.pipeline import Pipeline

from textbayes.answering import CompactClassifier
from textbayes.errors import ModelDamagedError, TextbayesError
from textbayes.estimators.base.files import load
from textbayes.estimators.base.storing import store_estimator
from textbayes.estimators.text.classifier import TextClassifier


@dataclass(frozen=True)
class Verified:
    """A model file in which nothing is wrong.

    Parameters
    ----------
    path : str
        The file.
    kind : str
        The class of its model, such as ``"TextClassifier"``.
    bytes : int
        Its size.
    documents : int or None
        The number of documents that it has kept and that were read; None if it has kept none.
    sums_compared : bool
        Whether its sums were compared with those of its documents: not if there are none, and not for models
        that are more than functions of sums.
    """

    path: str
    kind: str
    bytes: int
    documents: int | None
    sums_compared: bool

    def to_dict(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return asdict(self)


def verify(path: str | os.PathLike[str]) -> Verified:
    """Verify a model file: its digests, its structure, its documents and its sums.

    ``load`` compares all digests, and checks what the model needs at once. This also checks the sums of all
    pairs and all documents, and compares the sums with those of the documents.

    Parameters
    ----------
    path : path
        The file. It is not changed.

    Returns
    -------
    Verified
        What the file has.

    Raises
    ------
    FileMissingError, FileReadError, ModelForeignError, ModelDamagedError, ModelVersionError
        If the file cannot be read, or something is wrong in it.

    Examples
    --------
    >>> import textbayes
    >>> texts, labels = ["wheat corn", "crude oil", "oil output"], ["grain", "oil", "oil"]
    >>> textbayes.TextClassifier("complement").fit(texts, labels).save("news.tb")
    >>> found = textbayes.verify("news.tb")
    >>> found.kind, found.documents, found.sums_compared
    ('TextClassifier', 3, True)
    """
    name = os.fspath(path)
    model = load(path)
    try:
        documents, compared = _verify_contents(model, name)
    except (TextbayesError, MemoryError):
        raise
    except Exception as error:
        # A forged file can have any parameters, so fitting its documents again can fail in any way.
        problem = f"its documents cannot be learned ({type(error).__name__})"
        raise ModelDamagedError(name, problem) from error
    return Verified(name, type(model).__name__, os.stat(path).st_size, documents, compared)


def _verify_contents(model: Any, path: str) -> tuple[int | None, bool]:
    """Read everything, by storing it; return the number of documents, and whether sums were compared."""
    if isinstance(model, CompactClassifier):
        model.predict([""])
        return None, False
    if isinstance(model, Pipeline):
        for _, step in model.steps:
            store_estimator(step)
        return None, False
    store_estimator(model)
    if isinstance(model, TextClassifier):
        return model.check_sums(path)
    return None, False
