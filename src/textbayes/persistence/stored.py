"""The contents of a model file: a configuration and named arrays, independent of any model."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import FileReadError, ModelDamagedError, TextbayesError
from textbayes.persistence.digests import FileDigests
from textbayes.persistence.format import Arrays as Arrays
from textbayes.persistence.origin import Origin

# Lists of numbers: the name of their type in a file, their type in Python, and that of the array in the file.
NUMBERS: dict[str, tuple[type, Any]] = {
    "bool": (bool, np.uint8),
    "whole": (int, np.int64),
    "real": (float, np.float64),
}
T = TypeVar("T")


@dataclass(frozen=True)
class Stored:
    """A configuration and named arrays; parts of a model are nested ``Stored`` values.

    Reading is strict: if a value is missing, has another type or is out of range, the file is damaged.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.persistence import Stored
    >>> counter = Stored({"kind": "TextCounter"}, {"x": np.ones(2)})
    >>> whole = Stored({"kind": "Pipeline"}).with_part("counter", counter)
    >>> whole.configuration["parts"], list(whole.arrays)
    ({'counter': {'kind': 'TextCounter'}}, ['counter/x'])
    >>> whole.part("counter").array("x", np.float64)
    array([1., 1.])
    """

    configuration: dict[str, Any] = field(default_factory=dict)
    arrays: Arrays = field(default_factory=dict)
    path: str = "memory"
    file: FileDigests | None = field(default=None, repr=False, compare=False)
    origin: Origin | None = field(default=None, repr=False, compare=False)

    def with_part(self, name: str, part: Stored) -> Stored:
        """Return a copy with a part added under ``name``."""
        parts = {**self.configuration.get("parts", {}), name: part.configuration}
        arrays = {f"{name}/{key}": array for key, array in part.arrays.items()}
        return replace(
            self, configuration={**self.configuration, "parts": parts}, arrays={**self.arrays, **arrays}
        )

    def has_part(self, name: str) -> bool:
        """Return whether there is a part ``name``."""
        return name in self.value("parts", dict, {})

    def part(self, name: str) -> Stored:
        """Return the part ``name``."""
        parts = self.value("parts", dict, {})
        if not isinstance(parts.get(name), dict):
            self.refuse(f"its configuration has no part {name!r}")
        return self.at(name, parts[name])

    def at(self, place: str, configuration: dict[str, Any]) -> Stored:
        """Return a configuration and the arrays whose names start with ``place`` and a slash."""
        start = len(place) + 1
        arrays = {key[start:]: array for key, array in self.arrays.items() if key.startswith(f"{place}/")}
        return replace(self, configuration=configuration, arrays=arrays)

    def value(self, name: str, kind: type[T], default: T | None = None) -> T:
        """Return a value of the configuration, which must have exactly this type."""
        found = self.configuration.get(name, default)
        if kind is float and type(found) is int:
            found = float(found)
        if type(found) is not kind:
            self.refuse(f"{name!r} of its configuration is not of type {kind.__name__}")
        return found

    def size(self, name: str) -> int:
        """Return a value of the configuration that is a size: an integer from 0 to 2**63 - 1."""
        found = self.value(name, int)
        if not 0 <= found < 2**63:
            self.refuse(f"{name!r} of its configuration is out of range")
        return found

    def array(self, name: str, dtype: Any, length: int | None = None) -> NDArray[Any]:
        """Return an array, which must have this type and, if given, this length.

        The digest of an array of a file is compared when the array is first read.
        """
        found = self.mapped(name, dtype, length)
        if self.file is not None:
            self.file.verify(found)
        return found

    def mapped(self, name: str, dtype: Any, length: int | None = None) -> NDArray[Any]:
        """Return an array like :meth:`array`, but without reading its contents."""
        found = self.arrays.get(name)
        if found is None:
            self.refuse(f"the array {name!r} is missing")
        if found.dtype != np.dtype(dtype) or found.ndim != 1:
            self.refuse(f"the array {name!r} is of type {found.dtype}, not {np.dtype(dtype)}")
        if length is not None and len(found) != length:
            self.refuse(f"the array {name!r} has {len(found)} elements, not {length}")
        return found

    def check(self, sound: bool | np.bool_, problem: str) -> None:
        """Refuse the file unless ``sound`` is true."""
        if not sound:
            self.refuse(problem)

    @contextmanager
    def restoring(self) -> Iterator[None]:
        """Refuse the file if the block, which reads its contents, fails: forged ones can be anything."""
        try:
            yield
        except TextbayesError:
            raise
        except MemoryError:
            raise FileReadError(self.path, errno.ENOMEM, "it does not fit into memory") from None
        except RecursionError:
            raise ModelDamagedError(self.path, "its configuration is nested too deeply") from None
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            problem = f"its contents cannot be used ({type(error).__name__}: {str(error)[:100]})"
            raise ModelDamagedError(self.path, problem) from error

    def refuse(self, problem: str) -> NoReturn:
        """Raise the error for a damaged file."""
        raise ModelDamagedError(self.path, problem)
