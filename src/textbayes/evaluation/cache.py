"""A cache of results by content, so that an interrupted comparison continues where it stopped."""

from __future__ import annotations

import hashlib
import json
import os
import types
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from textbayes.errors import ParameterError
from textbayes.persistence.replacing import replacing

# The layout of a file; a new number makes the cache ignore old files.
FORMAT = 1


class ResultCache:
    """A folder with a file for each model and run; without a folder nothing is stored.

    The name of a file is the hash of everything its figures depend on: the class and parameters of the model,
    the texts and labels of both sides, and the versions of textbayes, scikit-learn and numpy. A file that
    cannot be read counts as missing.
    """

    def __init__(self, folder: str | os.PathLike[str] | None) -> None:
        self.folder = None if folder is None else Path(folder)
        self._versions = [version(package) for package in ("textbayes", "scikit-learn", "numpy")]
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)

    def key(self, model: Any, digest: str) -> str:
        """Return the key of a model (by its description) on a run (by its content hash)."""
        content = json.dumps([FORMAT, self._versions, model, digest], sort_keys=True)
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the values stored under a key, or None."""
        if self.folder is None:
            return None
        try:
            kept = json.loads((self.folder / f"{key}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return kept if isinstance(kept, dict) else None

    def put(self, key: str, values: dict[str, Any]) -> None:
        """Store values under a key; an interrupted write leaves no file."""
        if self.folder is None:
            return
        with replacing(self.folder / f"{key}.json", flush=False) as file:
            file.write(json.dumps(values).encode())


def description(value: Any, name: str = "model") -> Any:
    """Describe a model, or one of its parameters, as JSON: equal descriptions mean equal models.

    Raises
    ------
    ParameterError
        For an object that shows only where it lies in memory.

    Examples
    --------
    >>> from textbayes import MultinomialNB
    >>> description(MultinomialNB(alpha=0.5))["class"]
    'textbayes.estimators.models.multinomial.MultinomialNB'
    """
    if value is None or isinstance(value, bool | int | float | str):
        return repr(value)
    if isinstance(value, type):
        return _qualified(value)
    if hasattr(value, "get_params"):
        parameters = value.get_params(deep=False)
        return {"class": _qualified(type(value)), **_of_mapping(parameters, name)}
    if isinstance(value, types.FunctionType):
        return [_qualified(value), _of_code(value.__code__, name), _of_function(value, name)]
    return _of_container(value, name)


def _of_container(value: Any, name: str) -> Any:
    if isinstance(value, list | tuple):
        return [type(value).__name__, [description(each, f"{name}[{at}]") for at, each in enumerate(value)]]
    if isinstance(value, set | frozenset):
        return ["set", sorted(map(repr, (description(each, name) for each in value)))]
    if isinstance(value, Mapping):
        return ["dict", _of_mapping(value, name)]
    if sparse.issparse(value):
        return _of_sparse(value)
    if isinstance(value, np.ndarray) and value.dtype != object:
        return _of_array(value)
    shown = repr(value)
    if " at 0x" in shown:
        why = "Results are cached by content, and this value looks different in every process"
        raise ParameterError(name, value, "a value whose repr states its settings, or cache=None", why)
    return [_qualified(type(value)), shown]


def _of_mapping(values: Mapping[Any, Any], name: str) -> dict[str, Any]:
    return {str(key): description(value, f"{name}.{key}") for key, value in sorted(values.items(), key=repr)}


def _of_array(values: np.ndarray[Any, Any]) -> list[Any]:
    return [str(values.dtype), values.shape, hashlib.sha256(values.tobytes()).hexdigest()]


def _of_sparse(values: Any) -> list[Any]:
    rows = values.tocsr()
    return ["sparse", rows.shape, *map(_of_array, (rows.data, rows.indices, rows.indptr))]


def _of_code(code: types.CodeType, name: str) -> list[Any]:
    # Not the file or the lines: a function that moved stays the same.
    constants = [
        _of_code(each, name) if isinstance(each, types.CodeType) else repr(each) for each in code.co_consts
    ]
    return [code.co_code.hex(), code.co_names, constants]


def _of_function(function: types.FunctionType, name: str) -> list[Any]:
    held = [cell.cell_contents for cell in function.__closure__ or ()]
    return [description(each, name) for each in (function.__defaults__, function.__kwdefaults__, held)]


def _qualified(thing: Any) -> str:
    return f"{thing.__module__}.{thing.__qualname__}"
