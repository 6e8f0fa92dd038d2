"""What every classifier takes, refuses and gives."""

import re
import sys

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline

import warm
from reference.variants import VARIANTS, all_scores, documents, state
from textbayes import (
    ComplementNB,
    FrequencyTransform,
    MultinomialNB,
    PoissonNB,
    TermSelector,
    TextCounter,
    load,
    save,
)
from textbayes.errors import (
    CountRangeError,
    InfiniteCountError,
    LabelsError,
    MergeError,
    NegativeCountError,
    ParameterError,
    TextbayesError,
)
from textbayes.statistics import ClassStatistics

per_variant = pytest.mark.parametrize("variant", VARIANTS, ids=repr)
X = np.array([[3, 0, 1], [1, 1, 0], [0, 2, 1], [0, 0, 2], [1, 0, 4]])
Y = np.array(["a", "a", "b", "c", "c"])
INDICATOR = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1]])


def with_explicit_zeros():
    matrix = sparse.csr_matrix(np.ones((5, 3)))
    matrix.data[:] = X.ravel()
    return matrix


def with_duplicates():
    rows, columns = np.nonzero(X)
    values = X[rows, columns] / 2
    matrix = sparse.csr_matrix((5, 3))
    order = np.lexsort((np.tile(-columns, 2), np.tile(rows, 2)))
    matrix.data = np.tile(values, 2)[order].astype(float)
    matrix.indices = np.tile(columns, 2)[order].astype(np.int32)
    matrix.indptr = np.searchsorted(np.tile(rows, 2)[order], np.arange(6)).astype(np.int32)
    assert not matrix.has_canonical_format
    assert np.array_equal(matrix.toarray(), X)
    return matrix


def with_unsorted_indices():
    matrix = sparse.csr_matrix(X.astype(float))
    for row in range(5):
        part = slice(matrix.indptr[row], matrix.indptr[row + 1])
        matrix.indices[part] = matrix.indices[part][::-1].copy()
        matrix.data[part] = matrix.data[part][::-1].copy()
    matrix.has_sorted_indices = False
    return matrix


def with_long_indices():
    matrix = sparse.csr_matrix(X)
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    return matrix


