"""Slow and obvious implementations of the papers' equations: the oracles of tests/papers.

One module per paper, one function per numbered equation, nested loops over documents, classes and terms.
Counts may be ints, floats or ``fractions.Fraction``: results without logarithms stay exact.
"""
