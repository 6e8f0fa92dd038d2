r"""Characters that could deceive on a screen, shown as escapes such as ``\x1b``.

Labels, terms, texts and file names come from others. Written to a terminal as they are, an escape code could
move the cursor, change the title or hide a line, and a bidi override could show a name backwards. Whatever is
printed goes through this module. Data in files stays exact.

Letters of every script stay as they are, and so do the joiners U+200C and U+200D, which Persian, Hindi and
emoji need.
"""

from __future__ import annotations

import re

# C0 without tab and line feed, DEL, C1; marks, embeddings, overrides and isolates of bidi text; separators of
# lines; deprecated format controls; the byte-order mark; lone surrogates.
_DECEPTIVE = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
    "\u2028\u2029\u206a-\u206f\ufeff\ud800-\udfff"
)
# In a name they make two look the same, or one look like two lines. Texts need them: Khmer and Thai separate
# words by U+200B.
_INVISIBLE = "\t\n\u00ad\u180e\u200b\u2060-\u2064"

_IN_TEXT = re.compile(f"[{_DECEPTIVE}]")
_IN_NAME = re.compile(f"[{_DECEPTIVE}{_INVISIBLE}]")
_IN_JSON = re.compile(f"[{_DECEPTIVE}]")
_SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


def printable(name: object) -> str:
    r"""Return a label, a term, a file name or another value on one line as a screen may show it.

    Examples
    --------
    >>> from textbayes.errors.printable import printable
    >>> print(printable("spam\x1b[31m"), printable("one\ntwo"), printable("می‌خواهم 👩‍💻 한국어"))
    spam\x1b[31m one\ntwo می‌خواهم 👩‍💻 한국어
    """
    text = str(name)
    return text if text.isascii() and text.isprintable() else _IN_NAME.sub(_escape, text)


def printable_text(text: str) -> str:
    r"""Return a text of any number of lines as a screen may show it: line feeds and tabs stay.

    Examples
    --------
    >>> from textbayes.errors.printable import printable_text
    >>> print(printable_text("one\r\ntwo\x07"))
    one
    two\x07
    """
    return _IN_TEXT.sub(_escape, text.replace("\r\n", "\n"))


def printable_json(text: str) -> str:
    r"""Return JSON with the same values, in which such characters are escapes.

    Examples
    --------
    >>> import json
    >>> from textbayes.errors.printable import printable_json
    >>> print(printable_json(json.dumps("밀\x9b", ensure_ascii=False)))
    "밀\u009b"
    """
    # They are all inside strings: JSON itself escapes the control characters that would be outside.
    return _IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    code = ord(character)
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
