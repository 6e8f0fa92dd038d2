"""Every estimator comes back from a file as it went in, and goes on from there."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils.validation import check_is_fitted

import textbayes
from reference.variants import VARIANTS, documents, state
from textbayes import (
    ComplementNB,
    FrequencyTransform,
    MultinomialNB,
    PoissonMixtureNB,
    TermSelector,
    TextClassifier,
    TextCounter,
)
from textbayes.errors import ModelUnsavableError
from textbayes.estimators.base.storing import ESTIMATORS

TEXTS = ["wheat rose 밀 🌾", "corn and wheat fell", "قمح crude oil", "oil, oil! fell", "गेहूँ rose"]
LABELS = ["grain", "grain", "oil", "oil", "밀"]
COUNTERS = [
    TextCounter(),
    TextCounter(tokens="unicode", stop_words={"and", "oil"}, ngram_range=(1, 2)),
    TextCounter(stop_words=["rose"], stemmer="porter", min_df=2),
    TextCounter(dimensions=64),
    TextCounter(unit="char_wb", ngram_range=(2, 3), max_df=0.9),
    TextCounter(tokens="unicode", characters=(2, 3)),
]
MIXTURES = [
    PoissonMixtureNB(),
    PoissonMixtureNB(3, keep=0.2, random_state=0),
    PoissonMixtureNB(2, smoothing="mix", keep_threshold=0.01, n_init=2, random_state=0),
    PoissonMixtureNB(0.1, smoothing=None, random_state=0),
]


def mixture_state(model):
    """Everything a mixture knows, to the bit."""
    found = model.model_
    groups = [found.own] if found.rest is None else [found.own, found.rest]
    arrays = [(name, a.dtype, a.tobytes()) for group in groups for name, a in group.arrays().items()]
    plain = (found.classes.tolist(), found.classes.dtype, found.multilabel, found.documents)
    return arrays, plain, found.background.tobytes(), found.class_documents.tobytes(), model.n_features_in_


def saved(model, tmp_path):
    textbayes.save(model, tmp_path / "model.tb")
    return textbayes.load(tmp_path / "model.tb")


@pytest.mark.parametrize("real", [False, True], ids=["counts", "reals"])
@pytest.mark.parametrize("multilabel", [False, True], ids=["labels", "indicator"])
@pytest.mark.parametrize("variant", VARIANTS, ids=repr)
def test_classifiers(variant, multilabel, real, tmp_path):
    X, y = documents(40, 30, 5, real=real, multilabel=multilabel)
    weights = np.linspace(0.5, 2.0, 40) if real else None
    model = clone(variant).fit(X, y, sample_weight=weights)
    twin = saved(model, tmp_path)
    assert repr(twin) == repr(model)
    assert state(twin) == state(model)
    assert twin.predict_log_proba(X).tobytes() == model.predict_log_proba(X).tobytes()
    wider, more = documents(20, 35, 5, seed=1, real=real, multilabel=multilabel)
    for either in (model, twin):
        either.partial_fit(wider, more).forget(X[:7], y[:7], None if weights is None else weights[:7])
    assert state(twin) == state(model)
    assert twin.decision_function(wider).tobytes() == model.decision_function(wider).tobytes()
    assert state(saved(twin, tmp_path)) == state(model)


@pytest.mark.parametrize("real", [False, True], ids=["counts", "reals"])
@pytest.mark.parametrize("multilabel", [False, True], ids=["labels", "indicator"])
@pytest.mark.parametrize("variant", MIXTURES, ids=repr)
def test_mixtures(variant, multilabel, real, tmp_path):
    X, y = documents(60, 30, 4, real=real, multilabel=multilabel)
    model = clone(variant).fit(X, y, sample_weight=np.linspace(0.5, 2.0, 60) if real else None)
    twin = saved(model, tmp_path)
    assert repr(twin) == repr(model)
    assert mixture_state(twin) == mixture_state(model)
    for method in ("predict_log_proba", "decision_function"):
        assert getattr(twin, method)(X).tobytes() == getattr(model, method)(X).tobytes()
    assert twin.responsibilities(X, y[0] if not multilabel else 0).shape[0] == 60
    assert mixture_state(saved(twin, tmp_path)) == mixture_state(model)


def test_components_by_label_come_back(tmp_path):
    X = TextCounter().fit_transform(TEXTS)
    for numbers, labels in (({"grain": 2, "밀": 0.5, "oil": "auto"}, LABELS), ({3: 2}, [3, 3, 1, 1, 2])):
        model = PoissonMixtureNB(numbers, random_state=0).fit(X, labels)
        twin = saved(model, tmp_path)
        assert twin.n_components == numbers
        assert clone(twin).fit(X, labels).predict_proba(X).tobytes() == model.predict_proba(X).tobytes()


@pytest.mark.parametrize("labels", [LABELS, [[label, "all"] for label in LABELS]], ids=["labels", "lists"])
def test_a_classifier_of_mixtures_goes_on_from_its_file(labels, tmp_path):
    classifier = TextClassifier("mixture").fit(TEXTS[:4], labels[:4])
    twin = saved(classifier, tmp_path)
    assert twin.predict_proba(TEXTS).tobytes() == classifier.predict_proba(TEXTS).tobytes()
    twin.teach(TEXTS[4:], labels[4:])
    fresh = TextClassifier("mixture").fit(TEXTS, labels)
    assert twin.predict_proba(TEXTS).tobytes() == fresh.predict_proba(TEXTS).tobytes()
    assert (
        twin.forget(TEXTS[4:], labels[4:]).predict_proba(TEXTS).tobytes()
        == classifier.predict_proba(TEXTS).tobytes()
    )


@pytest.mark.parametrize("counter", COUNTERS, ids=range(len(COUNTERS)))
def test_counters(counter, tmp_path):
    counter = clone(counter).fit(TEXTS)
    twin = saved(counter, tmp_path)
    assert twin.get_params() == counter.get_params()
    new = [*TEXTS, "wheat oil fell, newly fallen 밀", ""]
    assert (twin.transform(new) != counter.transform(new)).nnz == 0
    assert twin.get_feature_names_out().tolist() == counter.get_feature_names_out().tolist()


def test_a_vocabulary_that_grew_out_of_order(tmp_path):
    counter = TextCounter().fit(["mm zz"]).partial_fit(["bb nn"]).partial_fit(["aa 밀가루"])
    twin = saved(counter, tmp_path)
    assert (
        twin.vocabulary_ == counter.vocabulary_ == {"mm": 0, "zz": 1, "bb": 2, "nn": 3, "aa": 4, "밀가루": 5}
    )
    for either in (counter, twin):
        either.partial_fit(["cc zz"])
    assert twin.vocabulary_ == counter.vocabulary_
    assert saved(twin, tmp_path).vocabulary_ == counter.vocabulary_
    assert twin.transform(["aa cc 밀가루 zz"]).toarray().tolist() == [[0, 1, 0, 0, 1, 1, 1]]


@pytest.mark.parametrize(
    "transform", [FrequencyTransform(), FrequencyTransform(length="mean", log=False)], ids=repr
)
@pytest.mark.parametrize(
    "selector", [TermSelector("mi", k=5), TermSelector("chi2", k=2, per_class=True)], ids=repr
)
def test_pipelines(transform, selector, tmp_path):
    model = make_pipeline(TextCounter(), clone(transform), clone(selector), ComplementNB()).fit(TEXTS, LABELS)
    twin = saved(model, tmp_path)
    assert isinstance(twin, Pipeline)
    assert repr(twin) == repr(model)
    assert twin.predict_proba(TEXTS).tobytes() == model.predict_proba(TEXTS).tobytes()
    assert twin[2].scores_.tobytes() == model[2].scores_.tobytes()


def test_what_was_not_fitted_comes_back_unfitted(tmp_path):
    for name, kind in ESTIMATORS.items():
        model = kind(ComplementNB()) if name == "TunedClassifier" else kind()
        twin = saved(model, tmp_path)
        assert type(twin) is kind
        assert repr(twin) == repr(model)
        if name != "ColumnsOfKind":  # which has nothing to learn
            with pytest.raises(NotFittedError):
                check_is_fitted(twin)


@pytest.mark.parametrize(
    "labels",
    [
        [3, 3, -7, 9, 2**40],
        [True, False, True, True, False],
        ["b", "a\x00c", "\ud800", " c", "b"],
        [1.0, 2.0, 2.0, 3.0, 1.0],
    ],
    ids=str,
)
def test_labels_of_every_kind(labels, tmp_path):
    X = TextCounter().fit_transform(TEXTS)
    y = np.array(labels, dtype=object if isinstance(labels[0], str) else None)
    model = MultinomialNB().fit(X, y)
    twin = saved(model, tmp_path)
    assert twin.classes_.dtype == model.classes_.dtype
    assert twin.classes_.tolist() == model.classes_.tolist()
    assert twin.partial_fit(X, y).predict(X).tolist() == model.predict(X).tolist()


def test_names_of_columns(tmp_path):
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame([[1, 0, 2], [0, 3, 1]], columns=["밀", "oil", "c"])
    twin = saved(MultinomialNB().fit(X, ["a", "b"]), tmp_path)
    assert twin.predict(X).tolist() == ["a", "b"]
    with pytest.raises(ValueError, match="feature names"):
        twin.predict(X[["c", "oil", "밀"]])


@pytest.mark.parametrize(
    ("model", "named"),
    [
        (DummyClassifier(), "the model"),
        (TextCounter(stop_words=range(3)), "'stop_words'"),
        (MultinomialNB(alpha=float("nan")), "'alpha'"),
        (MultinomialNB(class_prior=print), "'class_prior'"),
        # Its own name would have an address in it.
        pytest.param(
            PoissonMixtureNB(random_state=np.random.RandomState(0)), "'random_state'", id="RandomState"
        ),
        (make_pipeline(TextCounter(), memory="cache"), "'memory'"),
        (make_pipeline(DummyClassifier()), "the model"),
    ],
    ids=str,
)
def test_what_cannot_be_saved(model, named, tmp_path):
    with pytest.raises(ModelUnsavableError, match=named):
        textbayes.save(model, tmp_path / "model.tb")
    assert not list(tmp_path.iterdir())


def test_parameters_given_as_arrays(tmp_path):
    X, y = documents(20, 10, 3)
    model = MultinomialNB(alpha=np.float64(0.5), class_prior=np.array([0.2, 0.3, 0.5])).fit(X, y)
    assert saved(model, tmp_path).predict_proba(X).tobytes() == model.predict_proba(X).tobytes()
