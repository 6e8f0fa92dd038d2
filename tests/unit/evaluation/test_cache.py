"""The description of a model, by content."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from textbayes import ComplementNB, MultinomialNB, TermSelector, TextCounter
from textbayes.errors import ParameterError
from textbayes.evaluation.cache import description


def double(X):
    return X * 2


def scaled(factor):
    return lambda X: X * factor


def test_equal_models_are_equal():
    def make():
        return make_pipeline(TextCounter(stop_words={"और", "و", "the"}), TermSelector(k=9), MultinomialNB())

    assert description(make()) == description(make())
    json.dumps(description(make()))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (MultinomialNB(), MultinomialNB(alpha=0.5)),
        (MultinomialNB(), ComplementNB()),
        (MultinomialNB(alpha=1), MultinomialNB(alpha="1")),
        (
            make_pipeline(TextCounter(), MultinomialNB()),
            make_pipeline(TextCounter(min_df=2), MultinomialNB()),
        ),
        (FunctionTransformer(double), FunctionTransformer(np.log1p)),
        (FunctionTransformer(scaled(2)), FunctionTransformer(scaled(3))),
        (FunctionTransformer(lambda X: X + 1), FunctionTransformer(lambda X: X + 2)),
        (np.arange(3), np.arange(3.0)),
        (np.arange(6), np.arange(6).reshape(2, 3)),
        (sparse.csr_array([[1, 0]]), sparse.csr_array([[0, 1]])),
        ([1, 2], (1, 2)),
        ({"a": 1}, {"a": 2}),
        (int, float),
    ],
    ids=range(13),
)
def test_different_models_differ(one, other):
    assert description(one) != description(other)


def test_the_error_names_the_parameter():
    with pytest.raises(ParameterError, match=r"model\.steps\[0\]\[1\]\.func=<object"):
        description(make_pipeline(FunctionTransformer(object()), MultinomialNB()))


def test_another_process_gives_the_same_description():
    words = ["a", "b", "c", "밀", "e"]
    program = (
        "import json\nfrom textbayes import TextCounter\n"
        "from textbayes.evaluation.cache import description\n"
        f"print(json.dumps(description(TextCounter(stop_words=set({words!r})))))"
    )
    # Another seed, another order of sets.
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7", "PYTHONUTF8": "1"},
    )
    assert json.loads(done.stdout) == description(TextCounter(stop_words=set(words)))
