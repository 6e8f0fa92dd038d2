"""Errors of workers → the errors of textbayes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from textbayes import errors
from textbayes.errors import TextbayesError, WorkerPackageError
from textbayes.persistence import package_version

# An error as a traceback shows it, somewhere in what Spark says.
_ERROR = re.compile(r"^textbayes\.errors\.(\w+): (.+)\n  (.+)\n  (.+?)    \[([a-z-]+)\]\s*$", re.M)
_MISSING = re.compile(r"No module named '(textbayes[\w.]*)'")


@contextmanager
def worker_errors() -> Iterator[None]:
    """Raise the error of textbayes that a worker raised, in place of Spark's error about it."""
    try:
        yield
    except TextbayesError:
        raise
    except Exception as error:
        found = error_in(str(error))
        if found is None:
            raise
        raise found from error


def error_in(text: str) -> TextbayesError | None:
    r"""Return the error of textbayes whose traceback is in a text.

    Examples
    --------
    >>> from textbayes.distributed.spark.faults import error_in
    >>> error_in("textbayes.errors.BatchError: What.\n  Why.\n  Do.    [batch-column]")
    BatchError('What.')
    """
    found = _ERROR.search(text)
    if found is None:
        missing = _MISSING.search(text)
        return None if missing is None else WorkerPackageError(missing[1], package_version())
    name, what, why, todo, code = found.groups()
    kind = getattr(errors, name, TextbayesError)
    return kind.received(code, what, why, todo)
