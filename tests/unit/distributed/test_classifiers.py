"""Fits by parts equal fits at once."""

import pickle
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from textbayes import FrequencyTransform, TermSelector, TextClassifier, TextCounter
from textbayes.distributed import (
    count_batches,
    finish,
    fit_by,
    merge,
    merge_shards,
    plan_fit,
    run_here,
    teach_by,
)
from textbayes.errors import BatchError, BlobError, NoDocumentsError, NoTermsLeftError, ParameterError
from textbayes.estimators import VARIANTS

WORDS = [
    "wheat",
    "corn",
    "oil",
    "crude",
    "gold",
    "금",
    "نفط",
    "कच्चा",
    "harvest",
    "output",
    "🌾",
    "mine",
    "price",
]
ADDITIVE = [name for name, variant in VARIANTS.items() if variant.by_name and variant.additive]
COUNTERS = [None, TextCounter(dimensions=2**12), TextCounter(min_df=2), TextCounter(ngram_range=(1, 2))]


def made_texts(number, seed=0):
    draw = np.random.default_rng(seed)
    texts = [" ".join(draw.choice(WORDS, draw.integers(0, 9))) for _ in range(number)]
    return texts, [f"class {at % 5}" if at % 7 else "금" for at in range(number)]


def as_parts(texts, labels, sizes):
    ends = np.cumsum([0, *sizes])
    return [
        [pa.record_batch({"text": pa.array(texts[a:b], pa.string()), "label": labels[a:b]})]
        for a, b in pairwise(ends)
    ]


def contents(classifier, path):
    classifier.save(path)
    return path.read_bytes()


@pytest.mark.parametrize("counter", COUNTERS, ids=repr)
@pytest.mark.parametrize("name", ADDITIVE)
def test_a_fit_by_parts_is_a_fit_at_once_to_the_byte(tmp_path, name, counter):
    texts, labels = made_texts(120)
    make = lambda: TextClassifier(name, counter, keep_documents=False)  # noqa: E731
    at_once = make().fit(texts, labels)
    by_parts = fit_by(make(), run_here(as_parts(texts, labels, [50, 1, 0, 69])), shards=7)
    if name == "normalised":
        # The mean of real numbers: its last bit depends on the parts.
        scores = [each.decision_function(texts) for each in (by_parts, at_once)]
        assert np.allclose(*scores, rtol=1e-12, atol=1e-12)
        return
    assert contents(by_parts, tmp_path / "a.tb") == contents(at_once, tmp_path / "b.tb")


@pytest.mark.parametrize("dimensions", [None, 2**12])
@pytest.mark.parametrize("length", [None, "unit", "mean"])
@pytest.mark.parametrize("idf", [False, True, "smooth"])
def test_every_transform_of_frequencies(tmp_path, idf, length, dimensions):
    texts, labels = made_texts(90)
    make = lambda: TextClassifier(  # noqa: E731
        "complement",
        TextCounter(dimensions=dimensions),
        transform=FrequencyTransform(idf=idf, length=length),
        keep_documents=False,
    )
    by_parts = fit_by(make(), run_here(as_parts(texts, labels, [40, 50])), shards=5)
    at_once = make().fit(texts, labels)
    assert np.allclose(by_parts.predict_proba(texts), at_once.predict_proba(texts), rtol=1e-12, atol=1e-12)
    if length is None and not idf:
        assert contents(by_parts, tmp_path / "a.tb") == contents(at_once, tmp_path / "b.tb")


@pytest.mark.parametrize("name", ["multinomial", "complement-all", "poisson", "twcnb"])
def test_lists_of_labels(tmp_path, name):
    texts, labels = made_texts(80)
    lists = [
        [label, "even"] if at % 2 == 0 else ([label] if at % 5 else []) for at, label in enumerate(labels)
    ]
    make = lambda: TextClassifier(name, keep_documents=False)  # noqa: E731
    at_once = make().fit(texts, lists)
    parts = as_parts(texts, pa.array(lists, pa.list_(pa.string())), [30, 50])
    by_parts = fit_by(make(), run_here(parts))
    assert by_parts.predict(texts) == at_once.predict(texts)
    assert contents(by_parts, tmp_path / "a.tb") == contents(at_once, tmp_path / "b.tb")


@pytest.mark.parametrize("kind", [pa.int64(), pa.int32(), pa.float64(), pa.bool_()])
def test_labels_of_other_types(kind):
    labels = pa.array([0, 1, 1, 0], pa.int64()).cast(kind)
    texts = ["corn", "oil", "crude oil", "wheat corn"]
    parts = [[pa.record_batch({"body": pa.array(texts, pa.large_string()), "topic": labels})]]
    classifier = TextClassifier("complement", keep_documents=False)
    fit_by(classifier, run_here(parts), text="body", label="topic")
    assert classifier.classes_.tolist() == ([False, True] if kind == pa.bool_() else [0, 1])


def test_dictionaries_and_views_are_columns_too():
    labels = pa.array(["grain", "oil"]).dictionary_encode()
    batch = pa.record_batch({"text": pa.array(["corn", "oil"], pa.string_view()), "label": labels})
    classifier = fit_by(TextClassifier("complement", keep_documents=False), run_here([[batch]]))
    assert classifier.predict(["corn"]).tolist() == ["grain"]


