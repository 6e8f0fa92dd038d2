"""Packages whose names are imported when they are used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module


def lazy_names(package: str, modules: Mapping[str, str]) -> Callable[[str], object]:
    """Return the ``__getattr__`` of a package.

    Parameters
    ----------
    package : str
        The name of the package.
    modules : mapping
        For each public name the module of the package that has it.

    Examples
    --------
    >>> from textbayes.lazy import lazy_names
    >>> lazy_names("textbayes.datasets", {"data_home": "home"})("data_home").__name__
    'data_home'
    """

    def find(name: str) -> object:
        if name in modules:
            return getattr(import_module(f"{package}.{modules[name]}"), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find
