"""Characters → tokens → terms: the settings, and the input types that hold texts."""

from textbayes.text.settings import TextSettings
from textbayes.text.sources import as_source
from textbayes.text.terms import CHARACTERS_MARK, is_character_term, shown_term

__all__ = ["CHARACTERS_MARK", "TextSettings", "as_source", "is_character_term", "shown_term"]
