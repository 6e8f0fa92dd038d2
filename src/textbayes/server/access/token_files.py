"""The tokens of a server: those of a file, read again when it changes, and those of the environment."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from textbayes.errors import FileMissingError, FileReadError, TextbayesError, TokenFileError
from textbayes.persistence import parse_json, write_lock
from textbayes.persistence.replacing import replacing
from textbayes.server.access.tokens import Token, find_token
from textbayes.server.settings import Log, Settings

_LOOK_SECONDS = 1.0


class TokenFile:
    """A JSON file of tokens. It has no secrets, only their hashes.

    Parameters
    ----------
    path : path
        The file.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def read(self) -> list[Token]:
        """Return the tokens.

        Raises
        ------
        FileMissingError, FileReadError, TokenFileError
            If there is no file, or its contents are not tokens.
        """
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise FileMissingError(str(self.path), ()) from None
        except (OSError, UnicodeDecodeError) as error:
            raise FileReadError(str(self.path), None, str(error)) from error
        return parse_tokens(text, str(self.path))

    def write(self, tokens: Sequence[Token]) -> None:
        """Replace the file; only its owner may read it."""
        contents = json.dumps({"tokens": [token.to_dict() for token in tokens]}, indent=2, ensure_ascii=False)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(self.path) as file:
            os.chmod(file.fileno() if os.chmod in os.supports_fd else file.name, 0o600)
            file.write(contents.encode() + b"\n")

    def lock(self, wait: float = 10.0) -> AbstractContextManager[Any]:
        """Keep others from changing the file."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return write_lock(self.path, wait)

    def status(self) -> tuple[int, ...] | None:
        """Return what differs between two versions of the file."""
        try:
            found = os.stat(self.path)
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns


def parse_tokens(text: str, name: str) -> list[Token]:
    """Return the tokens of a JSON document.

    Raises
    ------
    TokenFileError
        If it does not hold tokens.
    """
    try:
        found = parse_json(text)
        if not isinstance(found, dict) or not isinstance(found.get("tokens"), list):
            raise ValueError('it is not an object with a list "tokens"')
        tokens = [Token.from_dict(each) for each in found["tokens"] if isinstance(each, dict)]
        if len(tokens) < len(found["tokens"]):
            raise ValueError("a token is not an object")
    except (ValueError, RecursionError) as error:
        problem = error.what if isinstance(error, TextbayesError) else str(error)
        raise TokenFileError(name, problem.rstrip(".")) from None
    if len({token.name for token in tokens}) < len(tokens):
        raise TokenFileError(name, "two tokens have the same name")
    return tokens


class Tokens:
    """The tokens that a server accepts.

    The file is looked at once a second, while requests come, and read again if it has changed. If it cannot
    be read then, the tokens stay as they were and the log says why.

    Parameters
    ----------
    file : TokenFile, optional
        The file.
    fixed : sequence of Token
        Tokens beside it.
    log : function
        Called with a failure.
    """

    def __init__(
        self,
        file: TokenFile | None,
        fixed: Sequence[Token],
        log: Log,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._file, self._fixed, self._log, self._clock = file, tuple(fixed), log, clock
        self._status = None if file is None else file.status()
        self._all = (*self._fixed, *(() if file is None else file.read()))
        self._looked = clock()

    @classmethod
    def of(cls, settings: Settings) -> Tokens | None:
        """Return the tokens of a server, or None if it has no tokens."""
        if settings.tokens is None and settings.token_entries is None:
            return None
        file = None if settings.tokens is None else TokenFile(settings.tokens)
        entries = settings.token_entries
        return cls(file, () if entries is None else parse_tokens(entries, "TEXTBAYES_TOKENS"), settings.log)

    def find(self, secret: str) -> Token | None:
        """Return the token with a secret, or None if there is none or it has expired."""
        self._look()
        return find_token(self._all, secret, datetime.now(UTC))

    def _look(self) -> None:
        now = self._clock()
        if self._file is None or now - self._looked < _LOOK_SECONDS:
            return
        self._looked = now
        status = self._file.status()
        if status == self._status:
            return
        self._status = status
        try:
            self._all = (*self._fixed, *self._file.read())
        except TextbayesError as error:
            message = f"The tokens stay as they were: {error}"
            self._log({"event": "failure", "code": error.code, "message": message})
