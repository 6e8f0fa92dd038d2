"""The page for trying a model: a single file without external resources."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from html import escape
from importlib.resources import files


@cache
def _page() -> str:
    return (files("textbayes.server") / "page.html").read_text(encoding="utf-8")


def page_html(name: str) -> str:
    """Return the page for the model ``name``."""
    return _page().replace("{name}", escape(name))


@cache
def page_policy() -> str:
    """Return the Content-Security-Policy of all HTML: inline styles and the page's own script only."""
    script = re.search("<script>(.*?)</script>", _page(), re.DOTALL)
    assert script is not None
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; connect-src 'self'; "
        "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
