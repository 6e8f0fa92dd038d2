"""The scikit-learn face."""

from textbayes.estimators.text_counter import TextCounter

__all__ = ["TextCounter"]
