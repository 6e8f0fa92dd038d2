"""Estimators as they stand in a model file: one table of kinds by class name.

An estimator that can be saved is marked ``@storable`` and says what it has learned: ``_store`` returns it as
a configuration and arrays, ``_restore`` takes it back and checks it. Parameters are stored here, for all.
"""

from __future__ import annotations

from inspect import signature
from typing import Any, Protocol, TypeVar

import numpy as np

from textbayes.errors import ModelUnsavableError
from textbayes.estimators.base.parameter_storing import ParameterReader, ParameterWriter
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
    if not is_storable(estimator):
        raise ModelUnsavableError("the model", estimator)
    writer = ParameterWriter(_describe)
    configuration = _described(estimator, writer)
    learned = estimator._store()
    return Stored({**configuration, **learned.configuration}, {**writer.arrays, **learned.arrays})


def restore(stored: Stored) -> Any:
    """Make the estimator that a configuration and arrays describe."""
    estimator = _made(stored.configuration, ParameterReader(stored, _made))
    estimator._restore(stored)
    return estimator


def is_storable(estimator: Any) -> bool:
    """Tell whether an estimator is in the table; scikit-learn has names like ours."""
    return KINDS.get(type(estimator).__name__) is type(estimator)


def described(estimator: Any) -> dict[str, Any]:
    """Return an estimator's kind and parameters as a model file's header has them."""
    return _described(estimator, ParameterWriter(_describe))


def _described(estimator: Any, writer: ParameterWriter) -> dict[str, Any]:
    """An estimator's kind and parameters, for the configuration; what is long goes to the writer's arrays."""
    parameters = estimator.get_params(deep=False)
    return {
        "kind": type(estimator).__name__,
        "parameters": {
            name: writer.written(f"parameter {name!r}", value) for name, value in parameters.items()
        },
    }


def same_parameters(one: Any, other: Any, name: str) -> bool:
    """Tell whether two estimators' parameters of that name would be stored alike."""
    first, second = ParameterWriter(_describe), ParameterWriter(_describe)
    if first.written(name, getattr(one, name)) != second.written(name, getattr(other, name)):
        return False
    return all(np.array_equal(array, second.arrays[key]) for key, array in first.arrays.items())


def _describe(value: Any, writer: ParameterWriter) -> dict[str, Any] | None:
    return _described(value, writer) if is_storable(value) else None


def _made(configuration: dict[str, Any], reader: ParameterReader) -> Any:
    kind, parameters = configuration.get("kind"), configuration.get("parameters")
    if not isinstance(kind, str) or kind not in KINDS:
        reader.stored.refuse(f"{str(kind)[:40]!r} is no estimator of textbayes")
    names = KINDS[kind]._get_param_names()
    if not isinstance(parameters, dict) or not set(parameters) <= set(names):
        reader.stored.refuse(f"these are not the parameters of {kind}")
    required = {name for name in names if name not in _defaults(KINDS[kind])}
    if not required <= set(parameters):
        reader.stored.refuse(f"it lacks parameters of {kind}")
    return KINDS[kind](**{name: reader.read(value) for name, value in parameters.items()})


def _defaults(kind: Any) -> set[str]:
    """The names of the parameters that need not be given."""
    given = signature(kind.__init__).parameters.values()
    return {parameter.name for parameter in given if parameter.default is not parameter.empty}


def store_columns(estimator: Any) -> Stored:
    """Return the number of columns that an estimator expects, and their names if it has any."""
    names = getattr(estimator, "feature_names_in_", None)
    arrays = {} if names is None else pack_texts("column_names", [str(name) for name in names])
    return Stored({"columns": int(estimator.n_features_in_)}, arrays)


def restore_columns(estimator: Any, stored: Stored) -> int:
    """Take them back."""
    columns = stored.size("columns")
    stored.check(columns < 2**31, "it has more columns than rows can number")
    if "column_names_ends" in stored.arrays:
        names = np.array(unpack_texts(stored, "column_names"), dtype=object)
        stored.check(len(names) == columns, "its columns and their names are not as many")
        estimator.feature_names_in_ = names
    estimator.n_features_in_ = columns
    return columns
