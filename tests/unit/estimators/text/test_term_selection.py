"""term_scores and TermSelector."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_selection import chi2 as their_chi2
from sklearn.pipeline import make_pipeline

from reference.variants import documents
from textbayes import MultinomialNB, TermSelector, TextCounter, term_scores
from textbayes.errors import InfiniteCountError, NegativeCountError, ParameterError

FLAT, PER_CLASS = ("mi", "kl", "dkl", "kl_exact"), ("ig", "chi2", "ratio")
SCORES = (*FLAT, *PER_CLASS)
X = np.array([[2, 0, 1], [1, 0, 1], [0, 3, 1]])
Y = ["a", "a", "b"]
per_score = pytest.mark.parametrize("score", SCORES)


@pytest.mark.parametrize("multilabel", [False, True], ids=["labels", "indicator"])
def test_several_scores_at_once_are_the_same_scores(multilabel):
    counts, labels = documents(60, 40, 5, real=True, multilabel=multilabel)
    together = term_scores(counts, labels, SCORES)
    assert list(together) == list(SCORES)
    for score in SCORES:
        alone = term_scores(counts, labels, score)
        assert alone.shape == ((40,) if score in FLAT else (5, 40))
        assert alone.tobytes() == together[score].tobytes()
        assert np.isfinite(alone).all()
    assert term_scores(counts, labels, ["mi"]).keys() == {"mi"}


@per_score
def test_the_form_of_counts_and_the_order_of_documents_do_not_matter(score):
    counts, labels = documents(60, 40, 5)
    expected = term_scores(counts, labels, score)
    for form in (
        counts.toarray(),
        sparse.csc_array(counts),
        sparse.coo_matrix(counts),
        counts.astype(np.float32),
    ):
        assert term_scores(form, labels, score).tobytes() == expected.tobytes()
    order = np.random.default_rng(0).permutation(60)
    np.testing.assert_allclose(
        term_scores(counts[order], labels[order], score), expected, rtol=1e-12, atol=1e-15
    )


@per_score
def test_a_term_that_nobody_has_and_documents_without_words(score):
    counts, labels = documents(60, 40, 5)
    wide = sparse.csr_matrix((counts.data, counts.indices, counts.indptr), shape=(60, 41))
    empty = sparse.vstack([wide, sparse.csr_matrix((3, 41))])
    values = term_scores(empty, [*labels, "class 0", "class 1", "silent"], score)
    assert np.isfinite(values).all()
    if score in ("mi", "kl", "dkl", "kl_exact", "ig", "chi2"):
        assert not values[..., 40].any()
    assert np.isfinite(term_scores(np.zeros((3, 2)), Y, score)).all()
    assert np.isfinite(term_scores(X, ["one"] * 3, score)).all()


def test_chi_square_is_scikit_learns_of_presence():
    # Theirs sums over classes and cells with observed counts only; of two classes and presence, ours in full.
    counts, labels = documents(80, 20, 2)
    present = (counts > 0).astype(float).toarray()
    both = np.concatenate([present, 1 - present], axis=1)
    theirs, _ = their_chi2(both, labels)
    ours = term_scores(counts, labels, "chi2")
    np.testing.assert_allclose(80 * ours[0], theirs[:20] + theirs[20:], rtol=1e-10)
    np.testing.assert_allclose(ours[0], ours[1], rtol=1e-10)


def test_scores_out_of_range():
    for score in ("mutual", "", None, 5, ["mi", "mutual"], [5]):
        with pytest.raises((ParameterError, TypeError), match="criterion"):
            term_scores(X, Y, score)
    with pytest.raises(ParameterError, match="dkl"):
        TermSelector(criterion="dlk").fit(X, Y)


def test_bad_counts_and_labels():
    for value, error in (
        (-1, NegativeCountError),
        (np.nan, InfiniteCountError),
        (np.inf, InfiniteCountError),
    ):
        bad = X.astype(float)
        bad[1, 2] = value
        with pytest.raises(error, match="document 1, column 2"):
            term_scores(bad, Y, "mi")
        with pytest.raises(error, match="document 1, column 2"):
            TermSelector(k=1).fit(bad, Y)
    for call in (lambda y: term_scores(X, y, "mi"), lambda y: TermSelector(k=1).fit(X, y)):
        with pytest.raises(ValueError, match="inconsistent"):
            call(["a", "b"])
        with pytest.raises((ValueError, TypeError), match="y"):
            call(None)
    with pytest.raises(ValueError, match=r"(?i)no documents|0 sample|empty"):
        term_scores(X[:0], [], "dkl")


@pytest.mark.parametrize("k", [0, -1, 1.5, True, "most", None, np.nan])
def test_k_out_of_range(k):
    with pytest.raises(ParameterError, match="k="):
        TermSelector(k=k).fit(X, Y)


@per_score
def test_the_best_k_are_kept_in_the_order_of_columns(score):
    counts, labels = documents(60, 40, 5, real=True)
    selector = TermSelector(score, k=7).fit(counts, labels)
    values = term_scores(counts, labels, score)
    values = values if values.ndim == 1 else values.max(axis=0)
    kept = np.sort(np.argsort(-values, kind="stable")[:7])
    assert selector.get_support(indices=True).tolist() == kept.tolist()
    assert selector.get_support().sum() == 7
    chosen = selector.transform(counts)
    assert sparse.issparse(chosen)
    assert np.array_equal(chosen.toarray(), counts.toarray()[:, kept])
    assert selector.scores_.tobytes() == term_scores(counts, labels, score).tobytes()
    assert selector.inverse_transform(chosen).shape == (60, 40)


@pytest.mark.parametrize("score", PER_CLASS)
def test_k_for_each_class(score):
    counts, labels = documents(60, 40, 5, real=True)
    selector = TermSelector(score, k=3, per_class=True).fit(counts, labels)
    best = np.argsort(-term_scores(counts, labels, score), axis=1, kind="stable")[:, :3]
    assert selector.get_support(indices=True).tolist() == sorted(set(best.ravel().tolist()))
    assert 3 <= selector.get_support().sum() <= 15


def test_per_class_of_a_score_without_classes_is_the_k_best():
    counts, labels = documents(60, 40, 5)
    plain = TermSelector("mi", k=4).fit(counts, labels).get_support()
    assert np.array_equal(TermSelector("mi", k=4, per_class=True).fit(counts, labels).get_support(), plain)


@pytest.mark.parametrize("k", ["all", 40, 41, 10**9, np.int64(40)])
def test_all_terms(k):
    counts, labels = documents(60, 40, 5)
    assert TermSelector(k=k).fit(counts, labels).get_support().all()


@per_score
def test_of_equal_terms_the_first_columns_are_kept(score):
    counts, labels = documents(60, 5, 3, entries=3)
    copies = sparse.hstack([counts] * 4).tocsr()
    for k in (1, 2, 3, 4):
        kept = TermSelector(score, k=k).fit(copies, labels).get_support(indices=True)
        best = term_scores(copies, labels, score)
        best = best if best.ndim == 1 else best.max(axis=0)
        winner = int(np.argmax(best))
        assert winner < 5
        assert kept.tolist() == [winner + 5 * at for at in range(k)]


def test_names_and_frames():
    frame = pd.DataFrame(X, columns=["밀", "oil", "🌾"])
    selector = TermSelector("mi", k=2).fit(frame, Y)
    assert selector.get_feature_names_out().tolist() == ["밀", "oil"]
    framed = clone(selector).set_output(transform="pandas").fit_transform(frame, Y)
    assert isinstance(framed, pd.DataFrame)
    assert framed.columns.tolist() == ["밀", "oil"]
    assert np.array_equal(framed.to_numpy(), X[:, :2])
    with pytest.raises(ValueError, match=r"[Ss]parse"):
        clone(selector).set_output(transform="pandas").fit_transform(sparse.csr_matrix(X), Y)
    with pytest.raises(ValueError, match="feature names"):
        selector.transform(frame[["oil", "밀", "🌾"]])


def test_in_a_pipeline_the_names_are_terms():
    pipeline = make_pipeline(TextCounter(), TermSelector("dkl", k=2), MultinomialNB())
    texts = ["wheat wheat rose", "wheat fell", "oil oil rose", "oil fell"]
    pipeline.fit(texts, ["grain", "grain", "crude", "crude"])
    assert pipeline[:-1].get_feature_names_out().tolist() == ["oil", "wheat"]
    assert pipeline.predict(["oil", "wheat"]).tolist() == ["crude", "grain"]


def test_one_selector_of_indicators():
    counts, labels = documents(60, 40, 5, multilabel=True)
    for score in SCORES:
        assert TermSelector(score, k=4).fit(counts, labels).transform(counts).shape == (60, 4)
