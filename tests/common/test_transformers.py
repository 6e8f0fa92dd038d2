"""Transformers in scikit-learn's own checks, pipelines and searches."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.utils import estimator_checks, get_tags
from sklearn.utils.validation import check_is_fitted

from reference.corpora import everyday_texts
from reference.count_vectorizer import assert_same_bytes
from textbayes import TextCounter

TEXTS = list(everyday_texts()[:100])
LABELS = ["import" if "import numpy" in text else "other" for text in TEXTS]
CHANGED = TextCounter(
    lowercase=False,
    tokens="letters",
    numbers="drop",
    stop_words=["the"],
    stemmer="porter",
    ngram_range=(1, 2),
    n_jobs=2,
)


# scikit-learn skips its checks, with a warning, for estimators that take texts, because its test data are
# numbers. These of its checks need no data, or data that a counter does not read.
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
    estimator_checks.check_do_not_raise_errors_in_init_or_set_params,
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("estimator", [TextCounter(), TextCounter(dimensions=64), CHANGED], ids=str)
def test_scikit_learn_checks(estimator, check):
    check("TextCounter", clone(estimator))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_checks_that_scikit_learn_runs_for_texts():
    estimator_checks.check_estimator(TextCounter())


def test_the_tags_declare_texts():
    tags = get_tags(TextCounter())
    assert tags.input_tags.string
    assert not tags.input_tags.two_d_array
    assert tags.requires_fit
    assert not get_tags(TextCounter(dimensions=8)).requires_fit


def test_clone_keeps_settings_and_drops_the_vocabulary():
    fitted = clone(CHANGED).fit(TEXTS)
    copied = clone(fitted)
    assert copied.get_params() == CHANGED.get_params()
    assert not hasattr(copied, "vocabulary_")


def test_get_params_and_set_params():
    counter = TextCounter()
    assert counter.set_params(**CHANGED.get_params()) is counter
    assert counter.get_params() == CHANGED.get_params()
    assert counter.terms("The 2 cats") == CHANGED.terms("The 2 cats")
    with pytest.raises(ValueError, match="Invalid parameter"):
        counter.set_params(token="words")


def test_the_constructor_checks_nothing():
    # scikit-learn's rule: __init__ only stores; fit reports invalid settings.
    TextCounter(unit="nonsense", ngram_range=None, n_jobs=0)


def test_the_repr_shows_changed_settings():
    assert repr(TextCounter(stemmer="porter")) == "TextCounter(stemmer='porter')"


def test_fit_returns_the_counter():
    counter = TextCounter()
    assert counter.fit(TEXTS) is counter
    assert counter.fit(TEXTS, LABELS) is counter
    assert counter.partial_fit(TEXTS, LABELS) is counter


def test_whether_it_is_fitted():
    with pytest.raises(ValueError, match="not fitted"):
        check_is_fitted(TextCounter())
    check_is_fitted(TextCounter().fit(TEXTS))
    check_is_fitted(TextCounter(dimensions=8))


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_keeps_everything(protocol):
    fitted = clone(CHANGED).fit(TEXTS)
    copied = pickle.loads(pickle.dumps(fitted, protocol))
    assert copied.get_params() == fitted.get_params()
    assert copied.vocabulary_ == fitted.vocabulary_
    assert_same_bytes(copied.transform(TEXTS), fitted.transform(TEXTS))


def test_an_unfitted_counter_can_be_pickled():
    assert not hasattr(pickle.loads(pickle.dumps(TextCounter())), "vocabulary_")


def test_deep_copies():
    fitted = TextCounter().fit(["wheat"])
    copied = copy.deepcopy(fitted)
    fitted.partial_fit(["corn"])
    assert copied.vocabulary_ == {"wheat": 0}


def test_a_pickle_is_not_much_larger_than_its_terms():
    tokens = [f"token{i:07d}" for i in range(100_000)]
    fitted = TextCounter().fit([" ".join(tokens)])
    assert len(pickle.dumps(fitted)) < 3 * sum(map(len, tokens))


def test_a_pipeline_predicts_the_same_as_with_count_vectorizer():
    ours = make_pipeline(TextCounter(), MultinomialNB()).fit(TEXTS, LABELS)
    theirs = make_pipeline(CountVectorizer(), MultinomialNB()).fit(TEXTS, LABELS)
    np.testing.assert_array_equal(ours.predict_proba(TEXTS), theirs.predict_proba(TEXTS))
    tfidf = make_pipeline(TextCounter(dimensions=2**16), TfidfTransformer(), MultinomialNB()).fit(
        TEXTS, LABELS
    )
    assert set(tfidf.predict(TEXTS)) <= set(LABELS)


@pytest.mark.parametrize("jobs", [None, 2])
def test_a_grid_search_finds_the_same_as_with_count_vectorizer(jobs):
    grid = {
        "count__ngram_range": [(1, 1), (1, 2)],
        "count__min_df": [1, 2, 0.1],
        "count__stop_words": [None, "english"],
    }
    scores = []
    for counter in (TextCounter(), CountVectorizer()):
        model = Pipeline([("count", counter), ("bayes", MultinomialNB())])
        search = GridSearchCV(model, grid, cv=3, n_jobs=jobs if counter.__class__ is TextCounter else None)
        search.fit(TEXTS, LABELS)
        scores.append(search.cv_results_["mean_test_score"])
    np.testing.assert_array_equal(*scores)


def test_cross_validation_of_arrays_and_columns():
    pandas = pytest.importorskip("pandas")
    model = make_pipeline(TextCounter(), MultinomialNB())
    expected = cross_val_score(model, TEXTS, LABELS, cv=3)
    for texts in (np.array(TEXTS, dtype=object), pandas.Series(TEXTS)):
        np.testing.assert_array_equal(cross_val_score(model, texts, LABELS, cv=3), expected)


def test_a_feature_union_names_its_columns():
    union = FeatureUnion([("words", TextCounter()), ("characters", TextCounter(unit="char"))]).fit(["ab ba"])
    assert list(union.get_feature_names_out()) == [
        "words__ab",
        "words__ba",
        "characters__ ",
        "characters__a",
        "characters__b",
    ]
    assert union.transform(["ab ba"]).toarray().tolist() == [[1, 1, 1, 2, 2]]


def test_a_column_transformer_selects_the_text_column():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"text": ["wheat rose", "corn fell"], "price": [1.0, 2.0]})
    columns = ColumnTransformer([("count", TextCounter(), "text"), ("keep", "passthrough", ["price"])])
    assert columns.fit_transform(table).shape == (2, 5)
    assert list(columns.get_feature_names_out()) == [
        "count__corn",
        "count__fell",
        "count__rose",
        "count__wheat",
        "keep__price",
    ]


def test_feature_names_match_the_columns():
    counter = TextCounter()
    rows = counter.fit_transform(TEXTS)
    names = counter.get_feature_names_out()
    assert names.shape == (rows.shape[1],)
    assert counter.get_feature_names_out(["ignored"]).tolist() == names.tolist()


def test_set_output_refuses_sparse_rows():
    counter = TextCounter().set_output(transform="default")
    assert counter.fit_transform(["wheat"]).toarray().tolist() == [[1]]
    counter.set_output(transform="pandas")
    with pytest.raises(ValueError, match="sparse"):
        counter.fit_transform(["wheat"])
