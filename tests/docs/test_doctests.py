"""The examples in every docstring run."""

import doctest
import importlib
import pkgutil

import pytest

import textbayes

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
NATIVE = "textbayes._native"  # compiled: it has no examples


def modules():
    # onerror: a module that cannot be imported fails its own test, not the collection.
    found = pkgutil.walk_packages(textbayes.__path__, "textbayes.", onerror=lambda name: None)
    names = ["textbayes", *(module.name for module in found)]
    return [name for name in names if name != NATIVE and not name.endswith(".__main__")]


@pytest.mark.parametrize("name", modules())
def test_examples_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name)
    report = []
    for examples in doctest.DocTestFinder(exclude_empty=True).find(module, name):
        doctest.DocTestRunner(optionflags=FLAGS).run(examples, out=report.append)
    assert not report, "".join(report)
