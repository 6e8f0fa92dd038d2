"""Parameters of estimators as they stand in a model file.

What JSON has no word for is an object with one name, which says what it is. What is long, such as a mask of
all columns, is an array of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import ModelUnsavableError
from textbayes.persistence import Stored, pack_texts, unpack_texts
from textbayes.persistence.stored import Arrays

# A list of more items is an array, so that a header stays short.
_LONG = 256
# What the items of an array may be, and as what they stand in a file.
_ITEMS: dict[str, tuple[type, Any]] = {
    "bool": (bool, np.uint8),
    "whole": (int, np.int64),
    "real": (float, np.float64),
}


@dataclass(frozen=True)
class Value:
    """A kind of parameter that is neither plain nor an estimator: how it is stored and taken back."""

    kind: type[Any]
    store: Callable[[Any], Stored]
    restore: Callable[[Stored], Any]


VALUES: dict[str, Value] = {}
"""Every such kind, by the name of its class."""


@dataclass(eq=False)
class ParameterWriter:
    """Parameters → what JSON can hold, and the arrays that go beside it.

    Parameters
    ----------
    describe : callable
        Describes an estimator that is a parameter, with this writer; returns None for what is none of ours.
    """

    describe: Callable[[Any, ParameterWriter], dict[str, Any] | None]
    arrays: Arrays = field(default_factory=dict)
    _places: Iterator[int] = field(default_factory=count)

    def written(self, name: str, value: Any) -> Any:
        """Return a parameter as JSON has it; raise ModelUnsavableError for one that cannot be stored."""
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, bool | int | str):
            return value
        if isinstance(value, float) and not np.isnan(value):
            return value if np.isfinite(value) else {"infinite": value > 0}
        if isinstance(value, list | tuple | set | frozenset | np.ndarray):
            return self._list(name, value)
        if isinstance(value, Mapping):
            pairs = [[self.written(name, key), self.written(name, item)] for key, item in value.items()]
            return {"mapping": pairs}
        return self._object(name, value)

    def _list(self, name: str, value: Any) -> Any:
        if isinstance(value, set | frozenset):
            return {"set": [self.written(name, item) for item in sorted(value)]}
        if len(value) > _LONG and not isinstance(value, tuple):
            long = self._array(value)
            if long is not None:
                return long
        items = [self.written(name, item) for item in value]
        return {"tuple": items} if isinstance(value, tuple) else items

    def _array(self, value: list[Any] | NDArray[Any]) -> dict[str, Any] | None:
        """Put a list of texts, or of numbers of one kind, among the arrays; None for another."""
        if isinstance(value, np.ndarray) and value.ndim != 1:
            return None
        items = value.tolist() if isinstance(value, np.ndarray) else value
        place = f"parameters/{next(self._places)}"
        described = {"at": place, "list": isinstance(value, list)}
        if all(isinstance(item, str) for item in items):
            self.arrays |= pack_texts(place, items)
            return {"array": {**described, "type": "text"}}
        for kind, (python, stored_as) in _ITEMS.items():
            if all(type(item) is python for item in items):
                array = _exactly(items, stored_as)
                if array is not None:
                    self.arrays[place] = array
                    return {"array": {**described, "type": kind}}
        return None

    def _object(self, name: str, value: Any) -> Any:
        known = VALUES.get(type(value).__name__)
        if known is not None and known.kind is type(value):
            stored, place = known.store(value), f"parameters/{next(self._places)}"
            self.arrays |= {f"{place}/{key}": array for key, array in stored.arrays.items()}
            kind = type(value).__name__
            return {"value": {"kind": kind, "at": place, "configuration": stored.configuration}}
        described = self.describe(value, self)
        if described is None:
            raise ModelUnsavableError(name, value)
        return {"estimator": described}


def _exactly(items: list[Any], dtype: Any) -> NDArray[Any] | None:
    """Numbers as an array, if it holds them all and they are finite."""
    try:
        array = np.array(items, dtype=dtype)
    except OverflowError:
        return None
    return array if np.all(np.isfinite(array)) else None


_LISTS: dict[str, Callable[[list[Any]], Any]] = {"tuple": tuple, "set": set}


@dataclass(eq=False)
class ParameterReader:
    """What JSON holds → parameters.

    Parameters
    ----------
    stored : Stored
        Where the arrays are.
    make : callable
        Makes the estimator that a configuration describes, with this reader.
    """

    stored: Stored
    make: Callable[[dict[str, Any], ParameterReader], Any]

    def read(self, value: Any) -> Any:
        """Return a parameter, or refuse the file."""
        if isinstance(value, list):
            return [self.read(item) for item in value]
        if not isinstance(value, dict):
            return value
        kind, content = next(iter(value.items()), ("", None))
        if kind in ("estimator", "value", "array") and isinstance(content, dict):
            if kind == "estimator":
                return self.make(content, self)
            return self._value(content) if kind == "value" else self._array(content)
        if kind == "infinite" and isinstance(content, bool):
            return np.inf if content else -np.inf
        if kind == "mapping" and isinstance(content, list):
            return self._mapping(content)
        if kind not in _LISTS or not isinstance(content, list):
            self.stored.refuse("a parameter is not sound")
        plain = [self.read(item) for item in content]
        self._check(all(not isinstance(item, list | set | dict | np.ndarray) for item in plain))
        return _LISTS[kind](plain)

    def _mapping(self, content: list[Any]) -> dict[Any, Any]:
        pairs = [self.read(pair) for pair in content]
        sound = all(isinstance(pair, list) and len(pair) == 2 for pair in pairs)
        plain = sound and not any(isinstance(key, list | dict | set | np.ndarray) for key, _ in pairs)
        self._check(plain)
        return dict(pairs)

    def _array(self, content: dict[str, Any]) -> Any:
        place, kind = content.get("at"), content.get("type")
        if kind == "text" and isinstance(place, str):
            texts = unpack_texts(self.stored, place)
            return texts if content.get("list") is True else np.array(texts, dtype=object)
        if not isinstance(kind, str) or kind not in _ITEMS or not isinstance(place, str):
            self.stored.refuse("a parameter is not sound")
        python, stored_as = _ITEMS[kind]
        array = self.stored.array(place, stored_as)
        self._check(bool(np.all(np.isfinite(array))) and (kind != "bool" or bool(np.all(array <= 1))))
        array = array.astype(bool) if kind == "bool" else array
        return [python(item) for item in array.tolist()] if content.get("list") is True else array

    def _value(self, content: dict[str, Any]) -> Any:
        match content:
            case {"kind": str(kind), "at": str(place), "configuration": dict(configuration)}:
                start = len(place) + 1
                own = self.stored.arrays.items()
                arrays = {key[start:]: array for key, array in own if key.startswith(f"{place}/")}
                self._check(kind in VALUES)
                return VALUES[kind].restore(Stored(configuration, arrays, self.stored.path))
        return self.stored.refuse("a parameter is not sound")

    def _check(self, sound: bool) -> None:
        self.stored.check(sound, "a parameter is not sound")
