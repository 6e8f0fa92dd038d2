"""Results kept by content, so that work that was cut short goes on where it stopped."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

# What a file holds; another number makes old files unknown.
FORMAT = 1


class ResultCache:
    """A folder with a file for each model and run, or nothing at all.

    A file's name is the hash of everything its figures depend on: the model's class and parameters, the texts
    and labels of both sides, and the versions of textbayes, scikit-learn and numpy. A file that cannot be
    read is as good as none.
    """

    def __init__(self, folder: str | os.PathLike[str] | None) -> None:
        self.folder = None if folder is None else Path(folder)
        self._versions = [version(package) for package in ("textbayes", "scikit-learn", "numpy")]
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)

    def key(self, model: Any, digest: str) -> str:
        """Name a model (by its description) on a run (by its digest)."""
        content = json.dumps([FORMAT, self._versions, model, digest], sort_keys=True)
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()

    def get(self, key: str) -> dict[str, Any] | None:
        """Return what is kept under a key, or None."""
        if self.folder is None:
            return None
        try:
            kept = json.loads((self.folder / f"{key}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return kept if isinstance(kept, dict) else None

    def put(self, key: str, values: dict[str, Any]) -> None:
        """Keep values under a key: whole, or not at all."""
        if self.folder is None:
            return
        handle, path = tempfile.mkstemp(dir=self.folder, suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(values, file)
            Path(path).replace(self.folder / f"{key}.json")
        except BaseException:
            with contextlib.suppress(OSError):
                Path(path).unlink()
            raise
