"""Counts → rows, by what was learned before."""

import numpy as np
import pytest

from textbayes import FrequencyTransform
from textbayes.counts import CountTransform, Frequencies, as_rows
from textbayes.errors import ModelDamagedError

COUNTS = np.array([[3, 0, 1, 2], [0, 0, 5, 1], [1, 4, 0, 0], [0, 0, 0, 0]])
KEPT = np.array([True, False, True, True])
PLACES = np.array([0, -1, 1, 2], dtype=np.int32)
SETTINGS = [
    (log, idf, length)
    for log in (False, True)
    for idf in (False, True, "smooth")
    for length in (None, "unit", "mean")
]


def learned(log, idf, length):
    """What FrequencyTransform learns from the columns that are kept, and a CountTransform of it."""
    peer = FrequencyTransform(log, idf, length).fit(COUNTS[:, KEPT])
    known = Frequencies(len(COUNTS), (COUNTS[:, KEPT] > 0).sum(axis=0), peer.length_)
    return peer, CountTransform(known, log, idf, length is not None, PLACES)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_columns_and_frequencies(setting):
    peer, transform = learned(*setting)
    found = transform(as_rows(COUNTS))
    assert transform.width == found.width == 3
    assert found.matrix.toarray().tolist() == peer.transform(COUNTS[:, KEPT]).toarray().tolist()


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_lengths_are_those_before_scaling(setting):
    log, idf, _ = setting
    _, transform = learned(*setting)
    unscaled = FrequencyTransform(log, idf, None).fit_transform(COUNTS[:, KEPT]).toarray()
    assert transform.lengths_of(as_rows(COUNTS)) == pytest.approx(np.linalg.norm(unscaled, axis=1), rel=1e-15)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@pytest.mark.parametrize("all_columns", [False, True])
def test_a_stored_transform_is_the_same(setting, all_columns):
    _, transform = learned(*setting)
    rows = as_rows(COUNTS)
    if all_columns:
        transform = FrequencyTransform(*setting).fit(COUNTS).count_transform()
    restored = CountTransform.restore(transform.store())
    assert restored(rows).values.tobytes() == transform(rows).values.tobytes()
    assert restored(rows).columns.tolist() == transform(rows).columns.tolist()


@pytest.mark.parametrize(("name", "value"), [("idf", "smoth"), ("idf", None), ("log", 1), ("columns", 2)])
def test_an_invalid_setting_is_refused(name, value):
    stored = learned(True, True, "unit")[1].store()
    stored.configuration[name] = value
    with pytest.raises(ModelDamagedError):
        CountTransform.restore(stored)


@pytest.mark.parametrize("place", [-2, 3])
def test_an_invalid_place_is_refused(place):
    stored = learned(True, True, "unit")[1].store()
    stored.arrays["places"] = np.array([0, -1, 1, place], dtype=np.int32)
    with pytest.raises(ModelDamagedError, match="places"):
        CountTransform.restore(stored)
