"""What was tuned on scores as it stands in a model file."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from textbayes.decisions.calibration import Calibration, SharedOdds
from textbayes.decisions.tuned import Tuned
from textbayes.persistence import Stored

Reals = NDArray[np.float64]

# Beyond, products of them would overflow.
_LARGEST = 1e100


def store_tuned(tuned: Tuned) -> Stored:
    """Return what was tuned as arrays."""
    calibration, odds = tuned.calibration, tuned.odds
    arrays = {
        "thresholds": tuned.thresholds,
        "biases": tuned.biases,
        "temperature": np.array([calibration.power, calibration.temperature]),
        "shares": calibration.shares,
        "levels": calibration.levels,
        "centres": odds.centres,
        "spreads": odds.spreads,
        "odds": np.array([odds.slope, odds.shift]),
    }
    return Stored({}, {name: np.asarray(array, dtype=np.float64) for name, array in arrays.items()})


def restore_tuned(stored: Stored, classes: int, multilabel: bool) -> Tuned:
    """Take back what was tuned for so many classes."""
    of_labels, of_indicators = (0, classes) if multilabel else (classes, 0)
    thresholds = stored.array("thresholds", np.float64, of_indicators)
    biases = stored.array("biases", np.float64, of_labels)
    # A class without documents is out of reach: its threshold is infinite.
    sound = not np.isnan(thresholds).any() and _is_moderate(biases)
    stored.check(sound, "its thresholds or biases are not sound")
    calibration = _restore_calibration(stored)
    return Tuned(thresholds, biases, calibration, _restore_odds(stored, of_indicators))


def _restore_calibration(stored: Stored) -> Calibration:
    power, temperature = stored.array("temperature", np.float64, 2).tolist()
    shares = stored.array("shares", np.float64)
    levels = stored.array("levels", np.float64, len(shares))
    sound = (
        0 <= power <= 1
        and 1.0 / _LARGEST <= temperature <= _LARGEST
        and _are_steps(shares)
        and _are_steps(levels)
    )
    stored.check(sound, "its calibration is not sound")
    return Calibration(power, temperature, shares, levels)


def _are_steps(values: Reals) -> bool:
    """Tell whether these are probabilities that never fall."""
    return bool(np.all((values >= 0) & (values <= 1)) and np.all(np.diff(values) >= 0))


def _is_moderate(values: Reals) -> bool:
    return bool(np.all(np.abs(values) <= _LARGEST))


def _restore_odds(stored: Stored, classes: int) -> SharedOdds:
    centres = stored.array("centres", np.float64, classes)
    spreads = stored.array("spreads", np.float64, classes)
    slope, shift = stored.array("odds", np.float64, 2).tolist()
    sound = (
        not np.isnan(centres).any()
        and _is_moderate(centres[np.isfinite(centres)])
        and bool(np.all((spreads >= 1.0 / _LARGEST) & (spreads <= _LARGEST)))
        and _is_moderate(np.array([slope, shift]))
    )
    stored.check(sound, "its log odds are not sound")
    return SharedOdds(centres, spreads, slope, shift)
