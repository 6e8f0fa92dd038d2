"""Requests that cannot be answered, and servers that cannot be started."""

from __future__ import annotations

import errno
from collections.abc import Iterable, Sequence
from typing import Self

from textbayes.errors.base import TextbayesError, did_you_mean, shown


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


class CertificateError(TextbayesError, ValueError):
    """A certificate and its key cannot be used to encrypt connections."""

    code = "certificate"

    def __init__(self, certificate: str, key: str | None, reason: str) -> None:
        files = f"{shown(certificate, 200)} with the key {shown(key or certificate, 200)}"
        super().__init__(
            f"The certificate {files} cannot be used ({reason}).",
            "Without both, connections cannot be encrypted.",
            "Pass --certificate a PEM file with the certificate and its chain, and --key its private key "
            "without a password.",
        )


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
            f"The request was valid, but the server failed ({about}).",
            "The model is what it was before the request.",
            "See the server's log for the cause, then send the request again.",
        )


class ServerBusyError(TextbayesError, RuntimeError):
    """A server has as much to do as its limits allow."""

    code = "server-busy"

    def __init__(self, about: str) -> None:
        super().__init__(
            f"The server is busy: {about}.",
            "Limits keep requests from taking all memory or all connections. This one changed nothing.",
            "Send the request again, after the seconds in the header Retry-After.",
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
            "GET looks something up; POST sends texts; PUT and DELETE change a document.",
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
    """A request's body is not said to be JSON, or what else the path takes."""

    code = "request-content-type"

    def __init__(self, found: str, kinds: Sequence[str] = ("application/json",)) -> None:
        wanted = " or ".join(f"`Content-Type: {kind}`" for kind in kinds)
        super().__init__(
            f"The header Content-Type says {shown(found)}.",
            "Texts are sent in UTF-8, in a form that is named; other kinds would be guesses.",
            f"Send the header {wanted}.",
        )


class RequestSlowError(TextbayesError, TimeoutError):
    """The headers or the body of a request did not come in time."""

    code = "request-slow"

    def __init__(self, part: str, seconds: float) -> None:
        super().__init__(
            f"The {part} of the request did not arrive within {seconds:g} seconds.",
            "A request that never ends would block its connection.",
            "Send it again, in smaller parts if the connection is slow.",
        )
        self.errno, self.strerror = errno.ETIMEDOUT, self.what


class BodyJsonError(TextbayesError, ValueError):
    """A request's body is not a JSON object in UTF-8."""

    code = "request-json"

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"The body of the request is not a valid JSON object: {problem}.",
            'Texts are sent as an object in UTF-8: {"text": "…"}.',
            "Let a JSON library write the body, and encode it as UTF-8.",
        )


class RequestSizeError(TextbayesError, ValueError):
    """A request is too large."""

    code = "request-size"

    def __init__(self, name: str, found: int | None, limit: int, unit: str) -> None:
        size = f"more than {limit:,} {unit}" if found is None else f"{found:,} {unit}"
        super().__init__(
            f"{name} has {size}; the limit is {limit:,}.",
            "A limit keeps one request from taking the memory and time of all others.",
            "Send several requests, or ask for fewer classes; for files use `textbayes predict MODEL DATA`.",
        )


class RequestFieldError(TextbayesError, ValueError):
    """A field of a request is missing, unknown, in conflict with another, or has an invalid value.

    The class methods make it from facts.

    Parameters
    ----------
    problem : str
        What is wrong with the field, as a sentence; it gets a period unless it is a question.
    todo : str
        What to send, as a sentence without its period.
    """

    code = "request-field"

    def __init__(self, problem: str, todo: str) -> None:
        what = problem if problem.endswith("?") else f"{problem}."
        super().__init__(what, "Guessing what was meant could silently change the answer.", f"{todo}.")

    @classmethod
    def invalid(cls, name: str, value: object, expected: str) -> Self:
        """A field has a value that it cannot have."""
        return cls(f"{name} is {shown(value)}", f"Send {expected}")

    @classmethod
    def missing(cls, names: Sequence[str], found: Iterable[str]) -> Self:
        """None of the fields that could have been sent is there."""
        wanted = " or ".join(f'"{name}"' for name in names)
        given = ", ".join(shown(field, 30) for field in list(found)[:5])
        return cls(f"The request has no {wanted}; it has {given or 'nothing'}", f"Send {wanted}")

    @classmethod
    def unknown(cls, name: str, path: str, known: Iterable[str]) -> Self:
        """A path has no such field."""
        known = list(known)
        close = did_you_mean(name, known)
        problem = f"{path} has no field {shown(name)}" + (f".{close}" if close else "")
        return cls(problem, f"Its fields are: {', '.join(known) or 'none'}")

    @classmethod
    def conflict(cls, name: str, other: str) -> Self:
        """Two fields cannot be combined."""
        return cls(f"The request has both {name} and {other}", f"Send {name} or {other}")
