"""``textbayes verify``, in real processes."""

import json

from textbayes import TextClassifier

TEXTS, LABELS = ["wheat corn", "corn harvest", "crude oil", "oil output"], ["grain", "grain", "oil", "oil"]


def test_sound_and_damaged_files(run, tmp_path):
    good, bad, missing = tmp_path / "good.tb", tmp_path / "bad.tb", tmp_path / "missing.tb"
    TextClassifier("complement").fit(TEXTS, LABELS).save(good)
    data = bytearray(good.read_bytes())
    data[-5] ^= 16
    bad.write_bytes(bytes(data))
    done = run("verify", str(good))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{good}: sound; a TextClassifier, ")
    assert "4 documents, its sums are those of its documents" in done.stdout
    done = run("verify", str(bad), str(good), str(missing))
    assert done.returncode == 2
    assert "does not match its digest" in done.stderr
    assert "There is nothing at" in done.stderr
    assert done.stdout.startswith(f"{good}: sound")  # the others are verified all the same
    done = run("verify", str(good), str(bad), "--json")
    assert done.returncode == 2
    first, second = json.loads(done.stdout)
    assert first == {
        "model": str(good),
        "sound": True,
        "kind": "TextClassifier",
        "bytes": good.stat().st_size,
        "documents": 4,
        "sums_compared": True,
    }
    assert (second["sound"], second["code"]) == (False, "model-damaged")


def test_without_a_model(run):
    assert run("verify").returncode == 2
