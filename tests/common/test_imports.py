"""The packages below the estimators start without scikit-learn and scipy, whose import takes a second."""

import subprocess
import sys

import pytest

LIGHT = (
    "errors",
    "errors.checks",
    "persistence",
    "text",
    "counts",
    "statistics",
    "terms",
    "weights",
    "scores",
    "scores.leave_one_out",
    "measures",
    "decisions",
    "answering",
)
HEAVY = ("sklearn", "scipy", "pandas", "pyarrow", "narwhals", "threadpoolctl")


def imported_by(statement: str) -> set[str]:
    """Return which of the heavy packages a statement imports in a new process."""
    code = f"{statement}\nimport sys; print(*({set(HEAVY)!r} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


@pytest.mark.parametrize("package", LIGHT)
def test_package_imports_nothing_heavy(package):
    assert imported_by(f"import textbayes.{package}") == set()


def test_an_estimator_does_import_scikit_learn():
    assert "sklearn" in imported_by("import textbayes.estimators")


def test_counting_a_list_of_texts_imports_nothing_heavy():
    count = "from textbayes.text import TextSettings, as_source; from textbayes._native import Counting"
    texts = 'as_source(["wheat", "밀"]).add_to(Counting(TextSettings(stop_words="english").rules(), 1))'
    assert imported_by(f"{count}; {texts}") == set()
