"""Tokens: a random secret that its owner has, and the hash of it that the server has."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, Self, TypeAlias

from textbayes.errors import ParameterError

Right: TypeAlias = Literal["read", "teach", "admin"]
RIGHTS: tuple[Right, ...] = ("read", "teach", "admin")
"""The rights. Each includes those before it."""

_PREFIX = "tb_"
_DIGEST = re.compile(r"[0-9a-f]{64}")
_NAME = re.compile(r"[\w.@+-][\w.@+ -]{0,99}")


def new_secret() -> str:
    """Return a new secret of 256 random bits."""
    return _PREFIX + secrets.token_urlsafe(32)


def digest_of(secret: str) -> str:
    """Return the hash of a secret. It needs no salt: 256 random bits cannot be guessed.

    Examples
    --------
    >>> from textbayes.server.access.tokens import digest_of
    >>> digest_of("tb_…")[:8]
    '90dc0a27'
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


@dataclass(frozen=True, slots=True)
class Token:
    """What a server knows about a token.

    Parameters
    ----------
    name : str
        Whose it is. Changes are logged under this name.
    digest : str
        The SHA-256 hash of the secret, in hexadecimal digits.
    right : {"read", "teach", "admin"}
        What its owner may do.
    models : tuple of str, optional
        The models that it is for; by default all.
    expires : datetime, optional
        When it ends.

    Examples
    --------
    >>> from textbayes.server.access.tokens import Token, digest_of
    >>> token = Token("ann", digest_of("tb_…"), "teach", models=("mail",))
    >>> token.may("read", "mail"), token.may("admin", "mail"), token.may("read", "news")
    (True, False, False)
    """

    name: str
    digest: str
    right: Right = "read"
    models: tuple[str, ...] | None = None
    expires: datetime | None = None

    def __post_init__(self) -> None:
        """Check the facts."""
        if not _NAME.fullmatch(self.name) or self.name.endswith(" "):
            raise ParameterError("name", self.name, "up to 100 letters, digits, spaces and any of . @ + - _")
        if self.right not in RIGHTS:
            raise ParameterError("right", self.right, RIGHTS)
        if not _DIGEST.fullmatch(self.digest):
            raise ParameterError("sha256", "…", "64 hexadecimal digits, from `textbayes token new`")

    def may(self, right: Right, model: str | None) -> bool:
        """Return whether it has a right for a model; None for the server as a whole."""
        if RIGHTS.index(self.right) < RIGHTS.index(right):
            return False
        return self.models is None or (model is not None and model in self.models)

    def is_valid(self, now: datetime) -> bool:
        """Return whether it has not expired."""
        return self.expires is None or now < self.expires

    def to_dict(self) -> dict[str, Any]:
        """Return values for JSON."""
        return {
            "name": self.name,
            "sha256": self.digest,
            "right": self.right,
            "models": None if self.models is None else list(self.models),
            "expires": None if self.expires is None else self.expires.isoformat(timespec="seconds"),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return a token from values of JSON.

        Raises
        ------
        ValueError
            If the values are those of no token.
        """
        unknown = set(values) - {"name", "sha256", "right", "models", "expires"}
        if unknown:
            raise ValueError(f"a token has no field {sorted(unknown)[0]!r}")
        name, digest, right = (values.get(key) for key in ("name", "sha256", "right"))
        models, expires = values.get("models"), values.get("expires")
        if not (isinstance(name, str) and isinstance(digest, str) and isinstance(right, str)):
            raise ValueError("a token has the strings name, sha256 and right")
        if models is not None and not (isinstance(models, list) and all(isinstance(m, str) for m in models)):
            raise ValueError("models is a list of names, or null for all")
        if expires is not None and not isinstance(expires, str):
            raise ValueError("expires is a time, or null")
        ends = None if expires is None else datetime.fromisoformat(expires)
        if ends is not None and ends.tzinfo is None:
            ends = ends.replace(tzinfo=UTC)
        return cls(name, digest, right, None if models is None else tuple(models), ends)  # type: ignore[arg-type]


def find_token(tokens: Iterable[Token], secret: str, now: datetime) -> Token | None:
    """Return the token with a secret, or None.

    All tokens are compared, each in constant time, so the time does not say which one was close.
    """
    digest, found = digest_of(secret), None
    for token in tokens:
        if hmac.compare_digest(token.digest, digest):
            found = token
    return found if found is not None and found.is_valid(now) else None
