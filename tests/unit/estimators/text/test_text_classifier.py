"""TextClassifier beside the pipeline it stands for, and what it refuses."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MultiLabelBinarizer
from sklearn.utils import estimator_checks
from sklearn.utils.validation import check_is_fitted

import textbayes
from reference.corpora import everyday_texts
from textbayes import (
    ComplementNB,
    FrequencyTransform,
    MultinomialNB,
    PoissonNB,
    TermSelector,
    TextClassifier,
    TextCounter,
)
from textbayes.errors import (
    DocumentsNotKeptError,
    LabelsError,
    MergeError,
    ModelDamagedError,
    ModelForeignError,
    NoTermsLeftError,
    NotLearnedError,
    ParameterError,
    ShapeError,
    TextsError,
    UnfittedError,
)
from textbayes.persistence import Stored, read_model, write_model

TEXTS = [
    "wheat and corn",
    "wheat harvest 밀가루",
    "crude oil",
    "oil output 🛢",
    "gold mine",
    "mine of gold قمح",
]
LABELS = ["grain", "grain", "oil", "oil", "gold", "gold"]
LISTS = [["grain", "food"], ["grain"], ["oil"], ["oil", "energy"], [], ["gold"]]
NEW = ["corn harvest", "crude output", "gold! GOLD?", "unknown words only", "", "밀가루 قمح"]


def fitted(*arguments, **named):
    return TextClassifier(*arguments, **named).fit(TEXTS, LABELS)


@pytest.mark.parametrize(
    ("classifier", "pipeline"),
    [
        (TextClassifier("multinomial", TextCounter()), make_pipeline(TextCounter(), MultinomialNB())),
        (
            TextClassifier("twcnb", TextCounter(min_df=2, stop_words="english")),
            make_pipeline(
                TextCounter(min_df=2, stop_words="english"), FrequencyTransform(), ComplementNB(norm=True)
            ),
        ),
        (
            TextClassifier(PoissonNB(), TextCounter(ngram_range=(1, 2)), TermSelector("chi2", k=20)),
            make_pipeline(TextCounter(ngram_range=(1, 2)), TermSelector("chi2", k=20), PoissonNB()),
        ),
        (
            TextClassifier(MultinomialNB(), TextCounter(dimensions=99)),
            make_pipeline(TextCounter(dimensions=99), MultinomialNB()),
        ),
    ],
    ids=["multinomial", "twcnb", "selected", "hashed"],
)
def test_is_the_pipeline_it_stands_for(classifier, pipeline):
    texts = list(everyday_texts()[:90])
    labels = [
        "import" if "import numpy" in text else "short" if len(text) < 800 else "other" for text in texts
    ]
    classifier.set_params(calibrate=False).fit(texts[:60], labels[:60])
    pipeline.fit(texts[:60], labels[:60])
    for method in ("predict_proba", "decision_function", "predict"):
        ours, theirs = (getattr(model, method)(texts[60:]) for model in (classifier, pipeline))
        assert ours.tobytes() == theirs.tobytes(), method
    assert classifier.score(texts[60:], labels[60:]) == pipeline.score(texts[60:], labels[60:])
    best, scores = classifier.top_k(texts[60:], 2)
    assert best.shape == scores.shape == (len(texts[60:]), 2)
    assert best[:, 0].tolist() == classifier.predict(texts[60:]).tolist()


@pytest.mark.parametrize("recipe", ["complement", "twcnb", "poisson-chi2", "normalised"])
def test_one_text_is_classified_as_among_many(recipe):
    classifier = fitted(recipe)
    classifier.teach(["aardvark corn zebra"], ["animal"])  # words that sort before and behind the others
    together = classifier.predict_proba(NEW)
    alone = np.concatenate([classifier.predict_proba([text]) for text in NEW])
    np.testing.assert_allclose(alone, together, rtol=1e-13)


@pytest.mark.parametrize(
    "form",
    [list, tuple, iter, np.array, lambda texts: (text for text in texts)],
    ids=["list", "tuple", "iterator", "array", "generator"],
)
def test_texts_in_every_form(form):
    classifier = TextClassifier().fit(form(TEXTS), LABELS)
    assert classifier.predict(form(NEW)).tolist() == fitted().predict(NEW).tolist()
    classifier.teach(form(NEW[:2]), ["grain", "oil"]).forget(form(NEW[:2]), ["grain", "oil"])
    assert classifier.predict_proba(NEW).tobytes() == fitted().predict_proba(NEW).tobytes()


def test_columns_of_frames():
    pd, pa = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    expected = fitted().predict(NEW).tolist()
    assert (
        TextClassifier().fit(pd.Series(TEXTS), pd.Series(LABELS)).predict(pd.Series(NEW)).tolist() == expected
    )
    classifier = TextClassifier().fit(pa.array(TEXTS), LABELS)
    assert classifier.forget(pa.array(TEXTS[:1]), LABELS[:1]).class_documents_.tolist() == [2, 1, 2]


# Several labels per text.


def test_lists_of_labels():
    classifier = TextClassifier("complement-all", calibrate=False).fit(TEXTS, LISTS)
    assert classifier.classes_.tolist() == ["energy", "food", "gold", "grain", "oil"]
    indicator = MultiLabelBinarizer().fit_transform(LISTS)
    counter = TextCounter(tokens="unicode")
    model = ComplementNB(against="all").fit(counter.fit_transform(TEXTS), indicator)
    X = counter.transform(NEW)
    assert classifier.predict_proba(NEW).tobytes() == model.predict_proba(X).tobytes()
    expected = [classifier.classes_[row.astype(bool)].tolist() for row in model.predict(X)]
    assert classifier.predict(NEW) == expected
    assert classifier.score(TEXTS, LISTS) == np.mean(
        [a == sorted(b) for a, b in zip(classifier.predict(TEXTS), LISTS, strict=True)]
    )


def test_labels_come_and_go_among_lists():
    classifier = TextClassifier("complement-all").fit(TEXTS, LISTS)
    classifier.teach(["solar power"], [["energy", "sun"]])
    assert "sun" in classifier.classes_
    classifier.forget(["solar power"], [["sun", "energy"]])  # the order of a list means nothing
    assert (
        classifier.predict_proba(NEW).tobytes()
        == TextClassifier("complement-all").fit(TEXTS, LISTS).predict_proba(NEW).tobytes()
    )


def test_kinds_of_labels_do_not_mix():
    with pytest.raises(LabelsError, match="one label per text"):
        fitted().teach(["x y z"], [["grain"]])
    with pytest.raises(LabelsError, match="and the model has learned"):
        fitted().forget(TEXTS[:1], [["grain"]])
    with pytest.raises(LabelsError, match="and the model has learned"):
        fitted().merge(TextClassifier().fit(TEXTS, LISTS))


def test_whole_numbers_as_labels():
    numbers = [LABELS.index(label) for label in LABELS]
    classifier = TextClassifier().fit(TEXTS, numbers)
    assert classifier.predict(TEXTS).tolist() == numbers
    assert classifier.classes_.dtype.kind == "i"


# What goes wrong.


def test_nothing_is_changed_by_an_error():
    classifier = fitted()
    before = classifier.predict_proba(NEW).tobytes()
    for wrong, message, texts, labels in [
        (ShapeError, "texts has 2 items, and labels has 1", ["a b", "c d"], ["grain"]),
        (TextsError, r"^texts\[1\] is None", ["newword", None], ["grain", "oil"]),
        (TextsError, "one str, 'wheat'", "wheat", ["grain"]),
        (ParameterError, "^y=None", ["wheat"], None),
        (LabelsError, "and the model has learned", ["newword"], [["grain"]]),
    ]:
        for act in (classifier.teach, classifier.forget):
            with pytest.raises(wrong, match=message):
                act(texts, labels)
    with pytest.raises(NotLearnedError, match=r"texts\[1\] with the label 'oil'"):
        classifier.forget([TEXTS[0], TEXTS[0]], ["grain", "oil"])
    with pytest.raises(NotLearnedError, match=r"texts\[1\]"):
        classifier.forget([TEXTS[0], TEXTS[0]], ["grain", "grain"])  # it was learned only once
    with pytest.raises(NotLearnedError, match=r"texts\[0\] with the label 'grain'"):
        classifier.forget([TEXTS[0] + " newword"], ["grain"])
    assert classifier.predict_proba(NEW).tobytes() == before
    assert (
        classifier.counter_.get_feature_names_out().tolist()
        == fitted().counter_.get_feature_names_out().tolist()
    )


def test_before_anything_was_learned():
    for act in ("predict", "predict_proba", "explain", "forget", "merge", "inspect"):
        arguments = {"forget": (TEXTS, LABELS), "merge": (fitted(),), "inspect": ()}.get(act, (TEXTS,))
        with pytest.raises(UnfittedError, match="TextClassifier"):
            getattr(TextClassifier(), act)(*arguments)
    with pytest.raises(AttributeError):
        TextClassifier().classes_  # noqa: B018
    assert TextClassifier().teach(TEXTS, LABELS).predict(NEW).tolist() == fitted().predict(NEW).tolist()


def test_texts_without_terms():
    with pytest.raises(NoTermsLeftError):
        TextClassifier().fit(["", " \n"], ["a", "b"])
    with pytest.raises(NoTermsLeftError):
        TextClassifier("complement").fit(["", "!"], ["a", "b"])


def test_texts_of_symbols_have_characters():
    classifier = TextClassifier().fit(["🙂🙂", "🙂 🙂", "?!", "?!?"], ["glad", "glad", "puzzled", "puzzled"])
    assert classifier.predict(["🙂", "?!?!"]).tolist() == ["glad", "puzzled"]
    assert classifier.counter_.characters == (2, 5)


@pytest.mark.parametrize(
    "wrong",
    [{"model": 7}, {"model": None}, {"counter": "words"}, {"transform": "idf"}, {"keep_documents": "yes"}],
    ids=repr,
)
def test_parameters_that_cannot_be(wrong):
    with pytest.raises(ParameterError, match=f"^{next(iter(wrong))}="):
        TextClassifier(**wrong).fit(TEXTS, LABELS)


def test_classifiers_that_differ_do_not_merge():
    with pytest.raises(MergeError, match="model"):
        fitted("multinomial").merge(fitted("complement"))
    with pytest.raises(MergeError, match="kind"):
        fitted().merge(MultinomialNB())


# Without documents.


def test_without_documents_plain_counts_are_exact_still():
    classifier = TextClassifier("multinomial", keep_documents=False, calibrate=False).fit(
        TEXTS[:4], LABELS[:4]
    )
    classifier.teach(TEXTS[4:], LABELS[4:])
    whole = fitted("multinomial", calibrate=False)
    assert classifier.predict_proba(NEW).tobytes() == whole.predict_proba(NEW).tobytes()
    other = TextClassifier("multinomial", keep_documents=False, calibrate=False).fit(TEXTS[4:], LABELS[4:])
    merged = (
        TextClassifier("multinomial", keep_documents=False, calibrate=False)
        .fit(TEXTS[:4], LABELS[:4])
        .merge(other)
    )
    np.testing.assert_allclose(merged.predict_proba(NEW), whole.predict_proba(NEW), rtol=1e-12)
    with pytest.raises(NotLearnedError):
        merged.forget(["wheat oil"], ["gold"])


def test_without_documents_forgotten_words_stay_known():
    classifier = TextClassifier("multinomial", keep_documents=False).fit(TEXTS, LABELS)
    classifier.teach(["quite new"], ["grain"]).forget(["quite new"], ["grain"])
    assert "quite" in classifier.counter_.vocabulary_
    assert (
        "quite"
        not in fitted("multinomial")
        .teach(["quite new"], ["grain"])
        .forget(["quite new"], ["grain"])
        .counter_.vocabulary_
    )


def test_without_documents_what_is_global_stays():
    classifier = TextClassifier("twcnb", keep_documents=False).fit(TEXTS, LABELS)
    idf = classifier.transform_.idf_.tolist()
    classifier.teach(["wheat and new words"], ["grain"])
    assert classifier.transform_.idf_.tolist() == idf
    assert "new" not in classifier.counter_.vocabulary_
    assert classifier.class_documents_.tolist() == [2, 3, 2]
    with pytest.raises(DocumentsNotKeptError):
        classifier.merge(TextClassifier("twcnb", keep_documents=False).fit(TEXTS, LABELS))


def test_without_documents_the_file_is_smaller(tmp_path):
    for keep in (True, False):
        TextClassifier("complement", keep_documents=keep).fit(TEXTS * 200, LABELS * 200).save(
            tmp_path / f"{keep}.tb"
        )
    assert (tmp_path / "False.tb").stat().st_size < 0.7 * (tmp_path / "True.tb").stat().st_size
    assert TextClassifier.load(tmp_path / "False.tb").teach(["solar sun"], ["sun"]).predict(
        ["sun"]
    ).tolist() == ["sun"]


# In scikit-learn.


def test_parameters_inside_its_parts():
    classifier = TextClassifier("twcnb").set_params(model__alpha=0.25, counter__min_df=2)
    assert isinstance(classifier.transform, FrequencyTransform)
    assert classifier.model.alpha == 0.25
    assert classifier.counter.get_params()["tokens"] == "unicode"
    assert classifier.get_params()["counter__min_df"] == 2
    assert clone(classifier).get_params()["model__norm"] is True
    with pytest.raises(ValueError, match="alhpa"):
        TextClassifier().set_params(model__alhpa=1)


def test_grid_search():
    grid = {"model__alpha": [0.1, 1.0], "counter__min_df": [1, 2], "counter__ngram_range": [(1, 1), (1, 2)]}
    search = GridSearchCV(TextClassifier("multinomial"), grid, cv=2, error_score="raise")
    search.fit(TEXTS * 2, LABELS * 2)
    assert search.best_score_ == 1.0
    assert cross_val_score(TextClassifier(), TEXTS * 2, LABELS * 2, cv=2).tolist() == [1.0, 1.0]


CHECKS = [
    estimator_checks.check_estimator_cloneable,
    estimator_checks.check_estimator_repr,
    estimator_checks.check_no_attributes_set_in_init,
    estimator_checks.check_parameters_default_constructible,
    estimator_checks.check_get_params_invariance,
    estimator_checks.check_set_params,
    estimator_checks.check_valid_tag_types,
    estimator_checks.check_estimator_tags_renamed,
    estimator_checks.check_mixin_order,
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_scikit_learns_checks(check):
    check("TextClassifier", TextClassifier())


def test_copies_and_pickles():
    classifier = fitted("twcnb")
    for twin in (copy.deepcopy(classifier), pickle.loads(pickle.dumps(classifier))):
        check_is_fitted(twin)
        twin.teach(["solar sun"], ["sun"])
        assert twin.predict(["sun"]).tolist() == ["sun"]
    assert classifier.predict(["sun"]).tolist() != ["sun"]
    assert "sun" not in classifier.classes_


def test_a_classifier_of_scikit_learn():
    classifier = (
        TextClassifier(LogisticRegression())
        .fit(TEXTS, LABELS)
        .teach(["solar sun", "the sun"], ["sun", "sun"])
    )
    assert classifier.predict(["sun"]).tolist() == ["sun"]
    assert classifier.predict_proba(NEW).shape == (6, 4)
    with pytest.raises(DocumentsNotKeptError):
        TextClassifier(LogisticRegression(), keep_documents=False).fit(TEXTS, LABELS).teach(TEXTS, LABELS)


# In a file.


@pytest.mark.parametrize("labels", [LABELS, LISTS], ids=["labels", "lists"])
@pytest.mark.parametrize(
    "classifier",
    [
        TextClassifier(),
        TextClassifier("twcnb", TextCounter(min_df=2)),
        TextClassifier("poisson", TextCounter(dimensions=40)),
        TextClassifier(MultinomialNB(), keep_documents=False),
    ],
    ids=repr,
)
def test_files(classifier, labels, tmp_path):
    classifier = clone(classifier).fit(TEXTS, labels)
    classifier.save(tmp_path / "model.tb")
    twin = TextClassifier.load(tmp_path / "model.tb")
    assert repr(twin) == repr(classifier)
    assert twin.predict_proba(NEW).tobytes() == classifier.predict_proba(NEW).tobytes()
    more = ["solar sun"], [labels[0]]
    for either in (classifier, twin):
        either.teach(*more).forget(TEXTS[:1], labels[:1])
    assert twin.predict_proba(NEW).tobytes() == classifier.predict_proba(NEW).tobytes()


def test_another_model_is_no_classifier_of_texts(tmp_path):
    textbayes.save(MultinomialNB(), tmp_path / "model.tb")
    with pytest.raises(ModelForeignError, match="MultinomialNB, not a TextClassifier"):
        TextClassifier.load(tmp_path / "model.tb")


def test_forged_documents_are_found_before_they_are_used(tmp_path):
    classifier = fitted()
    classifier.save(tmp_path / "model.tb")
    stored = read_model(tmp_path / "model.tb")
    entries = stored.arrays["documents/entries"] | np.uint8(0x70)  # columns that are too large
    write_model(
        Stored(stored.configuration, stored.arrays | {"documents/entries": entries}), tmp_path / "model.tb"
    )
    forged = TextClassifier.load(tmp_path / "model.tb")
    assert forged.predict(NEW).tolist() == fitted().predict(NEW).tolist()
    with pytest.raises(ModelDamagedError, match="documents do not fit"):
        forged.teach(["a b c"], ["grain"])


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("labels", [["a", "b", "a"], [["a", "b"], [], ["b"]]])
def test_how_many_documents_were_learned(keep, labels):
    texts = ["wheat corn", "crude oil", "밀"]
    classifier = TextClassifier("multinomial", keep_documents=keep).fit(texts, labels)
    assert classifier.documents_ == 3
    assert classifier.teach(texts[:1], labels[:1]).documents_ == 4
    assert classifier.forget(texts[1:], labels[1:]).documents_ == 2


def test_a_counter_of_ones_own_reads_scripts_without_spaces():
    texts = ["小麦价格上涨", "玉米小麦出口", "原油价格下跌", "石油公司原油"] * 3
    labels = ["谷物", "谷物", "石油", "石油"] * 3
    default = TextClassifier("complement").fit(texts, labels)
    own = TextClassifier("complement", counter=TextCounter(min_df=2)).fit(texts, labels)
    assert own.predict(["今天小麦", "进口原油"]).tolist() == ["谷物", "石油"]
    assert default.counter_.get_params() == {**own.counter_.get_params(), "min_df": 1}
