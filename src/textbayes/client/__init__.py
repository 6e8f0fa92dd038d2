"""A client for the server: the same calls over HTTP, with retries that change nothing twice."""

from textbayes.errors import ExtraMissingError

try:
    from textbayes.client.client import Client
except ModuleNotFoundError as error:
    raise ExtraMissingError("client", str(error)) from error

__all__ = ["Client"]
