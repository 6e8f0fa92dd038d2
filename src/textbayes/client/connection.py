"""Connection: sends requests to a server, and sends them again while it is busy or out of reach."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import httpx

from textbayes.client.faults import error_of
from textbayes.errors import ParameterError, ServerAnswerError, ServerUnreachableError
from textbayes.errors.checks import check_number, check_whole

_AGAIN = (429, 503)
# Seconds before the second try; doubled for each further one.
_FIRST_WAIT, _LONGEST_WAIT = 0.2, 30.0


class Connection:
    """A connection to a server, or to one model of it.

    Parameters
    ----------
    url : str
        The address of the server.
    token : str, optional
        The token to send.
    model : str, optional
        The name of the model.
    timeout : float
        The longest time for an answer, in seconds.
    retries : int
        How often a request is sent again.
    actor : str, optional
        A name for the history of changes, for servers without tokens.
    transport : httpx.BaseTransport, optional
        What sends the requests.
    """

    def __init__(
        self,
        url: str,
        token: str | None,
        model: str | None,
        timeout: float,
        retries: int,
        actor: str | None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        check_number("timeout", timeout, above=0)
        self._retries = check_whole("retries", retries, least=0)
        headers = {b"Accept": b"application/json"}
        if token is not None:
            headers[b"Authorization"] = f"Bearer {_ascii_token(token)}".encode()
        if actor is not None:
            headers[b"Textbayes-Actor"] = _printable_name(actor).encode()
        base = _checked_url(url)
        if model is not None:
            base = base.copy_with(
                raw_path=base.raw_path.rstrip(b"/") + b"/models/" + quote(model, "").encode()
            )
        self._http = httpx.Client(base_url=base, headers=headers, timeout=timeout, transport=transport)

    @property
    def url(self) -> str:
        """The address, without a password."""
        return str(self._http.base_url.copy_with(username=None, password=None)).rstrip("/")

    def close(self) -> None:
        """Close the connections to the server."""
        self._http.close()

    def ask(self, method: str, path: str, *, key: str | None = None, **sent: Any) -> Any:
        """Send a request and return the JSON of the answer.

        Parameters
        ----------
        method, path : str
            Such as ``"POST"`` and ``"/predict"``.
        key : str, optional
            The idempotency key of a change.
        **sent
            ``json`` (an object), ``content``, ``headers`` or ``params`` of httpx; None is not sent.
        """
        with self.answer(method, path, key=key, **sent) as answer:
            answer.read()
            try:
                return answer.json()
            except (ValueError, RecursionError):
                start = answer.content[:200].decode("utf-8", "replace")
                raise ServerAnswerError(f"{self.url}{path}", answer.status_code, start) from None

    @contextmanager
    def answer(
        self, method: str, path: str, *, key: str | None = None, **sent: Any
    ) -> Iterator[httpx.Response]:
        """Send a request, again if necessary; yield the answer, whose body can be read in parts."""
        request = self._request(method, path, key, sent)
        answer = self._sent(request)
        try:
            if answer.status_code >= 400:
                answer.read()
                raise error_of(answer)
            if answer.status_code >= 300:
                where = answer.headers.get("location", "nowhere")
                raise ServerAnswerError(f"{self.url}{path}", answer.status_code, f"a redirection to {where}")
            yield answer
        except httpx.TransportError as error:  # the body ended too early
            raise ServerUnreachableError(self.url, _reason(error), 1) from error
        finally:
            answer.close()

    def _request(self, method: str, path: str, key: str | None, sent: dict[str, Any]) -> httpx.Request:
        headers = dict(sent.pop("headers", {}))
        if key is not None:
            headers["Idempotency-Key"] = key
        params = _present(sent.pop("params", {}))
        if "json" in sent:
            headers["Content-Type"] = "application/json"
            sent["content"] = _json_bytes(_present(sent.pop("json")))
        return self._http.build_request(method, path, headers=headers, params=params or None, **sent)

    def _sent(self, request: httpx.Request) -> httpx.Response:
        for number in range(1, self._retries + 2):
            last = number > self._retries
            try:
                answer = self._http.send(request, stream=True)
            except httpx.TransportError as error:
                if last:
                    raise ServerUnreachableError(self.url, _reason(error), number) from error
                time.sleep(_wait(number, None))
                continue
            if last or answer.status_code not in _AGAIN:
                return answer
            answer.close()
            time.sleep(_wait(number, answer.headers.get("retry-after")))
        raise AssertionError  # the last try returns or raises


def _wait(number: int, asked: str | None) -> float:
    """Return how many seconds to wait after a try: what the server asks for, or longer after each."""
    if asked is not None and asked.isascii() and asked.isdigit():
        return min(float(asked), _LONGEST_WAIT)
    # Clients that were refused together come back one after the other.
    return min(_FIRST_WAIT * 2.0 ** (number - 1), _LONGEST_WAIT) * random.uniform(0.5, 1.0)


def _present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _json_bytes(value: Any) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False, default=_plain).encode()
    except UnicodeEncodeError:  # a lone surrogate, which only an escape can write
        return json.dumps(value, default=_plain).encode()


def _plain(value: Any) -> Any:
    """Return a value of numpy as one of Python."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is not a value of JSON")


def _reason(error: httpx.TransportError) -> str:
    return str(error) or type(error).__name__


def _checked_url(url: str) -> httpx.URL:
    try:
        found = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ParameterError("url", url, "an address such as 'http://127.0.0.1:8000'", str(error)) from None
    if found.scheme not in ("http", "https") or not found.host:
        raise ParameterError("url", url, "an address such as 'http://127.0.0.1:8000'")
    return found.copy_with(query=None, fragment=None)


def _printable_name(actor: str) -> str:
    if not actor.strip() or not actor.isprintable():
        raise ParameterError("actor", actor, "a name of printable characters")
    return actor


def _ascii_token(token: str) -> str:
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        # The value itself must not be in a message.
        raise ParameterError("token", "…", "the token as `textbayes token new` printed it, without line ends")
    return token
