"""Classifiers of counts, one file per model."""