def test_one_pass_that_is_finished_later(tmp_path):
    texts, labels = made_texts(60)
    classifier = TextClassifier("complement", TextCounter(dimensions=512), keep_documents=False)
    plan = pickle.loads(pickle.dumps(plan_fit(classifier, shards=5)))
    blobs = [pair for part in as_parts(texts, labels, [20, 40]) for pair in count_batches(part, plan)]
    assert {shard for shard, _ in blobs} <= set(range(6))
    later = finish(merge_shards(blobs), plan, classifier)
    at_once = TextClassifier("complement", TextCounter(dimensions=512), keep_documents=False)
    at_once.fit(texts, labels)
    assert contents(later, tmp_path / "a.tb") == contents(at_once, tmp_path / "b.tb")


def test_merging_in_any_order_and_in_levels():
    texts, labels = made_texts(90)
    classifier = TextClassifier("poisson", TextCounter(dimensions=64), keep_documents=False)
    plan = plan_fit(classifier, shards=1)
    first, second, third = (dict(count_batches(part, plan)) for part in as_parts(texts, labels, [30, 30, 30]))
    for shard in (0, 1):
        blobs = [first[shard], second[shard], third[shard]]
        at_once = merge(blobs)
        assert merge([merge(blobs[:2]), blobs[2]]) == at_once
        if shard == 0:
            assert merge(blobs[::-1]) == at_once


@pytest.mark.parametrize("name", ["complement", "twcnb", "poisson"])
@pytest.mark.parametrize("counter", [None, TextCounter(dimensions=2**12)], ids=repr)
def test_teaching_by_parts_is_teaching(tmp_path, name, counter):
    texts, labels = made_texts(100)
    more, more_labels = [*texts[60:], "unseen words here"], [*labels[60:], "new class"]
    here, far = (TextClassifier(name, counter, keep_documents=False) for _ in range(2))
    here.fit(texts[:60], labels[:60]).teach(more, more_labels)
    teach_by(far.fit(texts[:60], labels[:60]), run_here(as_parts(more, more_labels, [10, 31])))
    assert contents(far, tmp_path / "a.tb") == contents(here, tmp_path / "b.tb")


def test_a_wide_vocabulary_is_a_file(tmp_path):
    texts = [
        " ".join(f"w{(at * 7 + place) % 90_000}" for place in range(400)) for at in range(0, 90_000, 300)
    ]
    labels = [f"c{at % 3}" for at in range(len(texts))]
    files = []

    def run(plan):
        if plan.file is not None:
            files.append(plan.file)
            # A worker has a copy somewhere else.
            copied = tmp_path / "copy.tb"
            copied.write_bytes(Path(plan.file).read_bytes())
            plan = plan.with_file(copied)
        return run_here(as_parts(texts, labels, [100, 200]))(pickle.loads(pickle.dumps(plan)))

    by_parts = fit_by(TextClassifier("twcnb", keep_documents=False), run)
    at_once = TextClassifier("twcnb", keep_documents=False).fit(texts, labels)
    assert len(files) == 1
    assert contents(by_parts, tmp_path / "a.tb") == contents(at_once, tmp_path / "b.tb")


# What cannot work.


@pytest.mark.parametrize(
    "classifier",
    [
        TextClassifier("complement"),
        TextClassifier("linear-svm", keep_documents=False),
        TextClassifier("mixture", keep_documents=False),
        TextClassifier("complement", transform=TermSelector(k=3), keep_documents=False),
    ],
    ids=repr,
)
def test_models_that_do_not_add(classifier):
    with pytest.raises(ParameterError):
        fit_by(classifier, run_here([]))


@pytest.mark.parametrize(
    "classifier",
    [
        TextClassifier("complement", keep_documents=False),
        TextClassifier("twcnb", TextCounter(dimensions=64), keep_documents=False),
        TextClassifier("complement", TextCounter(dimensions=64), FrequencyTransform(), keep_documents=False),
    ],
    ids=repr,
)
def test_one_pass_is_not_always_enough(classifier):
    with pytest.raises(ParameterError, match="fit_by"):
        plan_fit(classifier)


@pytest.mark.parametrize("shards", [0, -1, 1.5, "many"])
def test_numbers_of_shards(shards):
    with pytest.raises(ParameterError, match="shards"):
        fit_by(TextClassifier("complement", keep_documents=False), run_here([]), shards=shards)


def fitted_on(**columns):
    batch = pa.record_batch(columns)
    return fit_by(TextClassifier("complement", keep_documents=False), run_here([[batch]]))


def test_columns_that_cannot_be_learned_from():
    with pytest.raises(BatchError, match=r"no column 'label'.*Did you mean 'labels'") as caught:
        fitted_on(text=["corn"], labels=["grain"])
    assert caught.value.code == "batch-column"
    with pytest.raises(BatchError, match="type int64"):
        fitted_on(text=[1], label=["grain"])
    with pytest.raises(BatchError, match="'text' is null in row 1"):
        fitted_on(text=["corn", None], label=["grain", "oil"])
    with pytest.raises(BatchError, match="'label' is null in row 0"):
        fitted_on(text=["corn"], label=pa.array([None], pa.string()))


def test_no_documents():
    with pytest.raises((NoDocumentsError, BlobError)):
        fit_by(TextClassifier("complement", keep_documents=False), run_here([]))
    with pytest.raises(NoDocumentsError):
        merge([])
    with pytest.raises(NoTermsLeftError):
        fitted_on(text=["", " "], label=["grain", "oil"])


def test_a_failed_fit_leaves_the_classifier_as_it_was():
    classifier = fitted_on(text=["corn", "oil"], label=["grain", "oil"])
    with pytest.raises(ZeroDivisionError):
        fit_by(classifier, lambda plan: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        teach_by(classifier, lambda plan: 1 // 0)
    assert classifier.predict(["corn"]).tolist() == ["grain"]
