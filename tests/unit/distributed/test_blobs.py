"""Blobs that do not belong together are refused."""

import pickle

import pyarrow as pa
import pytest

from textbayes import TextClassifier, TextCounter
from textbayes.distributed import blobs as blobs_module
from textbayes.distributed import count_batches, counting, finish, merge, plan_fit
from textbayes.distributed.blobs import Blob
from textbayes.errors import BlobError, ModelDamagedError, TextbayesError, WorkerVersionError

BATCH = pa.record_batch({"text": ["wheat corn", "crude oil", "oil"], "label": ["grain", "oil", "oil"]})


def made_classifier(dimensions=64):
    return TextClassifier("complement", TextCounter(dimensions=dimensions), keep_documents=False)


def made_blobs(plan):
    return dict(count_batches([BATCH], plan))


def test_blobs_of_other_shards_and_plans():
    plan, other = plan_fit(made_classifier(), shards=3), plan_fit(made_classifier(32), shards=3)
    own, others = made_blobs(plan), made_blobs(other)
    terms = [shard for shard in own if shard < 3]
    with pytest.raises(BlobError, match="shard"):
        merge([own[terms[0]], own[3]])
    with pytest.raises(BlobError, match="plan"):
        merge([own[3], others[3]])
    with pytest.raises(BlobError, match="plan"):
        finish(own.values(), other, made_classifier(32))


@pytest.mark.parametrize("size", [1, 3000, 10**9])
def test_blobs_are_added_some_at_a_time(size, monkeypatch):
    plan = plan_fit(made_classifier(), shards=1)
    for blob in made_blobs(plan).values():
        expected = merge([blob] * 7)
        with monkeypatch.context() as patched:
            patched.setattr(counting, "_MERGED_BYTES", size)
            assert merge(iter([blob] * 7)) == expected


def test_blobs_that_are_missing_or_there_twice():
    plan = plan_fit(made_classifier(), shards=3)
    own = made_blobs(plan)
    with pytest.raises(BlobError, match="the shard of the documents"):
        finish([blob for shard, blob in own.items() if shard < 3], plan, made_classifier())
    for lost in (shard for shard in own if shard < 3):
        with pytest.raises(BlobError, match="missing"):
            finish([blob for shard, blob in own.items() if shard != lost], plan, made_classifier())
    with pytest.raises(BlobError, match="second"):
        finish([*own.values(), own[3]], plan, made_classifier())


def test_bytes_that_are_no_blob():
    plan = plan_fit(made_classifier(), shards=2)
    blob = made_blobs(plan)[2]
    for at in range(0, len(blob), 37):
        changed = blob[:at] + bytes([blob[at] ^ 1]) + blob[at + 1 :]
        with pytest.raises(TextbayesError):
            merge([changed])
    for wrong in (b"", b"no blob", blob[:-1], blob + b"\0"):
        with pytest.raises(TextbayesError):
            merge([wrong])
    with pytest.raises(ModelDamagedError):
        merge([blob[: len(blob) // 2]])


def test_versions_that_differ(monkeypatch):
    plan = plan_fit(made_classifier(), shards=2)
    own, pickled = made_blobs(plan), pickle.dumps(plan)
    assert pickle.loads(pickled) == plan
    monkeypatch.setattr(blobs_module, "package_version", lambda: "9.9.9")
    with pytest.raises(WorkerVersionError, match=r"textbayes 9\.9\.9") as caught:
        pickle.loads(pickled)
    assert caught.value.code == "worker-version"
    with pytest.raises(WorkerVersionError, match="Install one version"):
        merge([own[2]])


def test_formats_that_differ(monkeypatch):
    plan = plan_fit(made_classifier(), shards=2)
    own = made_blobs(plan)
    monkeypatch.setattr(blobs_module, "FORMAT", 2)
    with pytest.raises(WorkerVersionError, match=r"format 2.*format 1"):
        Blob.from_bytes(own[2])


def test_a_blob_has_a_limit(monkeypatch):
    plan = plan_fit(made_classifier(), shards=2)
    monkeypatch.setattr(blobs_module, "LARGEST", 2_000)
    with pytest.raises(BlobError, match="shards=") as caught:
        made_blobs(plan)
    assert "2,000" in str(caught.value)


def test_errors_survive_a_pickle():
    error = WorkerVersionError("textbayes 1", "textbayes 2")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    error = BlobError.of_missing("shard 3")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
