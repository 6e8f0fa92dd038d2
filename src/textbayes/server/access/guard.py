"""The guard: finds the token of each request, and counts the requests of its owner."""

from __future__ import annotations

import base64
import binascii
import math

from starlette.types import ASGIApp, Receive, Scope, Send

from textbayes.errors import RateLimitError, TextbayesError, TokenMissingError, TokenRefusedError
from textbayes.server.access.rates import Rates
from textbayes.server.access.token_files import Tokens
from textbayes.server.access.tokens import Token
from textbayes.server.replies import error_reply

# What says nothing about a model: probes, and the page, which then asks for a token.
_OPEN = frozenset({"/", "/health", "/openapi.json", "/v2/health/live", "/v2/health/ready"})


class Guard:
    """Refuse requests without a valid token, and those of who sends too many.

    Parameters
    ----------
    app : ASGI application
        What gets the other requests, with the token in their state.
    tokens : Tokens, optional
        The tokens; None if everybody may send requests.
    rates : Rates, optional
        The limit on requests.
    """

    def __init__(self, app: ASGIApp, tokens: Tokens | None, rates: Rates | None) -> None:
        self.app, self.tokens, self.rates = app, tokens, rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "http":
            state = scope.setdefault("state", {})
            try:
                token = self._token(scope)
                state["token"], state["guarded"] = token, self.tokens is not None
                self._count(scope, token)
            except TextbayesError as error:
                state["error"] = error.code
                return await error_reply(error, _headers(error, scope))(scope, receive, send)
        return await self.app(scope, receive, send)

    def _token(self, scope: Scope) -> Token | None:
        if self.tokens is None:
            return None
        secret = _secret(_header(scope, b"authorization"))
        if secret is None:
            if scope["path"] in _OPEN or scope["path"].startswith("/page/"):
                return None
            self._count(scope, None)
            raise TokenMissingError
        token = self.tokens.find(secret)
        if token is None:
            self._count(scope, None)
            raise TokenRefusedError
        return token

    def _count(self, scope: Scope, token: Token | None) -> None:
        if self.rates is None:
            return
        address = (scope.get("client") or ("",))[0]
        wait = self.rates.wait(("address", address) if token is None else ("token", token.name))
        if wait:
            raise RateLimitError(self.rates.rate, wait)


def token_of(scope: Scope) -> Token | None:
    """Return the token of a request that the guard has passed on, or None if there is none."""
    token: Token | None = scope.get("state", {}).get("token")
    return token


def _header(scope: Scope, name: bytes) -> bytes:
    return next((value for key, value in scope["headers"] if key == name), b"")


def _secret(header: bytes) -> str | None:
    """Return the secret of an Authorization header: a bearer token, or the password of a login."""
    scheme, _, value = header.strip().partition(b" ")
    if scheme.lower() == b"bearer":
        return value.strip().decode("latin-1") or None
    if scheme.lower() == b"basic":
        try:
            _user, _, password = base64.b64decode(value.strip(), validate=True).partition(b":")
        except binascii.Error:
            return None
        return password.decode("latin-1") or None
    return None


def _headers(error: TextbayesError, scope: Scope) -> dict[str, str]:
    if isinstance(error, RateLimitError):
        return {"Retry-After": str(max(1, math.ceil(error.seconds)))}
    challenge = 'Bearer realm="textbayes"'
    # A browser asks for a password if it sees "Basic"; a page that sends requests itself asks on its own.
    if _header(scope, b"sec-fetch-dest") != b"empty":
        challenge += ', Basic realm="textbayes", charset="UTF-8"'
    return {"WWW-Authenticate": challenge}
