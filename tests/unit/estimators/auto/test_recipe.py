"""The recipe that a search found: values, a dict, a file."""

import json

import numpy as np
import pytest

from textbayes.decisions import Blend
from textbayes.errors import ModelDamagedError
from textbayes.estimators.auto import Candidate, Recipe, Representation
from textbayes.persistence import Stored

MEMBERS = [
    Candidate("multinomial", Representation(log=True), (("alpha", 0.1),)),
    Candidate("linear-svm", Representation(log=True, length="unit"), (("C", 2.0),)),
    Candidate("centroid"),
]
BLEND = Blend(
    np.array([0.5, 0.0, 0.25]), np.array([0.1, -0.1]), np.ones((3, 2)), np.arange(6.0).reshape(3, 2)
)


def recipe():
    return Recipe.of(MEMBERS, BLEND, np.array(["a", "b"]), [member.per_count for member in MEMBERS])


def test_members_without_weight_are_left_out():
    found = recipe()
    assert found.members == (MEMBERS[0], MEMBERS[2])
    assert found.per_count == (True, True)
    assert found.centres == ((0.0, 1.0), (4.0, 5.0))
    assert found.additive


def test_it_comes_back_from_json_and_from_a_file():
    found = recipe()
    assert Recipe.from_dict(json.loads(json.dumps(found.to_dict()))) == found
    assert Recipe.restore(found.store()) == found


@pytest.mark.parametrize("per_count", [[True], [True, True, True], [True, 1], [True, None], "yes"])
def test_a_forged_divisor_is_refused(per_count):
    stored = recipe().store()
    with pytest.raises(ModelDamagedError):
        Recipe.restore(Stored({**stored.configuration, "per_count": per_count}, stored.arrays, "model.tb"))


def test_scores_that_are_not_linear_cannot_be_divided():
    blend = Blend(np.ones(1), np.zeros(2), np.ones((1, 2)), np.zeros((1, 2)))
    mixture = Candidate("mixture", parameters=(("background", 100.0),))
    stored = Recipe.of([mixture], blend, np.array(["a", "b"]), [True]).store()
    with pytest.raises(ModelDamagedError, match="not linear"):
        Recipe.restore(Stored(stored.configuration, stored.arrays, "model.tb"))
