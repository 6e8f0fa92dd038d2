"""Files of every format there has been load for ever, and say what they said when they were written.

Each file in ``data`` was written by the version that had the format, and is never written again; the JSON
beside it has the texts and what the model gave for them on that day.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import textbayes

FILES = sorted(Path(__file__).with_name("data").glob("*.tb"))


def test_there_are_files():
    assert {file.name.partition("-")[0] for file in FILES} == {"format1"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_old_file_loads(file):
    expected = json.loads(file.with_suffix(".json").read_text("utf-8"))
    model = textbayes.load(file, verify=True)
    assert model.predict(expected["texts"]).tolist() == expected["labels"]
    np.testing.assert_allclose(model.predict_proba(expected["texts"]), expected["probabilities"], rtol=1e-12)


def test_an_old_classifier_goes_on_learning():
    file = Path(__file__).with_name("data") / "format1-classifier.tb"
    classifier = textbayes.TextClassifier.load(file)
    classifier.teach(["solar sun power", "the sun"], ["sun", "sun"])
    assert classifier.predict(["sun"]).tolist() == ["sun"]
    classifier.forget(["corn and wheat fell"], ["grain"])
    assert classifier.class_documents_.tolist() == [1, 2, 2, 1]
