"""Records and when a number is met; the published numbers are well-formed and consistent with the papers."""

import pytest
from scipy.stats import norm

from textbayes.papers import Record
from textbayes.papers.records import MEASURES, Finding, quantity_name, read_published, read_source
from textbayes.papers.runner import PAPERS

NAMES = sorted(PAPERS)
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
        ("% errors", 6.17, 6.67, True),
        ("% errors", 6.17, 6.68, False),
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


@pytest.mark.parametrize("name", NAMES)
def test_every_number_has_a_table_and_a_page(name):
    source = read_source(name)
    assert set(source) - {"settings"} == {"citation", "pages", "reading", "numbers"}
    numbers = read_published(name)
    assert numbers
    for number in numbers:
        assert number.table
        assert number.corpus
        assert number.method
        assert number.measure in MEASURES
        assert isinstance(number.page, int)
        assert 1 <= number.page <= 22


@pytest.mark.parametrize("name", NAMES)
def test_quantities_are_unique(name):
    keys = [(number.table, number.corpus, number.quantity) for number in read_published(name)]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("name", NAMES)
def test_fractions_and_percentages_are_in_range(name):
    for number in read_published(name):
        if number.measure in {"accuracy", "AUC", "micro F1", "macro F1", "micro recall", "macro recall"}:
            assert 0 < number.value < 1
        if number.measure == "% errors":
            assert 1 < number.value < 100


def test_percentages_of_errors_match_the_counts():
    """Grim 2008, table 1: 155 and 147 errors of 2,510; table 2: 1,362 of 6,632."""
    found = {(number.table, number.method): number.value for number in read_published("grim2008")}
    assert found["table 1", "experiment 1: 33 components"] == pytest.approx(100 * 155 / 2510, abs=0.01)
    assert found["table 1", "experiment 7: 43 components"] == pytest.approx(100 * 147 / 2510, abs=0.01)
    assert found["table 2", "experiment 6: 60 components"] == pytest.approx(100 * 1362 / 6632, abs=0.01)


def test_shares_of_parameters_match_the_counts():
    """Grim 2008, table 1: 208,366 parameters of 33 components × 10,105 terms, 201,417 of 43."""
    settings = {each["method"]: each["% of parameters"] for each in read_source("grim2008")["settings"]}
    assert settings["experiment 2: 33 components"] == pytest.approx(100 * 208366 / (33 * 10105), abs=0.05)
    assert settings["experiment 7: 43 components"] == pytest.approx(100 * 201417 / (43 * 10105), abs=0.05)


def test_improvements_match_the_paper():
    """Kim 2003, table 4: PNB-PrR +13.56 % micro over UM; PNB-CHI +93.35 % macro."""
    found = {
        (number.method, number.measure): number.value
        for number in read_published("kim2003")
        if number.table == "table 4"
    }
    assert found["PNB-PrR", "micro F1"] / found["UM", "micro F1"] == pytest.approx(1.1356, abs=1e-4)
    assert found["PNB-CHI", "macro F1"] / found["UM", "macro F1"] == pytest.approx(1.9335, abs=1e-4)


def test_the_sign_test_matches_the_paper():
    """Frank 2006, section 5: 81 wins, 24 losses, p = 4.64e-8, by the corrected normal approximation."""
    found = {
        number.measure: number.value
        for number in read_published("frank2006")
        if (number.table, number.corpus) == ("figure 2", "Industry Sector")
    }
    wins, cases = found["wins"], found["wins"] + found["losses"]
    distance = (wins - 1 / 2 - cases / 2) / (cases / 4) ** 0.5
    assert found["sign test p"] == pytest.approx(2 * norm.sf(distance), rel=0.01)