FORMS = {
    "list": X.tolist,
    "int64": lambda: X,
    "float32": lambda: X.astype(np.float32),
    "uint8": lambda: X.astype(np.uint8),
    "fortran": lambda: np.asfortranarray(X),
    "strided": lambda: np.repeat(X, 2, axis=0)[::2],
    "read-only": lambda: np.frombuffer(X.astype(float).tobytes()).reshape(5, 3),
    "csr_matrix": lambda: sparse.csr_matrix(X),
    "csr_array": lambda: sparse.csr_array(X),
    "csc_matrix": lambda: sparse.csc_matrix(X),
    "csc_array": lambda: sparse.csc_array(X),
    "coo_matrix": lambda: sparse.coo_matrix(X),
    "lil_array": lambda: sparse.lil_array(X),
    "float32 csr": lambda: sparse.csr_matrix(X.astype(np.float32)),
    "explicit zeros": with_explicit_zeros,
    "duplicates": with_duplicates,
    "unsorted": with_unsorted_indices,
    "int64 indices": with_long_indices,
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@per_variant
def test_counts_in_every_form_are_the_same_counts(variant, form):
    expected = clone(variant).fit(X, Y)
    model = clone(variant).fit(form(), Y)
    assert model.decision_function(form()).tobytes() == expected.decision_function(X).tobytes()
    assert clone(variant).fit(form(), INDICATOR).predict(form()).tolist() == (
        clone(variant).fit(X, INDICATOR).predict(X).tolist()
    )
    assert model.forget(form(), Y).class_documents_.tolist() == []


@per_variant
def test_explicit_zeros_are_not_words(variant):
    model = clone(variant).fit(with_explicit_zeros(), Y)
    assert state(model) == state(clone(variant).fit(X, Y))


def test_columns_of_a_frame_are_named(recwarn):
    frame = pd.DataFrame(X, columns=["밀", "oil", "🌾"])
    model = MultinomialNB().fit(frame, Y)
    assert model.feature_names_in_.tolist() == ["밀", "oil", "🌾"]
    assert model.predict(frame).tolist() == MultinomialNB().fit(X, Y).predict(X).tolist()
    assert not recwarn
    for refuse in (model.predict, lambda X: model.partial_fit(X, Y), lambda X: model.forget(X, Y)):
        with pytest.raises(ValueError, match="feature names"):
            refuse(frame[["oil", "밀", "🌾"]])
    with pytest.warns(UserWarning, match="valid feature names"):
        model.predict(X)
    with pytest.raises(NegativeCountError, match=r"document 1, term '🌾'"):
        model.predict(frame.assign(**{"🌾": [0, -1, 0, 0, 0]}))


def test_more_columns_of_a_frame_have_to_begin_with_those_there_are():
    frame = pd.DataFrame(X, columns=["wheat", "oil", "gold"])
    model = MultinomialNB().fit(frame, Y).partial_fit(frame.assign(corn=1), Y)
    assert model.feature_names_in_.tolist() == ["wheat", "oil", "gold", "corn"]
    other = frame.set_axis(["x", "y", "z"], axis=1).assign(corn=1, more=2)
    before = state(model)
    with pytest.raises(ValueError, match="feature names"):
        model.partial_fit(other, Y)
    assert state(model) == before


def test_models_of_other_columns_are_not_joined():
    left = MultinomialNB().fit(pd.DataFrame(X, columns=["wheat", "oil", "gold"]), Y)
    right = MultinomialNB().fit(pd.DataFrame(X, columns=["x", "y", "z"]), Y)
    before = state(left)
    with pytest.raises(MergeError):
        left.merge(right)
    assert state(left) == before


LABELS = {
    "str": (["밀", "밀", "🌾", "oil", "oil"], ["oil", "밀", "🌾"]),
    "int": ([3, 3, -1, 7, 7], [-1, 3, 7]),
    "uint8": (np.array([3, 3, 1, 7, 7], dtype=np.uint8), [1, 3, 7]),
    "float": ([3.0, 3.0, -1.0, 7.0, 7.0], [-1.0, 3.0, 7.0]),
    "bool": ([True, True, False, False, False], [False, True]),
    "object": (np.array(["b", "b", "a", "ccc", "ccc"], dtype=object), ["a", "b", "ccc"]),
    "series": (pd.Series(["b", "b", "a", "c", "c"], index=[9, 8, 7, 6, 5]), ["a", "b", "c"]),
    "category": (pd.Series(["b", "b", "a", "c", "c"], dtype="category"), ["a", "b", "c"]),
    "tuple": (("b", "b", "a", "c", "c"), ["a", "b", "c"]),
}


@pytest.mark.parametrize(("labels", "classes"), LABELS.values(), ids=LABELS)
@per_variant
def test_labels_of_every_kind(variant, labels, classes):
    model = clone(variant).fit(X, labels)
    assert model.classes_.tolist() == classes
    predicted = model.predict(X)
    assert predicted.dtype == model.classes_.dtype
    assert set(predicted.tolist()) <= set(classes)
    assert model.top_k(X, 1)[0][:, 0].tolist() == predicted.tolist()
    assert model.class_documents_.sum() == 5
    first = np.asarray(labels)[:1]
    assert clone(variant).fit(X, labels).forget(X[:1], first).class_documents_.sum() == 4


def test_labels_that_grow_longer():
    model = MultinomialNB().fit(X[:2], ["a", "b"]).partial_fit(X[2:], ["longer label", "a", "b"])
    assert model.classes_.tolist() == ["a", "b", "longer label"]
    assert "longer label" in model.predict(X).tolist()


def test_numbers_that_are_equal_are_one_label():
    model = MultinomialNB().fit(X, [0, 0, 1, 2, 2]).partial_fit(X[:2], [0.0, 1.0])
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.class_documents_.tolist() == [3, 2, 2]


def test_a_column_of_labels_is_labels():
    with pytest.warns(DataConversionWarning):
        model = MultinomialNB().fit(X, Y[:, None])
    assert model.classes_.tolist() == ["a", "b", "c"]


INDICATORS = {
    "list": INDICATOR.tolist(),
    "bool": INDICATOR.astype(bool),
    "float": INDICATOR.astype(float),
    "csr": sparse.csr_matrix(INDICATOR),
    "csc array": sparse.csc_array(INDICATOR),
    "bool coo": sparse.coo_matrix(INDICATOR.astype(bool)),
    "frame": pd.DataFrame(INDICATOR, columns=["밀", "oil", "gold"]),
}


@pytest.mark.parametrize("labels", INDICATORS.values(), ids=INDICATORS)
@per_variant
def test_indicators_in_every_form(variant, labels):
    model, expected = clone(variant).fit(X, labels), clone(variant).fit(X, INDICATOR)
    assert model.decision_function(X).tobytes() == expected.decision_function(X).tobytes()
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.class_documents_.tolist() == [2, 2, 1]


def test_an_indicator_is_left_as_it_was():
    indicator = sparse.csr_matrix(
        (np.array([1, 0, 1, 1]), np.array([1, 0, 0, 1]), np.array([0, 2, 3, 4])), shape=(3, 2)
    )
    before = [array.copy() for array in (indicator.data, indicator.indices, indicator.indptr)]
    model = MultinomialNB().fit(X[:3], indicator)
    assert model.class_documents_.tolist() == [1, 2]
    after = (indicator.data, indicator.indices, indicator.indptr)
    assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))


