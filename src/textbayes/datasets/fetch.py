"""Corpora from their public homes, or from a copy on disk, into the folder of corpora.

A file gets its final name only after it was checked; until then it is ``NAME.part`` beside it.
"""

from __future__ import annotations

import contextlib
import hashlib
import lzma
import os
import sys
import tarfile
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from textbayes.datasets.download import Patience, Progress, discard_part, download_file
from textbayes.datasets.home import data_home
from textbayes.datasets.registry import Archive, CorpusEntry, corpus_entry, find_archive
from textbayes.errors import (
    FetchBusyError,
    FetchChecksumError,
    FetchContentError,
    FetchSourceError,
    FetchStorageError,
    TextbayesError,
)

_CHUNK = 1 << 20
_MOST_BYTES = 1 << 30  # for a corpus whose size nobody published


@dataclass(frozen=True, slots=True)
class Fetched:
    """A corpus that is on this machine and was checked.

    Parameters
    ----------
    path : Path
        Where it is.
    sha256 : str
        The digest of its bytes.
    size : int
        Their number.
    check : {"checksum", "contents"}
        Whether the digest is a published one, or the archive was judged by what it holds.
    origin : str
        The address or path that it came from; its own path if it was there already.

    Examples
    --------
    >>> from pathlib import Path
    >>> from textbayes.datasets.fetch import Fetched
    >>> Fetched(Path("sector.tar.gz"), "e3b0…", 0, "contents", "sector.tar.gz").check
    'contents'
    """

    path: Path
    sha256: str
    size: int
    check: str
    origin: str


def fetch_corpus(
    name: str,
    *,
    home: str | os.PathLike[str] | None = None,
    source: str | os.PathLike[str] | None = None,
    url: str | None = None,
    progress: Progress | None = None,
) -> Path:
    """Fetch a corpus and return the path of its archive; one that is here already is only checked.

    Parameters
    ----------
    name : str
        A name from the table of corpora, such as ``"newsgroups"``.
    home : path, optional
        The folder that receives it; ``data_home()`` unless given.
    source : path, optional
        A copy on this machine to take instead of downloading. It is copied, never changed.
    url : str, optional
        Another address to download from, such as a mirror. What arrives is checked all the same. Not used
        when ``source`` is given.
    progress : callable, optional
        Called with the bytes that are here and the bytes that will be (None where the server does not
        say), as they arrive.

    Returns
    -------
    Path
        The archive. Its SHA-256 is the published one; for a corpus without a published checksum it opens
        and holds as many documents as the corpus has.

    Raises
    ------
    ParameterError
        If no corpus has that name.
    FetchNetworkError
        If no address could be reached, after several tries. What arrived is kept and the next call
        goes on from there, if the server can do that.
    FetchChecksumError, FetchContentError
        If something else than the corpus arrived. It is deleted.
    FetchSourceError, FetchStorageError
        If ``source`` cannot be read, or the folder cannot be written.
    ParameterError
        If ``url`` is not a web address.
    FetchBusyError
        If another process has been fetching the same corpus for ten minutes.

    Examples
    --------
    >>> from textbayes.datasets import fetch_corpus
    >>> fetch_corpus("newsgroup")
    Traceback (most recent call last):
        ...
    textbayes.errors.ParameterError: There is no corpus called 'newsgroup'. Did you mean 'newsgroups'?
    ...
    """
    return fetch_entry(corpus_entry(name), home=home, source=source, url=url, progress=progress).path


def fetch_entry(
    entry: CorpusEntry,
    *,
    home: str | os.PathLike[str] | None = None,
    source: str | os.PathLike[str] | None = None,
    url: str | None = None,
    progress: Progress | None = None,
    patience: Patience | None = None,
) -> Fetched:
    """Fetch a corpus and return all that was found out about it; see `fetch_corpus`.

    Examples
    --------
    >>> from textbayes.datasets.fetch import fetch_entry
    >>> from textbayes.datasets.registry import corpus_entry
    >>> fetch_entry(corpus_entry("webkb"), source="/nowhere/webkb.tar.xz")
    Traceback (most recent call last):
        ...
    textbayes.errors.FetchSourceError: /nowhere/webkb.tar.xz cannot be read: No such file or directory.
    ...
    """
    folder = data_home() if home is None else Path(home).expanduser().absolute()
    if source is not None:
        source = _readable(Path(source).expanduser())
    elif ready := _already_there(entry, folder):
        return ready
    patience = patience or Patience()
    with _locked(entry, folder, patience.lock):
        if source is not None:
            return _take_copy(entry, folder, source)
        urls = entry.urls if url is None else (url,)
        return _already_there(entry, folder) or _download(entry, folder, urls, patience, progress)


