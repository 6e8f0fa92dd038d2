"""Characters → tokens → terms: the settings, and the input types that hold texts."""

from textbayes.text.settings import TextSettings
from textbayes.text.sources import as_source

__all__ = ["TextSettings", "as_source"]
