"""The packages below the estimators start without scikit-learn and scipy, whose import takes a second."""

import json
import pickle
import subprocess
import sys

import pyarrow as pa
import pytest

from textbayes import TextClassifier
from textbayes.distributed import fit_by, run_here

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
# What only other commands and the help need.
SLOW = ("typer", "rich", "pydantic", "importlib.metadata", "tarfile", "sklearn", "scipy", "pyarrow")
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


@pytest.mark.parametrize("proba", [[], ["--proba", "--top", "2"]], ids=["labels", "probabilities"])
def test_predicting_a_line_imports_only_what_it_needs(proba, tmp_path):
    TextClassifier("complement").fit(["wheat corn", "crude oil"], ["grain", "oil"]).save(
        tmp_path / "model.tb"
    )
    (tmp_path / "line.jsonl").write_text('{"text": "corn"}\n')
    args = ["predict", str(tmp_path / "model.tb"), str(tmp_path / "line.jsonl"), *proba]
    code = (
        "import contextlib, sys\nfrom textbayes.cli import main\n"
        f"with contextlib.suppress(SystemExit): main({args!r})\n"
        f"print(*({set(SLOW)!r} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    answer, imported = run.stdout.splitlines()
    assert json.loads(answer)["label"] == "grain"
    assert imported == ""


def test_workers_count_without_scikit_learn(tmp_path):
    batch = pa.record_batch({"text": ["wheat corn", "crude oil", "oil"], "label": ["grain", "oil", "oil"]})
    plans, file = [], tmp_path / "batch.arrow"

    def run(plan):
        plans.append(pickle.dumps(plan))
        return run_here([[batch]])(plan)

    fit_by(TextClassifier("twcnb", keep_documents=False), run)
    assert len(plans) == 2
    with pa.ipc.new_file(file, batch.schema) as writer:
        writer.write_batch(batch)
    code = (
        "import pickle, pyarrow as pa\n"
        "from textbayes.distributed import count_batches, merge\n"
        f"batch = pa.ipc.open_file(pa.memory_map({str(file)!r})).get_batch(0)\n"
        f"for plan in map(pickle.loads, {plans!r}):\n"
        "    blobs = list(count_batches([batch], plan))\n"
        "    assert [merge([blob, blob]) for _, blob in blobs]"
    )
    assert "sklearn" not in imported_by(code)
