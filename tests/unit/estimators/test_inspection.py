"""Inspections: sizes, strongest terms, what tells classes apart, what would be confused."""

import io
import json

import numpy as np
import pytest
from rich.console import Console

from reference.variants import VARIANTS
from textbayes import AutoNB, DiscriminativeNB, PoissonMixtureNB, TextClassifier, TextCounter, TunedClassifier
from textbayes.errors import DocumentsNotKeptError, TopKError, UnknownOptionError

TEXTS = [
    "the wheat wheat corn",
    "the wheat harvest",
    "the crude oil oil",
    "the oil gas",
    "the gas flame",
    "the flame gas",
]
LABELS = ["grain", "grain", "oil", "oil", "gas", "gas"]


CHOSEN = [
    DiscriminativeNB(random_state=0),
    TunedClassifier(VARIANTS[0]),
    TunedClassifier(PoissonMixtureNB(random_state=0)),
    AutoNB(candidates=["one-vs-all", "centroid"], random_state=0),
]


@pytest.mark.parametrize("model", [*VARIANTS, *CHOSEN], ids=repr)
def test_every_model_can_be_looked_into(model):
    found = TextClassifier(model, TextCounter()).fit(TEXTS, LABELS).inspect(terms=3)
    assert found.documents == 6
    assert found.vocabulary == 8
    assert {one.label: one.documents for one in found.classes} == {"gas": 2, "grain": 2, "oil": 2}
    strongest = {one.label: [term for term, _ in one.terms] for one in found.classes}
    assert "wheat" in strongest["grain"]
    assert "the" not in strongest["grain"][:1]
    assert set(strongest["oil"][:2]) & {"oil", "crude"}


@pytest.mark.parametrize("recipe", ["multinomial", "complement", "poisson", "centroid"])
def test_what_tells_two_classes_apart(recipe):
    terms = dict(TextClassifier(recipe).fit(TEXTS, LABELS).inspect().between("oil", "gas"))
    assert terms["oil"] > 0
    assert terms["flame"] < 0
    assert abs(terms.get("the", 0.0)) < abs(terms["flame"])


@pytest.mark.parametrize("recipe", ["multinomial", "complement", "twcnb"])
def test_classes_that_share_words_are_close(recipe):
    confusions = TextClassifier(recipe).fit(TEXTS, LABELS).inspect().confusions
    assert {confusions[0].label, confusions[0].other} == {"oil", "gas"}
    leads = [pair.lead for pair in confusions]
    assert leads == sorted(leads)


def test_lists_of_labels_and_hashed_columns():
    lists = [[label] for label in LABELS]
    assert TextClassifier("complement-all").fit(TEXTS, lists).inspect().classes[1].terms[0][0] == "wheat"
    hashed = TextClassifier("multinomial", TextCounter(dimensions=1000)).fit(TEXTS, LABELS)
    assert hashed.inspect(1).classes[0].terms[0][0].startswith("hashed")


@pytest.mark.parametrize("model", CHOSEN[1:], ids=repr)
def test_lists_of_labels_of_a_chosen_model(model):
    lists = [[label, "all"] if number % 2 else [label] for number, label in enumerate(LABELS)]
    found = TextClassifier(model).fit(TEXTS, lists).inspect()
    assert [(one.label, one.documents) for one in found.classes] == [
        ("all", 3),
        ("gas", 2),
        ("grain", 2),
        ("oil", 2),
    ]
    assert found.between("grain", "oil", terms=2)[0][0] in ("wheat", "oil")


def test_shown_and_as_json():
    found = TextClassifier("complement").fit(TEXTS, LABELS).inspect(2)
    console = Console(file=io.StringIO(), width=80, color_system=None)
    console.print(found)
    shown = console.file.getvalue()
    assert "6 documents, 8 terms" in shown
    assert "wheat" in shown
    assert json.loads(json.dumps(found.to_dict()))["classes"][1]["label"] == "grain"


def test_what_cannot_be_asked():
    classifier = TextClassifier().fit(TEXTS, LABELS)
    with pytest.raises(TopKError):
        classifier.inspect(0)
    with pytest.raises(UnknownOptionError):
        classifier.inspect().between("oil", "gold")


@pytest.mark.parametrize("smoothing", ["prior", "mix", None])
@pytest.mark.parametrize("several", [False, True], ids=["labels", "lists"])
def test_a_mixture_shows_what_it_has_learned(several, smoothing):
    texts = ["wheat and corn", "wheat wheat 밀", "tea and coffee", "tea tea", "crude and oil", "oil oil قمح"]
    labels = ["food"] * 4 + ["oil"] * 2
    model = PoissonMixtureNB({"food": 2}, smoothing=smoothing, random_state=0)
    classifier = TextClassifier(model).fit(texts, [[label] for label in labels] if several else labels)
    found = classifier.inspect(terms=2)
    assert [(one.label, one.documents) for one in found.classes] == [("food", 4), ("oil", 2)]
    assert found.classes[1].terms[0][0] == "oil"
    assert {term for term, _ in found.classes[0].terms} == {"tea", "wheat"}
    assert found.between("food", "oil", terms=1)[0][0] == "oil"
    assert all(np.isfinite(pair.lead) for pair in found.confusions)
    with pytest.raises(DocumentsNotKeptError, match="keeps no sums"):
        TextClassifier(model, keep_documents=False).fit(texts, labels).inspect()
