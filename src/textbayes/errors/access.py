"""Requests that a server does not allow: tokens, rights and rates."""

from __future__ import annotations

import errno

from textbayes.errors.base import TextbayesError, shown


class TokenMissingError(TextbayesError, PermissionError):
    """A request has no token, and the server demands one."""

    code = "token-missing"

    def __init__(self) -> None:
        super().__init__(
            "The request has no token.",
            "This server answers only to those who have one.",
            "Send the header `Authorization: Bearer TOKEN`, or the token as the password of a browser's "
            "login.",
        )
        self.errno, self.strerror = errno.EACCES, self.what


class TokenRefusedError(TextbayesError, PermissionError):
    """A request has a token that the server does not know."""

    code = "token-refused"

    def __init__(self) -> None:
        super().__init__(
            "The server does not know the token of the request, or the token has expired.",
            "Only tokens that the administrator made are valid.",
            "Check the token, or ask the administrator for a new one: `textbayes token`.",
        )
        self.errno, self.strerror = errno.EACCES, self.what


class RightMissingError(TextbayesError, PermissionError):
    """A token does not have the right that a request needs."""

    code = "right-missing"

    def __init__(self, right: str, model: str | None = None) -> None:
        where = f" for the model {shown(model)}" if model else ""
        super().__init__(
            f"The token does not have the right {shown(right)}{where}.",
            "Reading, teaching and administration are separate rights. Nothing was changed.",
            "Use a token with this right, or ask the administrator for one.",
        )
        self.errno, self.strerror = errno.EPERM, self.what


class RateLimitError(TextbayesError, RuntimeError):
    """A token sent more requests than it may.

    Parameters
    ----------
    limit : float
        Requests a second.
    seconds : float
        When to try again.
    """

    code = "rate-limit"

    def __init__(self, limit: float, seconds: float) -> None:
        super().__init__(
            f"This token may send {limit:g} requests a second on average, and sent more.",
            "A limit keeps one user from slowing the server down for all others.",
            f"Try again in {seconds:.3g} seconds, or send many texts in one request.",
        )
        self.seconds = seconds


class TokenFileError(TextbayesError, ValueError):
    """A file of tokens, or the environment variable in its place, does not hold tokens."""

    code = "token-file"

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(
            f"{shown(name, 200)} does not hold tokens: {shown(problem, 200)[1:-1]}.",
            "A server that cannot read its tokens would let in nobody, or everybody.",
            "Make the file with `textbayes token new`, or restore it.",
        )


class TokensNeededError(TextbayesError, ValueError):
    """A server would be open to everybody who can reach its address."""

    code = "tokens-needed"

    def __init__(self, host: str) -> None:
        super().__init__(
            f"Other machines can reach {host}, and the server has no tokens.",
            "Everybody on the network could read its texts and change its models.",
            "Make a token with `textbayes token new NAME --tokens FILE` and pass --tokens FILE; or pass "
            "--without-tokens if a proxy in front of it checks who may ask.",
        )
