"""The partial file of a download, and the state for resuming it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from textbayes.datasets.home import HOME_SETTING
from textbayes.errors import FileWriteError


def start_part(part: Path, url: str, validator: str) -> None:
    """Empty a partial file and store the address and version of the file it will hold."""
    with _storage_errors(part):
        part.write_bytes(b"")  # first, so that the state never describes older bytes
        _state_file(part).write_text(json.dumps({"url": url, "validator": validator}), encoding="utf-8")


@contextlib.contextmanager
def append_to_part(part: Path) -> Iterator[Callable[[bytes], None]]:
    """Open a partial file and yield a function that appends a whole chunk."""
    with _storage_errors(part):
        file = part.open("ab", buffering=0)

    def append(chunk: bytes) -> None:
        with _storage_errors(part):
            rest = memoryview(chunk)
            while rest:
                rest = rest[file.write(rest) :]

    with file:
        yield append


def resume_point(part: Path, url: str) -> tuple[int, str]:
    """Return the number of bytes of ``url`` in a partial file, and the version they belong to."""
    try:
        size = part.stat().st_size
        state = json.loads(_state_file(part).read_text(encoding="utf-8"))
        validator = str(state["validator"])
    except (OSError, ValueError, LookupError, TypeError):
        return 0, ""
    return (size, validator) if state["url"] == url and validator else (0, "")


def discard_part(part: Path) -> None:
    """Delete a partial file and its state."""
    part.unlink(missing_ok=True)
    _state_file(part).unlink(missing_ok=True)


def _state_file(part: Path) -> Path:
    return part.with_name(part.name + ".json")


@contextlib.contextmanager
def _storage_errors(part: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        with contextlib.suppress(OSError):
            discard_part(part)
        raise FileWriteError(str(part), error.errno, error.strerror or str(error), HOME_SETTING) from error
