"""No class reads another's underscore names.

A class may use its own underscore names on another instance of itself: the other of a merge, a copy, or what
a classmethod makes. Such an instance is called ``other``, ``twin``, ``rest`` or ``made``.
"""

import ast
from pathlib import Path

import pytest

import textbayes

ROOT = Path(textbayes.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
# Of one's own: the instance, its class, and other instances of the class.
OWN = {"self", "cls"}
SAME_CLASS = {"other", "twin", "rest", "made"}
# Public in spite of their names: methods of named tuples, and os._exit.
PUBLIC = {"_replace", "_asdict", "_fields", "_exit"}


def foreign_names(source):
    """Lines and expressions that read an underscore name of something that is not one's own."""
    found = []
    for inside, node in _attributes(ast.parse(source), None):
        if not node.attr.startswith("_") or node.attr.startswith("__") or node.attr in PUBLIC:
            continue
        name = node.value.id if isinstance(node.value, ast.Name) else None
        same_class = name in SAME_CLASS and node.attr in _own_names(inside)
        if not (name in OWN or _is_super(node.value) or same_class):
            found.append((node.lineno, ast.unparse(node)))
    return found


def _attributes(node, inside):
    """Every attribute that is read or written, and the class that it stands in."""
    for child in ast.iter_child_nodes(node):
        here = child if isinstance(child, ast.ClassDef) else inside
        if isinstance(child, ast.Attribute):
            yield here, child
        yield from _attributes(child, here)


def _own_names(inside):
    """The names that a class defines, or uses on its own instance."""
    if inside is None:
        return set()
    nodes = list(ast.walk(inside))
    used = {node.attr for node in nodes if isinstance(node, ast.Attribute) and _is_own(node.value)}
    return used | {node.name for node in nodes if isinstance(node, ast.FunctionDef)}


def _is_own(node):
    return isinstance(node, ast.Name) and node.id in OWN


def _is_super(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_underscore_names_are_ones_own(file):
    assert foreign_names(file.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("source", "expressions"),
    [
        ("model._statistics", ["model._statistics"]),
        ("self.counter._vocabulary = None", ["self.counter._vocabulary"]),
        ("other._x", ["other._x"]),  # in no class
        ("made()._x", ["made()._x"]),
        ("class A:\n    def merge(self, other):\n        other._x = self._x + cls._y + super()._z", []),
        ("class A:\n    def merge(self, model):\n        return model._x + self._x", ["model._x"]),
        ("class A:\n    def merge(self, other):\n        return other._x", ["other._x"]),
        ("value._replace(x=1).__dict__", []),
    ],
)
def test_the_test(source, expressions):
    assert [expression for _, expression in foreign_names(source)] == expressions
