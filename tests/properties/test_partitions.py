"""A model does not depend on how its data was split, in which order it was merged, or by how many shards."""

import random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from textbayes import TextClassifier, TextCounter
from textbayes.distributed import count_batches, fit_by, merge
from textbayes.errors import NoTermsLeftError

WORDS = st.sampled_from(["wheat", "Corn", "oil", "금", "نفط", "कच्चा", "🌾", "東京都", "a", "a b", ""])
TEXTS = st.lists(WORDS, max_size=6).map(" ".join)
DOCUMENTS = st.lists(st.tuples(TEXTS, st.sampled_from(["oil", "grain", "금"])), min_size=2, max_size=30)
SPLITS = st.tuples(st.integers(1, 6), st.integers(1, 9), st.randoms(use_true_random=False))
FEW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def run_split(documents, parts, chance: random.Random):
    """Return a run: documents are dealt to parts, parts to batches, and blobs are merged in a random tree."""
    dealt = [[] for _ in range(parts)]
    for document in documents:
        chance.choice(dealt).append(document)

    def batches(own):
        while own:
            size = chance.randint(1, len(own))
            texts, labels = zip(*own[:size], strict=True)
            yield pa.record_batch({"text": list(texts), "label": list(labels)})
            own = own[size:]

    def merged(blobs):
        blobs = list(blobs)
        while len(blobs) > 1:
            chance.shuffle(blobs)
            size = chance.randint(2, len(blobs))
            blobs = [merge(blobs[:size]), *blobs[size:]]
        return merge(blobs)

    def run(plan):
        found = {}
        for own in dealt:
            for shard, blob in count_batches(batches(own), plan):
                found.setdefault(shard, []).append(blob)
        return [merged(blobs) for blobs in found.values()]

    return run


def fitted(make, documents):
    texts, labels = zip(*documents, strict=True)
    return make().fit(list(texts), list(labels))


# Together these are more than a hundred splits.
@pytest.mark.parametrize("counter", [None, TextCounter(dimensions=64)], ids=repr)
@pytest.mark.parametrize("name", ["complement", "multinomial-min", "poisson"])
@given(DOCUMENTS, SPLITS)
@FEW
def test_whole_counts_to_the_byte(tmp_path_factory, name, counter, documents, splits):
    parts, shards, chance = splits
    make = lambda: TextClassifier(name, counter, keep_documents=False)  # noqa: E731
    try:
        here = fitted(make, documents)
    except NoTermsLeftError:
        with pytest.raises(NoTermsLeftError):
            fit_by(make(), run_split(documents, parts, chance), shards=shards)
        return
    far = fit_by(make(), run_split(documents, parts, chance), shards=shards)
    folder = tmp_path_factory.mktemp("models")
    here.save(folder / "here.tb")
    far.save(folder / "far.tb")
    assert (folder / "far.tb").read_bytes() == (folder / "here.tb").read_bytes()


@pytest.mark.parametrize("counter", [None, TextCounter(dimensions=64)], ids=repr)
@pytest.mark.parametrize("name", ["twcnb", "normalised", "centroid"])
@given(DOCUMENTS, SPLITS)
@FEW
def test_real_values_to_twelve_digits(name, counter, documents, splits):
    parts, shards, chance = splits
    make = lambda: TextClassifier(name, counter, keep_documents=False)  # noqa: E731
    try:
        here = fitted(make, documents)
    except NoTermsLeftError:
        return
    far = fit_by(make(), run_split(documents, parts, chance), shards=shards)
    texts = [text for text, _ in documents]
    assert np.allclose(far.decision_function(texts), here.decision_function(texts), rtol=1e-12, atol=1e-12)
    assert far.classes_.tolist() == here.classes_.tolist()
