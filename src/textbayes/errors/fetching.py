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
    """A download failed: no connection, a refusal, or a line that went dead."""

    code = "fetch-network"

    def __init__(self, name: str, failures: Iterable[str], kept: int = 0) -> None:
        failures = list(failures)
        super().__init__(
            f"The corpus {name!r} could not be downloaded: {'; '.join(failures)}.",
            f"Kept {kept:,} bytes: the next run goes on from there." if kept else "Nothing was written.",
            "Try again later; or download it another way and pass it with --from FILE (source= in Python).",
        )
        # OSError's own constructor would take the facts for errno and strerror.
        self.errno, self.strerror, self.filename = None, self.what, None


class FetchChecksumError(TextbayesError, ValueError):
    """A file's bytes are not those of the corpus."""

    code = "fetch-checksum"

    def __init__(self, name: str, origin: str, actual: str, expected: Iterable[str]) -> None:
        wanted = " or ".join(expected)
        super().__init__(
            f"{origin} is not the corpus {name!r}: its SHA-256 is {actual}, expected {wanted}.",
            "A file that was cut, edited or swapped would change every number measured on it.",
            "Nothing was kept. Fetch it again, from another place if this happens twice.",
        )


class FetchContentError(TextbayesError, ValueError):
    """An archive without a published checksum does not hold what the corpus holds."""

    code = "fetch-content"

    def __init__(self, name: str, origin: str, found: str, expected: str, sha256: str) -> None:
        super().__init__(
            f"{origin} is not the corpus {name!r}: it holds {found}, expected {expected} (SHA-256 {sha256}).",
            "No checksum of this corpus is published, so the archive is judged by what is in it.",
            "Nothing was kept. Fetch it again, from another place if this happens twice.",
        )


class FetchStorageError(TextbayesError, OSError):
    """The folder of corpora cannot be written."""

    code = "fetch-storage"

    def __init__(self, path: str, number: int | None, reason: str) -> None:
        super().__init__(
            f"{path} cannot be written: {reason}.",
            "Corpora are kept on disk, so that they are downloaded once.",
            "Free some space or choose another folder with --home DIR or the variable TEXTBAYES_DATA.",
        )
        self.errno, self.strerror, self.filename = number, self.what, path


class FetchSourceError(TextbayesError, OSError):
    """A copy named by the user cannot be read."""

    code = "fetch-source"

    def __init__(self, path: str, number: int | None, reason: str) -> None:
        super().__init__(
            f"{path} cannot be read: {reason}.",
            "It was named as the copy to take the corpus from.",
            "Name the archive itself, not a folder, and check that you may read it.",
        )
        self.errno, self.strerror, self.filename = number, self.what, path


class FetchBusyError(TextbayesError, TimeoutError):
    """Another process has been fetching the same corpus for too long."""

    code = "fetch-busy"

    def __init__(self, name: str, seconds: float, lock: str) -> None:
        super().__init__(
            f"Another process is fetching {name!r}; waited {seconds:g} seconds for it.",
            "Two downloads into one file would mix their bytes.",
            f"Let it finish, or end it; the lock {lock} is released when it ends.",
        )
        self.errno, self.strerror, self.filename = None, self.what, lock
