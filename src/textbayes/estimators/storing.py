"""Estimators as they stand in a model file: one table of kinds by class name.

An estimator that can be saved is marked ``@storable`` and says what it has learned: ``_store`` returns it as
a configuration and arrays, ``_restore`` takes it back and checks it. Parameters are stored here, for all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

import numpy as np
from sklearn.base import BaseEstimator

from textbayes.errors import ModelUnsavableError
from textbayes.persistence import Stored, pack_texts, unpack_texts


class Storable(Protocol):
    """What an estimator of the table has, beside scikit-learn's get_params."""

    def _store(self) -> Stored:
        """Return what was learned; nothing when the estimator is not fitted."""

    def _restore(self, stored: Stored) -> None:
        """Take back what was learned, or refuse the file."""


Kind = TypeVar("Kind", bound=type)
KINDS: dict[str, Any] = {}


def storable(kind: Kind) -> Kind:
    """Enter an estimator in the table."""
    KINDS[kind.__name__] = kind
    return kind


def store(estimator: Any) -> Stored:
    """Return an estimator as a configuration and arrays."""
    kind = type(estimator).__name__
    if KINDS.get(kind) is not type(estimator):
        raise ModelUnsavableError("the model", estimator)
    learned = estimator._store()
    return Stored({**described(estimator), **learned.configuration}, learned.arrays)


def restore(stored: Stored) -> Any:
    """Make the estimator that a configuration and arrays describe."""
    estimator = _described(stored.configuration, stored)
    estimator._restore(stored)
    return estimator


def described(estimator: Any) -> dict[str, Any]:
    """Return an estimator's kind and parameters, for the configuration."""
    parameters = estimator.get_params(deep=False)
    return {
        "kind": type(estimator).__name__,
        "parameters": {name: _encoded(f"parameter {name!r}", value) for name, value in parameters.items()},
    }


def _described(configuration: dict[str, Any], stored: Stored) -> Any:
    kind, parameters = configuration.get("kind"), configuration.get("parameters")
    if not isinstance(kind, str) or kind not in KINDS:
        stored.refuse(f"{str(kind)[:40]!r} is no estimator of textbayes")
    names = KINDS[kind]._get_param_names()
    if not isinstance(parameters, dict) or not set(parameters) <= set(names):
        stored.refuse(f"these are not the parameters of {kind}")
    return KINDS[kind](**{name: _decoded(value, stored) for name, value in parameters.items()})


# What JSON has no word for is an object with one name, which says what it is.


def _encoded(name: str, value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float) and np.isfinite(value):
        return value
    if isinstance(value, list | tuple | set | frozenset | np.ndarray):
        return _encoded_list(name, value)
    if isinstance(value, Mapping):
        return {"mapping": [[_encoded(name, key), _encoded(name, item)] for key, item in value.items()]}
    if isinstance(value, BaseEstimator) and KINDS.get(type(value).__name__) is type(value):
        return {"estimator": described(value)}
    raise ModelUnsavableError(name, value)


def _encoded_list(name: str, value: Any) -> Any:
    if isinstance(value, set | frozenset):
        return {"set": [_encoded(name, item) for item in sorted(value)]}
    items = [_encoded(name, item) for item in value]
    return {"tuple": items} if isinstance(value, tuple) else items


_LISTS: dict[str, Callable[[list[Any]], Any]] = {"tuple": tuple, "set": set}


def _decoded(value: Any, stored: Stored) -> Any:
    if isinstance(value, list):
        return [_decoded(item, stored) for item in value]
    if not isinstance(value, dict):
        return value
    kind, content = next(iter(value.items()), ("", None))
    if kind == "estimator" and isinstance(content, dict):
        return _described(content, stored)
    if kind == "mapping" and isinstance(content, list):
        return _decoded_mapping(content, stored)
    if kind not in _LISTS or not isinstance(content, list):
        stored.refuse("a parameter is not sound")
    plain = [_decoded(item, stored) for item in content]
    stored.check(all(not isinstance(item, list | set) for item in plain), "a parameter is not sound")
    return _LISTS[kind](plain)


def _decoded_mapping(content: list[Any], stored: Stored) -> dict[Any, Any]:
    pairs = [_decoded(pair, stored) for pair in content]
    sound = all(isinstance(pair, list) and len(pair) == 2 for pair in pairs)
    plain = sound and not any(isinstance(key, list | dict | set) for key, _ in pairs)
    stored.check(plain, "a parameter is not sound")
    return dict(pairs)


def store_columns(estimator: Any) -> Stored:
    """Return the number of columns that an estimator expects, and their names if it has any."""
    names = getattr(estimator, "feature_names_in_", None)
    arrays = {} if names is None else pack_texts("column_names", [str(name) for name in names])
    return Stored({"columns": int(estimator.n_features_in_)}, arrays)


def restore_columns(estimator: Any, stored: Stored) -> int:
    """Take them back."""
    columns = stored.size("columns")
    if "column_names_ends" in stored.arrays:
        names = np.array(unpack_texts(stored, "column_names"), dtype=object)
        stored.check(len(names) == columns, "its columns and their names are not as many")
        estimator.feature_names_in_ = names
    estimator.n_features_in_ = columns
    return columns
