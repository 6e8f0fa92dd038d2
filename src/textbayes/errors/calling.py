"""Servers that cannot be asked, and answers that are not those of textbayes."""

from __future__ import annotations

from textbayes.errors.base import TextbayesError, shown


class ServerUnreachableError(TextbayesError, ConnectionError):
    """A server gave no answer."""

    code = "server-unreachable"

    def __init__(self, url: str, reason: str, tries: int) -> None:
        times = "once" if tries == 1 else f"{tries} times"
        super().__init__(
            f"{url} did not answer: {reason} (tried {times}).",
            "The request may have been carried out all the same; a change with the same key is made once.",
            "Check the address and that the server runs, then call again.",
        )


class ServerAnswerError(TextbayesError, RuntimeError):
    """What answered is not a textbayes server, or a proxy in front of it has failed."""

    code = "server-answer"

    def __init__(self, url: str, status: int, found: str) -> None:
        super().__init__(
            f"{url} answered with status {status} and {shown(found)}.",
            "A textbayes server answers with JSON, also if it cannot do what was asked.",
            "Check the address; if a proxy is in front of the server, see its log.",
        )
