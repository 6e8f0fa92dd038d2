"""Bytes from a web address into a file, resumed where an earlier attempt stopped."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from email.message import Message
from importlib import metadata
from pathlib import Path
from typing import IO, Any

from textbayes.errors import FetchNetworkError, FetchStorageError, ParameterError, TextbayesError

Progress = Callable[[int, int | None], object]
"""Called with the bytes that are here and, where the server says it, the bytes that will be."""

_CHUNK = 1 << 16
_SLOWEST = 1024  # bytes a second, over a whole timeout; a line that drips is as good as dead
_PASSING = frozenset([408, 425, 429])  # with every 5xx: worth another try


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a download is given.

    Parameters
    ----------
    timeout : float
        Seconds without a byte, or at less than a kilobyte a second, after which a line is dead.
    attempts : int
        Tries for each address.
    pause : float
        Seconds before the second try; they double for each one after it.
    lock : float
        Seconds to wait for another process that is fetching the same corpus.

    Examples
    --------
    >>> from textbayes.datasets.download import Patience
    >>> Patience(attempts=1).timeout
    30.0
    """

    timeout: float = 30.0
    attempts: int = 4
    pause: float = 1.0
    lock: float = 600.0


class _PassingError(Exception):
    """Another try may help."""


class _LastingError(Exception):
    """Another try at this address will not help."""


def download_file(
    name: str,
    urls: Iterable[str],
    part: Path,
    most: int,
    *,
    patience: Patience,
    progress: Progress | None = None,
) -> str:
    """Download the first of several addresses that answers, and return that address.

    ``part`` receives the bytes; when it holds some from an earlier attempt at the same address, and the
    server still has the same file, only the rest is asked for. No more than ``most`` bytes are taken.
    """
    failures = []
    urls = [_checked_url(url) for url in urls]
    for url in urls:
        try:
            _try_repeatedly(url, part, most, patience, progress)
        except (_PassingError, _LastingError) as failure:
            failures.append(f"{url}: {failure}")
        else:
            return url
    kept = max(_resume_point(part, url)[0] for url in urls)
    if not kept:
        discard_part(part)
    raise FetchNetworkError(name, failures, kept)


def discard_part(part: Path) -> None:
    """Delete a partial file and what is remembered about it."""
    part.unlink(missing_ok=True)
    _memory(part).unlink(missing_ok=True)


def _checked_url(url: str) -> str:
    try:
        pieces = urllib.parse.urlsplit(url)
        known = pieces.scheme in {"http", "https"} and bool(pieces.hostname)
    except ValueError:
        known = False
    if not known:
        allowed = "a whole http:// or https:// address; for a file on this machine use --from FILE (source=)"
        raise ParameterError("url", url, allowed)
    return urllib.parse.quote(url, safe=":/?#[]@!$&'()*+,;=%~")


def _try_repeatedly(url: str, part: Path, most: int, patience: Patience, progress: Progress | None) -> None:
    for attempt in range(patience.attempts):
        try:
            return _try_once(url, part, most, patience.timeout, progress)
        except _PassingError as failure:
            last = failure
            if attempt + 1 < patience.attempts:
                time.sleep(patience.pause * 2**attempt)
    raise last


def _try_once(url: str, part: Path, most: int, timeout: float, progress: Progress | None) -> None:
    start, validator = _resume_point(part, url)
    headers = {"User-Agent": f"textbayes/{_version()}", "Accept-Encoding": "identity"}
    if start:
        headers |= {"Range": f"bytes={start}-", "If-Range": validator}
    try:
        with _OPENER.open(urllib.request.Request(url, headers=headers), timeout=timeout) as response:
            start, total = _agree(response, url, part, start, validator, most)
            _receive(response, part, start, total, most, timeout, progress)
    except TextbayesError:
        raise
    except urllib.error.HTTPError as error:
        _judge_refusal(error, part, start)
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        lasting = isinstance(reason, ssl.SSLCertVerificationError) or isinstance(error, ValueError)
        raise (_LastingError if lasting else _PassingError)(_in_words(reason)) from error


def _judge_refusal(error: urllib.error.HTTPError, part: Path, start: int) -> None:
    """Read an HTTP error: fatal, passing, or the news that the part was whole already."""
    with error:
        if error.code == 416 and start:
            if error.headers.get("Content-Range", "").strip() == f"bytes */{start}":
                return
            discard_part(part)
            raise _PassingError("the server has fewer bytes than an earlier attempt received") from error
        passing = error.code in _PASSING or error.code >= 500
        raise (_PassingError if passing else _LastingError)(
            f"HTTP {error.code} {error.reason}".strip()
        ) from error