def doubled_indicator():
    return sparse.csr_matrix(
        (np.ones(4, dtype=int), np.array([0, 0, 0, 1]), np.array([0, 2, 3, 3, 3, 4])), shape=(5, 2)
    )


BAD_LABELS = {
    "mixed list": ["a", 1, "b", "c", "c"],
    "mixed object": np.array(["a", 1, "b", "c", "c"], dtype=object),
    "None": ["a", None, "b", "c", "c"],
    "NaN": [1.0, np.nan, 2.0, 2.0, 1.0],
    "NaN among text": np.array(["a", np.nan, "b", "c", "c"], dtype=object),
    "real": [1.5, 2.0, 2.5, 1.5, 2.0],
    "lists": [["a"], ["b", "c"], ["a"], [], ["a"]],
    "pairs": [["a", "b"]] * 5,
    "indicator of 2": INDICATOR * 2,
    "indicator of -1": -INDICATOR,
    "indicator of NaN": np.where(INDICATOR, np.nan, 0.0),
    "indicator twice": doubled_indicator(),
}


@pytest.mark.parametrize("labels", BAD_LABELS.values(), ids=BAD_LABELS)
@pytest.mark.parametrize("estimator", [MultinomialNB(), PoissonNB(), TermSelector(k=1)], ids=repr)
def test_labels_that_cannot_be_learned(estimator, labels):
    with pytest.raises(ValueError, match=r"(?i)label|target"):
        clone(estimator).fit(X, labels)


def test_labels_of_another_type_later_are_refused():
    model = MultinomialNB().fit(X, Y)
    before = state(model)
    with pytest.raises(LabelsError, match="has learned strings"):
        model.partial_fit(X, [1, 2, 3, 4, 5])
    with pytest.raises(LabelsError, match="has learned strings"):
        model.forget(X, [1, 2, 3, 4, 5])
    with pytest.raises(LabelsError, match="and the model has learned"):
        model.partial_fit(X, INDICATOR)
    with pytest.raises(LabelsError, match="and the model has learned"):
        model.forget(X, INDICATOR)
    assert state(model) == before


BAD_COUNTS = [(-1.0, NegativeCountError), (np.nan, InfiniteCountError), (np.inf, InfiniteCountError)]
BAD_COUNTS += [(-np.inf, InfiniteCountError)]


@pytest.mark.parametrize(("value", "error"), BAD_COUNTS, ids=str)
@pytest.mark.parametrize(
    "form", [np.asarray, sparse.csr_matrix, sparse.csc_array], ids=["dense", "csr", "csc"]
)
@per_variant
def test_bad_counts_are_named(variant, value, error, form):
    bad = X.astype(float)
    bad[3, 1] = value
    place = r"counts\[3, 1\] \(document 3, column 1\) is " + re.escape(str(value))
    model = clone(variant).fit(X, Y)
    before = state(model)
    calls = [
        lambda: clone(variant).fit(form(bad), Y),
        lambda: model.partial_fit(form(bad), Y),
        lambda: model.forget(form(bad), Y),
        lambda: model.predict(form(bad)),
        lambda: model.decision_function(form(bad)),
        lambda: model.predict_proba(form(bad)),
        lambda: model.top_k(form(bad), 2),
    ]
    for call in calls:
        with pytest.raises(error, match=place):
            call()
    assert state(model) == before


