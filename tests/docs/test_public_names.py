"""Every public name has a docstring with an example, an entry in the reference, and a mention in prose."""

import inspect
import re

import pytest
from pages import DOCS, PAGES, text_of

import textbayes
import textbayes.client
import textbayes.datasets
import textbayes.distributed
import textbayes.distributed.spark
import textbayes.evaluation
import textbayes.papers
import textbayes.server

REFERENCE = DOCS / "reference.md"
MODULES = (
    textbayes,
    textbayes.client,
    textbayes.datasets,
    textbayes.distributed,
    textbayes.distributed.spark,
    textbayes.evaluation,
    textbayes.papers,
    textbayes.server,
)
NAMES = [(module, name) for module in MODULES for name in module.__all__ if not name.startswith("__")]
parametrize = pytest.mark.parametrize(("module", "name"), NAMES, ids=[name for _, name in NAMES])


@parametrize
def test_docstring_has_an_example(module, name):
    docstring = inspect.getdoc(getattr(module, name)) or ""
    assert re.search(r"^Examples\n-+\n.*^>>> ", docstring, re.MULTILINE | re.DOTALL), f"{name}: add Examples"


@parametrize
def test_is_in_the_reference(module, name):
    lines = REFERENCE.read_text(encoding="utf-8").splitlines()
    assert f"::: {module.__name__}.{name}" in lines, f"docs/reference.md: add ::: {module.__name__}.{name}"


@parametrize
def test_is_mentioned_in_prose(module, name):
    prose = text_of([page for page in PAGES if page != REFERENCE])
    assert re.search(rf"\b{name}\b", prose), f"{name} is on no page of README.md and docs/"


def test_public_names_exist_and_are_sorted():
    for module in MODULES:
        assert module.__all__ == sorted(module.__all__)
        assert all(hasattr(module, name) for name in module.__all__)


def test_every_setting_of_the_counter_is_in_the_guide():
    guide = (DOCS / "guide" / "counting.md").read_text(encoding="utf-8")
    for setting in inspect.signature(textbayes.TextCounter).parameters:
        assert f"`{setting}" in guide, f"docs/guide/counting.md does not explain {setting}"
