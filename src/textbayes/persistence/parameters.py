"""Parameters in a model file: plain values are JSON; for others, an object with one key names their type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from textbayes.persistence.stored import NUMBERS, Stored
from textbayes.persistence.texts import unpack_texts

_LISTS: dict[str, Callable[[list[Any]], Any]] = {"tuple": tuple, "set": set}
_INVALID = "a parameter is invalid"


@dataclass(eq=False)
class PlainReader:
    """Convert JSON values to parameters: numbers, strings, and lists, sets and mappings of them.

    Parameters
    ----------
    stored : Stored
        The arrays that go with them.

    Examples
    --------
    >>> from textbayes.persistence import PlainReader, Stored
    >>> PlainReader(Stored()).read({"tuple": [1, 2]})
    (1, 2)
    """

    stored: Stored

    def read(self, value: Any) -> Any:
        """Return a parameter, or refuse the file."""
        if isinstance(value, list):
            return [self.read(item) for item in value]
        if not isinstance(value, dict):
            return value
        kind, content = next(iter(value.items()), ("", None))
        match kind, content:
            case "array", dict():
                return self._read_array(content)
            case "infinite", bool():
                return np.inf if content else -np.inf
            case "mapping", list():
                return self._read_mapping(content)
            case (("tuple" | "set"), list()):
                plain = [self.read(item) for item in content]
                self.check(all(not isinstance(item, list | set | dict | np.ndarray) for item in plain))
                return _LISTS[kind](plain)
        return self.read_object(kind, content)

    def read_object(self, kind: str, content: Any) -> Any:  # noqa: ARG002
        """Return a parameter of another kind; here, refuse the file."""
        return self.stored.refuse(_INVALID)

    def check(self, sound: bool) -> None:
        """Refuse the file unless a parameter is sound."""
        self.stored.check(sound, _INVALID)

    def _read_mapping(self, content: list[Any]) -> dict[Any, Any]:
        pairs = [self.read(pair) for pair in content]
        sound = all(isinstance(pair, list) and len(pair) == 2 for pair in pairs)
        plain = sound and not any(isinstance(key, list | dict | set | np.ndarray) for key, _ in pairs)
        self.check(plain)
        return dict(pairs)

    def _read_array(self, content: dict[str, Any]) -> Any:
        place, kind = content.get("at"), content.get("type")
        if kind == "text" and isinstance(place, str):
            texts = unpack_texts(self.stored, place)
            return texts if content.get("list") is True else np.array(texts, dtype=object)
        if not isinstance(kind, str) or kind not in NUMBERS or not isinstance(place, str):
            self.stored.refuse(_INVALID)
        python, stored_as = NUMBERS[kind]
        array = self.stored.array(place, stored_as)
        self.check(bool(np.all(np.isfinite(array))) and (kind != "bool" or bool(np.all(array <= 1))))
        array = array.astype(bool) if kind == "bool" else array
        return [python(item) for item in array.tolist()] if content.get("list") is True else array


def plain_parameters(stored: Stored, *names: str, **defaults: Any) -> dict[str, Any] | None:
    """Return some parameters of a stored estimator; None if one is missing and has no default.

    Examples
    --------
    >>> from textbayes.persistence import Stored, plain_parameters
    >>> plain_parameters(Stored({"parameters": {"alpha": 0.5, "norm": True}}), "alpha", "prior", prior="fit")
    {'alpha': 0.5, 'prior': 'fit'}
    """
    found = stored.value("parameters", dict)
    if not all(name in found or name in defaults for name in names):
        return None
    reader = PlainReader(stored)
    return {name: reader.read(found[name]) if name in found else defaults[name] for name in names}