@per_variant
def test_a_failure_changes_nothing(variant):
    model = clone(variant).fit(X, Y)
    wide = np.ones((2, 5))
    before, answers = state(model), model.decision_function(X).tobytes()
    failures = [
        lambda: model.partial_fit(wide, [1, 2]),
        lambda: model.partial_fit(wide, ["a"]),
        lambda: model.partial_fit(wide, None),
        lambda: model.partial_fit(-wide, ["a", "b"]),
        lambda: model.partial_fit(wide, ["a", "b"], sample_weight=[1, -1]),
        lambda: model.partial_fit(wide, ["a", "b"], sample_weight=[1]),
        lambda: model.partial_fit(wide, [[1, 0], [0, 1]]),
        lambda: model.partial_fit(wide[:, :2], ["a", "b"]),
        lambda: model.forget(wide, ["a", "b"]),
        lambda: model.forget(wide[:, :3], ["a"]),
        lambda: model.merge(clone(variant).fit(np.ones((2, 9)), [1, 2])),
        lambda: model.merge(clone(variant).fit(np.ones((2, 9)), [[1, 0], [0, 1]])),
        lambda: model.merge(clone(variant)),
        lambda: model.merge("a model"),
    ]
    for fail in failures:
        with pytest.raises((ValueError, TypeError)):
            fail()
        assert state(model) == before
        assert model.decision_function(X).tobytes() == answers
    assert model.partial_fit(wide, ["a", "new"]).n_features_in_ == 5


@per_variant
def test_documents_and_labels_of_other_lengths(variant):
    for method in ("fit", "partial_fit", "forget"):
        model = clone(variant).fit(X, Y)
        with pytest.raises(ValueError, match="inconsistent"):
            getattr(model, method)(X, Y[:3])
        with pytest.raises(ValueError, match="y"):
            getattr(model, method)(X, None)


@per_variant
def test_wrong_number_of_columns(variant):
    model = clone(variant).fit(X, Y)
    for method in (model.predict, model.decision_function, model.predict_proba):
        for width in (2, 4):
            with pytest.raises(ValueError, match=f"X has {width} features, but .* is expecting 3"):
                method(np.ones((2, width)))
    with pytest.raises(ValueError, match="X has 2 features"):
        model.partial_fit(X[:, :2], Y)
    with pytest.raises(ValueError, match="X has 4 features"):
        model.forget(np.c_[X, X[:, :1]], Y)


@pytest.mark.parametrize(
    "weights",
    [[1, 1, 1, 1, -1], [1, 1, 1, 1, np.nan], [1, 1, 1, 1, np.inf], [1, 1], [[1]] * 5, "abcde"],
    ids=str,
)
@per_variant
def test_bad_sample_weights(variant, weights):
    with pytest.raises((ValueError, TypeError)):
        clone(variant).fit(X, Y, sample_weight=weights)


@pytest.mark.parametrize("k", [0, -1, True, 1.5, "2", None, np.nan])
@per_variant
def test_k_out_of_range(variant, k):
    with pytest.raises(ParameterError, match="k="):
        clone(variant).fit(X, Y).top_k(X, k)


@per_variant
def test_k_may_be_numpys_and_too_large(variant):
    model = clone(variant).fit(X, Y)
    labels, best = model.top_k(X, np.int64(2))
    assert labels.shape == best.shape == (5, 2)
    assert (np.diff(best, axis=1) <= 0).all()
    assert model.top_k(X, 99)[0].shape == (5, 3)


@per_variant
def test_before_learning(variant):
    model = clone(variant)
    calls = ("predict", "predict_proba", "predict_log_proba", "decision_function")
    for call in calls:
        with pytest.raises(NotFittedError, match="not fitted yet"):
            getattr(model, call)(X)
    with pytest.raises(NotFittedError):
        model.top_k(X, 1)
    with pytest.raises(NotFittedError):
        model.forget(X, Y)
    with pytest.raises(NotFittedError):
        model.merge(clone(variant).fit(X, Y))
    for name in ("classes_", "class_documents_", "weights_", "tau_"):
        assert not hasattr(model, name)


@per_variant
def test_no_rows(variant):
    model = clone(variant).fit(X, Y)
    for empty in (X[:0], sparse.csr_matrix((0, 3))):
        for call in (
            model.predict,
            model.decision_function,
            lambda X: model.top_k(X, 2),
            model.predict_proba,
        ):
            with pytest.raises(ValueError, match="0 sample"):
                call(empty)
    with pytest.raises(ValueError, match="0 sample"):
        model.fit(X[:0], [])


