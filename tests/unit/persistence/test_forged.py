"""Forged files of every kind, with valid digests: whatever is wrong with one, the error is ours."""

import copy
import json
import random
import signal

import numpy as np
import pytest
from model_files import TEXTS, joined, models, split

import textbayes
from textbayes.answering import load_answerer
from textbayes.errors import ModelDamagedError, TextbayesError
from textbayes.persistence import Stored, read_model, write_model

HOSTILE = [
    *(None, True, False, -1, 0, 1, 3, 2**31, 2**63 - 1, 2**63, 10**300, 1e308, -0.5, "", "밀", "auto"),
    *([], [[]], [None], [1, 2], {}),
    *({"tuple": [[]]}, {"tuple": [1, 2]}, {"infinite": True}, {"set": [1]}, {"mapping": [[1, 2]]}),
    {"value": {"kind": "Candidate", "at": "x", "configuration": {}}},
    {"estimator": {"kind": "MultinomialNB", "parameters": {}}},
    {"array": {"at": "x", "type": "real"}},
]
SECONDS = 20


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    path = tmp_path_factory.mktemp("forged") / "model.tb"
    found = {}
    for name, (model, _) in models().items():
        textbayes.save(model, path)
        found[name] = path.read_bytes()
    return found


def places(node, at=()):
    """Return the place of every value in a configuration."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [place for key, value in items for place in ((*at, key), *places(value, (*at, key)))]


def read_in_every_way(path, what):
    """Load, verify and answer from a file; each may only fail with an error of textbayes."""

    def stop(*_):
        raise AssertionError(f"{what}: it took more than {SECONDS} s")

    def answer():
        answerer = load_answerer(path)
        return answerer is None or answerer.predict(TEXTS)

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        for read in (lambda: textbayes.load(path), answer, lambda: textbayes.verify(path)):
            try:
                read()
            except TextbayesError:
                pass
            except Exception as error:
                raise AssertionError(f"{what}: {error!r}") from error
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def check_configurations(files, path, count, seed):
    rng = random.Random(seed)
    for name, data in files.items():
        header, rest = split(data)
        given = json.loads(header["__metadata__"]["configuration"])
        for _ in range(count):
            place, value = rng.choice(places(given)), rng.choice(HOSTILE)
            changed = node = copy.deepcopy(given)
            for key in place[:-1]:
                node = node[key]
            node[place[-1]] = value
            header["__metadata__"]["configuration"] = json.dumps(changed)
            path.write_bytes(joined(header, rest))
            read_in_every_way(path, (name, place, value))


def forged_arrays(array, rng):
    """Return arrays that are wrong in several ways; None for a missing one."""
    one, whole = np.array(array), array.dtype.kind in "iu"
    largest, least = np.array(array), np.array(array)
    if len(array):
        limits = np.iinfo(array.dtype) if whole else None
        largest[rng.randrange(len(array))] = limits.max if whole else np.nan
        least[rng.randrange(len(array))] = limits.min if whole else -1.0
    longer = np.concatenate([one, one[-1:] if len(one) else np.zeros(1, one.dtype)])
    return [
        one[:-1],
        longer,
        one[:0],
        one[::-1].copy(),
        largest,
        least,
        one * 0,
        one.astype(np.float64),
        None,
    ]


def check_arrays(files, path, share, seed):
    rng = random.Random(seed)
    for name, data in files.items():
        path.write_bytes(data)
        stored = read_model(path)
        for key, array in stored.arrays.items():
            for number, forged in enumerate(forged_arrays(array, rng)):
                if rng.random() < share:
                    arrays = {**stored.arrays, key: forged}
                    if forged is None:
                        del arrays[key]
                    path.unlink(missing_ok=True)
                    write_model(Stored(stored.configuration, arrays), path)
                    read_in_every_way(path, (name, key, number))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_forged_configurations(files, tmp_path):
    check_configurations(files, tmp_path / "forged.tb", 12, seed=1)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_forged_arrays(files, tmp_path):
    check_arrays(files, tmp_path / "forged.tb", 0.04, seed=2)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_many_forged_files(files, tmp_path):
    check_configurations(files, tmp_path / "forged.tb", 150, seed=3)
    check_arrays(files, tmp_path / "forged.tb", 0.5, seed=4)


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("auto indicator", ("parts", "leaderboard", "parts", "2", "representation", "columns"), {}),
        ("auto indicator", ("parts", "leaderboard", "parts", "2", "representation", "columns"), [[]]),
        ("compact", ("parts", "weights", "forms", 0, 3), 2**63),
        ("mixed", ("parts", "model", "parts"), {}),
    ],
)
def test_files_that_once_failed_with_other_errors(name, place, value, files, tmp_path):
    header, rest = split(files[name])
    node = changed = json.loads(header["__metadata__"]["configuration"])
    for key in place[:-1]:
        node = node[key]
    node[place[-1]] = value
    header["__metadata__"]["configuration"] = json.dumps(changed)
    (tmp_path / "forged.tb").write_bytes(joined(header, rest))
    with pytest.raises(ModelDamagedError):
        textbayes.load(tmp_path / "forged.tb")


@pytest.mark.parametrize(
    "error",
    [
        KeyError("x"),
        OverflowError("x"),
        ZeroDivisionError(),
        AttributeError("x"),
        RecursionError(),
        MemoryError(),
    ],
)
def test_any_failure_of_reading_is_a_refusal(error, files, tmp_path, monkeypatch):
    path = tmp_path / "model.tb"
    path.write_bytes(files["classifier"])

    def fail(*_):
        raise error

    monkeypatch.setattr("textbayes.estimators.base.files.restore_estimator", fail)
    with pytest.raises(TextbayesError, match=r"model\.tb"):
        textbayes.load(path)
