"""Characters → tokens → terms: the settings, and the input types that hold texts."""

from textbayes.text.settings import TextSettings
from textbayes.text.sources import as_source, kept_texts, take_texts
from textbayes.text.terms import CHARACTERS_MARK, is_character_term, shown_term

__all__ = [
    "CHARACTERS_MARK",
    "TextSettings",
    "as_source",
    "is_character_term",
    "kept_texts",
    "shown_term",
    "take_texts",
]
