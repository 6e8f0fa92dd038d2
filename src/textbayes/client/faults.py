"""Answers that are errors → the errors of textbayes."""

from __future__ import annotations

from functools import cache

import httpx

from textbayes import errors
from textbayes.errors import ServerAnswerError, TextbayesError

# The only error whose import takes a second; servers do not send it.
_SLOW = "UnfittedError"


def error_of(answer: httpx.Response) -> TextbayesError:
    """Return the error that an answer tells.

    Parameters
    ----------
    answer : httpx.Response
        An answer whose status is 400 or more, with its body.

    Returns
    -------
    TextbayesError
        Of the class that the server raised. A code that this version does not know makes a TextbayesError
        with that code.

    Examples
    --------
    >>> import httpx
    >>> from textbayes.client.faults import error_of
    >>> told = {"code": "server-busy", "what": "Busy.", "why": "Limits.", "todo": "Try again."}
    >>> type(error_of(httpx.Response(503, json={"error": told}))).__name__
    'ServerBusyError'
    """
    try:
        told = answer.json()["error"]
        code, *said = (told[name] for name in ("code", "what", "why", "todo"))
    except (ValueError, TypeError, KeyError, RecursionError):
        said = []
    if not said or not all(isinstance(each, str) for each in (code, *said)):
        return ServerAnswerError(_url_of(answer), answer.status_code, _start_of(answer))
    return _kinds().get(code, TextbayesError).received(code, *said)


@cache
def _kinds() -> dict[str, type[TextbayesError]]:
    kinds = [getattr(errors, name) for name in errors.__all__ if name != _SLOW]
    return {kind.code: kind for kind in kinds}


def _url_of(answer: httpx.Response) -> str:
    try:
        return str(answer.url.copy_with(username=None, password=None, query=None))
    except RuntimeError:  # an answer without a request
        return "The server"


def _start_of(answer: httpx.Response) -> str:
    return answer.content[:200].decode("utf-8", "replace")
