"""Download a file, with retries, and resume interrupted downloads."""

from __future__ import annotations

import http.client
import re
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from typing import IO, Any

from textbayes.datasets.partial import append_to_part, discard_part, resume_point, start_part
from textbayes.errors import FetchNetworkError, ParameterError, TextbayesError
from textbayes.persistence import package_version

Progress = Callable[[int, int | None], object]
"""Called with the number of bytes received and the total, or None if the server does not send it."""

_CHUNK = 1 << 16
_MIN_BYTES_PER_SECOND = 1024  # over a whole timeout; a slower connection counts as dead
_TRANSIENT_STATUS = frozenset([408, 425, 429])  # and every 5xx: worth a retry


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Timeouts and retries of a download.

    Parameters
    ----------
    timeout : float
        Give up a connection after this many seconds without a byte, or at less than a kilobyte per second.
    attempts : int
        The number of tries for each address.
    pause : float
        The seconds before the second try; doubled before each further one.
    lock : float
        The seconds to wait for another process that fetches the same corpus.

    Examples
    --------
    >>> from textbayes.datasets.download import RetryPolicy
    >>> RetryPolicy(attempts=1).timeout
    30.0
    """

    timeout: float = 30.0
    attempts: int = 4
    pause: float = 1.0
    lock: float = 600.0


class _TransientError(Exception):
    """A failure that a retry may fix."""


class _PermanentError(Exception):
    """A failure that a retry at this address cannot fix."""


def download_file(
    name: str,
    urls: Iterable[str],
    part: Path,
    most: int,
    *,
    retries: RetryPolicy,
    progress: Progress | None = None,
) -> str:
    """Download from the first of several addresses that works, and return that address.

    ``part`` receives the bytes. If it holds some from an earlier attempt at the same address, and the server
    still has the same file, only the rest is requested. At most ``most`` bytes are accepted.
    """
    failures = []
    urls = [_checked_url(url) for url in urls]
    for url in urls:
        try:
            _try_repeatedly(url, part, most, retries, progress)
        except (_TransientError, _PermanentError) as failure:
            failures.append(f"{url}: {failure}")
        else:
            return url
    received = max(resume_point(part, url)[0] for url in urls)
    if not received:
        discard_part(part)
    raise FetchNetworkError(name, failures, received)


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


def _try_repeatedly(url: str, part: Path, most: int, retries: RetryPolicy, progress: Progress | None) -> None:
    for attempt in range(retries.attempts):
        try:
            return _try_once(url, part, most, retries.timeout, progress)
        except _TransientError as failure:
            last = failure
            if attempt + 1 < retries.attempts:
                time.sleep(retries.pause * 2**attempt)
    raise last


def _try_once(url: str, part: Path, most: int, timeout: float, progress: Progress | None) -> None:
    start, validator = resume_point(part, url)
    headers = {"User-Agent": f"textbayes/{package_version()}", "Accept-Encoding": "identity"}
    if start:
        headers |= {"Range": f"bytes={start}-", "If-Range": validator}
    try:
        with _OPENER.open(urllib.request.Request(url, headers=headers), timeout=timeout) as response:
            start, total = _check_response(response, url, part, start, validator, most)
            _receive(response, part, start, total, most, timeout, progress)
    except TextbayesError:
        raise
    except urllib.error.HTTPError as error:
        _handle_http_error(error, part, start)
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        permanent = isinstance(reason, ssl.SSLCertVerificationError) or isinstance(error, ValueError)
        raise (_PermanentError if permanent else _TransientError)(_describe(reason)) from error


def _handle_http_error(error: urllib.error.HTTPError, part: Path, start: int) -> None:
    """Raise for an HTTP error, unless it means that the part is already complete."""
    with error:
        if error.code == 416 and start:
            if error.headers.get("Content-Range", "").strip() == f"bytes */{start}":
                return
            discard_part(part)
            raise _TransientError("the server has fewer bytes than an earlier attempt received") from error
        transient = error.code in _TRANSIENT_STATUS or error.code >= 500
        raise (_TransientError if transient else _PermanentError)(
            f"HTTP {error.code} {error.reason}".strip()
        ) from error


def _check_response(
    response: Any, url: str, part: Path, start: int, validator: str, most: int
) -> tuple[int, int | None]:
    """Return the offset at which the body starts, and the length of the whole file if known."""
    if response.status == 206 and start:
        first, total = _content_range(response.headers)
        if first != start or _validator(response.headers) not in {"", validator}:
            discard_part(part)
            raise _TransientError("the server sent another part of the file than was asked for")
    elif response.status == 200:
        start, total = 0, _content_length(response.headers)
        start_part(part, url, _validator(response.headers))
    else:
        raise _PermanentError(f"HTTP {response.status} instead of the file")
    if total is not None and total > most:
        raise _PermanentError(f"{total:,} bytes are offered, the corpus has at most {most:,}")
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
    with append_to_part(part) as append:
        report(done, total)
        while chunk := _read(response):
            append(chunk)
            done += len(chunk)
            report(done, total)
            if done > most:
                break
            if (elapsed := time.monotonic() - window) > timeout:
                if done - before < _MIN_BYTES_PER_SECOND * elapsed:
                    raise _TransientError(f"only {done - before:,} bytes came in {elapsed:.0f} seconds")
                window, before = time.monotonic(), done
    if done > (most if total is None else total):
        discard_part(part)
        raise _PermanentError(
            f"{done:,} bytes came, more than the {most if total is None else total:,} expected"
        )
    if total is not None and done != total:
        raise _TransientError(f"the connection ended after {done:,} of {total:,} bytes")


def _read(response: Any) -> bytes:
    # read1 returns what has arrived; read would wait until a slow connection fills the chunk.
    try:
        chunk: bytes = response.read1(_CHUNK)
    except (OSError, http.client.HTTPException) as error:
        raise _TransientError(_describe(error)) from error
    return chunk


def _validator(headers: Message) -> str:
    """Return the version of the file: a strong ETag, or the date of its last change."""
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


def _describe(reason: object) -> str:
    if isinstance(reason, TimeoutError):
        return "no answer in time"
    strerror = getattr(reason, "strerror", None)
    return str(strerror or reason or type(reason).__name__)


class _NoDowngrade(urllib.request.HTTPRedirectHandler):
    """Follow redirects, but never from https to http."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        if req.full_url.startswith("https:") and not newurl.startswith("https:"):
            raise _PermanentError(f"it redirects from https to {newurl}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


_OPENER = urllib.request.build_opener(_NoDowngrade)
