"""The HTTP server: a route validates, calls, serialises."""

from textbayes.errors import ExtraMissingError

try:
    from textbayes.server.application import create_app
    from textbayes.server.running import listen, run
    from textbayes.server.settings import Settings
except ModuleNotFoundError as error:
    raise ExtraMissingError("server", str(error)) from error

__all__ = ["Settings", "create_app", "listen", "run"]
