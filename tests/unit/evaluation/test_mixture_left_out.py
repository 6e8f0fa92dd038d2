"""leave_one_out, in steps or at once."""

import pytest

from textbayes import TextClassifier
from textbayes.estimators.models import left_out
from textbayes.evaluation import leave_one_out

TEXTS = ["wheat corn", "corn wheat 밀", "wheat rose", "crude oil", "oil crude قمح", "oil fell"] * 4
LABELS = (["grain"] * 3 + ["oil"] * 3) * 4


@pytest.mark.parametrize("recipe", ["complement", "mixture"])
def test_steps_change_nothing(recipe, monkeypatch):
    classifier = TextClassifier(recipe).fit(TEXTS, LABELS)
    whole = leave_one_out(classifier, TEXTS, LABELS)
    assert whole.accuracy > 0.9
    assert whole.majority == 0.5
    # The mixture is fitted again without each fold, so its documents are never parted.
    monkeypatch.setattr(left_out, "_CELLS", 8)
    assert leave_one_out(classifier, TEXTS, LABELS) == whole
