"""Digests: of the header, and of every array or 16 MiB of it, compared when an array is first read."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest
import xxhash
from model_files import joined, split

import textbayes
from textbayes import MultinomialNB, TextClassifier, TunedClassifier
from textbayes.errors import ModelDamagedError
from textbayes.persistence import Stored, read_model, write_model
from textbayes.persistence.digests import BLOCK_BYTES

ARRAYS = {"x": np.arange(4.0), "y": np.arange(3), "nothing": np.empty(0), "z": np.arange(5, dtype=np.uint8)}
TEXTS = ["wheat and corn", "wheat harvest", "crude oil", "oil output rose"]
LABELS = ["grain", "grain", "oil", "oil"]


@pytest.fixture
def path(tmp_path):
    write_model(Stored({"kind": "x"}, ARRAYS), tmp_path / "a.tb")
    return tmp_path / "a.tb"


@pytest.fixture(params=[False, True], ids=["copied", "mapped"])
def unverified(request):
    """How to load a file without comparing its digests."""
    return {"verify": False, "mmap": request.param}


def flip(path, name, place=0):
    """Flip a bit of an array."""
    header, rest = split(path.read_bytes())
    data, begin = bytearray(path.read_bytes()), header[name]["data_offsets"][0]
    data[len(data) - len(rest) + begin + place] ^= 4
    path.write_bytes(bytes(data))


def test_the_header_has_a_digest_of_each_array(path):
    header, rest = split(path.read_bytes())
    entries = [entry for name, entry in header.items() if name != "__metadata__"]
    places = sorted(entry["data_offsets"] for entry in entries)
    expected = [xxhash.xxh64_hexdigest(rest[begin:end]) for begin, end in places if begin < end]
    assert len(expected) == 3
    assert header["__metadata__"]["digests"] == "".join(expected)


def test_a_large_array_has_a_digest_of_each_block(tmp_path, unverified):
    path, array = tmp_path / "a.tb", np.arange(BLOCK_BYTES // 4 + 2, dtype=np.int64)
    write_model(Stored({}, {"x": array, "y": np.arange(3)}), path)
    digests = split(path.read_bytes())[0]["__metadata__"]["digests"]
    data = array.tobytes()
    assert len(digests) == 4 * 16
    for number in range(3):
        block = data[number * BLOCK_BYTES : (number + 1) * BLOCK_BYTES]
        assert digests[16 * number : 16 * number + 16] == xxhash.xxh64_hexdigest(block)
    for place in (0, BLOCK_BYTES + 7, len(data) - 1):
        flip(path, "x", place)
        stored = read_model(path, **unverified)
        assert stored.array("y", np.int64).tolist() == [0, 1, 2]
        with pytest.raises(ModelDamagedError, match="the array 'x' does not match its digest"):
            stored.array("x", np.int64)
        flip(path, "x", place)
    assert len(read_model(path, **unverified).array("x", np.int64)) == len(array)


@pytest.mark.parametrize("name", ["x", "y", "z"])
def test_an_array_is_verified_when_it_is_first_read(name, path, unverified):
    flip(path, name)
    stored = read_model(path, **unverified)
    for other in sorted({"x", "y", "z"} - {name}):
        assert stored.array(other, ARRAYS[other].dtype).tolist() == ARRAYS[other].tolist()
    for _ in range(2):
        with pytest.raises(ModelDamagedError, match=f"the array '{name}' does not match its digest"):
            stored.array(name, ARRAYS[name].dtype)
    assert len(stored.mapped(name, ARRAYS[name].dtype)) == len(ARRAYS[name])


def test_parts_verify_their_arrays(tmp_path, unverified):
    part = Stored({}, {"x": np.arange(9)})
    write_model(Stored({}).with_part("one", part).with_part("two", part), tmp_path / "a.tb")
    flip(tmp_path / "a.tb", "two/x")
    stored = read_model(tmp_path / "a.tb", **unverified)
    assert len(stored.part("one").array("x", np.int64)) == 9
    with pytest.raises(ModelDamagedError, match="'two/x'"):
        stored.part("two").array("x", np.int64)


def test_an_array_is_verified_once(path, unverified, monkeypatch):
    stored, seen = read_model(path, **unverified), []
    monkeypatch.setattr(
        "textbayes.persistence.digests.digest_of", lambda block: seen.append(block) or "0" * 16
    )
    with pytest.raises(ModelDamagedError):
        stored.array("x", np.float64)
    monkeypatch.undo()
    stored.array("x", np.float64)
    monkeypatch.setattr("textbayes.persistence.digests.digest_of", seen.append)
    stored.array("x", np.float64)
    assert len(seen) == 1


@pytest.mark.parametrize("mmap", [False, True])
@pytest.mark.parametrize("given", [{}, {"verify": True}], ids=repr)
def test_a_file_is_verified_when_it_is_loaded(given, mmap, path):
    flip(path, "y")
    with pytest.raises(ModelDamagedError, match="'y'"):
        read_model(path, mmap=mmap, **given)
    read_model(path, verify=False, mmap=mmap)


def test_the_header_is_always_verified(path, unverified):
    data = path.read_bytes()
    path.write_bytes(data.replace(b'\\"kind\\":\\"x\\"', b'\\"kind\\":\\"y\\"'))
    assert path.read_bytes() != data
    for verify in (False, True):
        with pytest.raises(ModelDamagedError, match="its digest is"):
            read_model(path, verify, unverified["mmap"])


@pytest.mark.parametrize(
    "change", [lambda digests: digests[16:], lambda digests: digests + "0" * 16, lambda _: "밀"]
)
def test_another_number_of_digests(change, path, unverified):
    header, rest = split(path.read_bytes())
    header["__metadata__"]["digests"] = change(header["__metadata__"]["digests"])
    path.write_bytes(joined(header, rest, sign_arrays=False))
    with pytest.raises(ModelDamagedError, match="another number of digests"):
        read_model(path, **unverified)


# Damage is not written to another file.


def damaged_classifier(path, unverified):
    TextClassifier("complement").fit(TEXTS, LABELS).save(path)
    flip(path, "model/statistics/pair_values", 6)
    return TextClassifier.load(path, **unverified)


def test_a_damaged_file_is_not_written_again(path, unverified):
    flip(path, "x")
    before = path.read_bytes()
    with pytest.raises(ModelDamagedError, match="'x'"):
        write_model(read_model(path, **unverified), path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "use",
    [
        lambda classifier: classifier,
        lambda classifier: classifier.teach(["solar sun"], ["sun"]),
        lambda classifier: classifier.forget(TEXTS[1:2], LABELS[1:2]),
        copy.copy,
        copy.deepcopy,
        lambda classifier: copy.deepcopy(classifier).teach(["solar sun"], ["sun"]),
        lambda classifier: pickle.loads(pickle.dumps(classifier)),
        lambda classifier: TextClassifier("complement").fit(TEXTS, LABELS).merge(classifier),
        lambda classifier: classifier.merge(TextClassifier("complement").fit(TEXTS, LABELS)),
    ],
    ids=["load", "teach", "forget", "copy", "deepcopy", "copy and teach", "pickle", "merge", "merge into"],
)
def test_damage_is_not_signed(use, tmp_path, unverified):
    classifier = damaged_classifier(tmp_path / "model.tb", unverified)
    classifier.predict(TEXTS)
    with pytest.raises(ModelDamagedError, match="pair_values"):
        use(classifier).save(tmp_path / "again.tb")
    assert not (tmp_path / "again.tb").exists()


def test_damage_of_a_part_is_not_signed(tmp_path, unverified):
    X = np.array([[2, 0, 1], [0, 1, 0], [1, 1, 0], [0, 2, 1]])
    textbayes.save(TunedClassifier(MultinomialNB()).fit(X, LABELS), tmp_path / "model.tb")
    names = [name for name in split((tmp_path / "model.tb").read_bytes())[0] if name.endswith("pair_values")]
    flip(tmp_path / "model.tb", names[0], 6)
    tuned = textbayes.load(tmp_path / "model.tb", **unverified)
    for part in (tuned, tuned.estimator_):
        with pytest.raises(ModelDamagedError, match="pair_values"):
            textbayes.save(part, tmp_path / "again.tb")


def test_a_sound_large_file_is_taught_and_saved(tmp_path, unverified):
    path = tmp_path / "model.tb"
    TextClassifier("complement").fit(TEXTS, LABELS).save(path)
    classifier = TextClassifier.load(path, **unverified).teach(["solar sun"], ["sun"])
    classifier.save(path)
    pickle.loads(pickle.dumps(TextClassifier.load(path, **unverified))).save(path)
    again = TextClassifier.load(path, verify=True)
    assert again.predict(["sun"]).tolist() == ["sun"]


def test_a_damaged_file_of_format_1_is_not_written_again(tmp_path, unverified):
    source = Path(__file__).with_name("data") / "format1-multinomial.tb"
    path = tmp_path / "old.tb"
    path.write_bytes(source.read_bytes())
    header = split(path.read_bytes())[0]
    assert "digests" not in header["__metadata__"]
    textbayes.save(textbayes.load(path, **unverified), tmp_path / "new.tb")
    flip(path, next(name for name in header if name.endswith("pair_values")), 6)
    model = textbayes.load(path, **unverified)
    with pytest.raises(ModelDamagedError, match="its digest is"):
        textbayes.save(model, tmp_path / "new.tb")
