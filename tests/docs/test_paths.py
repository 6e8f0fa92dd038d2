"""Files that the documentation names exist, and docs/architecture.md names every package."""

import re

import pytest
from pages import DOCS, PAGES, REPOSITORY, name_of

PACKAGE = REPOSITORY / "src" / "textbayes"
NAMING = [
    *PAGES,
    *(REPOSITORY / name for name in ("benchmarks/README.md", "experiments/README.md", "CONTRIBUTING.md")),
]
ARCHITECTURE = (DOCS / "architecture.md").read_text(encoding="utf-8")
_PATH = re.compile(r"\b(?:tests|experiments|benchmarks|docs|src|rust)/[\w/.-]+\.(?:py|rs|md|toml)\b")
_TESTED = re.compile(r"`(tests/[\w/]+\.py)?::(\w+)`")
_BELOW = re.compile(r"`((?:\w+/)+(?:\w+\.(?:py|rs))?)`")


@pytest.mark.parametrize("page", NAMING, ids=name_of)
def test_named_files_exist(page):
    missing = [
        path for path in _PATH.findall(page.read_text(encoding="utf-8")) if not (REPOSITORY / path).exists()
    ]
    assert not missing, f"{name_of(page)} names {', '.join(missing)}"


@pytest.mark.parametrize("page", sorted((DOCS / "theory").glob("*.md")), ids=name_of)
def test_named_tests_exist(page):
    file = ""
    for path, name in _TESTED.findall(page.read_text(encoding="utf-8")):
        file = path or file
        assert f"def {name}(" in (REPOSITORY / file).read_text(encoding="utf-8"), f"{file}::{name}"


def test_files_named_by_the_architecture_exist():
    roots = (REPOSITORY, PACKAGE, REPOSITORY / "rust" / "core" / "src", REPOSITORY / "rust")
    for path in _BELOW.findall(ARCHITECTURE):
        assert any((root / path).exists() for root in roots), f"docs/architecture.md names {path}"


def test_the_architecture_names_every_package():
    for package in sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py")):
        assert re.search(rf"`{package}[/`]", ARCHITECTURE), f"docs/architecture.md does not mention {package}"
