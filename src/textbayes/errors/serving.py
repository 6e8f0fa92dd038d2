"""Requests that cannot be answered, and servers that cannot be started."""

from __future__ import annotations

import errno
from collections.abc import Iterable

from textbayes.errors.base import TextbayesError, did_you_mean, shown


class ServerMissingError(TextbayesError, ImportError):
    """starlette or uvicorn is not installed."""

    code = "server-missing"

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"The parts of a server cannot be imported: {shown(reason)}.",
            "They are an extra, so that those who only classify need not have them.",
            "Run: pip install 'textbayes[server]'",
        )


class ServerAddressError(TextbayesError, OSError):
    """A server cannot listen at an address."""

    code = "server-address"

    def __init__(self, host: str, port: int, number: int | None, reason: str) -> None:
        super().__init__(
            f"The server cannot listen on {host}, port {port} ({reason}).",
            "A port belongs to one program at a time, and those below 1024 to the system.",
            "Pass another --port (0 takes any that is free), or a --host that this machine has.",
        )
        self.errno, self.strerror, self.filename = number or errno.EADDRINUSE, self.what, f"{host}:{port}"


class ServerReadOnlyError(TextbayesError, PermissionError):
    """A server that changes nothing was asked for a change."""

    code = "server-read-only"

    def __init__(self, path: str) -> None:
        super().__init__(
            f"{path} would change the model, and this server was started to read it only.",
            "Whoever can reach a writable server can change its model for everybody.",
            "Start it with `textbayes serve MODEL --writable`.",
        )
        self.errno, self.strerror, self.filename = errno.EPERM, self.what, path


class ServerFaultError(TextbayesError, RuntimeError):
    """Something went wrong in the server, not in the request."""

    code = "server-fault"

    def __init__(self, about: str) -> None:
        super().__init__(
            f"The request was sound, but the server failed ({about}).",
            "The model is what it was before the request.",
            "Look at the server's log, which has the whole story; then send the request again.",
        )


class PathUnknownError(TextbayesError, LookupError):
    """There is nothing at the path of a request."""

    code = "request-path"

    def __init__(self, path: str, known: Iterable[str]) -> None:
        known = list(known)
        super().__init__(
            f"There is nothing at {shown(path)}.{did_you_mean(path, known)}",
            "A path names what is wanted.",
            f"Use one of: {', '.join(known)}.",
        )


class MethodWrongError(TextbayesError, ValueError):
    """A path was asked for with a method that it does not have."""

    code = "request-method"

    def __init__(self, method: str, path: str, allowed: Iterable[str]) -> None:
        super().__init__(
            f"{path} has no method {shown(method)}.",
            "GET looks something up; POST sends texts.",
            f"Use {' or '.join(allowed)}.",
        )


class HostUnknownError(TextbayesError, ValueError):
    """A request names a host that this server is not."""

    code = "request-host"

    def __init__(self, host: str, known: Iterable[str]) -> None:
        super().__init__(
            f"The header Host says {shown(host)}; this server goes by {', '.join(known)}.",
            "A page on the web could reach a server on this machine under a name of its own.",
            "Ask for one of these names, or start the server with --allow-host NAME.",
        )


class ContentTypeError(TextbayesError, ValueError):
    """A request's body is not said to be JSON."""

    code = "request-content-type"

    def __init__(self, found: str) -> None:
        super().__init__(
            f"The header Content-Type says {shown(found)}.",
            "Texts are sent as JSON in UTF-8; other kinds would be guesses.",
            "Send the header `Content-Type: application/json`.",
        )


class BodySizeError(TextbayesError, ValueError):
    """A request's body is too long."""

    code = "request-size"

    def __init__(self, limit: int) -> None:
        super().__init__(
            f"The body of the request has more than {limit:,} bytes.",
            "A limit keeps one request from taking the memory of all others.",
            "Send the texts in several requests; for files there is `textbayes predict MODEL DATA`.",
        )


class TextsLimitError(TextbayesError, ValueError):
    """A request asks for too much at once."""

    code = "request-texts"

    def __init__(self, name: str, found: int, limit: int, unit: str) -> None:
        super().__init__(
            f"{name} has {found:,} {unit}; a request may have {limit:,}.",
            "A limit keeps one request from holding up all others.",
            "Send several requests, less text, or ask for fewer classes.",
        )


class BodySlowError(TextbayesError, TimeoutError):
    """A request's body did not come in time."""

    code = "request-slow"

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"The body of the request was not there after {seconds:g} seconds.",
            "A request that never ends would keep its place for ever.",
            "Send it again, in smaller parts if the line is slow.",
        )
        self.errno, self.strerror = errno.ETIMEDOUT, self.what


class BodyJsonError(TextbayesError, ValueError):
    """A request's body is not a JSON object in UTF-8."""

    code = "request-json"

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"The body of the request is not a sound JSON object: {problem}.",
            'Texts are sent as an object in UTF-8: {"text": "…"}.',
            "Let a JSON library write the body, and encode it as UTF-8.",
        )


class RequestFieldError(TextbayesError, ValueError):
    """A field of a request holds a value that it cannot have."""

    code = "request-field"

    def __init__(self, name: str, value: object, wanted: str) -> None:
        super().__init__(
            f"{name} is {shown(value)}.",
            "Another value in its place would be a guess.",
            f"Send {wanted}.",
        )


class RequestFieldMissingError(TextbayesError, ValueError):
    """A request lacks a field."""

    code = "request-field-missing"

    def __init__(self, wanted: str, found: Iterable[str]) -> None:
        names = ", ".join(shown(name, 30) for name in list(found)[:5])
        super().__init__(
            f"The request has no {wanted}; it has {names or 'nothing'}.",
            "Without it there is nothing to work on.",
            f"Send {wanted}.",
        )


class RequestFieldUnknownError(TextbayesError, ValueError):
    """A request has a field that its path does not know."""

    code = "request-field-unknown"

    def __init__(self, name: str, path: str, known: Iterable[str]) -> None:
        known = list(known)
        super().__init__(
            f"{path} has no field {shown(name)}.{did_you_mean(name, known)}",
            "A misspelt name would be without effect, silently.",
            f"Its fields are: {', '.join(known) or 'none'}.",
        )


class RequestFieldsConflictError(TextbayesError, ValueError):
    """A request has fields that exclude each other."""

    code = "request-fields-conflict"

    def __init__(self, name: str, other: str) -> None:
        super().__init__(
            f"The request has both {name} and {other}.",
            "Which of the two is meant would be a guess.",
            f"Send {name} or {other}.",
        )