def _agree(
    response: Any, url: str, part: Path, start: int, validator: str, most: int
) -> tuple[int, int | None]:
    """Return the offset at which the body starts and the length of the whole file, where it is known."""
    if response.status == 206 and start:
        first, total = _content_range(response.headers)
        if first != start or _validator(response.headers) not in {"", validator}:
            discard_part(part)
            raise _PassingError("the server sent another part of the file than was asked for")
    elif response.status == 200:
        start, total = 0, _content_length(response.headers)
        _start_over(part, url, _validator(response.headers))
    else:
        raise _LastingError(f"HTTP {response.status} instead of the file")
    if total is not None and total > most:
        raise _LastingError(f"{total:,} bytes are offered, the corpus has at most {most:,}")
    return start, total


def _receive(
    response: Any,
    part: Path,
    done: int,
    total: int | None,
    most: int,
    timeout: float,
    progress: Progress | None,
) -> None:
    report = progress or (lambda *_: None)
    window, before = time.monotonic(), done
    with _appending(part) as append:
        report(done, total)
        while chunk := _read(response):
            append(chunk)
            done += len(chunk)
            report(done, total)
            if done > most:
                break
            if (elapsed := time.monotonic() - window) > timeout:
                if done - before < _SLOWEST * elapsed:
                    raise _PassingError(f"only {done - before:,} bytes came in {elapsed:.0f} seconds")
                window, before = time.monotonic(), done
    if done > (most if total is None else total):
        discard_part(part)
        raise _LastingError(
            f"{done:,} bytes came, more than the {most if total is None else total:,} expected"
        )
    if total is not None and done != total:
        raise _PassingError(f"the connection ended after {done:,} of {total:,} bytes")


def _read(response: Any) -> bytes:
    # read1, because read would sit in a loop until a drip of bytes has filled the chunk.
    try:
        chunk: bytes = response.read1(_CHUNK)
    except (OSError, http.client.HTTPException) as error:
        raise _PassingError(_in_words(error)) from error
    return chunk


@contextlib.contextmanager
def _appending(part: Path) -> Iterator[Callable[[bytes], None]]:
    """Open the part; what it gives writes a chunk whole, or says that the disk does not take it."""
    with _writing(part):
        file = part.open("ab", buffering=0)

    def append(chunk: bytes) -> None:
        with _writing(part):
            rest = memoryview(chunk)
            while rest:
                rest = rest[file.write(rest) :]

    with file:
        yield append


@contextlib.contextmanager
def _writing(part: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        with contextlib.suppress(OSError):
            discard_part(part)
        raise FetchStorageError(str(part), error.errno, error.strerror or str(error)) from error


def _start_over(part: Path, url: str, validator: str) -> None:
    with _writing(part):
        part.write_bytes(b"")  # first, so that what is remembered never describes older bytes
        _memory(part).write_text(json.dumps({"url": url, "validator": validator}), encoding="utf-8")


def _resume_point(part: Path, url: str) -> tuple[int, str]:
    """Return how many bytes of ``url`` are here, and what the server must still have for them to count."""
    try:
        size = part.stat().st_size
        memory = json.loads(_memory(part).read_text(encoding="utf-8"))
        validator = str(memory["validator"])
    except (OSError, ValueError, LookupError, TypeError):
        return 0, ""
    return (size, validator) if memory["url"] == url and validator else (0, "")


def _memory(part: Path) -> Path:
    return part.with_name(part.name + ".json")


def _validator(headers: Message) -> str:
    """Return what tells one version of the file from another; a weak ETag may not be used for that."""
    etag = (headers.get("ETag") or "").strip()
    return etag if etag.startswith('"') else (headers.get("Last-Modified") or "").strip()


def _content_range(headers: Message) -> tuple[int | None, int | None]:
    found = re.fullmatch(r"bytes (\d+)-(\d+)/(\d+|\*)", (headers.get("Content-Range") or "").strip())
    if not found:
        return None, None
    return int(found[1]), int(found[2]) + 1 if found[3] == "*" else int(found[3])


def _content_length(headers: Message) -> int | None:
    length = (headers.get("Content-Length") or "").strip()
    return int(length) if length.isascii() and length.isdecimal() else None


def _in_words(reason: object) -> str:
    if isinstance(reason, TimeoutError):
        return "no answer in time"
    strerror = getattr(reason, "strerror", None)
    return str(strerror or reason or type(reason).__name__)


def _version() -> str:
    try:
        return metadata.version("textbayes")
    except metadata.PackageNotFoundError:  # run from a checkout
        return "0"


class _NoDowngrade(urllib.request.HTTPRedirectHandler):
    """Follow redirects, though never from https to http: that would give up what https was for."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        if req.full_url.startswith("https:") and not newurl.startswith("https:"):
            raise _LastingError(f"it redirects from https to {newurl}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


_OPENER = urllib.request.build_opener(_NoDowngrade)
