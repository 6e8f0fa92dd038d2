"""Kiritchenko, Matwin, Nock and Famili, "Learning and evaluation in the presence of class hierarchies", 2006.

A set of labels is extended by all ancestors of its labels, without the root. For each document i, let C_i be
the extended true labels and C'_i the extended predicted ones. Then

    hP = Σ_i |C_i ∩ C'_i| / Σ_i |C'_i|,   hR = Σ_i |C_i ∩ C'_i| / Σ_i |C_i|,   hF = 2 hP hR / (hP + hR).
"""

from fractions import Fraction


def extended(labels, separator="/"):
    """The labels and all their ancestors, letter by letter."""
    found = set()
    for label in labels:
        for end in range(len(label) + 1):
            if end == len(label) or label.startswith(separator, end):
                found.add(label[:end])
    found.discard("")
    return found


def hierarchical_f1(true, predicted, separator="/"):
    """hF of lists of labels, a list per document."""
    both = [(extended(t, separator), extended(p, separator)) for t, p in zip(true, predicted, strict=True)]
    hits = sum(len(t & p) for t, p in both)
    if not hits:
        return Fraction(0)
    precision = Fraction(hits, sum(len(p) for _, p in both))
    recall = Fraction(hits, sum(len(t) for t, _ in both))
    return 2 * precision * recall / (precision + recall)


def node_f1(true, predicted, separator="/"):
    """F1 of every node that is true or predicted somewhere."""
    both = [(extended(t, separator), extended(p, separator)) for t, p in zip(true, predicted, strict=True)]
    nodes = sorted(set().union(*(t | p for t, p in both)))
    return {
        node: Fraction(
            2 * sum(node in t and node in p for t, p in both),
            sum(node in t for t, _ in both) + sum(node in p for _, p in both),
        )
        for node in nodes
    }
