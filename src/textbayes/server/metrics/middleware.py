"""CountRequests: counts each request by the template of its path, its method and its status."""

from __future__ import annotations

import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from textbayes.server.metrics.figures import Figures

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"})
# Paths that are not there share one name, or anybody could fill memory with names.
_NOWHERE = "unknown"


class CountRequests:
    """Count requests and the seconds until their answer begins.

    Parameters
    ----------
    app : ASGI application
        What answers.
    figures : Figures
        Where they are counted.
    """

    def __init__(self, app: ASGIApp, figures: Figures) -> None:
        self.app, self.figures = app, figures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and count it when its answer begins."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        start = time.perf_counter()

        async def send_and_count(message: Message) -> None:
            if message["type"] == "http.response.start":
                method = scope["method"] if scope["method"] in _METHODS else "other"
                took = time.perf_counter() - start
                self.figures.add_request(method, template_of(scope), message["status"], took)
            await send(message)

        return await self.app(scope, receive, send_and_count)


def template_of(scope: Scope) -> str:
    """Return the template of the path of a request, such as ``/models/{name}/predict``."""
    path = getattr(scope.get("route"), "path", None)
    if not isinstance(path, str):
        return _NOWHERE
    # The route of a model knows its own part of the path only.
    is_named = "name" in scope.get("path_params", ()) and "{name}" not in path
    return f"/models/{{name}}{path}" if is_named else path
