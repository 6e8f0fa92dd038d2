"""The leaderboard: order, text, file."""

import numpy as np
import pytest

from textbayes.errors import ModelDamagedError
from textbayes.estimators.auto import Candidate, Compared, Entry, Leaderboard
from textbayes.persistence import Stored

ENTRIES = [
    Entry("a", 0.5, (0.25, 0.75), 0.1, Candidate("multinomial", parameters=(("alpha", 0.1),))),
    Entry("blend of 2", 0.75, (0.5, 1.0), 2.0, chosen=True),
]


@pytest.mark.parametrize("compared", [None, Compared("exact", 0.75, 0.752), Compared("any", 0.75, 0.5)])
def test_it_comes_back_from_a_file(compared):
    board = Leaderboard("macro_f1", ENTRIES, compared)
    twin = Leaderboard.restore(board.store())
    assert list(twin) == list(board) == ENTRIES[::-1]
    assert twin.compared == compared == board[:1].compared
    assert repr(twin) == repr(board)


def test_it_says_what_the_other_scored():
    board = Leaderboard("macro_f1", ENTRIES, Compared("exact", 0.75, 0.752))
    assert repr(board).endswith("exact updates; the best of all recipes scored .752, .002 more")
    other = Compared("any", 0.75, 0.7)
    assert str(other) == "approximate updates; the best recipe with exact updates scored .700, .050 less"


@pytest.mark.parametrize(
    ("updates", "scores"),
    [("maybe", [0.5, 0.5]), ("exact", [0.5, np.nan]), ("exact", [0.5]), (1, [0.5, 0.5])],
)
def test_a_forged_comparison_is_refused(updates, scores):
    stored = Leaderboard("macro_f1", ENTRIES, Compared("exact", 0.75, 0.752)).store()
    forged = Stored(
        {**stored.configuration, "updates": updates},
        {**stored.arrays, "compared": np.array(scores)},
        "model.tb",
    )
    with pytest.raises(ModelDamagedError):
        Leaderboard.restore(forged)
