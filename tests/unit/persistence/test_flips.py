"""A flipped bit anywhere in a file is found before the file is written again, and keeps the file as it is."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from textbayes import TextClassifier
from textbayes.cli.sources import source_of
from textbayes.cli.updates import update_model
from textbayes.errors import TextbayesError
from textbayes.persistence.digests import BLOCK_BYTES

FLIPS = 60


def flipped(path, place, bit):
    with open(path, "r+b") as file:
        file.seek(place)
        (byte,) = file.read(1)
        file.seek(place)
        file.write(bytes([byte ^ 1 << bit]))


def places(path, seed):
    rng, size = random.Random(seed), path.stat().st_size
    return [(rng.randrange(size), rng.randrange(8)) for _ in range(FLIPS)]


def teach_by_command(path, output):
    texts = path.with_name("texts.jsonl")
    texts.write_text(json.dumps({"text": "solar sun", "label": "sun"}))
    update_model(path, source_of([str(texts)]), output, TextClassifier.teach)


def teach_in_python(path, output, **given):
    classifier = TextClassifier.load(path, **given)
    classifier.predict(["w1 w2 w3"])
    classifier.teach(["solar sun"], ["sun"]).save(output)


WAYS = {
    "command": teach_by_command,
    "load": teach_in_python,
    "unverified": lambda path, output: teach_in_python(path, output, verify=False),
    "mapped": lambda path, output: teach_in_python(path, output, verify=False, mmap=True),
    "only saved": lambda path, output: TextClassifier.load(path, verify=False).save(output),
}


def check_flips(path, ways):
    """Flip bits one at a time; no way may accept one."""
    output = path.with_name("again.tb")
    for number, (place, bit) in enumerate(places(path, 0)):
        flipped(path, place, bit)
        way = list(ways)[number % len(ways)]
        with pytest.raises(TextbayesError):
            WAYS[way](path, output)
        assert not output.exists(), (way, place, bit)
        flipped(path, place, bit)
    for way in ways:
        WAYS[way](path, output)
        output.unlink()


@pytest.mark.parametrize("way", WAYS)
def test_no_flip_of_a_small_file_is_signed(way, tmp_path):
    path = tmp_path / "model.tb"
    texts = [f"w{number} w{number % 7} w{number % 3}" for number in range(60)]
    TextClassifier("complement").fit(texts, [f"c{number % 5}" for number in range(60)]).save(path)
    check_flips(path, [way])


@pytest.mark.slow
def test_no_flip_of_a_large_file_is_signed(tmp_path):
    path = Path(tmp_path, "large.tb")
    rng = np.random.default_rng(0)
    words = rng.integers(0, 400_000, (60_000, 90))
    texts = [" ".join(f"w{word}" for word in row) for row in words.tolist()]
    labels = [f"c{number}" for number in rng.integers(0, 100, len(texts)).tolist()]
    TextClassifier("complement", calibrate=False).fit(texts, labels).save(path)
    assert path.stat().st_size > max(1 << 26, 4 * BLOCK_BYTES)
    check_flips(path, ["command", "unverified", "mapped"])
