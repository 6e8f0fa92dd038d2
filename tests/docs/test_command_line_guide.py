"""The shell commands of docs/guide/command_line.md run, one after the other."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pages import DOCS, snippets

import textbayes


@pytest.mark.slow
def test_the_guide_runs(tmp_path):
    blocks = [block.source for block in snippets(DOCS / "guide" / "command_line.md") if block.info == "sh"]
    program = f'textbayes() {{ "{sys.executable}" -m textbayes "$@"; }}'
    environment = {**os.environ, "PYTHONPATH": str(Path(textbayes.__file__).parents[1])}
    done = subprocess.run(
        ["sh", "-e", "-c", "\n".join([program, *blocks])],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    made = {path.name for path in tmp_path.iterdir()}
    assert made >= {"mail.tb", "both.tb", "why.html", "predictions.jsonl", "predictions.csv", "summary.json"}
    assert done.stderr.count("Error") == 1  # only the misspelt name
