"""A model depends on which documents it has learned, not on their order: to the bit, and in its file."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from examples import examples
from textbayes import AutoNB, TextClassifier, TextCounter, TunedClassifier, load
from textbayes.estimators.models.variants import VARIANTS

FEW = settings(max_examples=examples(4), deadline=None, suppress_health_check=[HealthCheck.too_slow])
WORDS = ["wheat", "밀가루", "قمح", "oil", "crude", "zz", "aa", "東京都", "Straße"]
# Enough that most words stay in the vocabulary whatever is forgotten, so that models learn in place.
BASE = [(" ".join(WORDS[start : start + 4]), "abc"[start % 3]) for start in range(6)]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join)
DOCUMENTS = st.lists(st.tuples(TEXTS, st.sampled_from("abc")), min_size=1, max_size=6)
PROBE = ["wheat oil aa unknown", "밀가루 crude zz zz", " ".join(WORDS), ""]


def templates():
    for name, variant in VARIANTS.items():
        if variant.by_name:
            yield name, TextClassifier(name)
        elif hasattr(variant.estimator, "predict"):  # PNB* has no predict
            yield name, TextClassifier(variant.make_model(), transform=variant.make_transform())
    yield "poisson-tuned", TextClassifier(TunedClassifier(VARIANTS["poisson"].make_model()))
    yield "mixture-tuned", TextClassifier(TunedClassifier(VARIANTS["mixture"].make_model()))
    yield "linear-svm-counts", TextClassifier(VARIANTS["linear-svm"].make_model())
    yield "complement-cut", TextClassifier("complement", TextCounter(min_df=2))
    yield "complement-pairs", TextClassifier("complement", TextCounter(ngram_range=(1, 2), characters=(2, 3)))
    yield "complement-hashed", TextClassifier("complement", TextCounter(dimensions=16))


TEMPLATES = dict(templates())
SEARCHED = {
    "auto": TextClassifier(),
    "auto-additive": TextClassifier(AutoNB(updates="exact", random_state=0)),
    "auto-poisson": TextClassifier(AutoNB(candidates=["poisson", "complement"], random_state=0)),
}


def listed(documents, several):
    texts = [text for text, _ in documents]
    labels = [label for _, label in documents]
    return texts, [["c", label] if label == "a" else [label] for label in labels] if several else labels


def file_of(model):
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder, "model.tb"))
        return Path(folder, "model.tb").read_bytes()


def reloaded(model):
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder, "model.tb"))
        return load(Path(folder, "model.tb"))


def bits(model):
    return model.predict_proba(PROBE).tobytes(), model.decision_function(PROBE).tobytes()


@pytest.mark.parametrize("several", [False, True], ids=["label", "lists"])
@pytest.mark.parametrize("template", TEMPLATES.values(), ids=TEMPLATES)
@FEW
@given(more=DOCUMENTS, data=st.data())
def test_the_order_of_documents_does_not_matter(template, several, more, data):
    documents = [*BASE, *more]
    model = clone(template).fit(*listed(documents, several))
    other = data.draw(st.permutations(documents))
    fitted = clone(template).fit(*listed(other, several))
    taught = clone(template).fit(*listed(BASE[::-1], several)).teach(*listed(more[::-1], several))
    cut = data.draw(st.integers(1, len(other) - 1))
    batches = clone(template).fit_batches([listed(other[:cut], several), listed(other[cut:], several)])
    for twin in (fitted, taught, batches):
        np.testing.assert_allclose(twin.predict_proba(PROBE), model.predict_proba(PROBE), rtol=1e-10)
        assert file_of(twin) == file_of(model)
        # Columns that teach appended are sorted now: sums over terms are in one order.
        assert bits(twin) == bits(model)


@pytest.mark.parametrize("several", [False, True], ids=["label", "lists"])
@pytest.mark.parametrize("template", TEMPLATES.values(), ids=TEMPLATES)
@FEW
@given(more=DOCUMENTS, again=st.booleans(), data=st.data())
def test_taught_and_forgotten_leaves_no_trace(template, several, more, again, data):
    documents = [*BASE, *more]
    model = clone(template).fit(*listed(documents, several))
    before, file = bits(model), file_of(model)
    # A document that is learned already, and others with new lengths, words, pairs and classes.
    others = st.tuples(TEXTS | st.just("wheat new words"), st.sampled_from("abcd"))
    some = data.draw(st.lists(st.sampled_from(documents) | others, min_size=1, max_size=3))
    model.teach(*listed(some, several))
    if again:
        model = reloaded(model)
    else:
        bits(model)
    model.forget(*listed(some[::-1], several))
    assert bits(model) == before
    assert file_of(model) == file
    # A document that is forgotten and taught again.
    one = data.draw(st.sampled_from(documents))
    model.forget(*listed([one], several)).teach(*listed([one], several)).settle()
    assert bits(model) == before
    assert file_of(model) == file


@pytest.mark.parametrize("several", [False, True], ids=["label", "lists"])
@pytest.mark.parametrize("template", SEARCHED.values(), ids=SEARCHED)
def test_after_a_search_no_trace_is_left_either(template, several):
    model = clone(template).fit(*listed(BASE * 2, several))
    before, file = bits(model), file_of(model)
    for some in ([BASE[0]], [("wheat new words", "d"), BASE[1]]):
        model = reloaded(model.teach(*listed(some, several))).forget(*listed(some[::-1], several))
        assert bits(model) == before
        assert file_of(model) == file


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=TEMPLATES)
@FEW
@given(more=DOCUMENTS, data=st.data())
def test_weights(template, more, data):
    documents = [*BASE, *more]
    weights = data.draw(st.lists(st.sampled_from([0.1, 0.3, 1.0, 2.5]), min_size=len(documents), max_size=12))
    weights = np.array(weights[: len(documents)])
    model = clone(template).fit(*listed(documents, False), weights)
    before, file = bits(model), file_of(model)
    order = np.array(data.draw(st.permutations(range(len(documents)))))
    other = clone(template).fit(*listed([documents[place] for place in order], False), weights[order])
    assert bits(other) == before
    assert file_of(other) == file
    one = data.draw(st.sampled_from(documents))
    model.teach(*listed([one], False), [0.7]).forget(*listed([one], False), [0.7])
    assert bits(model) == before
    assert file_of(model) == file
