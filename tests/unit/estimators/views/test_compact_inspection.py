"""Inspection of a compact model."""

import pytest

from textbayes import TextClassifier
from textbayes.errors import ParameterError

TEXTS = ["wheat and corn", "wheat and rice", "wheat harvest", "crude and oil", "oil and gas", "oil output"]
LABELS = ["grain"] * 3 + ["oil"] * 3


@pytest.fixture(scope="module", params=["complement", "auto", "centroid", "linear-svm"])
def found(request):
    return TextClassifier(request.param).fit(TEXTS, LABELS).compact(size="1MB").inspect(terms=2)


def test_the_strongest_terms_are_those_of_the_class(found):
    assert [(one.label, one.documents) for one in found.classes] == [("grain", 3), ("oil", 3)]
    for one, term in zip(found.classes, ("wheat", "oil"), strict=True):
        assert one.terms[0][0] == term
        assert len(one.terms) <= 2
        assert all(evidence > 0 for _, evidence in one.terms)


def test_terms_between_two_classes(found):
    evidence = dict(found.between("grain", "oil", terms=20))
    assert evidence["wheat"] > 0 > evidence["oil"]
    assert evidence == {term: -value for term, value in found.between("oil", "grain", terms=20)}
    with pytest.raises(ParameterError, match="gold"):
        found.between("grain", "gold")


def test_it_says_what_it_can(found):
    record = found.to_dict()
    assert record["documents"] == 6
    assert record["leave_one_out"] is None
    assert record["confusions"] is None
    assert "CompactClassifier(" in record["model"]
