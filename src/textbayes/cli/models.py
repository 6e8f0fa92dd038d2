"""Models as arguments of commands: by name and by file."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from textbayes.answering import CompactClassifier
from textbayes.cli.console import show_status
from textbayes.errors import FileWriteError, ParameterConflictError, ParameterError
from textbayes.errors.checks import check_number
from textbayes.estimators import TextClassifier
from textbayes.estimators.text.loading import load_text_model
from textbayes.estimators.text.model_names import AUTO, MODEL_NAMES
from textbayes.persistence.load import is_model_file
from textbayes.persistence.lock import WAIT, write_lock
from textbayes.persistence.replacing import check_replaceable
from textbayes.persistence.target import real_file

Model = Annotated[
    str,
    typer.Option(
        "--model",
        metavar="NAME",
        help=f"{', '.join(MODEL_NAMES)}.",
        autocompletion=lambda: list(MODEL_NAMES),
    ),
]


def check_model(name: str) -> None:
    """Check the name of a model, before any work."""
    if name not in MODEL_NAMES:
        raise ParameterError("model", name, MODEL_NAMES)


def check_budget(seconds: float | None, model: str) -> None:
    """Check the time limit of a search, and that the model is searched for."""
    if seconds is None:
        return
    check_number("budget", seconds, above=0, allowed="seconds, a finite number above 0")
    if model != AUTO:
        raise ParameterConflictError(
            "budget", seconds, "model", model, f"A budget limits a search, and only model={AUTO} searches"
        )


def check_writable(path: Path) -> None:
    """Check, before any work, that a model can be written to a path and replaces no other kind of file."""
    check_replaceable(path)
    folder = real_file(path).parent
    if not folder.is_dir():
        raise FileWriteError(str(path), errno.ENOENT, f"there is no folder {str(folder)!r}")
    if not os.access(folder, os.W_OK):
        raise FileWriteError(str(path), errno.EACCES, os.strerror(errno.EACCES))
    if path.is_file() and path.stat().st_size and not is_model_file(path):
        raise FileWriteError(str(path), errno.EEXIST, "it exists and is not a model of textbayes")


@contextmanager
def changing(path: Path, wait: float = WAIT) -> Iterator[None]:
    """Hold the lock of a model file that a command replaces; before that, check that it can be written.

    The block loads the model and saves it. So no change that another program makes in between is lost.
    """
    check_writable(path)
    with write_lock(path, wait):
        yield


def load_model(path: Path) -> TextClassifier | CompactClassifier:
    """Load the text classifier in a file, whole or compact."""
    with show_status(f"Loading {path.name}…"):
        return load_text_model(path)
