"""Write the versions and hashes of every package that ``make`` installs.

Run by ``make lock``. Each file works on Linux, macOS and Windows, with Python 3.11 and later.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = {
    "venv": ["--group", "venv"],
    "run": ["--group", "build", "pyproject.toml"],
    "dev": ["--group", "build", "--extra", "dev", "pyproject.toml", "--constraints", "requirements/run.txt"],
    "serve": [
        *["--group", "build", "--extra", "server", "--extra", "postgres", "pyproject.toml"],
        *["--constraints", "requirements/dev.txt"],
    ],
    "docs": ["--extra", "docs", "pyproject.toml", "--constraints", "requirements/dev.txt"],
    "tools": ["--group", "tools"],
}
"""What each file of requirements is made from. A later file has the versions of those before it."""

_OPTIONS = "pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header"


def write_files() -> None:
    """Resolve the newest versions that pyproject.toml allows."""
    uv = Path(sys.executable).with_name("uv")
    for name, sources in FILES.items():
        path = f"requirements/{name}.txt"
        print(f"make lock: {path}", flush=True)
        subprocess.run(
            [uv, *_OPTIONS.split(), *sources, "--output-file", path],
            cwd=ROOT,
            check=True,
            stdout=subprocess.DEVNULL,
        )


if __name__ == "__main__":
    write_files()
