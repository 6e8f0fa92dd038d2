"""A compiled blend answers as its members do one by one."""

import numpy as np
import pytest

from reference.variants import documents
from textbayes.counts import as_rows
from textbayes.estimators.auto import Candidate, Recipe, Representation
from textbayes.estimators.auto.compiled_blend import CompiledBlend
from textbayes.estimators.auto.members import MemberBlend
from textbayes.estimators.models.variants import FOLDING
from textbayes.statistics import LabelledRows, as_targets

WIDTH, SEED = 60, 5
PAIRS = np.arange(WIDTH) % 3 == 2
REPRESENTATIONS = [
    Representation(),
    Representation(log=True),
    Representation(log=True, idf=True, length="mean"),
    Representation(log=True, length="mean", columns="words"),
    Representation(log=True, idf="smooth", length="unit"),
    Representation(log=True, length="unit", terms=("chi2", 0.3)),
    Representation(idf=True, columns="words", terms=("chi2", 0.5)),
]
OTHER_PARAMETERS = [
    Candidate("complement", REPRESENTATIONS[2], (("norm", True),)),
    Candidate("multinomial", REPRESENTATIONS[1], (("class_length", "min"),)),
    Candidate("linear-svm", REPRESENTATIONS[4], (("C", 10.0),)),
]
SINGLE = [Candidate(kind, own) for kind in FOLDING for own in REPRESENTATIONS] + OTHER_PARAMETERS
SEVERAL = [one for one in SINGLE if one.kind not in ("multinomial", "complement")]


def recipe_of(members, per_count, classes, multilabel):
    """Return a recipe with numbers that a search could have found."""
    random = np.random.default_rng(len(members))
    shape = (len(members), len(classes))
    scales = random.uniform(0.5, 2.0, shape)
    if not multilabel:
        # With one label per document, all classes of a member have one scale.
        scales[:] = scales[:, :1]
    return Recipe(
        members=tuple(members),
        weights=tuple(random.uniform(0.2, 1.0, len(members)).tolist()),
        classes=tuple(classes.tolist()),
        biases=tuple(random.normal(size=len(classes)).tolist()),
        centres=tuple(map(tuple, random.normal(size=shape).tolist())),
        scales=tuple(map(tuple, scales.tolist())),
        per_count=tuple(per_count),
    )


def labelled(classes, multilabel):
    X, y = documents(8 * classes + 80, WIDTH, classes, seed=classes, multilabel=multilabel)
    # The model of a TextClassifier has no column without documents.
    assert np.all(X.sum(axis=0) > 0)
    return LabelledRows(as_rows(X), as_targets(y))


def check_agreement(members, per_count, classes, multilabel):
    learned = labelled(classes, multilabel)
    recipe = recipe_of(members, per_count, learned.targets.classes, multilabel)
    compiled, one_by_one = CompiledBlend(recipe, SEED, precision=64), MemberBlend(recipe, SEED)
    for blend in (compiled, one_by_one):
        blend.fit(learned, PAIRS)
    assert compiled.classes.tolist() == one_by_one.classes.tolist()
    # Also a row without entries, and rows that were not learned.
    X, _ = documents(40, WIDTH, 2, seed=99)
    X = X.tolil()
    X[0] = 0
    for rows in (learned.rows, as_rows(X.tocsr())):
        ours, expected = (blend.scorer().scores(rows) for blend in (compiled, one_by_one))
        if not multilabel:
            # What a term adds to all classes alike is left out.
            ours, expected = (scores - scores.mean(axis=1, keepdims=True) for scores in (ours, expected))
        scale = np.abs(expected).max(initial=1.0)
        # With several labels, the defaults of terms are used, and stored in single precision.
        single = multilabel and any(member.kind == "one-vs-all" for member in members)
        np.testing.assert_allclose(ours, expected, rtol=0, atol=(1e-6 if single else 1e-9) * scale)


def ways(candidate):
    return (False, True) if candidate.per_count else (False,)


@pytest.mark.parametrize("classes", [2, 3, 40])
@pytest.mark.parametrize("candidate", SINGLE, ids=str)
def test_every_member_that_folds(candidate, classes):
    for per_count in ways(candidate):
        check_agreement([candidate], [per_count], classes, multilabel=False)


@pytest.mark.parametrize("classes", [2, 3, 12])
@pytest.mark.parametrize("candidate", SEVERAL, ids=str)
def test_every_member_that_folds_with_several_labels(candidate, classes):
    for per_count in ways(candidate):
        check_agreement([candidate], [per_count], classes, multilabel=True)


@pytest.mark.parametrize("classes", [2, 3, 40])
@pytest.mark.parametrize("multilabel", [False, True])
def test_blends_of_all_members(classes, multilabel):
    candidates = SEVERAL if multilabel else SINGLE
    given = [(one, way) for one in candidates for way in ways(one)]
    members, per_count = zip(*given, strict=True)
    check_agreement(members, per_count, classes, multilabel)
    # The forms of the members, in another order.
    check_agreement(members[::-1][::3], per_count[::-1][::3], classes, multilabel)