def _already_there(entry: CorpusEntry, folder: Path) -> Fetched | None:
    """Return the corpus if it is there; a file under its name with other contents does not count."""
    path = find_archive(entry, folder)
    try:
        return _examine(entry, path, str(path))[1] if path else None
    except (TextbayesError, OSError):
        return None


def _download(
    entry: CorpusEntry, folder: Path, urls: tuple[str, ...], patience: Patience, progress: Progress | None
) -> Fetched:
    part = folder / f"{entry.archive.file}.part"
    sizes = [archive.size for archive in entry.archives]
    most = max(size or _MOST_BYTES for size in sizes)
    if _is_whole(entry, part):  # an earlier run was ended between the last byte and the renaming
        return _place(entry, folder, part, str(part))
    origin = download_file(entry.name, urls, part, most, patience=patience, progress=progress)
    return _place(entry, folder, part, origin)


def _is_whole(entry: CorpusEntry, part: Path) -> bool:
    return part.is_file() and _digest(part) in entry.digests


def _take_copy(entry: CorpusEntry, folder: Path, source: Path) -> Fetched:
    # Beside the part of a download, which may still be resumed.
    part = folder / f"{entry.archive.file}.copy.part"
    try:
        _copy(source, part)
        return _place(entry, folder, part, str(source))
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def _place(entry: CorpusEntry, folder: Path, part: Path, origin: str) -> Fetched:
    """Check a part and give it its final name; delete it if it is not the corpus."""
    try:
        archive, found = _examine(entry, part, origin)
    except (FetchChecksumError, FetchContentError):
        discard_part(part)
        raise
    path = folder / archive.file
    with _storing(path):
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        os.replace(part, path)
        discard_part(part)
        _sync_folder(folder)
    return Fetched(path, found.sha256, found.size, found.check, origin)


def _examine(entry: CorpusEntry, path: Path, origin: str) -> tuple[Archive, Fetched]:
    """Tell which of a corpus's archives a file is, or raise if it is none of them."""
    digest, size = _digest(path), path.stat().st_size
    if archive := entry.digests.get(digest):
        return archive, Fetched(path, digest, size, "checksum", origin)
    if entry.archive.sha256 is not None:
        raise FetchChecksumError(entry.name, origin, digest, list(entry.digests))
    layout = entry.layout
    try:
        count = _count_documents(entry, path)
        found = f"{count:,} document files"
    except (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, OSError) as error:
        count, found = -1, f"no tar archive that can be read to its end ({error})"
    if not layout.accepts(count):
        bounds = f"{layout.fewest:,}" + (f" to {layout.most:,}" if layout.most > layout.fewest else "")
        raise FetchContentError(entry.name, origin, found, bounds, digest)
    return entry.archive, Fetched(path, digest, size, "contents", origin)


def _count_documents(entry: CorpusEntry, path: Path) -> int:
    # As a stream: members are passed over one by one, and nothing is ever unpacked.
    with tarfile.open(path, "r|*") as tar:
        return sum(member.isreg() and entry.layout.matches(member.name) for member in tar)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _readable(source: Path) -> Path:
    try:
        with source.open("rb"):
            pass
    except OSError as error:
        raise FetchSourceError(str(source), error.errno, error.strerror or str(error)) from error
    return source


def _copy(source: Path, part: Path) -> None:
    with _storing(part), source.open("rb") as given, part.open("wb") as file:
        while chunk := _read_source(given, source):
            file.write(chunk)


def _read_source(given: IO[bytes], source: Path) -> bytes:
    try:
        return given.read(_CHUNK)
    except OSError as error:
        raise FetchSourceError(str(source), error.errno, error.strerror or str(error)) from error


@contextlib.contextmanager
def _storing(path: Path) -> Iterator[None]:
    try:
        yield
    except TextbayesError:
        raise
    except OSError as error:
        raise FetchStorageError(str(path), error.errno, error.strerror or str(error)) from error


def _sync_folder(folder: Path) -> None:
    """Make a renaming survive a power cut, where the system can do that for a folder."""
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


@contextlib.contextmanager
def _locked(entry: CorpusEntry, folder: Path, patience: float) -> Iterator[None]:
    """Hold the corpus's lock, which the system releases when a process ends, however it ends."""
    path = folder / f".{entry.archive.file}.lock"
    with _storing(path):
        folder.mkdir(parents=True, exist_ok=True)
        file = path.open("ab")
    with file:
        deadline = time.monotonic() + patience
        while not _lock(file, path):
            if time.monotonic() > deadline:
                raise FetchBusyError(entry.name, patience, str(path))
            time.sleep(0.05)
        yield


def _lock(file: IO[bytes], path: Path) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # what the two systems say of a lock that is held
        return False
    except OSError as error:
        raise FetchStorageError(str(path), error.errno, error.strerror or str(error)) from error
    return True
