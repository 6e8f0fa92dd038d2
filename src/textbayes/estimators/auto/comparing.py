"""Which of two choices is to be expected better, after what was seen of both."""

from __future__ import annotations

import numpy as np

from textbayes.decisions import Quality

# What is expected of another way than the steady one, before it is tried: a loss, more or less.
_USUAL_LOSS = 0.005
_USUAL_SPREAD = 0.01
# The best of a hundred is flattered by two and a half standard errors: it leads clearly with so many.
_FLATTERY = 3.0


def is_better(measured: Quality, steady: Quality) -> bool:
    """Whether what goes its own way is to be expected better, after what was seen and before.

    Both beliefs are normal, so that what was seen must outweigh the usual loss by its precision: with many
    documents any lead does, with few hardly one.
    """
    lead, error = measured.lead(steady)
    return lead > _USUAL_LOSS * (error / _USUAL_SPREAD) ** 2


def leads_clearly(single: Quality, other: Quality) -> bool:
    """Whether the best candidate is better than a blend, or than another candidate, beyond its flattery.

    With a few documents a class, most classes are given none, and influences know of no error there: that of
    a share of the documents is the least.
    """
    lead, error = single.lead(other)
    share = min(max(single.value, 0.0), 1.0)
    error = max(error, np.sqrt(share * (1.0 - share) / max(len(single.influences), 1)))
    return bool(lead > _FLATTERY * error and is_better(single, other))
