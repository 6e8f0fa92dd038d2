"""Inspections: sizes, strongest terms, what tells classes apart, what would be confused."""

import io
import json
from collections import Counter

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console
from sklearn.base import clone

from reference.variants import VARIANTS
from textbayes import (
    AutoNB,
    DiscriminativeNB,
    LinearSVM,
    PoissonMixtureNB,
    TextClassifier,
    TextCounter,
    TunedClassifier,
)
from textbayes.errors import (
    DocumentsNotKeptError,
    ParameterError,
    ShapeError,
)
from textbayes.estimators.models.variants import NAMED
from textbayes.evaluation import leave_one_out
from textbayes.statistics import as_label_targets

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
    LinearSVM(random_state=0),
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
    closest = TextClassifier(recipe).fit(TEXTS, LABELS).inspect().closest
    assert {closest[0].label, closest[0].other} == {"oil", "gas"}
    leads = [pair.lead for pair in closest]
    assert leads == sorted(leads)


MANY = [
    f"{text} {word}" for text in TEXTS for word in ("밀 gas", "rose oil", "fell flame flame", "wheat crude")
]
OF_MANY = [label for label in LABELS for _ in range(4)]


def refitted(classifier, texts, labels):
    """Each text by a model fitted on the rows of all others; the representation is the classifier's."""
    X = classifier.counter_.transform(texts)
    X = X if classifier.transform_ is None else classifier.transform_.transform(X)
    for at in range(len(texts)):
        others = np.delete(np.arange(len(texts)), at)
        rest = clone(classifier.model_).fit(X[others], as_label_targets([labels[other] for other in others]))
        answer = rest.predict(X[at : at + 1])[0]
        yield rest.classes_[np.flatnonzero(answer)].tolist() if classifier.multilabel_ else answer


@pytest.mark.parametrize("recipe", [name for name in NAMED if name not in ("mixture", "linear-svm")])
def test_confusions_are_those_of_as_many_fits_as_documents(recipe):
    classifier = TextClassifier(recipe).fit(MANY, OF_MANY)
    found = classifier.inspect()
    decided = list(refitted(classifier, MANY, OF_MANY))
    wrong = Counter(pair for pair in zip(OF_MANY, decided, strict=True) if pair[0] != pair[1])
    assert wrong
    assert {(pair.label, pair.other): pair.documents for pair in found.confusions} == wrong
    assert [pair.documents for pair in found.confusions] == sorted(wrong.values(), reverse=True)
    assert all(pair.share == pair.documents / 8 for pair in found.confusions)
    assert found.leave_one_out.accuracy == pytest.approx(1 - sum(wrong.values()) / len(MANY))
    assert found.leave_one_out == leave_one_out(classifier, MANY, OF_MANY)


@pytest.mark.parametrize("recipe", ["multinomial", "complement", "twcnb", "poisson", "centroid"])
def test_confusions_of_several_labels(recipe):
    labels = [[label, "x"] if at % 5 == 0 else [label] for at, label in enumerate(OF_MANY)]
    labels[7] = []
    classifier = TextClassifier(recipe, calibrate=False).fit(MANY, labels)
    found = classifier.inspect()
    wrong = Counter(
        (missed, extra)
        for own, decided in zip(labels, refitted(classifier, MANY, labels), strict=True)
        for missed in set(own) - set(decided)
        for extra in set(decided) - set(own)
    )
    shown = {(pair.label, pair.other): pair.documents for pair in found.confusions}
    assert 0 < len(shown) == min(10, len(wrong))
    assert all(wrong[pair] == count for pair, count in shown.items())
    assert found.leave_one_out == leave_one_out(classifier, MANY, labels)


def test_after_teaching_forgetting_and_loading(tmp_path):
    texts, labels = [*MANY, "gold mine 금", "gold"], [*OF_MANY, "gold", "gold"]
    for recipe in ("complement", "twcnb", "poisson"):
        taught = TextClassifier(recipe).fit(MANY[:9], OF_MANY[:9]).teach(texts[9:], labels[9:])
        taught.forget(MANY[:2], OF_MANY[:2])
        fresh = TextClassifier(recipe).fit(texts[2:], labels[2:])
        assert taught.inspect().confusions == fresh.inspect().confusions
        assert taught.inspect().leave_one_out == fresh.inspect().leave_one_out
        taught.save(tmp_path / "m.tb")
        assert TextClassifier.load(tmp_path / "m.tb").inspect() == taught.inspect()


def test_without_documents_the_weights_say_what_is_close():
    kept = TextClassifier("multinomial").fit(MANY, OF_MANY)
    small = TextClassifier("multinomial", keep_documents=False).fit(MANY, OF_MANY)
    found = small.inspect()
    assert (found.leave_one_out, found.confusions) == (None, None)
    assert found.closest == kept.inspect().closest
    assert found == kept.inspect(leave_one_out=False)
    assert "by their weights, without leave-one-out" in shown(found)
    assert found.to_dict()["confusions"] is None
    given = small.inspect(texts=MANY, labels=OF_MANY)
    assert given == kept.inspect()
    with pytest.raises(ShapeError, match=r"texts has .* items, and labels has"):
        small.inspect(texts=MANY, labels=OF_MANY[1:])
    with pytest.raises(ParameterError, match=r"^y=None"):
        small.inspect(texts=MANY)


def test_one_class_confuses_nothing():
    found = TextClassifier("complement").fit(TEXTS, ["a"] * 6).inspect()
    assert (found.leave_one_out, found.confusions, found.closest) == (None, None, [])


def shown(found, width=80):
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(found)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [40, 80])
def test_confusions_are_shown_with_their_share(width):
    found = TextClassifier("centroid").fit(MANY, [f"{label} 분류 🙂" for label in OF_MANY]).inspect(3)
    lines = shown(found, width).splitlines()
    assert all(cell_len(line) <= width for line in lines)
    heading = next(
        at for at, line in enumerate(lines) if line.split() == ["class", "documents", "taken", "for", "share"]
    )
    first = found.confusions[0]
    cells = f"{first.label} {first.documents} {first.other} {first.share:.0%}".split()
    shown_cells = [
        cell for line in lines[heading + 1 : heading + (2 if width == 80 else 3)] for cell in line.split()
    ]
    assert sorted(shown_cells) == sorted(cells)


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
    assert "6 documents, 8 terms" in shown(found)
    assert "wheat" in shown(found)
    assert "Leave-one-out: accuracy " in shown(found)
    assert json.loads(json.dumps(found.to_dict()))["classes"][1]["label"] == "grain"


def test_what_cannot_be_asked():
    classifier = TextClassifier().fit(TEXTS, LABELS)
    with pytest.raises(ParameterError, match=r"^terms=0"):
        classifier.inspect(0)
    with pytest.raises(ParameterError, match=r"^label='gold'"):
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
    assert all(np.isfinite(pair.lead) for pair in found.closest)
    with pytest.raises(DocumentsNotKeptError, match="keeps no statistics"):
        TextClassifier(model, keep_documents=False).fit(texts, labels).inspect()
