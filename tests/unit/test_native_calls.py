"""No call of the core crashes the process or raises a PanicException."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def _run(seed: int, tries: int) -> None:
    script = Path(__file__).with_name("native_calls.py")
    command = [sys.executable, "-P", "-X", "faulthandler", str(script), str(seed), str(tries)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]


def test_wrong_arguments_are_refused() -> None:
    _run(seed=0, tries=60)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 6))
def test_many_wrong_arguments_are_refused(seed: int) -> None:
    _run(seed, tries=2_000)
