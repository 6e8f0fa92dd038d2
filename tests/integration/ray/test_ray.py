"""A fit by a real local Ray is a fit at once."""

import logging
import sys

import pyarrow as pa
import pytest

from textbayes import TextClassifier
from textbayes.distributed import fit_by

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'textbayes[ray]'")
pytest.importorskip("ray.data")

pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(" " in sys.executable, reason="Ray starts no workers from a path with a space"),
]


@pytest.fixture(scope="module")
def local_ray():
    quiet = {"logging_level": "ERROR", "log_to_driver": False, "include_dashboard": False}
    ray.init(num_cpus=2, object_store_memory=100 << 20, **quiet)
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    yield ray
    ray.shutdown()


def test_a_fit_by_ray_is_a_fit(local_ray, tmp_path):
    from textbayes.distributed.ray import run_on_ray

    # So many terms that the vocabulary is a file, which workers get a copy of.
    texts = [" ".join(f"w{at * 300 + place}" for place in range(400)) for at in range(200)]
    labels = [["grain", "oil"] if at % 3 else [] for at in range(200)]
    parts = [(texts[start : start + 70], labels[start : start + 70]) for start in range(0, 200, 70)]
    kind = pa.list_(pa.string())
    data = local_ray.data.from_arrow(
        [pa.table({"id": own, "body": own, "topics": pa.array(lists, kind)}) for own, lists in parts]
    )
    run, files = run_on_ray(data), []

    def watched(plan):
        files.append(plan.file)
        return run(plan)

    make = lambda: TextClassifier("twcnb", keep_documents=False)  # noqa: E731
    fit_by(make(), watched, text="body", label="topics", shards=2).save(tmp_path / "ray.tb")
    make().fit(texts, labels).save(tmp_path / "here.tb")
    assert (tmp_path / "ray.tb").read_bytes() == (tmp_path / "here.tb").read_bytes()
    assert files[0] is None
    assert files[1] is not None
