"""Base classes of estimators: input checks, learning, scoring, parameters, files."""
