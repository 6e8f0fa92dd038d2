"""CompactClassifier: the answers of the whole model's table, in a small file that learns nothing."""

import copy
import json
import pickle
import subprocess
import sys

import numpy as np
import pytest

import textbayes
from textbayes import CompactClassifier, TextClassifier, TextCounter
from textbayes.answering import load_answerer
from textbayes.errors import (
    CompactModelError,
    ModelDamagedError,
    ModelForeignError,
    TextbayesError,
    TextsError,
)
from textbayes.persistence import Stored, read_model, write_model

GRAIN = [
    "wheat and corn rose",
    "wheat fell; corn steady",
    "a record wheat harvest",
    "밀 wheat 가격",
    "corn crop",
]
OIL = ["crude oil rose", "oil fell, OPEC met", "東京の石油 crude oil", "crude output cut", "OPEC oil output"]
TEXTS, LABELS = [*GRAIN, *OIL], ["grain"] * 5 + ["oil"] * 5
SEVERAL = [[label, "up"] if "rose" in text else [label] for text, label in zip(TEXTS, LABELS, strict=True)]
QUERIES = ["wheat", "oil rose", "", "밀 東京 石油", "unseen words only", "corn OPEC " * 30, "\ud800 oil"]


@pytest.fixture(scope="module")
def whole():
    return TextClassifier().fit(TEXTS, LABELS)


@pytest.fixture(scope="module")
def small(whole):
    return whole.compact(size=whole.compact(size=10**9).nbytes - 300)


@pytest.fixture
def path(small, tmp_path):
    small.save(tmp_path / "small.tb")
    return tmp_path / "small.tb"


def test_characters_beside_words(tmp_path):
    counter = TextCounter(tokens="unicode", ngram_range=(1, 2), characters=(2, 4))
    whole = TextClassifier("complement", counter).fit(TEXTS, LABELS)
    small = whole.compact(size=whole.compact(size=10**9).nbytes - 500)
    assert 0 < small.compaction_.terms < small.compaction_.all_terms
    small.save(tmp_path / "small.tb")
    loaded = CompactClassifier.load(tmp_path / "small.tb")
    assert_same_answers(small, loaded)
    assert loaded.predict(["wheats", "crudely"]).tolist() == ["grain", "oil"]
    explanation = loaded.explain("wheats")
    assert explanation.terms()[0][0] == "wheats"
    np.testing.assert_allclose(explanation.bias + explanation.contributions.sum(axis=0), explanation.scores)
    assert all("\0" not in term for one in loaded.inspect().classes for term, _ in one.terms)


def assert_same_answers(one, other):
    assert one.classes_.tolist() == other.classes_.tolist()
    for texts in (QUERIES, QUERIES[:1], []):
        assert list(one.predict(texts)) == list(other.predict(texts))
        for method in ("predict_proba", "predict_log_proba", "decision_function"):
            np.testing.assert_array_equal(getattr(one, method)(texts), getattr(other, method)(texts))
        for ours, theirs in zip(one.top_k(texts, 2), other.top_k(texts, 2), strict=True):
            np.testing.assert_array_equal(ours, theirs)


# Answers.


def test_a_model_that_leaves_nothing_out_answers_as_the_whole(whole):
    small = whole.compact(size=10**9)
    assert small.compaction_.terms == small.compaction_.all_terms
    assert_same_answers(small, whole)


def test_two_classes_have_one_score_and_probabilities_sum_to_one(small):
    assert small.decision_function(QUERIES).shape == (len(QUERIES),)
    np.testing.assert_allclose(small.predict_proba(QUERIES).sum(axis=1), 1.0)
    np.testing.assert_allclose(np.exp(small.predict_log_proba(QUERIES)), small.predict_proba(QUERIES))


def test_explanations_sum_to_the_score(small):
    for text in QUERIES:
        explanation = small.explain(text)
        np.testing.assert_allclose(
            explanation.bias + explanation.contributions.sum(axis=0), explanation.scores, atol=1e-12
        )
        assert explanation.label == small.predict([text])[0]
        assert type(explanation.label) is str
        lead = explanation.scores[1] - explanation.scores[0]
        np.testing.assert_allclose(lead, small.decision_function([text])[0], atol=1e-9)


def test_a_term_that_was_left_out_is_unknown(whole, small):
    left_out = [term for term in whole.counter_.vocabulary_ if not small.explain(term).tokens[0].known]
    kept = small.compaction_.terms
    assert 0 < kept < len(whole.counter_.vocabulary_)
    single = [term for term in whole.counter_.vocabulary_ if " " not in term]
    assert set(left_out) & set(single)


def test_explain_takes_one_text(small):
    with pytest.raises(TextsError):
        small.explain(["wheat"])


def test_several_labels():
    whole = TextClassifier().fit(TEXTS, SEVERAL)
    small = whole.compact(size=10**9)
    assert small.multilabel_
    assert small.predict(QUERIES) == whole.predict(QUERIES)
    assert small.explain("wheat rose").label == small.predict(["wheat rose"])[0]


# What it says.


def test_the_summary_says_terms_loss_and_size(small, path):
    summary, made = small.summary(), small.compaction_
    assert f"{made.terms:,} of {made.all_terms:,} terms, 8 bits a weight" in summary
    assert "macro F1 on 2 held-out documents" in summary
    assert summary.endswith(f"{path.stat().st_size / 1e6:.3f} MB")
    assert repr(small) == f"CompactClassifier({summary})"


def test_its_size_is_that_of_its_file(small, path):
    assert small.nbytes == path.stat().st_size
    assert small.documents_ == 10
    assert small.class_documents_.tolist() == [5, 5]


# What it refuses.


