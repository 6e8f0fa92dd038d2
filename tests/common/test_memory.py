"""Without memory, every model raises MemoryError; nothing ends the process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits on memory are those of Linux")


def _ends(sizes: list[float]) -> dict[str, Counter[str]]:
    script = Path(__file__).with_name("under_limits.py")
    command = [sys.executable, str(script), ",".join(map(str, sizes))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr
    # No message of Rust, and none of a fatal error.
    assert done.stderr == ""
    return {name: Counter(ends) for name, ends in json.loads(done.stdout).items()}


def _check(ends: dict[str, Counter[str]]) -> None:
    expected = {"done", "MemoryError", "TextbayesError"}
    others = {name: own for name, own in ends.items() if own.keys() - expected}
    assert others == {}
    wide = {name: own for name, own in ends.items() if "wide" in name}
    assert wide
    assert all(own == {"MemoryError": 1} for own in wide.values()), wide


def test_every_model_raises_memory_error() -> None:
    _check(_ends([1, 20]))


@pytest.mark.slow
def test_at_any_size() -> None:
    ends = _ends([0.1 * 1.3**step for step in range(32)])
    _check(ends)
    of_texts = sum((own for name, own in ends.items() if "wide" not in name), Counter[str]())
    assert of_texts["done"] > 0
    assert of_texts["MemoryError"] > 0
