"""The words by which documents are found.

Both databases index the same words, which are made here: the case and the accents of letters do not matter,
symbols such as emoji are words, and scripts that are written without spaces give pairs of characters. A
document is found if it has all words of a search; the start of a word is enough.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

LONGEST = 100_000
"""Only so many characters of a text can be found."""
_LONGEST_WORD = 100  # PostgreSQL indexes words of up to 2,046 bytes
_ASCII = re.compile(r"[a-z0-9]+")
# Han, kana, bopomofo, Thai, Lao, Khmer and Myanmar: written without spaces.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_PIECE = re.compile(rf"[{_UNSPACED}]+|[^{_UNSPACED}]+")
# Combining classes of accents, of Hebrew points and of Arabic vowels. Those of Indic scripts, of Thai and of
# kana are parts of letters.
_ACCENTS = frozenset([1, *range(10, 36), *range(200, 241)])
_IN_WORD = frozenset(["Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd", "Nl", "No", "Co"])
_SYMBOL = frozenset(["So", "Sc", "Sm", "Cn"])


def words_of(text: str) -> list[str]:
    """Return the words of a text, each once.

    Examples
    --------
    >>> from textbayes.server.store.words import words_of
    >>> words_of("Café CAFÉ 한국어를 हिन्दी"), words_of("日本語👍")
    (['cafe', '한국어를', 'हिन्दी'], ['日本', '本語', '語', '👍'])
    """
    return list(dict.fromkeys(_words(text[:LONGEST], whole=True)))


def sought_words(search: str) -> list[str]:
    """Return the words of a search; each must be the start of a word of the document.

    Examples
    --------
    >>> from textbayes.server.store.words import sought_words
    >>> sought_words('wheat OR "price" 日本'), sought_words("!?")
    (['wheat', 'or', 'price', '日本'], [])
    """
    return list(dict.fromkeys(_words(search, whole=False)))


def _words(text: str, whole: bool) -> Iterable[str]:
    if text.isascii():
        yield from (word[:_LONGEST_WORD] for word in _ASCII.findall(text.lower()))
        return
    for word in _split(_folded(text)):
        for piece in _PIECE.findall(word):
            yield from _pairs(piece, whole) if _is_unspaced(piece) else (piece[:_LONGEST_WORD],)


def _folded(text: str) -> str:
    parted = unicodedata.normalize("NFKD", text.casefold())
    kept = (one for one in parted if unicodedata.combining(one) not in _ACCENTS)
    return unicodedata.normalize("NFKC", "".join(kept)).casefold()


def _split(text: str) -> list[str]:
    """Split at everything that is neither part of a word nor a symbol; a symbol is a word of its own."""
    out = []
    for one in text:
        category = unicodedata.category(one)
        if category in _IN_WORD:
            out.append(one)
        elif category in _SYMBOL and not one.isascii():
            out.append(f" {one} ")
        elif one not in "\u200c\u200d\ufe0e\ufe0f":  # joiners and selectors do not part words
            out.append(" ")
    return "".join(out).split()


def _is_unspaced(piece: str) -> bool:
    return bool(re.match(f"[{_UNSPACED}]", piece))


def _pairs(piece: str, whole: bool) -> Iterable[str]:
    pairs = [piece[start : start + 2] for start in range(len(piece) - 1)]
    # The last character alone, so that each character begins a word.
    return [*pairs, piece[-1]] if whole or not pairs else pairs
