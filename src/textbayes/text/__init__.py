"""Characters → tokens → terms: settings, and the forms in which texts come."""

from textbayes.text.settings import TextSettings, check_option
from textbayes.text.sources import as_source

__all__ = ["TextSettings", "as_source", "check_option"]