@per_variant
def test_when_everything_is_forgotten(variant):
    model = clone(variant).fit(X, Y).forget(X, Y)
    assert model.classes_.tolist() == []
    with pytest.raises((TextbayesError, NotFittedError)):
        model.predict(X)
    assert model.partial_fit(X, Y).predict(X).tolist() == clone(variant).fit(X, Y).predict(X).tolist()


@per_variant
def test_one_class_only(variant):
    model = clone(variant).fit(X, ["only"] * 5)
    assert model.predict(X).tolist() == ["only"] * 5
    assert model.predict_proba(X).tolist() == [[1.0]] * 5
    assert model.decision_function(X).shape == (5, 1)
    assert np.isfinite(model.decision_function(X)).all()
    assert model.top_k(X, 3)[0].shape == (5, 1)
    both = clone(variant).fit(X, np.ones((5, 2), dtype=int))  # classes that every document has
    assert np.isfinite(both.predict_proba(X)).all()
    none = clone(variant).fit(X, np.zeros((5, 2), dtype=int))  # and that none has
    assert np.isfinite(none.predict_proba(X)).all()
    assert np.isfinite(none.decision_function(X)).all()


@per_variant
def test_a_class_without_words_and_documents_without_words(variant):
    silent = np.array([[0, 0, 0], [3, 1, 0], [0, 1, 2], [0, 0, 0]])
    model = clone(variant).fit(silent, ["silent", "a", "b", "a"])
    assert model.classes_.tolist() == ["a", "b", "silent"]
    test = np.array([[0, 0, 0], [5, 0, 0], [0, 0, 9]])
    assert np.isfinite(model.decision_function(test)).all()
    assert np.isfinite(model.predict_log_proba(test)).all()
    assert model.predict(test).tolist()[1:] == ["a", "b"]
    indicator = [[0, 0, 1], [1, 0, 0], [0, 1, 0], [1, 0, 0]]
    assert np.isfinite(clone(variant).fit(silent, indicator).predict_proba(test)).all()


@per_variant
def test_no_document_has_words(variant):
    model = clone(variant).fit(np.zeros((4, 3)), ["a", "a", "a", "b"])
    assert np.isfinite(model.decision_function(X)).all()
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert np.isfinite(clone(variant).fit(np.zeros((5, 3)), INDICATOR).predict_proba(X)).all()


def test_a_document_of_unknown_terms_goes_by_the_prior():
    wide = np.c_[X, np.zeros((5, 1))]
    model = MultinomialNB().fit(wide, ["a", "b", "c", "c", "c"])
    assert model.predict([[0, 0, 0, 0]]).tolist() == ["c"]
    np.testing.assert_allclose(model.predict_proba([[0, 0, 0, 0]]), [[0.2, 0.2, 0.6]])


@per_variant
def test_large_and_small_counts(variant, tmp_path):
    for factor in (1e-49, 1e-30, 1e12, 1e49):
        model = clone(variant).fit(X * factor, Y)
        assert np.isfinite(model.decision_function(X)).all(), factor
        assert np.isfinite(model.predict_log_proba(X)).all(), factor
        save(model, tmp_path / "model.tb")
        assert load(tmp_path / "model.tb").predict(X).tolist() == model.predict(X).tolist()


@per_variant
def test_counts_whose_model_could_not_be_loaded_are_refused(variant):
    for factor in (1e-300, 1e150):
        with pytest.raises(CountRangeError):
            clone(variant).fit(X * factor, Y)


def test_sums_too_large_for_a_double_are_refused():
    with pytest.raises(ValueError, match=r"(?i)large|overflow|infinit"):
        MultinomialNB().fit([[1e308, 1e308], [1.0, 0.0]], ["a", "b"])


TOO_WIDE = """
import numpy as np
from scipy import sparse
from textbayes import MultinomialNB
wide = sparse.csr_matrix((np.ones(2), ([0, 1], [5, 2**40])), shape=(2, 2**45))
try:
    MultinomialNB().fit(wide, ["a", "b"])
except (ValueError, MemoryError):
    print("refused")
"""


def test_more_columns_than_memory_has_room_for_is_an_error():
    # In a process of its own: a failed allocation in the core would abort this one.
    done = warm.run([sys.executable, "-c", TOO_WIDE], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "refused\n"), done.stderr[-300:]


# scikit-learn's company.

