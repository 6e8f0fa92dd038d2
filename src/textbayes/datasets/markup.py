"""HTML pages → their text."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_HTTP_HEADER = re.compile(r"(?:[A-Za-z][A-Za-z -]*:[^\n]*\n)+\r?\n")
# Tags that change the style of letters and do not separate words.
# fmt: off
_INLINE = {
    "a", "abbr", "acronym", "b", "big", "blink", "cite", "code", "em", "font", "i", "kbd", "nobr", "s",
    "small", "span", "strong", "sub", "sup", "tt", "u",
}
# fmt: on
_HIDDEN = {"script", "style"}


def strip_http_header(page: str) -> str:
    r"""Drop the lines ``Name: value`` up to the first blank line, if there are any.

    Examples
    --------
    >>> from textbayes.datasets.markup import strip_http_header
    >>> strip_http_header("Date: today\r\nContent-type: text/html\r\n\r\n<p>Hello.")
    '<p>Hello.'
    """
    header = _HTTP_HEADER.match(page)
    return page[header.end() :] if header else page


def strip_tags(page: str) -> str:
    """Return the text of an HTML page: no tags, comments, scripts or styles, and entities resolved.

    Tags of blocks, cells and images separate words; tags that only change the style do not. White space is
    collapsed.

    Examples
    --------
    >>> from textbayes.datasets.markup import strip_tags
    >>> strip_tags("<TITLE>Caf&eacute;</TITLE><td>one<td><b>t</b>wo <!-- three -->")
    'Café one two'
    """
    parser = _TextParser()
    parser.feed(page)
    parser.close()
    return " ".join("".join(parser.pieces).split())


class _TextParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._hidden = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self._hidden = tag in _HIDDEN
        self._separate(tag)

    def handle_endtag(self, tag: str) -> None:
        self._hidden = False
        self._separate(tag)

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.pieces.append(data)

    def parse_marked_section(self, i: int, report: bool = True) -> int:  # noqa: ARG002
        # The base class fails on unknown sections; browsers end them at the next ">".
        end = self.rawdata.find(">", i)
        return end + 1 if end >= 0 else -1

    def _separate(self, tag: str) -> None:
        if tag not in _INLINE:
            self.pieces.append(" ")
