"""Text that does not fit in memory: `textbayes train` in a process with a limit on its memory."""

import contextlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

import textbayes
from textbayes import TextClassifier

pytest.importorskip("resource")
pytestmark = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="the memory in use is read from Linux's /proc/self/status"
)

MB = 1 << 20
# Batches and blocks are smaller than usual, so that the test need not read gigabytes. The first run loads
# all code; the second may use `leaves` bytes more than the process has then.
PROGRAM = """
import os, resource, sys
from textbayes.cli import batches, main
from textbayes.persistence import temporary
from textbayes.statistics import document_entries

leaves, holds, *args = sys.argv[1:]
batches._CHARACTERS, document_entries.PART = 1 << 20, 1 << 17
temporary.TemporaryBytes.__init__.__defaults__ = (None, 1 << 20)

def run(*args):
    sys.argv = ["textbayes", *args]
    try:
        main()
    except SystemExit as end:
        assert not end.code, end.code

run(*["small.jsonl" if arg == "-" else arg for arg in args])
if holds == "True":
    read = batches.LabelledBatches.__iter__
    batches.LabelledBatches.__iter__ = lambda self: iter(list(read(self)))
data = next(line for line in open("/proc/self/status") if line.startswith("VmData"))
limit = int(data.split()[1]) * 1024 + int(leaves)
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
run(*args)
os._exit(0)
"""
HASHED = ["--dimensions", "65536", "--no-documents"]


def lines(number, seed):
    rng = random.Random(seed)
    words = [f"{'aeiou'[place % 5]}w{place:x}" for place in range(5000)]
    made = []
    for _ in range(number):
        label = rng.choice(["밀가루", "oil", "gas"])
        text = " ".join(words[int(5000 ** rng.random()) - 1] for _ in range(200))
        made.append(json.dumps({"text": f"{text} {label}", "label": label}))
    return "".join(f"{line}\n" for line in made).encode()


def train(folder, size, leaves, *options, holds=False):
    """Train on ``size`` bytes with a limit; return the exit status and the message."""
    (folder / "small.jsonl").write_bytes(lines(50, 0))
    block = lines(2000, 1)
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(leaves), str(holds), "train", "-", "-o", "m.tb", *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(textbayes.__file__).parents[1])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    repeats = -(-size // len(block))
    try:
        for _ in range(repeats):
            process.stdin.write(block)
    except BrokenPipeError:
        pass
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()
    shown = process.stdout.read().decode()
    process.stdout.close()
    return process.wait(), shown, 2000 * repeats


@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("complement", [*HASHED]),
        ("twcnb", []),
        pytest.param("multinomial", ["--no-documents"], marks=pytest.mark.slow),
        pytest.param("poisson", ["--no-loo"], marks=pytest.mark.slow),
    ],
    ids=["hashed, no documents", "documents", "no documents", "poisson"],
)
def test_text_of_three_times_the_memory(model, options, tmp_path):
    code, shown, documents = train(tmp_path, 96 * MB, 32 * MB, "--model", model, *options)
    assert code == 0, shown
    assert f"\n{documents:,} documents, 3 classes" in shown
    classifier = TextClassifier.load(tmp_path / "m.tb")
    assert classifier.predict(["oil oil", "밀가루"]).tolist() == ["oil", "밀가루"]
    assert sorted(os.listdir(tmp_path)) == ["m.tb", "small.jsonl"]


def test_a_list_of_the_texts_would_not_fit(tmp_path):
    code, shown, _ = train(tmp_path, 96 * MB, 32 * MB, "--model", "complement", *HASHED, holds=True)
    assert code != 0
    assert "documents, 3 classes" not in shown.partition("\n50 documents")[2].partition("\n")[2]
    assert sorted(os.listdir(tmp_path)) == ["m.tb", "small.jsonl"]


@pytest.mark.slow
@pytest.mark.parametrize("options", [HASHED, []], ids=["hashed, no documents", "documents"])
def test_a_gigabyte(options, tmp_path):
    code, shown, documents = train(
        tmp_path, 1000 * MB, 64 * MB, "--model", "twcnb" if not options else "complement", *options
    )
    assert code == 0, shown
    assert f"\n{documents:,} documents, 3 classes" in shown
