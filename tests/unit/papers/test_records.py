"""Records: their fields, differences, and when a number is met."""

import pytest

from textbayes.papers import Record
from textbayes.papers.records import MEASURES, Finding, quantity_name

FIELDS = ["paper", "table", "corpus", "quantity", "published", "ours", "difference", "seconds"]


def record(measure="micro F1", published=0.8, ours=0.79):
    return Record("kim2003", "table 4", "Reuters-21578", "PNB", measure, None, published, ours, 7, 1.25)


def test_the_fields_of_the_json():
    assert list(record().as_dict()) == FIELDS
    assert record().as_dict()["difference"] == pytest.approx(-0.01)
    assert record(ours=None).as_dict()["difference"] is None


@pytest.mark.parametrize(
    ("measure", "published", "ours", "met"),
    [
        ("micro F1", 0.8, 0.78, True),
        ("micro F1", 0.8, 0.779, False),
        ("macro F1", 0.6, 0.57, True),
        ("macro F1", 0.6, 0.569, False),
        ("accuracy", 0.86, 0.99, True),
        ("% errors", 6.17, 8.17, True),
        ("% errors", 6.17, 8.18, False),
        ("% errors", 21.2, 3.0, True),
        ("one-tailed p", 0.01, 0.0001, True),
        ("one-tailed p", 0.01, 0.011, False),
        ("wins", 8, 10, True),
        ("wins", 8, 11, False),
        ("losses", 2, 5, False),
        ("best alpha", 0.3, 0.4, True),
        ("best alpha", 0.3, 0.8, False),
    ],
)
def test_when_a_number_is_met(measure, published, ours, met):
    assert record(measure, published, ours).met is met


def test_a_missing_number_is_neither_met_nor_missed():
    assert record(published=None).met is None
    assert record(ours=None).met is None


def test_names_of_quantities():
    assert quantity_name("MI", 20_000, "micro recall") == "MI at 20,000, micro recall"
    assert quantity_name("PNB", 0.3, "micro F1") == "PNB at 0.3, micro F1"
    assert quantity_name("PNB", 0.0, "micro F1") == "PNB at 0, micro F1"
    assert Finding("figure 3", "말뭉치", "UM", "macro F1", 0.1, "10–29").quantity == "UM at 10–29, macro F1"


def test_every_measure_has_a_direction():
    assert {measure.better for measure in MEASURES.values()} <= {-1, 0, 1}