@pytest.mark.parametrize("method", ["fit", "teach", "forget", "merge", "settle", "reconsider", "compact"])
def test_it_learns_nothing(small, method):
    given = () if method in ("settle", "reconsider", "compact") else (["wheat"], ["grain"])
    with pytest.raises(CompactModelError, match=f"compact model, so {method} cannot be used") as caught:
        getattr(small, method)(*given)
    assert isinstance(caught.value, TextbayesError)
    assert "the model that it was made from" in str(caught.value)


# Files.


def test_a_file_gives_the_same_answers(small, path):
    for load in (CompactClassifier.load, textbayes.load, load_answerer):
        loaded = load(path)
        assert type(loaded) is CompactClassifier
        assert_same_answers(loaded, small)
        assert loaded.summary() == small.summary()


def test_saving_a_loaded_model_gives_the_same_bytes(path, tmp_path):
    textbayes.save(textbayes.load(path), tmp_path / "again.tb")
    assert (tmp_path / "again.tb").read_bytes() == path.read_bytes()


def test_copies_and_pickles(small):
    for twin in (pickle.loads(pickle.dumps(small)), copy.deepcopy(small)):
        assert_same_answers(twin, small)


def test_a_text_classifier_and_a_compact_one_do_not_load_as_each_other(whole, path, tmp_path):
    whole.save(tmp_path / "whole.tb")
    with pytest.raises(ModelForeignError, match="holds a TextClassifier, not a CompactClassifier"):
        CompactClassifier.load(tmp_path / "whole.tb")
    with pytest.raises(ModelForeignError, match="holds a CompactClassifier, not a TextClassifier"):
        TextClassifier.load(path)


def changed(path, change):
    stored = read_model(path)
    configuration, arrays = json.loads(json.dumps(stored.configuration)), dict(stored.arrays)
    change(configuration, arrays)
    write_model(Stored(configuration, arrays), path)


def lose(name):
    return lambda _, arrays: arrays.pop(name)


def put(name, change):
    return lambda _, arrays: arrays.update({name: change(arrays[name])})


def configure(*places, value):
    def change(configuration, _):
        for place in places[:-1]:
            configuration = configuration[place]
        configuration[places[-1]] = value

    return change


FORGED = {
    "no terms": lose("term_bytes"),
    "fewer terms": put("term_lengths", lambda lengths: lengths[:-1]),
    "longer terms": put("term_lengths", lambda lengths: lengths + np.uint8(1)),
    "no UTF-8": put("term_bytes", lambda letters: np.full_like(letters, 0xFF)),
    "fewer weights": put("weights/row_of", lambda rows: rows[:-1]),
    "no rows": lose("weights/row_lengths"),
    "longer rows": put("weights/row_lengths", lambda lengths: lengths + lengths.dtype.type(1)),
    "fewer labels": put("labels/labels_ends", lambda ends: ends[:-1]),
    "equal labels": put("labels/labels_ends", np.zeros_like),
    "negative sizes": put("class_documents", lambda sizes: -sizes),
    "sizes that are no numbers": put("class_documents", lambda sizes: sizes * np.nan),
    "a bias that is no number": put("weights/bias", lambda bias: bias * np.nan),
    "an infinite bias": put("weights/bias", lambda bias: np.full_like(bias, np.inf)),
    "slopes that are no numbers": put("weights/slopes", lambda slopes: slopes * np.nan),
    "infinite scales": put("weights/scales", lambda scales: scales * np.float32(np.inf)),
    "a score above 1": configure("score", value=1.5),
    "a score that is no number": configure("score", value="high"),
    "negative terms": configure("terms", value=-1),
    "no counter": configure("parts", "counter", value=None),
    "another counter": configure("parts", "counter", "kind", value="AutoNB"),
    "an invalid parameter": configure("parts", "counter", "parameters", "tokens", value="("),
    "a missing parameter": configure("parts", "counter", "parameters", value={}),
    "an unknown form": configure("parts", "weights", "forms", value=[[True, "none", "l3", 0]]),
}


@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED)
def test_a_forged_file_is_refused(change, path):
    changed(path, change)
    with pytest.raises(ModelDamagedError):
        CompactClassifier.load(path).predict_proba(QUERIES)


def test_rows_that_are_not_there_are_refused_when_they_are_read(path):
    for number in (100, 2**31, 2**32 - 1):
        changed(path, put("weights/row_of", lambda rows, to=number: np.full(len(rows), to, dtype=np.uint32)))
        with pytest.raises(ModelDamagedError):
            CompactClassifier.load(path).predict(TEXTS)


def test_hashed_columns(tmp_path):
    whole = TextClassifier("complement", TextCounter(dimensions=512, tokens="unicode")).fit(TEXTS, LABELS)
    small = whole.compact(max_loss=1.0)
    small.save(tmp_path / "small.tb")
    assert_same_answers(CompactClassifier.load(tmp_path / "small.tb"), small)
    assert small.compaction_.terms < 512
    for text in QUERIES:
        explanation = small.explain(text)
        total = explanation.bias + explanation.contributions.sum(axis=0)
        np.testing.assert_allclose(total, explanation.scores, atol=1e-12)


@pytest.mark.parametrize("entry", ["textbayes.CompactClassifier.load", "textbayes.answering.load_answerer"])
def test_answers_import_neither_scikit_learn_nor_scipy(entry, path):
    code = (
        f"import sys, textbayes, textbayes.answering; small = {entry}(sys.argv[1]);"
        "small.predict(['oil']); small.predict_proba(['oil', 'corn']); small.top_k(['oil'], 2);"
        "repr(small); print(*{'sklearn', 'scipy', 'pandas', 'pyarrow', 'narwhals'} & set(sys.modules))"
    )
    run = subprocess.run(
        [sys.executable, "-P", "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == []
