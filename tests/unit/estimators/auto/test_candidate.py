"""What a candidate says of itself."""

import pytest

from textbayes.estimators.auto import Candidate, Representation
from textbayes.estimators.models.variants import SEARCHED

LOG = Representation(log=True)


@pytest.mark.parametrize("kind", SEARCHED)
def test_only_models_of_sums_are_blended_per_count(kind):
    divided = kind in ("multinomial", "complement", "one-vs-all", "complement-all", "centroid")
    assert Candidate(kind, LOG).per_count == divided


def test_a_norm_over_all_terms_is_not_additive():
    assert Candidate("complement", LOG).additive
    assert Candidate("complement", LOG, (("norm", False),)).additive
    assert not Candidate("complement", LOG, (("norm", True),)).additive
    assert not Candidate("complement", Representation(log=True, length="mean")).additive
    assert not Candidate("linear-svm", LOG).additive
