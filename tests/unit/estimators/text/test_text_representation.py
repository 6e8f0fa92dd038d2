"""Texts as rows: counter, cuts, transform, vocabulary."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.preprocessing import MaxAbsScaler

from textbayes import AutoNB, FrequencyTransform, TermSelector, TextClassifier, TextCounter, load
from textbayes.errors import ModelDamagedError, NoTermsLeftError, ParameterError
from textbayes.estimators.text.text_representation import TextRepresentation
from textbayes.persistence import Stored
from textbayes.statistics import Documents, LabelledRows, as_label_targets

TEXTS = ["wheat corn", "corn corn 밀가루", "oil", "oil wheat"]
LABELS = ["grain", "grain", "oil", "oil"]


def fitted(counter=None, transform=None, texts=TEXTS, labels=LABELS):
    representation = TextRepresentation(counter or TextCounter(), transform)
    documents = Documents(multilabel=False)
    rows = representation.grow(representation.count(texts))
    documents.add(LabelledRows(rows, as_label_targets(labels)))
    return representation, documents, representation.fit(documents)


def read(representation, texts):
    return representation.transformed(representation.read_counts(texts))


@pytest.mark.parametrize(
    ("counter", "transform"),
    [
        (TextCounter(), None),
        (TextCounter(min_df=2), None),
        (TextCounter(dimensions=32), FrequencyTransform()),
        (TextCounter(min_df=2), FrequencyTransform(length="mean")),
        (TextCounter(ngram_range=(1, 2)), TermSelector("chi2", k=3)),
        (TextCounter(), MaxAbsScaler()),
    ],
    ids=repr,
)
def test_it_is_the_pipeline_of_its_parts(counter, transform):
    representation, documents, learned = fitted(counter, transform)
    expected = counter.fit_transform(TEXTS)
    if transform is not None:
        expected = transform.fit_transform(expected, LABELS)
    # Documents are in an order of their contents.
    pairs = sorted(zip(expected.toarray().tolist(), LABELS, strict=True))
    for again in (learned, representation.represent(documents)):
        labels = again.targets.labels().tolist()
        assert sorted(zip(again.rows.matrix.toarray().tolist(), labels, strict=True)) == pairs
    assert read(representation, TEXTS).matrix.toarray().tolist() == expected.toarray().tolist()
    if counter.dimensions is None:
        names = counter.get_feature_names_out()
        names = names if transform is None else transform.get_feature_names_out(names)
        assert representation.terms().tolist() == list(names)
        name_of = representation.term_names()
        assert representation.columns_of([name_of(0), "unknown"]) == [0, None]
    else:
        assert representation.columns_of(["wheat"]) == [read(representation, ["wheat"]).columns[0]]
        assert representation.term_names()(3) == "hashed3"


@pytest.mark.parametrize(
    ("counter", "transform", "independent"),
    [
        (TextCounter(), None, True),
        (TextCounter(dimensions=8), FrequencyTransform(idf=False), True),
        (TextCounter(min_df=2), None, False),
        (TextCounter(), FrequencyTransform(), False),
        (TextCounter(), FrequencyTransform(idf=False, length="mean"), False),
        (TextCounter(), MaxAbsScaler(), False),
        (TextCounter(), TermSelector(), False),
    ],
    ids=repr,
)
def test_rows_that_depend_on_their_own_text_only(counter, transform, independent):
    assert TextRepresentation(counter, transform).rows_are_independent is independent


def test_terms_without_documents_go_and_new_ones_are_sorted():
    representation, documents, _ = fitted()
    more = representation.grow(representation.count(["apple oil"]))
    documents.add(LabelledRows(more, as_label_targets(["fruit"])))
    assert representation.width == 5
    first = LabelledRows(representation.count_known(TEXTS[1:2]), as_label_targets(LABELS[1:2]))
    documents.remove(documents.find(first))
    representation.fit(documents)
    assert representation.terms().tolist() == ["apple", "corn", "oil", "wheat"]
    again = representation.represent(documents)
    place = again.targets.labels().tolist().index("fruit")
    assert again.rows.matrix.toarray()[place].tolist() == [1, 0, 1, 0]


def test_unknown_terms():
    representation, _, _ = fitted()
    assert representation.total_counts(["corn apple apple"]).tolist() == [3]
    assert representation.count_known(["corn apple apple"]).sums().tolist() == [1]
    assert representation.take_known(representation.count(["apple corn"])).sums().tolist() == [1]
    assert representation.width == 4


def test_a_wider_transform():
    representation, _, _ = fitted(transform=FrequencyTransform(idf=False))
    rows = representation.grow(representation.count(["apple"]))
    representation.widen()
    assert representation.transformed(rows).matrix.toarray().tolist() == [[0, 0, 0, 0, 1]]


def test_joined_terms():
    one, _, _ = fitted()
    two, _, _ = fitted(texts=["apple oil"], labels=["fruit"])
    assert one.join(two).tolist() == [4, 1]
    hashed, _, _ = fitted(TextCounter(dimensions=3))
    assert hashed.join(hashed).tolist() == [0, 1, 2]


def test_word_pairs():
    pairs = fitted(TextCounter(ngram_range=(1, 2)))[0]
    assert pairs.column_kinds().tolist() == [" " in term for term in pairs.terms()]
    for counter in (TextCounter(), TextCounter(ngram_range=(2, 2))):
        assert not fitted(counter, texts=TEXTS[:2], labels=LABELS[:2])[0].column_kinds().any()
    for counter in (TextCounter(dimensions=9), TextCounter(unit="char_wb", ngram_range=(2, 3))):
        assert fitted(counter, texts=TEXTS[:2], labels=LABELS[:2])[0].column_kinds() is None


def test_no_term_is_left():
    with pytest.raises(NoTermsLeftError):
        fitted(texts=["?"], labels=["a"])


def test_copies_read_the_same():
    representation, _, _ = fitted(transform=FrequencyTransform())
    for twin in (copy.deepcopy(representation), pickle.loads(pickle.dumps(representation))):
        assert read(twin, TEXTS).values.tobytes() == read(representation, TEXTS).values.tobytes()


@pytest.mark.parametrize(
    "counter", [TextCounter(), TextCounter(min_df=2), TextCounter(dimensions=16)], ids=repr
)
def test_stored_and_restored(counter):
    representation, documents, _ = fitted(counter, FrequencyTransform())
    twin = TextRepresentation.restore(representation.store(keeps_documents=True), keeps_documents=True)
    assert twin.width == representation.width
    assert read(twin, TEXTS).values.tobytes() == read(representation, TEXTS).values.tobytes()
    assert twin.fit(documents).rows.values.tobytes() == representation.fit(documents).rows.values.tobytes()


def test_files_that_are_not_sound():
    representation, documents, _ = fitted(TextCounter(min_df=2))
    stored = representation.store(keeps_documents=False)
    with pytest.raises(ModelDamagedError, match="vocabulary of its documents"):
        TextRepresentation.restore(stored, keeps_documents=True)
    other = Stored({}).with_part(
        "counter", fitted(transform=FrequencyTransform())[0].store(True).part("transform")
    )
    with pytest.raises(ModelDamagedError, match="not a TextCounter"):
        TextRepresentation.restore(other, keeps_documents=False)
    whole = fitted()[0].store(keeps_documents=True)
    starts = np.frombuffer(b"corncorn", dtype=np.uint8)
    twice = {**whole.arrays, "counter/bytes": starts, "counter/ends": np.array([4, 8])}
    assert set(twice) == set(whole.arrays)
    made = TextRepresentation.restore(Stored(whole.configuration, twice), keeps_documents=True)
    with pytest.raises(ModelDamagedError, match="twice"):
        made.fit(documents)


@pytest.mark.parametrize("changes", [False, True])
@pytest.mark.parametrize(
    "classifier",
    [
        TextClassifier("complement"),
        TextClassifier("twcnb", TextCounter(min_df=2)),
        TextClassifier("complement", TextCounter(dimensions=64)),
        TextClassifier("complement", keep_documents=False),
        TextClassifier(AutoNB(candidates=["one-vs-all"], random_state=0), TextCounter(characters=(2, 3))),
    ],
    ids=repr,
)
def test_a_prepared_file_answers_and_learns_the_same(tmp_path, classifier, changes):
    texts = ["wheat and corn", "wheat harvest 밀", "crude oil", "oil output 🛢", "corn harvest"]
    clone(classifier).fit(texts, ["grain", "grain", "oil", "oil", "grain"]).save(tmp_path / "model.tb")
    plain, prepared = (load(tmp_path / "model.tb") for _ in range(2))
    assert prepared.prepare(changes=changes) is prepared
    more = [*texts, "unknown words", "밀 밀"]
    assert np.array_equal(prepared.predict_proba(more), plain.predict_proba(more))
    for each in (plain, prepared):
        each.teach(["gold mine", "wheat"], ["gold", "grain"])
    assert np.array_equal(prepared.predict_proba(more), plain.predict_proba(more))
    plain.save(tmp_path / "plain.tb")
    prepared.save(tmp_path / "prepared.tb")
    assert (tmp_path / "prepared.tb").read_bytes() == (tmp_path / "plain.tb").read_bytes()


def test_a_switch_of_prepare():
    classifier = TextClassifier("complement").fit(["wheat", "oil"], ["grain", "oil"])
    with pytest.raises(ParameterError, match="changes"):
        classifier.prepare(changes="no")
