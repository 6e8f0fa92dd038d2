"""An estimator that is not fitted; separate because it imports scikit-learn, which takes a second."""

from __future__ import annotations

from sklearn.exceptions import NotFittedError

from textbayes.errors.base import TextbayesError


class UnfittedError(TextbayesError, NotFittedError):  # type: ignore[misc]
    """An estimator is used before it is fitted."""

    code = "not-fitted"

    def __init__(self, estimator: str, method: str) -> None:
        super().__init__(
            f"This {estimator} instance is not fitted yet, so {method} cannot be used.",
            "An estimator learns from documents first.",
            "Call fit or partial_fit.",
        )

    @classmethod
    def of_attribute(cls, estimator: str, name: str) -> AttributeError:
        """Make the error of a fitted attribute: an AttributeError, so that ``hasattr`` works."""
        return AttributeError(str(cls(estimator, name)))
