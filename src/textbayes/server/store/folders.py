"""The model files of a store in a folder: ``models/NAME/VERSION-RANDOM.tb``."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import math
import os
import re
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from textbayes.errors import ModelDamagedError, StoreFullError, StoreUnavailableError
from textbayes.server.store.encoding import new_id

_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}")
# Windows keeps these names for devices.
_DEVICES = re.compile(r"con|prn|aux|nul|com[0-9]|lpt[0-9]")
_FULL = {errno.ENOSPC, errno.EDQUOT}
_ENDING = ".tb"
_SCRATCH = ".scratch"  # no model has a folder of this name


def folder_name(model: str) -> str:
    """Return the name of the folder of a model: its own if every file system can have it.

    Examples
    --------
    >>> from textbayes.server.store.folders import folder_name
    >>> folder_name("mail"), folder_name("../Mail"), folder_name("메일")
    ('mail', 'mail~aafd59576690e682', '~5715a4dedc9d7084')
    """
    if _PLAIN.fullmatch(model) and not _DEVICES.fullmatch(model):
        return model
    plain = "-".join(re.findall(r"[a-z0-9]+", model.lower()))[:40]
    return f"{plain}~{hashlib.sha256(model.encode()).hexdigest()[:16]}"


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sync_folder(path: Path) -> None:
    """Write the names in a folder to the disk."""
    if os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def store_error(name: str, error: OSError) -> StoreFullError | StoreUnavailableError:
    """Return the error for a file that cannot be written or read."""
    reason = error.strerror or str(error)
    full = error.errno in _FULL
    return StoreFullError(name, reason) if full else StoreUnavailableError(name, reason)


class ModelFolders:
    """The files of all models.

    Parameters
    ----------
    root : Path
        The folder that has one folder for each model; made when it is needed.
    store : str
        The name of the store, for errors.
    """

    def __init__(self, root: Path, store: str) -> None:
        self._root = root
        self._store = store

    def path(self, model: str, name: str) -> Path:
        """Return where a file is, or would be."""
        return self._root / folder_name(model) / (name + _ENDING)

    def scratch(self) -> Path:
        """Return a new name for a temporary file, which ``clean`` deletes."""
        folder = self._root / _SCRATCH
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise store_error(self._store, error) from error
        return folder / (new_id() + _ENDING)

    def keep(self, model: str, name: str, file: Path) -> Path:
        """Move a file in; it is there after a crash when this returns."""
        target = self.path(model, name)
        part = target.with_suffix(".part")
        try:
            target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _move(file, part)
            with part.open("rb+") as moved:
                os.fsync(moved.fileno())
            os.replace(part, target)
            sync_folder(target.parent)
            sync_folder(self._root)
        except OSError as error:
            with contextlib.suppress(OSError):
                part.unlink()
            raise store_error(self._store, error) from error
        return target

    def check(self, model: str, name: str, size: int) -> Path:
        """Return a file that should be there."""
        path = self.path(model, name)
        try:
            found = path.stat().st_size
        except FileNotFoundError:
            raise StoreUnavailableError(self._store, f"the model file {path.name} is gone") from None
        except OSError as error:
            raise store_error(self._store, error) from error
        if found != size:
            raise ModelDamagedError(str(path), f"it has {found:,} bytes instead of {size:,}")
        return path

    def drop(self, model: str, names: Sequence[str]) -> None:
        """Delete files, and the folder if it is empty then. What cannot be deleted is left for ``clean``."""
        with contextlib.suppress(OSError):
            for name in names:
                self.path(model, name).unlink(missing_ok=True)
            self.path(model, "x").parent.rmdir()

    def thin(self, model: str, keep: int) -> None:
        """Delete the files of a model but those used last."""
        with contextlib.suppress(OSError):
            paths = list(self.path(model, "x").parent.glob("*" + _ENDING))
            for path in sorted(paths, key=lambda path: path.stat().st_mtime)[:-keep]:
                path.unlink(missing_ok=True)

    def clean(self, kept: Mapping[str, Sequence[str]]) -> None:
        """Delete files that are not among those of each model."""
        wanted = {self.path(model, name) for model, names in kept.items() for name in names}
        with contextlib.suppress(OSError):
            for folder in self._root.iterdir():
                # Another server may be writing a temporary file at this moment.
                spared = time.time() - 3600 if folder.name == _SCRATCH else math.inf
                for path in folder.iterdir():
                    left = path not in wanted and path.suffix in (_ENDING, ".part")
                    if left and path.stat().st_mtime < spared:
                        path.unlink()
                if not any(folder.iterdir()):
                    folder.rmdir()


def _move(file: Path, target: Path) -> None:
    try:
        os.replace(file, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        shutil.copyfile(file, target)
        file.unlink()
