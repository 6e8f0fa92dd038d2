"""Classifiers that keep their documents come back from a file as they went in, and go on from there."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

import textbayes
from reference.variants import VARIANTS, documents
from textbayes import (
    AutoNB,
    ComplementNB,
    DiscriminativeNB,
    FrequencyTransform,
    LinearSVM,
    MultinomialNB,
    PoissonMixtureNB,
    TextClassifier,
    TextCounter,
    TunedClassifier,
)
from textbayes.errors import ModelDamagedError, ModelUnsavableError, ParameterError
from textbayes.estimators.auto import Candidate, Leaderboard, Recipe, Representation
from textbayes.persistence import Stored, read_model, write_model

TEXTS = [
    "wheat rose 밀 🌾",
    "corn and wheat fell",
    "قمح crude oil",
    "oil, oil! fell",
    "गेहूँ rose",
    "wheat wheat",
    "crude fell",
]
LABELS = ["grain", "grain", "oil", "oil", "밀", "grain", "oil"]
LISTS = [[label, "all"] if number % 2 else [label] for number, label in enumerate(LABELS)]
ESTIMATED = [DiscriminativeNB(random_state=1), LinearSVM(random_state=1)]
TUNED = [*VARIANTS, PoissonMixtureNB(2, random_state=0), *ESTIMATED]


def saved(model, tmp_path):
    textbayes.save(model, tmp_path / "model.tb")
    return textbayes.load(tmp_path / "model.tb")


def check_same(one, other, X):
    """Both answer alike, to the bit."""
    for method in ("decision_function", "predict_proba"):
        assert getattr(one, method)(X).tobytes() == getattr(other, method)(X).tobytes()
    assert np.array_equal(one.predict(X), other.predict(X))
    for mine, theirs in zip(one.top_k(X, 2), other.top_k(X, 2), strict=True):
        assert mine.tobytes() == theirs.tobytes()
    assert one.classes_.dtype == other.classes_.dtype
    assert one.class_documents_.tobytes() == other.class_documents_.tobytes()


# DiscriminativeNB and LinearSVM.


@pytest.mark.parametrize("real", [False, True], ids=["counts", "reals"])
@pytest.mark.parametrize("classes", [2, 5])
@pytest.mark.parametrize("estimator", ESTIMATED, ids=repr)
def test_discriminative(estimator, classes, real, tmp_path):
    X, y = documents(60, 30, classes, real=real)
    weights = np.linspace(0.0, 2.0, 60) if real else None
    model = clone(estimator).fit(X, y, weights)
    twin = saved(model, tmp_path)
    check_same(model, twin, X)
    assert twin.weights_.tobytes() == model.weights_.tobytes()
    given = [X[1:], y[1:], None if weights is None else weights[1:]]
    assert twin.loo_scores(*given).tobytes() == model.loo_scores(*given).tobytes()
    wider, more = documents(20, 35, classes, seed=1, real=real)
    for either in (model, twin):
        either.partial_fit(wider, more).forget(X[2:9], y[2:9], None if weights is None else weights[2:9])
    check_same(model, twin, wider)
    check_same(model, saved(twin, tmp_path), wider)
    fresh = clone(model).fit(X, y)
    check_same(fresh.merge(model), clone(model).fit(X, y).merge(saved(twin, tmp_path)), wider)


def test_an_estimate_without_a_seed_is_kept_until_something_is_learned(tmp_path):
    X, y = documents(60, 30, 4)
    model = DiscriminativeNB().fit(X, y)
    scores = model.decision_function(X)
    twin = saved(model, tmp_path)
    assert twin.decision_function(X).tobytes() == scores.tobytes()
    # A model that nobody has asked yet is estimated when it is saved.
    silent = DiscriminativeNB().fit(X, y)
    assert saved(silent, tmp_path).decision_function(X).tobytes() == silent.decision_function(X).tobytes()
    seeded = DiscriminativeNB(random_state=0).fit(X, y)
    other = saved(seeded, tmp_path).set_params(alpha=0.1)
    expected = DiscriminativeNB(0.1, random_state=0).fit(X, y)
    assert other.decision_function(X).tobytes() == expected.decision_function(X).tobytes()
    assert saved(seeded, tmp_path).fit(X[:30], y[:30]).decision_function(X).shape == scores.shape


# TunedClassifier.


@pytest.mark.parametrize("multilabel", [False, True], ids=["labels", "indicator"])
@pytest.mark.parametrize("estimator", TUNED, ids=repr)
def test_tuned(estimator, multilabel, tmp_path):
    if multilabel and isinstance(estimator, DiscriminativeNB):
        pytest.skip("one label per document")
    X, y = documents(60, 30, 4, multilabel=multilabel)
    model = TunedClassifier(estimator).fit(X, y, np.linspace(0.5, 2.0, 60))
    twin = saved(model, tmp_path)
    assert repr(twin) == repr(model)
    assert twin.estimator_ is not twin.estimator
    check_same(model, twin, X)
    for name in ("thresholds_", "biases_"):
        assert getattr(twin, name).tobytes() == getattr(model, name).tobytes()
    wider, more = documents(20, 35, 4, seed=1, multilabel=multilabel)
    for either in (model, twin):
        either.partial_fit(wider, more)
        either.forget(wider[:7], more[:7])
    check_same(model, twin, wider)
    check_same(model, saved(twin, tmp_path), wider)
    assert type(twin.calibration_) is type(model.calibration_)


@pytest.mark.parametrize(
    "settings",
    [
        {"rule": "rcut", "value": 2},
        {"rule": "pcut", "value": 2.0},
        {"rule": "fixed", "value": np.array([0.1, 0.2, 0.3, 0.4])},
        {"shrinkage": float("inf")},
        {"biases": False, "calibration": "isotonic"},
    ],
    ids=lambda settings: next(iter(settings.values())) if "rule" in settings else next(iter(settings)),
)
def test_settings_of_tuned(settings, tmp_path):
    for multilabel in (False, True):
        X, y = documents(60, 30, 4, multilabel=multilabel)
        model = TunedClassifier(MultinomialNB(), **settings).fit(X, y)
        twin = saved(model, tmp_path)
        check_same(model, twin, X)
        assert twin.shrinkage == model.shrinkage
        check_same(model, twin.partial_fit(X[:1], y[:1]).forget(X[:1], y[:1]), X)


def test_names_of_columns(tmp_path):
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame([[1, 0, 2], [0, 3, 1], [1, 0, 1], [0, 2, 2]], columns=["밀", "oil", "c"])
    for model in (TunedClassifier(MultinomialNB()), AutoNB(candidates=["complement"], random_state=0)):
        model.fit(X, list("abab"))
        twin = saved(model, tmp_path)
        assert list(twin.feature_names_in_) == ["밀", "oil", "c"]
        with pytest.raises(ValueError, match="feature names"):
            twin.predict(X[["c", "oil", "밀"]])


# AutoNB.


@pytest.mark.parametrize("exact", [False, True], ids=["any", "exact"])
@pytest.mark.parametrize("multilabel", [False, True], ids=["labels", "indicator"])
@pytest.mark.parametrize("classes", [2, 4])
def test_auto(classes, multilabel, exact, tmp_path):
    X, y = documents(60, 25, classes, seed=3, multilabel=multilabel)
    pairs = np.arange(25) >= 18
    model = AutoNB(random_state=0, updates="exact" if exact else "any", terms=pairs).fit(X, y)
    twin = saved(model, tmp_path)
    check_same(model, twin, X)
    check_found(model, twin)
    wider, more = documents(20, 30, classes, seed=1, multilabel=multilabel)
    for either in (model, twin):
        either.partial_fit(wider, more).forget(wider[:7], more[:7])
    check_same(model, twin, wider)
    check_same(model, saved(twin, tmp_path), wider)
    for either in (model, twin):
        either.set_params(terms=None).reconsider()
    check_found(model, twin, timed=False)


def check_found(model, twin, timed=True):
    assert twin.recipe_ == model.recipe_
    assert str(twin.recipe_) == str(model.recipe_)
    assert twin.best_score_ == model.best_score_
    assert isinstance(twin.leaderboard_, Leaderboard)
    assert len(twin.leaderboard_) == len(model.leaderboard_)
    if timed:
        assert list(twin.leaderboard_) == list(model.leaderboard_)
        assert repr(twin.leaderboard_) == repr(model.leaderboard_)


KINDS = {
    False: {
        "multinomial": (("alpha", 0.1), ("class_length", "min")),
        "complement": (("norm", True),),
        "one-vs-all": (),
        "complement-all": (),
        "centroid": (),
        "poisson": (("weighting", "chi2"),),
        "discriminative": (("alpha", 0.5),),
        "mixture": (("n_components", 2),),
    },
    True: {
        "complement-all": (),
        "centroid": (),
        "poisson": (("weighting", "ratio"),),
        "poisson-by-class": (("choices", ((1, "chi2", 0.001), (3, None, 0.01))), ("weighting", "ratio")),
        "mixture": (),
    },
}
REPRESENTATIONS = [
    Representation(),
    Representation(log=True, columns="words"),
    Representation(log=True, length="unit"),
    Representation(log=True, idf=True, length="mean", columns="words"),
    Representation(terms=("chi2", 0.5)),
]


def recipe_of(multilabel, classes, divided):
    """Every kind of member on every representation, with a blend of its own."""
    members = [
        Candidate(kind, representation, tuple(sorted(parameters)))
        for kind, parameters in KINDS[multilabel].items()
        for representation in REPRESENTATIONS
    ]
    rng = np.random.default_rng(0)
    shape = (len(members), len(classes))
    return Recipe(
        tuple(members),
        tuple(rng.uniform(0.1, 1.0, len(members))),
        tuple(classes),
        tuple(rng.normal(size=len(classes))),
        tuple(map(tuple, rng.normal(size=shape).tolist())),
        tuple(map(tuple, rng.uniform(0.5, 2.0, shape).tolist())),
        tuple(divided and member.per_count for member in members),
    )


@pytest.mark.parametrize("multilabel", [False, True], ids=["labels", "indicator"])
def test_every_kind_of_member(multilabel, tmp_path):
    X, y = documents(60, 25, 4, seed=3, multilabel=multilabel)
    pairs = np.arange(25) >= 18
    classes = range(4) if multilabel else sorted(set(y))
    model = recipe_of(multilabel, classes, not multilabel).fit(X, y, pairs, random_state=1)
    twin = saved(model, tmp_path)
    check_same(model, twin, X)
    assert twin.candidates == twin.recipe_ == model.recipe_
    assert not hasattr(twin, "leaderboard_")
    wider, more = documents(20, 30, 4, seed=1, multilabel=multilabel)
    for either in (model, twin):
        either.partial_fit(wider, more).forget(X[2:9], y[2:9])
    check_same(model, twin, wider)


def test_long_parameters_are_arrays(tmp_path):
    """A mask of many columns would not fit a header; a list of terms comes back as a list."""
    X, y = documents(40, 120_000, 3)
    mask = np.arange(120_000) % 7 == 0
    terms = [f"밀 {number}" if given else str(number) for number, given in enumerate(mask)]
    for pairs in (mask, mask.tolist(), terms, np.array(terms), np.array(terms, dtype=object)):
        model = AutoNB(candidates=["complement"], terms=pairs, random_state=0).fit(X, y)
        twin = saved(model, tmp_path)
        assert type(twin.terms) is type(pairs)
        assert list(twin.terms) == list(pairs)
        check_same(model, twin.reconsider(), X)
        check_same(model, saved(clone(twin).fit(X, y), tmp_path), X)


def test_candidates_of_every_form(tmp_path):
    X, y = documents(40, 20, 3)
    given = [Candidate("multinomial", Representation(log=True), (("alpha", 0.1),)), Candidate("centroid")]
    for candidates in ("default", ["complement", "centroid"], given, tuple(given)):
        model = AutoNB(candidates=candidates, random_state=0).fit(X, y)
        twin = saved(model, tmp_path)
        assert twin.candidates == candidates
        check_same(model, twin.reconsider(), X)


def test_what_was_forgotten_altogether(tmp_path):
    X, y = documents(20, 10, 3)
    for model in (
        DiscriminativeNB(random_state=0),
        AutoNB(candidates=["complement", "discriminative"], random_state=0),
    ):
        model.fit(X, y).forget(X, y)
        twin = saved(model, tmp_path)
        assert len(twin.classes_) == 0
        for either in (model, twin):
            either.partial_fit(X[:9], y[:9])
        check_same(model, twin, X)


def test_unfitted(tmp_path):
    for model in (*ESTIMATED, TunedClassifier(ComplementNB()), AutoNB(candidates=["centroid"])):
        twin = saved(model, tmp_path)
        assert repr(twin) == repr(model)
        X, y = documents(20, 10, 3)
        assert twin.fit(X, y).predict(X).shape == (20,)


def test_counts_take_few_bytes(tmp_path):
    X, y = documents(2000, 300, 3, entries=20)
    model = TunedClassifier(MultinomialNB()).fit(X, y)
    textbayes.save(model, tmp_path / "model.tb")
    arrays = read_model(tmp_path / "model.tb").part("documents").arrays
    assert len(arrays["entries"]) < 2 * X.nnz
    assert "weights" not in arrays
    assert (tmp_path / "model.tb").stat().st_size < 4 * X.nnz
    twin = textbayes.load(tmp_path / "model.tb")
    assert twin._documents.labelled().rows.values.dtype == model._documents.labelled().rows.values.dtype


@pytest.mark.parametrize("values", [[0.5, 3.0], [2.0**40, 1.0], [7, 2**40], [0, 255]], ids=str)
def test_counts_of_every_size(values, tmp_path):
    X = sparse.csr_matrix(np.array([values, values[::-1], values], dtype=type(values[0])))
    model = TunedClassifier(MultinomialNB()).fit(X, ["a", "b", "a"])
    twin = saved(model, tmp_path)
    kept, found = (one._documents.labelled().rows for one in (model, twin))
    assert found.values.dtype == kept.values.dtype
    assert found.values.tolist() == kept.values.tolist()
    check_same(model, twin, X)


def test_what_cannot_be_saved(tmp_path):
    from sklearn.naive_bayes import MultinomialNB as Theirs

    for model, named in (
        (TunedClassifier(Theirs()), "'estimator'"),
        (AutoNB(candidates=[print]), "'candidates'"),
        (AutoNB(candidates=[Candidate("multinomial", parameters=(("alpha", print),))]), "'alpha'"),
        (DiscriminativeNB(random_state=np.random.RandomState(0)), "'random_state'"),
        (LinearSVM(random_state=np.random.RandomState(0)), "'random_state'"),
        (AutoNB(budget=float("nan")), "'budget'"),
    ):
        with pytest.raises(ModelUnsavableError, match=named):
            textbayes.save(model, tmp_path / "model.tb")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("seed", [-1, 2**32, "밀", 0.5, []], ids=ascii)
def test_seeds_that_are_none(seed):
    X, y = documents(20, 10, 3)
    for kind in (DiscriminativeNB, LinearSVM, AutoNB, PoissonMixtureNB):
        with pytest.raises(ParameterError, match="random_state"):
            kind(random_state=seed).fit(X, y).predict(X)
    with pytest.raises(ParameterError, match="candidates"):
        AutoNB(candidates=seed).fit(X, y)


# In a pipeline, and in a TextClassifier.


def test_pipelines(tmp_path):
    for last in (
        TunedClassifier(ComplementNB()),
        DiscriminativeNB(random_state=0),
        AutoNB(candidates=["complement", "discriminative"], random_state=0),
    ):
        model = make_pipeline(TextCounter(), FrequencyTransform(), last).fit(TEXTS, LABELS)
        assert saved(model, tmp_path).predict_proba(TEXTS).tobytes() == model.predict_proba(TEXTS).tobytes()
    candidate = Candidate("complement", Representation(log=True, columns="words"))
    X, y = documents(30, 10, 3)
    member = candidate.pipeline(np.arange(10) > 7, 10).fit(X, y)
    assert saved(member, tmp_path).decision_function(X).tobytes() == member.decision_function(X).tobytes()


MODELS = [
    DiscriminativeNB(random_state=0),
    LinearSVM(random_state=0),
    TunedClassifier(ComplementNB(against="all")),
    TunedClassifier(PoissonMixtureNB(random_state=0)),
    AutoNB(candidates=["one-vs-all", "centroid", "multinomial"], random_state=0),
]


@pytest.mark.parametrize("labels", [LABELS, LISTS], ids=["labels", "lists"])
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_classifier_goes_on_from_its_file(model, labels, tmp_path):
    if labels is LISTS and isinstance(model, DiscriminativeNB):
        pytest.skip("one label per document")
    # Single precision, columns in another order; merged documents are visited in another, to a tolerance.
    single = isinstance(model, LinearSVM)
    rounding, close = (1e-6, 1e-2) if single else (1e-12, 1e-12)
    classifier = TextClassifier(model, TextCounter(ngram_range=(1, 2))).fit(TEXTS[:6], labels[:6])
    twin = saved(classifier, tmp_path)
    assert twin.predict_proba(TEXTS).tobytes() == classifier.predict_proba(TEXTS).tobytes()
    assert twin.classes_.tolist() == classifier.classes_.tolist()
    assert twin.explain(TEXTS[0]).to_json() == classifier.explain(TEXTS[0]).to_json()
    before = classifier.predict_proba(TEXTS)
    twin.teach(TEXTS[6:], labels[6:])
    if isinstance(model, AutoNB):
        model = AutoNB(candidates=classifier.model_.recipe_, random_state=0)
    fresh = TextClassifier(model, TextCounter(ngram_range=(1, 2))).fit(TEXTS, labels)
    np.testing.assert_allclose(twin.predict_proba(TEXTS), fresh.predict_proba(TEXTS), atol=rounding)
    twin.forget(TEXTS[6:], labels[6:])
    np.testing.assert_allclose(twin.predict_proba(TEXTS), before, atol=1e-12)
    np.testing.assert_allclose(saved(twin, tmp_path).predict_proba(TEXTS), before, atol=1e-12)
    other = TextClassifier(model, TextCounter(ngram_range=(1, 2))).fit(TEXTS[5:], labels[5:])
    twin.forget(TEXTS[5:6], labels[5:6]).merge(saved(other, tmp_path))
    np.testing.assert_allclose(twin.predict_proba(TEXTS), fresh.predict_proba(TEXTS), atol=close)


@pytest.mark.parametrize("model", MODELS[1:], ids=repr)
def test_names_of_labels_without_documents(model, tmp_path):
    kept = TextClassifier(model).fit(TEXTS, LISTS)
    small = TextClassifier(model, keep_documents=False).fit(TEXTS, LISTS)
    for each in (small, saved(small, tmp_path)):
        assert each.classes_.tolist() == ["all", "grain", "oil", "밀"]
        assert each.predict(TEXTS) == kept.predict(TEXTS)
        assert each.explain(TEXTS[0]).to_json() == kept.explain(TEXTS[0]).to_json()


# What a file may not hold.


def altered(model, tmp_path, name, change):
    """The file of a model, with one array changed."""
    textbayes.save(model, tmp_path / "model.tb")
    stored = read_model(tmp_path / "model.tb")
    array = stored.arrays[name].copy()
    write_model(Stored(stored.configuration, stored.arrays | {name: change(array)}), tmp_path / "model.tb")
    return textbayes.load(tmp_path / "model.tb")


def put(value, place=0):
    def change(array):
        array[place] = value
        return array

    return change


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("documents/entries", put(100), "do not fit its columns"),
        ("documents/entries", lambda array: array[1:], "do not fit its columns"),
        ("documents/row_index", put(99), "do not fit its columns"),
        ("documents/label_numbers", put(9), "labels do not fit"),
        ("documents/label_numbers", lambda array: array[1:], "labels do not fit"),
        ("pairs", put(3), "kinds of its columns are invalid"),
        ("recipe/weights", put(-1.0), "blend of its recipe"),
        ("recipe/scales", put(0.0), "blend of its recipe"),
        ("recipe/centres", put(np.nan), "blend of its recipe"),
        (
            "recipe/weights",
            lambda array: array[1:],
            "members of its recipe is not the number of their weights",
        ),
        ("leaderboard/chosen", put(2), "leaderboard"),
        ("leaderboard/score", put(np.nan), "leaderboard"),
        ("best_score", lambda array: np.append(array, 1.0), "2 elements"),
    ],
)
def test_a_damaged_file_of_auto(name, change, says, tmp_path):
    X, y = documents(40, 20, 3)
    model = AutoNB(candidates=["complement", "centroid"], random_state=0).fit(X, y)
    with pytest.raises(ModelDamagedError, match=says):
        altered(model, tmp_path, name, change).forget(X[:1], y[:1])


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("documents/columns", put(99), "do not fit its columns"),
        ("documents/starts", put(3, -1), "do not fit its columns"),
        ("documents/columns", lambda array: array[::-1].copy(), "do not fit its columns"),
        ("documents/label_numbers", put(9), "labels do not fit"),
        ("documents/label_numbers", lambda array: array[1:], "labels do not fit"),
        ("documents/counts", lambda array: array[1:], "another number of counts than of columns"),
        ("documents/counts", lambda array: -array.astype(np.float64), "out of range"),
    ],
)
def test_a_damaged_file_with_real_counts(name, change, says, tmp_path):
    X, y = documents(40, 20, 3)
    X = X * 0.5
    model = AutoNB(candidates=["complement", "centroid"], random_state=0).fit(X, y)
    with pytest.raises(ModelDamagedError, match=says):
        altered(model, tmp_path, name, change).forget(X[:1], y[:1])


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("tuned/biases", put(np.inf), "thresholds or biases"),
        ("tuned/biases", lambda array: array[1:], "2 elements"),
        ("tuned/temperature", put(-1.0, 1), "calibration"),
        ("tuned/shares", put(2.0), "calibration"),
        ("documents/label_numbers", lambda array: np.zeros_like(array), "do not have the same classes"),
        ("documents/weights", put(0.0), "weight is out of range"),
    ],
)
def test_a_damaged_file_of_tuned(name, change, says, tmp_path):
    X, y = documents(40, 20, 3)
    model = TunedClassifier(MultinomialNB(), calibration="isotonic").fit(X, y, np.linspace(1, 2, 40))
    with pytest.raises(ModelDamagedError, match=says):
        altered(model, tmp_path, name, change)


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("tuned/odds", put(np.nan), "log odds"),
        ("tuned/spreads", put(0.0), "log odds"),
        ("tuned/thresholds", put(np.nan), "thresholds or biases"),
    ],
)
def test_a_damaged_file_of_tuned_thresholds(name, change, says, tmp_path):
    X, y = documents(40, 20, 3)
    model = TunedClassifier(MultinomialNB()).fit(
        X, np.eye(3, dtype=int)[np.unique(y, return_inverse=True)[1]]
    )
    with pytest.raises(ModelDamagedError, match=says):
        altered(model, tmp_path, name, change)


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("estimate/pair_values", put(-1.0), "counts are out of range"),
        ("estimate/pair_values", put(np.nan), "counts are out of range"),
        ("estimate/class_values", put(5000.0), "counts are out of range"),
        ("statistics/kept/label_numbers", lambda array: array[:-1], "labels do not fit"),
    ],
)
def test_a_damaged_file_of_discriminative(name, change, says, tmp_path):
    X, y = documents(40, 20, 3)
    model = DiscriminativeNB(random_state=0).fit(X, y)
    with pytest.raises(ModelDamagedError, match=says):
        altered(model, tmp_path, name, change).predict(X)


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("estimate/pair_values", put(1e200), "weights are out of range"),
        ("estimate/pair_values", put(np.nan), "weights are out of range"),
        ("estimate/biases", put(np.inf), "weights are out of range"),
        ("estimate/pair_classes", put(9), "pairs of class and term are invalid"),
        ("estimate/pair_starts", put(7), "pairs of class and term are invalid"),
    ],
)
def test_a_damaged_file_of_margins(name, change, says, tmp_path):
    X, y = documents(40, 20, 3)
    model = LinearSVM(random_state=0).fit(X, y)
    with pytest.raises(ModelDamagedError, match=says):
        altered(model, tmp_path, name, change).predict(X)


def test_more_columns_than_rows_can_number(tmp_path):
    X, y = documents(20, 10, 3)
    textbayes.save(MultinomialNB().fit(X, y), tmp_path / "model.tb")
    stored = read_model(tmp_path / "model.tb")
    write_model(Stored(stored.configuration | {"columns": 2**31}, stored.arrays), tmp_path / "model.tb")
    with pytest.raises(ModelDamagedError, match="more columns than a sparse matrix can have"):
        textbayes.load(tmp_path / "model.tb")


def test_a_term_that_is_there_twice(tmp_path):
    texts = ["aa ab", "aa ab cc", "cc dd", "dd aa"]
    classifier = TextClassifier("twcnb", TextCounter(min_df=2)).fit(texts, list("xyxy"))

    def change(array):
        return np.frombuffer(array.tobytes().replace(b"ab", b"aa"), np.uint8)

    loaded = altered(classifier, tmp_path, "vocabulary/bytes", change)
    with pytest.raises(ModelDamagedError, match="twice"):
        loaded.teach(["dd"], ["x"])


HUGE = 2**63 - 1


@pytest.mark.parametrize(
    ("model", "name", "value"),
    [
        (PoissonMixtureNB(2), "n_init", HUGE),
        (PoissonMixtureNB(2), "max_iter", HUGE),
        (PoissonMixtureNB(2), "n_components", -1),
        (LinearSVM(), "max_iter", HUGE),
        (LinearSVM(), "tol", -1.0),
        (DiscriminativeNB(), "max_iter", HUGE),
        (DiscriminativeNB(), "orders", HUGE),
        (DiscriminativeNB(), "block_size", HUGE),
        (MultinomialNB(), "alpha", 0),
        (MultinomialNB(), "class_length", [1]),
        (TunedClassifier(MultinomialNB()), "rule", "odd"),
        (AutoNB(candidates=["complement"]), "budget", -1),
        (AutoNB(candidates=["complement"]), "candidates", [[]]),
    ],
    ids=lambda value: str(value)[:40],
)
@pytest.mark.parametrize("is_fitted", [True, False])
def test_parameters_of_a_file_are_checked(model, name, value, is_fitted, tmp_path):
    model, path = clone(model), tmp_path / "model.tb"
    textbayes.save(model.fit(*documents(20, 10, 2)) if is_fitted else model, path)
    stored = read_model(path)
    stored.configuration["parameters"][name] = value
    write_model(stored, path)
    with pytest.raises(ModelDamagedError, match=f"a parameter of {type(model).__name__} is invalid .*{name}"):
        textbayes.load(path)


def test_parameters_of_a_part_are_checked(tmp_path):
    path = tmp_path / "model.tb"
    TextClassifier(PoissonMixtureNB(2)).fit(["wheat", "oil"], ["grain", "oil"]).save(path)
    stored = read_model(path)
    for place in (
        stored.configuration["parameters"]["model"]["estimator"],
        stored.configuration["parts"]["model"],
    ):
        before = place["parameters"]["n_init"]
        place["parameters"]["n_init"] = HUGE
        write_model(stored, tmp_path / "forged.tb")
        with pytest.raises(ModelDamagedError, match="n_init"):
            textbayes.load(tmp_path / "forged.tb")
        place["parameters"]["n_init"] = before
    write_model(stored, path)
    textbayes.load(path)
