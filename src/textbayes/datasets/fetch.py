"""Fetch corpora from their public addresses, or from a local copy, into the folder of corpora.

A file gets its final name only after it is checked; until then it is ``NAME.part`` in the same folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import lzma
import os
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from textbayes.datasets.download import Progress, RetryPolicy, download_file
from textbayes.datasets.home import HOME_SETTING, data_home
from textbayes.datasets.lock import hold_lock
from textbayes.datasets.partial import discard_part
from textbayes.datasets.registry import Archive, CorpusEntry, corpus_entry, find_archive
from textbayes.errors import (
    FetchContentError,
    FileReadError,
    FileWriteError,
    TextbayesError,
)
from textbayes.persistence.replacing import flush_folder

_CHUNK = 1 << 20
_MAX_BYTES = 1 << 30  # for a corpus of unknown size


@dataclass(frozen=True, slots=True)
class Fetched:
    """A corpus that was fetched and checked.

    Parameters
    ----------
    path : Path
        The archive.
    sha256 : str
        The digest of the archive.
    size : int
        The size of the archive in bytes.
    check : {"checksum", "contents"}
        Whether the archive was checked by a known digest or by its contents.
    origin : str
        The address or path that it came from; its own path if it was already fetched.

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
    """Fetch a corpus and return the path of its archive; if already fetched, only check it.

    Parameters
    ----------
    name : str
        A name from the table of corpora, such as ``"newsgroups"``.
    home : path, optional
        The folder for the archive; by default ``data_home()``.
    source : path, optional
        A local copy to use instead of downloading. It is copied, never changed.
    url : str, optional
        Another address to download from, such as a mirror. The file is checked all the same. Ignored if
        ``source`` is given.
    progress : callable, optional
        Called with the number of bytes received and the total, or None if the server does not send it.

    Returns
    -------
    Path
        The archive. Its SHA-256 is the published one; without a published checksum, the archive is readable
        and has as many documents as the corpus.

    Raises
    ------
    ParameterError
        If no corpus has that name.
    FetchNetworkError
        If every address failed after several tries. The next call resumes the download if the server
        supports it.
    FetchContentError, FetchContentError
        If the file is not the corpus. It is deleted.
    FileReadError, FileWriteError
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
    textbayes.errors.ParameterError: corpus='newsgroup' is not an option. Did you mean 'newsgroups'?
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
    retries: RetryPolicy | None = None,
) -> Fetched:
    """Fetch a corpus and return the facts about its archive; see `fetch_corpus`.

    Examples
    --------
    >>> from textbayes.datasets.fetch import fetch_entry
    >>> from textbayes.datasets.registry import corpus_entry
    >>> fetch_entry(corpus_entry("webkb"), source="/nowhere/webkb.tar.xz")
    Traceback (most recent call last):
        ...
    textbayes.errors.FileReadError: /nowhere/webkb.tar.xz cannot be read (No such file or directory).
    ...
    """
    folder = data_home() if home is None else Path(home).expanduser().absolute()
    if source is not None:
        source = _readable(Path(source).expanduser())
    elif fetched := _already_fetched(entry, folder):
        return fetched
    retries = retries or RetryPolicy()
    with hold_lock(entry.name, folder / f".{entry.archive.file}.lock", retries.lock):
        if source is not None:
            return _take_copy(entry, folder, source)
        urls = entry.urls if url is None else (url,)
        return _already_fetched(entry, folder) or _download(entry, folder, urls, retries, progress)


def _already_fetched(entry: CorpusEntry, folder: Path) -> Fetched | None:
    """Return the corpus if the folder has it; a file of the same name with other contents does not count."""
    path = find_archive(entry, folder)
    try:
        return _examine(entry, path, str(path))[1] if path else None
    except (TextbayesError, OSError):
        return None


def _download(
    entry: CorpusEntry, folder: Path, urls: tuple[str, ...], retries: RetryPolicy, progress: Progress | None
) -> Fetched:
    part = folder / f"{entry.archive.file}.part"
    sizes = [archive.size for archive in entry.archives]
    most = max(size or _MAX_BYTES for size in sizes)
    if _is_complete(entry, part):  # an earlier run was stopped before it renamed the file
        return _place(entry, folder, part, str(part))
    origin = download_file(entry.name, urls, part, most, retries=retries, progress=progress)
    return _place(entry, folder, part, origin)


def _is_complete(entry: CorpusEntry, part: Path) -> bool:
    return part.is_file() and _digest(part) in entry.digests


def _take_copy(entry: CorpusEntry, folder: Path, source: Path) -> Fetched:
    # Not the part of a download, which may still be resumed.
    part = folder / f"{entry.archive.file}.copy.part"
    try:
        _copy(source, part)
        return _place(entry, folder, part, str(source))
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def _place(entry: CorpusEntry, folder: Path, part: Path, origin: str) -> Fetched:
    """Check a part and rename it to its final name; delete it if it is not the corpus."""
    try:
        archive, found = _examine(entry, part, origin)
    except FetchContentError:
        discard_part(part)
        raise
    path = folder / archive.file
    with _storing(path):
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        os.replace(part, path)
        discard_part(part)
        flush_folder(folder)
    return Fetched(path, found.sha256, found.size, found.check, origin)


def _examine(entry: CorpusEntry, path: Path, origin: str) -> tuple[Archive, Fetched]:
    """Return which archive of a corpus a file is, or raise if it is not one."""
    digest, size = _digest(path), path.stat().st_size
    if archive := entry.digests.get(digest):
        return archive, Fetched(path, digest, size, "checksum", origin)
    if entry.archive.sha256 is not None:
        raise FetchContentError(entry.name, origin, f"SHA-256 {digest}", " or ".join(entry.digests))
    layout = entry.layout
    try:
        count = _count_documents(entry, path)
        found = f"{count:,} document files"
    except (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, OSError) as error:
        count, found = -1, f"no tar archive that can be read to its end ({error})"
    if not layout.accepts(count):
        bounds = f"{layout.fewest:,}" + (f" to {layout.most:,}" if layout.most > layout.fewest else "")
        raise FetchContentError(entry.name, origin, f"{found} (SHA-256 {digest})", bounds)
    return entry.archive, Fetched(path, digest, size, "contents", origin)


def _count_documents(entry: CorpusEntry, path: Path) -> int:
    # As a stream: nothing is unpacked.
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
        raise FileReadError(str(source), error.errno, error.strerror or str(error)) from error
    return source


def _copy(source: Path, part: Path) -> None:
    with _storing(part), source.open("rb") as given, part.open("wb") as file:
        while chunk := _read_source(given, source):
            file.write(chunk)


def _read_source(given: IO[bytes], source: Path) -> bytes:
    try:
        return given.read(_CHUNK)
    except OSError as error:
        raise FileReadError(str(source), error.errno, error.strerror or str(error)) from error


@contextlib.contextmanager
def _storing(path: Path) -> Iterator[None]:
    try:
        yield
    except TextbayesError:
        raise
    except OSError as error:
        raise FileWriteError(str(path), error.errno, error.strerror or str(error), HOME_SETTING) from error
