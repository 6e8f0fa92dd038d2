"""Corpora that are not there or cannot be fetched."""

from __future__ import annotations

import errno
from collections.abc import Iterable

from textbayes.errors.base import TextbayesError


class CorpusMissingError(TextbayesError, FileNotFoundError):
    """A known corpus is not on this machine."""

    code = "corpus-missing"

    def __init__(self, name: str, looked: Iterable[str]) -> None:
        looked = list(looked)
        self.corpus = name
        super().__init__(
            f"The corpus {name!r} is not on this machine.",
            f"Looked for: {', '.join(looked)}.",
            f"Run `textbayes data fetch {name}`, pass path=…, or set TEXTBAYES_DATA to the folder it is in.",
        )
        self.errno, self.strerror, self.filename = errno.ENOENT, self.what, looked[0] if looked else None


class FetchNetworkError(TextbayesError, ConnectionError):
    """A download failed."""

    code = "fetch-network"

    def __init__(self, name: str, failures: Iterable[str], kept: int = 0) -> None:
        failures = list(failures)
        super().__init__(
            f"The corpus {name!r} could not be downloaded: {'; '.join(failures)}.",
            f"Kept {kept:,} bytes: the next run continues from there." if kept else "Nothing was written.",
            "Try again later; or download it another way and pass it with --from FILE (source= in Python).",
        )
        # OSError's own constructor would take the facts for errno and strerror.
        self.errno, self.strerror, self.filename = None, self.what, None


class FetchContentError(TextbayesError, ValueError):
    """A file is not the corpus: its checksum or its contents differ."""

    code = "fetch-content"

    def __init__(self, name: str, origin: str, found: str, expected: str) -> None:
        super().__init__(
            f"{origin} is not the corpus {name!r}: found {found}, expected {expected}.",
            "A file that was cut, edited or swapped would change every figure measured on it.",
            "Nothing was kept. Fetch it again, from another place if this happens twice.",
        )


class FetchBusyError(TextbayesError, TimeoutError):
    """Another process has been fetching the same corpus for too long."""

    code = "fetch-busy"

    def __init__(self, name: str, seconds: float, lock: str) -> None:
        super().__init__(
            f"Another process is fetching {name!r}; waited {seconds:g} seconds for it.",
            "Two downloads into one file would mix their bytes.",
            f"Wait for it, or stop it; the lock {lock} is released when it ends.",
        )
        self.errno, self.strerror, self.filename = None, self.what, lock
