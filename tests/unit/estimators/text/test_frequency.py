"""FrequencyTransform against the formulas as they are printed."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer

from textbayes import FrequencyTransform, load, save
from textbayes.errors import InfiniteCountError, NegativeCountError, ParameterError

X = np.array([[3, 0, 1, 0], [1, 1, 1, 0], [0, 2, 1, 0], [0, 0, 0, 0]])


def literal(train, test, log, idf, length):
    """Rennie 2003, eqs. 10–12, number by number."""

    def unscaled(counts):
        documents = len(train)
        table = [[float(value) for value in row] for row in counts]
        for row in table:
            for term, value in enumerate(row):
                if log:
                    row[term] = math.log2(1 + value)
                if idf:
                    having = sum(1 for document in train if document[term] > 0)
                    row[term] = row[term] * math.log(documents / having) if having else 0.0
        return table

    def size(row):
        return math.sqrt(math.fsum(value * value for value in row))

    table = unscaled(test)
    if length is None:
        return table
    goal = 1.0 if length == "unit" else sum(size(row) for row in unscaled(train)) / len(train)
    return [[value * goal / size(row) if size(row) else 0.0 for value in row] for row in table]


@pytest.mark.parametrize("length", ["unit", "mean", None])
@pytest.mark.parametrize("idf", [True, False])
@pytest.mark.parametrize("log", [True, False])
@pytest.mark.parametrize(
    "form", [np.asarray, sparse.csr_matrix, sparse.csc_array], ids=["dense", "csr", "csc"]
)
def test_the_formula(log, idf, length, form):
    transform = FrequencyTransform(log=log, idf=idf, length=length)
    ours = transform.fit_transform(form(X))
    np.testing.assert_allclose(ours.toarray(), literal(X, X, log, idf, length), rtol=1e-14, atol=1e-16)
    test = np.array([[0, 5, 0, 7], [0, 0, 0, 2], [1, 1, 1, 1]])
    ours = transform.transform(form(test)).toarray()
    np.testing.assert_allclose(ours, literal(X, test, log, idf, length), rtol=1e-14, atol=1e-16)


def test_what_it_learned():
    transform = FrequencyTransform(length="mean").fit(X)
    np.testing.assert_allclose(transform.idf_, [math.log(2), math.log(2), math.log(4 / 3), 0])
    assert transform.length_ == pytest.approx(
        np.mean(np.linalg.norm(FrequencyTransform(length=None).fit_transform(X).toarray(), axis=1))
    )
    assert FrequencyTransform().fit(X).length_ == 1.0
    assert not hasattr(FrequencyTransform(), "idf_")


def test_a_term_in_every_document_is_worth_nothing():
    ours = FrequencyTransform().fit_transform([[1, 1], [0, 1]]).toarray()
    assert ours.tolist() == [[1.0, 0.0], [0.0, 0.0]]


def test_explicit_zeros_are_not_documents_with_the_term():
    stored = sparse.csr_matrix(np.ones_like(X, dtype=float))
    stored.data[:] = X.ravel()
    expected = FrequencyTransform().fit(X)
    transform = FrequencyTransform().fit(stored)
    assert np.array_equal(transform.idf_, expected.idf_)
    assert np.array_equal(transform.transform(stored).toarray(), expected.transform(X).toarray())


def test_it_leaves_its_input_alone():
    counts = sparse.csr_matrix(X.astype(float))
    before = counts.data.copy()
    FrequencyTransform(log=False, idf=False).fit_transform(counts)
    FrequencyTransform(log=False).fit(counts).transform(counts)
    assert np.array_equal(counts.data, before)


def test_large_and_small_counts_keep_unit_length():
    for factor in (1e-50, 1e-5, 1e49):
        ours = FrequencyTransform(log=False, idf=False).fit_transform([[3 * factor, 4 * factor]]).toarray()
        np.testing.assert_allclose(ours, [[0.6, 0.8]])


@pytest.mark.parametrize("length", ["l2", "Unit", 1, True, ["unit"]])
def test_length_out_of_range(length):
    with pytest.raises(ParameterError, match="unit"):
        FrequencyTransform(length=length).fit(X)


def test_bad_counts_are_named():
    for value, error in (
        (-1, NegativeCountError),
        (np.nan, InfiniteCountError),
        (np.inf, InfiniteCountError),
    ):
        bad = X.astype(float)
        bad[2, 3] = value
        for call in (
            FrequencyTransform().fit,
            FrequencyTransform().fit_transform,
            FrequencyTransform().fit(X).transform,
        ):
            with pytest.raises(error, match=r"document 2, column 3"):
                call(bad)


def test_names_go_through():
    frame = pd.DataFrame(X, columns=["밀", "oil", "gold", "🌾"])
    transform = FrequencyTransform().fit(frame)
    assert transform.get_feature_names_out().tolist() == ["밀", "oil", "gold", "🌾"]
    with pytest.raises(ValueError, match="feature names"):
        transform.transform(frame[["oil", "밀", "gold", "🌾"]])
    with pytest.raises(ValueError, match="3 features"):
        FrequencyTransform().fit(X).transform(X[:, :3])


# The smooth idf.


def test_the_smooth_idf_is_scikit_learn_s():
    theirs = TfidfTransformer(smooth_idf=True).fit(X)
    ours = FrequencyTransform(log=False, idf="smooth").fit(X)
    seen = X.any(axis=0)
    np.testing.assert_allclose(ours.idf_[seen], theirs.idf_[seen], rtol=1e-14)
    np.testing.assert_allclose(ours.idf_[:3], [1 + math.log(5 / 3), 1 + math.log(5 / 3), 1 + math.log(5 / 4)])
    np.testing.assert_allclose(
        ours.transform(X).toarray(), theirs.transform(sparse.csr_matrix(X)).toarray(), rtol=1e-14
    )
    logged = FrequencyTransform(idf="smooth").fit_transform(X).toarray()
    np.testing.assert_allclose(
        logged, theirs.transform(sparse.csr_matrix(np.log2(1 + X))).toarray(), rtol=1e-14
    )


def test_a_term_in_no_training_document_is_worth_nothing_either():
    ours = FrequencyTransform(idf="smooth").fit(X)
    assert ours.idf_[3] == 0.0
    assert ours.transform([[0, 0, 0, 5], [1, 0, 0, 5]]).toarray().tolist() == [[0, 0, 0, 0], [1, 0, 0, 0]]
    # One in every document counts still.
    assert FrequencyTransform(idf="smooth").fit([[1, 1], [0, 1]]).idf_[1] == 1.0


@pytest.mark.parametrize("length", ["unit", "mean", None])
def test_weights_are_numbers_of_documents_for_the_smooth_idf(length):
    weighted = FrequencyTransform(idf="smooth", length=length).fit(X, sample_weight=[2, 1, 0, 3])
    repeated = FrequencyTransform(idf="smooth", length=length).fit(X[[0, 0, 1, 3, 3, 3]])
    np.testing.assert_allclose(weighted.idf_, repeated.idf_, rtol=1e-14)
    np.testing.assert_allclose(weighted.transform(X).toarray(), repeated.transform(X).toarray(), rtol=1e-14)


def test_the_smooth_idf_is_saved(tmp_path):
    transform = FrequencyTransform(idf="smooth", length="mean").fit(X)
    save(transform, tmp_path / "transform.tb")
    loaded = load(tmp_path / "transform.tb")
    assert loaded.idf == "smooth"
    assert loaded.idf_.tobytes() == transform.idf_.tobytes()
    assert loaded.transform(X).toarray().tobytes() == transform.transform(X).toarray().tobytes()


@pytest.mark.parametrize("idf", ["smoth", "Smooth", 1, None, ["smooth"], "밀"], ids=ascii)
def test_idf_out_of_range(idf):
    with pytest.raises(ParameterError, match=r"True(.|\n)*False(.|\n)*smooth") as raised:
        FrequencyTransform(idf=idf).fit(X)
    assert idf != "smoth" or "Did you mean 'smooth'" in str(raised.value)
