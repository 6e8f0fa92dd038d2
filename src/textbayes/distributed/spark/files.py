"""Files of the driver that workers map into memory."""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from pyspark import SparkFiles
from pyspark.sql import SparkSession


def send_file(session: SparkSession, path: str | os.PathLike[str]) -> str:
    """Send a file to all workers of a session, and return its name there, with its digest and its size.

    Workers of classic Spark read a copy on the driver whenever they start, so that is kept until this process
    ends. A Spark Connect server has a copy of its own.
    """
    kept = kept_folder() / f"textbayes-{file_digest(path)}-{os.path.getsize(path)}.tb"
    if not kept.exists():
        _link(Path(path), kept)
    session.addArtifact(str(kept), file=True)
    return kept.name


def received(name: str) -> str:
    """Return the path, on a worker, of a file that was sent."""
    return SparkFiles.get(name)


def file_digest(path: str | os.PathLike[str]) -> str:
    """Return a digest of the contents of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "blake2b").hexdigest()[:32]


@cache
def kept_folder() -> Path:
    """Return a folder that is deleted when this process ends."""
    folder = tempfile.mkdtemp(prefix="textbayes-spark-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _link(path: Path, kept: Path) -> None:
    """Make a second name of a file, or a copy where that is impossible; all at once."""
    temporary = kept.with_suffix(f".{os.getpid()}-{os.urandom(4).hex()}")
    try:
        os.link(path, temporary)
    except OSError:
        shutil.copyfile(path, temporary)
    temporary.replace(kept)