TEXTS = [
    "밀 가격이 올랐다 wheat",
    "wheat fell wheat",
    "oil rose",
    "crude oil price",
    "gold gold",
    "gold price rose",
] * 5
TOPICS = ["grain", "grain", "crude", "crude", "gold", "gold"] * 5


@per_variant
def test_in_a_pipeline(variant):
    pipeline = make_pipeline(TextCounter(), FrequencyTransform(), TermSelector(k=6), clone(variant))
    assert pipeline.fit(TEXTS, TOPICS).predict(["wheat 가격이", "oil", "gold"]).tolist() == [
        "grain",
        "crude",
        "gold",
    ]
    assert cross_val_score(pipeline, TEXTS, TOPICS, cv=3).tolist() == [1.0, 1.0, 1.0]
    assert cross_val_predict(pipeline, TEXTS, TOPICS, cv=3, method="decision_function").shape == (30, 3)


def test_in_a_grid():
    pipeline = make_pipeline(TextCounter(), FrequencyTransform(), ComplementNB())
    grid = {
        "complementnb__alpha": np.array([1e-3, 1.0], dtype=np.float32),
        "complementnb__against": ["class", "all"],
        "frequencytransform__length": ["unit", "mean", None],
    }
    search = GridSearchCV(pipeline, grid, cv=2, n_jobs=2).fit(TEXTS, TOPICS)
    assert search.best_score_ == 1.0
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.predict(["wheat"]).tolist() == ["grain"]


@per_variant
def test_one_against_the_rest(variant):
    X, y = documents(60, 30, 4)
    model = OneVsRestClassifier(clone(variant)).fit(X, y)
    assert model.decision_function(X).shape == (60, 4)
    assert (model.predict(X) == y).mean() > 0.5
    indicator = OneVsRestClassifier(clone(variant)).fit(X, (y[:, None] == np.unique(y)).astype(int))
    assert indicator.predict(X).shape == (60, 4)


@per_variant
def test_calibrated(variant):
    X, y = documents(120, 30, 3)
    model = CalibratedClassifierCV(clone(variant), cv=3).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


@per_variant
def test_parameters_are_only_read(variant):
    model = clone(variant)
    before = model.get_params()
    model.fit(X, Y).predict(X)
    model.partial_fit(X, Y).forget(X, Y)
    assert model.get_params() == before
    assert repr(clone(model)) == repr(variant)


@per_variant
def test_no_scorer_holds_the_sums_while_they_change(variant, monkeypatch):
    # A scorer shares its statistics, and what it holds would be copied to be changed.
    model, other = clone(variant).fit(X, Y), clone(variant).fit(X, Y)
    held = []
    for name in ("add", "subtract", "merge"):
        change = getattr(ClassStatistics, name)

        def watched(self, *given, change=change):
            held.append(model._cache.scorer is not None or model._cache.odds is not None)
            change(self, *given)

        monkeypatch.setattr(ClassStatistics, name, watched)
    for learn in (lambda: model.partial_fit(X, Y), lambda: model.forget(X, Y), lambda: model.merge(other)):
        model.predict(X)
        model.predict_proba(X)
        learn()
    assert held == [False] * 3


def test_models_that_differ_are_not_joined():
    model = MultinomialNB().fit(X, Y)
    before = state(model)
    others = [
        MultinomialNB(alpha=2.0),
        MultinomialNB(class_length="min"),
        MultinomialNB(class_length=1.0),
        MultinomialNB(class_prior=[0.2, 0.3, 0.5]),
        ComplementNB(),
        PoissonNB(),
    ]
    for other in others:
        with pytest.raises(MergeError, match="differ"):
            model.merge(other.fit(X, Y))
        with pytest.raises(MergeError):
            model + other
    with pytest.raises(LabelsError, match="and the model has learned"):
        model.merge(MultinomialNB().fit(X, INDICATOR))
    with pytest.raises(TypeError):
        model + 1
    assert state(model) == before


@per_variant
def test_scores_of_two_classes_are_one_column(variant):
    model = clone(variant).fit(X, ["n", "n", "y", "y", "y"])
    decisions = model.decision_function(X)
    assert decisions.shape == (5,)
    assert (
        model.predict_proba(X).shape
        == model.predict_log_proba(X).shape
        == all_scores(model, X).shape
        == (5, 2)
    )
    if not isinstance(variant, PoissonNB):  # whose decision_function is z* of the second class, eq. 15
        assert model.predict(X).tolist() == np.where(decisions > 0, "y", "n").tolist()
