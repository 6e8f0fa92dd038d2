"""Estimators and their parameters ↔ :class:`Stored`, the contents of a model file.

A class whose estimators can be saved is decorated with ``@storable`` and has two methods: ``store`` returns
what an estimator learned, and ``restore`` checks and loads it. The parameters are stored here, for
all classes. A parameter that is another object, such as a recipe, is of a class decorated with
``@storable_value``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from inspect import signature
from itertools import count
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import ModelUnsavableError, TextbayesError
from textbayes.persistence import PlainReader, Stored, pack_texts, unpack_texts
from textbayes.persistence.stored import NUMBERS, Arrays

Class = TypeVar("Class", bound=type)
ESTIMATORS: dict[str, Any] = {}
"""Every class of estimators that can be saved, by its name."""
VALUES: dict[str, Any] = {}
"""Every class of values that can be a parameter, by its name."""
# The attribute of a loaded estimator that holds the digests of its file.
_FILE = "_file_digests"


def storable(cls: Class) -> Class:
    """Register a class of estimators that can be saved."""
    ESTIMATORS[cls.__name__] = cls
    return cls


def storable_value(cls: Class) -> Class:
    """Register a class of values that can be a parameter of a saved estimator."""
    VALUES[cls.__name__] = cls
    return cls


# Estimators.


def store_estimator(estimator: Any) -> Stored:
    """Return an estimator as a configuration and arrays."""
    if not is_storable(estimator):
        raise ModelUnsavableError("the model", estimator)
    verify_file(estimator)
    writer = ParameterWriter()
    configuration = writer.describe(estimator)
    learned: Stored = estimator.store()
    return Stored({**configuration, **learned.configuration}, {**writer.arrays, **learned.arrays})


def restore_estimator(stored: Stored) -> Any:
    """Make the estimator that a configuration and arrays describe."""
    estimator = ParameterReader(stored).make(stored.configuration)
    if stored.file is not None:
        # The first attribute, so that a pickle or a deep copy verifies the file before it reads arrays of it.
        estimator.__dict__ = {_FILE: stored.file, **estimator.__dict__}
    estimator.restore(stored)
    return estimator


def verify_file(estimator: Any) -> None:
    """Verify the whole file that an estimator was loaded from, so that damage is not written again."""
    file = getattr(estimator, _FILE, None)
    if file is not None:
        file.verify_all()


def check_file(estimator: Any) -> None:
    """Raise ModelChangedError if the file that an estimator is mapped from was changed in place."""
    file = getattr(estimator, _FILE, None)
    if file is not None:
        file.check_unchanged()


def is_storable(estimator: Any) -> bool:
    """Return whether an estimator can be saved; scikit-learn has classes of the same names."""
    return ESTIMATORS.get(type(estimator).__name__) is type(estimator)


def describe_estimator(estimator: Any) -> dict[str, Any]:
    """Return the class name and the parameters of an estimator, as the header of a model file has them."""
    return ParameterWriter().describe(estimator)


def same_parameters(one: Any, other: Any, name: str) -> bool:
    """Return whether two estimators have the same parameter ``name``, judged by how it is stored."""
    first, second = ParameterWriter(), ParameterWriter()
    if first.write(name, getattr(one, name)) != second.write(name, getattr(other, name)):
        return False
    return all(np.array_equal(array, second.arrays[key]) for key, array in first.arrays.items())


def store_columns(estimator: Any) -> Stored:
    """Return the number of columns that an estimator expects, and their names if it has any."""
    names = getattr(estimator, "feature_names_in_", None)
    arrays = {} if names is None else pack_texts("column_names", [str(name) for name in names])
    return Stored({"columns": int(estimator.n_features_in_)}, arrays)


def restore_columns(estimator: Any, stored: Stored) -> int:
    """Set the expected columns of an estimator, and return their number."""
    columns = stored.size("columns")
    stored.check(columns < 2**31, "it has more columns than a sparse matrix can have")
    if "column_names_ends" in stored.arrays:
        names = np.array(unpack_texts(stored, "column_names"), dtype=object)
        stored.check(len(names) == columns, "the number of its columns is not the number of their names")
        estimator.feature_names_in_ = names
    estimator.n_features_in_ = columns
    return columns


# Parameters: plain values are JSON; for others, an object with one key names their type.

# A longer list is an array, so that the header stays short.
_LONG = 256


@dataclass(eq=False)
class ParameterWriter:
    """Convert parameters to JSON values, and collect the arrays that go with them.

    Parameters
    ----------
    estimators : bool, default=True
        Whether a parameter may be an estimator.
    """

    estimators: bool = True
    arrays: Arrays = field(default_factory=dict)
    _places: Iterator[int] = field(default_factory=count)

    def describe(self, estimator: Any) -> dict[str, Any]:
        """Return the class name and the parameters of an estimator."""
        parameters = estimator.get_params(deep=False)
        return {
            "kind": type(estimator).__name__,
            "parameters": {
                name: self.write(f"parameter {name!r}", value) for name, value in parameters.items()
            },
        }

    def write(self, name: str, value: Any) -> Any:
        """Return a parameter as a JSON value; raise ModelUnsavableError if it cannot be stored."""
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, bool | int | str):
            return value
        if isinstance(value, float) and not np.isnan(value):
            return value if np.isfinite(value) else {"infinite": value > 0}
        if isinstance(value, list | tuple | set | frozenset | np.ndarray):
            return self._write_list(name, value)
        if isinstance(value, Mapping):
            pairs = [[self.write(name, key), self.write(name, item)] for key, item in value.items()]
            return {"mapping": pairs}
        return self._write_object(name, value)

    def _write_list(self, name: str, value: Any) -> Any:
        if isinstance(value, set | frozenset):
            return {"set": [self.write(name, item) for item in sorted(value)]}
        if len(value) > _LONG and not isinstance(value, tuple):
            long = self._write_array(value)
            if long is not None:
                return long
        items = [self.write(name, item) for item in value]
        return {"tuple": items} if isinstance(value, tuple) else items

    def _write_array(self, value: list[Any] | NDArray[Any]) -> dict[str, Any] | None:
        """Store a list of texts, or of numbers of one type, as an array; return None for other lists."""
        if isinstance(value, np.ndarray) and value.ndim != 1:
            return None
        items = value.tolist() if isinstance(value, np.ndarray) else value
        place = f"parameters/{next(self._places)}"
        description = {"at": place, "list": isinstance(value, list)}
        if all(isinstance(item, str) for item in items):
            self.arrays |= pack_texts(place, items)
            return {"array": {**description, "type": "text"}}
        for kind, (python, stored_as) in NUMBERS.items():
            if all(type(item) is python for item in items):
                array = _exact_array(items, stored_as)
                if array is not None:
                    self.arrays[place] = array
                    return {"array": {**description, "type": kind}}
        return None

    def _write_object(self, name: str, value: Any) -> Any:
        kind = type(value).__name__
        if VALUES.get(kind) is type(value):
            stored, place = value.store(), f"parameters/{next(self._places)}"
            self.arrays |= {f"{place}/{key}": array for key, array in stored.arrays.items()}
            return {"value": {"kind": kind, "at": place, "configuration": stored.configuration}}
        if not self.estimators or not is_storable(value):
            raise ModelUnsavableError(name, value)
        return {"estimator": self.describe(value)}


def _exact_array(items: list[Any], dtype: Any) -> NDArray[Any] | None:
    """Numbers as an array, if it can hold them all and they are finite."""
    try:
        array = np.array(items, dtype=dtype)
    except OverflowError:
        return None
    return array if np.all(np.isfinite(array)) else None


@dataclass(eq=False)
class ParameterReader(PlainReader):
    """Convert JSON values back to parameters, which may be estimators and other objects.

    Parameters
    ----------
    stored : Stored
        The arrays that go with them.
    estimators : bool, default=True
        Whether a parameter may be an estimator.
    """

    estimators: bool = True

    def make(self, configuration: dict[str, Any]) -> Any:
        """Make the estimator that a configuration describes, or refuse the file."""
        kind, parameters = configuration.get("kind"), configuration.get("parameters")
        if not isinstance(kind, str) or kind not in ESTIMATORS:
            self.stored.refuse(f"{str(kind)[:40]!r} is not an estimator of textbayes")
        names = parameter_names(ESTIMATORS[kind])
        if isinstance(parameters, dict):
            renamed = getattr(ESTIMATORS[kind], "RENAMED_PARAMETERS", {})
            parameters = {renamed.get(name, name): value for name, value in parameters.items()}
            parameters = {**getattr(ESTIMATORS[kind], "ADDED_PARAMETERS", {}), **parameters}
        if not isinstance(parameters, dict) or not set(parameters) <= names:
            self.stored.refuse(f"it has parameters that {kind} does not have")
        required = names - _optional_parameters(ESTIMATORS[kind])
        if not required <= set(parameters):
            self.stored.refuse(f"it lacks parameters of {kind}")
        estimator = ESTIMATORS[kind](**{name: self.read(value) for name, value in parameters.items()})
        self._check_parameters(estimator)
        return estimator

    def _check_parameters(self, estimator: Any) -> None:
        """Refuse parameters that ``fit`` would refuse: a large one could take all time or memory."""
        try:
            getattr(estimator, "check_parameters", lambda: None)()
        except (TextbayesError, TypeError, ValueError, AttributeError, LookupError) as error:
            problem = str(error).partition("\n")[0][:200]
            self.stored.refuse(f"a parameter of {type(estimator).__name__} is invalid ({problem})")

    def read_object(self, kind: str, content: Any) -> Any:
        """Return an estimator or a value as a parameter, or refuse the file."""
        match kind, content:
            case "estimator", dict():
                self.stored.check(self.estimators, "a candidate's parameter is an estimator")
                return self.make(content)
            case "value", dict():
                return self._read_value(content)
        return super().read_object(kind, content)

    def _read_value(self, content: dict[str, Any]) -> Any:
        match content:
            case {"kind": str(kind), "at": str(place), "configuration": dict(configuration)}:
                self.check(kind in VALUES)
                return VALUES[kind].restore(self.stored.at(place, configuration))
        return super().read_object("value", content)


def parameter_names(cls: Any) -> set[str]:
    """Names of the parameters of an estimator."""
    return set(signature(cls.__init__).parameters) - {"self"}


def _optional_parameters(cls: Any) -> set[str]:
    """Names of the parameters that have a default."""
    given = signature(cls.__init__).parameters.values()
    return {parameter.name for parameter in given if parameter.default is not parameter.empty}
