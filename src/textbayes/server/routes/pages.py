"""The page, and the files that it loads."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from fastapi import Response
from starlette.responses import HTMLResponse

from textbayes.errors import PathUnknownError
from textbayes.server.replies import PAGE_POLICY
from textbayes.server.routes.routing import Router

router = Router()

_KINDS = {
    "css": "text/css",
    "html": "text/html",
    "ico": "image/x-icon",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
}


@router.get("/", response_class=HTMLResponse, summary="The page.")
async def page() -> Response:
    """Return the page."""
    return _reply("index.html")


@router.get("/page/{name}", include_in_schema=False)
async def page_file(name: str) -> Response:
    """Return a file of the page."""
    return _reply(name)


def _reply(name: str) -> Response:
    kind = _KINDS.get(name.rpartition(".")[2])
    contents = None if kind is None else _contents().get(name)
    if contents is None:
        raise PathUnknownError(f"/page/{name}", [f"/page/{each}" for each in sorted(_contents())])
    headers = {"Content-Security-Policy": PAGE_POLICY, "Cache-Control": "no-cache"}
    return Response(contents, headers=headers, media_type=kind)


@cache
def _contents() -> dict[str, bytes]:
    """Return the files of the page by name; they are read once."""
    folder = files("textbayes.server") / "page"
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}
