"""The benchmarks run, on a few texts, and their arithmetic is right."""

import json
import shutil
import subprocess
import sys

import pytest
from pages import REPOSITORY

from textbayes.datasets import Corpus, Document

BENCHMARKS = REPOSITORY / "benchmarks"


def slow(*values):
    """Mark parameters for the slow suite: every benchmark is imported in the fast one, and one is run."""
    return pytest.param(*values, marks=pytest.mark.slow)


@pytest.fixture
def measure(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return pytest.importorskip("measure")


def test_ratios_are_computed_per_round(measure):
    found = measure.ratio(measure.Timing((4.0, 9.0, 8.0)), measure.Timing((2.0, 3.0, 1.0)))
    assert (found.median, found.low, found.high) == (3.0, 2.0, 8.0)
    assert str(found) == "3.00 ×  (2.00 – 8.00)"


def test_rounds_alternate(measure):
    order = []
    runs = {name: lambda name=name: order.append(name) for name in "abc"}
    timings = measure.interleave(runs, rounds=3)
    assert "".join(order) == "abc" + "abc" + "bca" + "cab"
    assert {len(timing.seconds) for timing in timings.values()} == {3}


def test_a_repeated_call_is_timed_as_one(measure):
    calls = []
    timing = measure.interleave({"a": lambda: calls.append(1)}, rounds=2, repeat=5)["a"]
    assert len(calls) == 1 + 2 * 5
    assert len(timing.seconds) == 2


@pytest.mark.parametrize(
    ("measured", "at_least", "passed"), [(16, True, True), (14, True, False), (14, False, True)]
)
def test_targets(measure, measured, at_least, passed):
    assert measure.Target("…", measured, 15, at_least).passed is passed


@pytest.mark.parametrize(
    ("seconds", "shown"), [(2.5, "2.50 s"), (0.0312, "31.2 ms"), (4.1e-5, "41.0 µs"), (0.25, "250 ms")]
)
def test_timings_are_readable(measure, seconds, shown):
    assert str(measure.Timing((seconds,))) == shown


@pytest.mark.parametrize("program", sorted(path.name for path in BENCHMARKS.glob("*.py")))
def test_benchmarks_can_be_imported(program, measure, monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    pytest.importorskip(program.removesuffix(".py"), exc_type=ModuleNotFoundError)


@pytest.fixture
def peers(measure, monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return pytest.importorskip("search_peers")


def test_samples_keep_the_shares_of_the_classes(peers):
    documents = [Document(f"text {n}", ("ab"[n % 4 == 0],), "train", str(n)) for n in range(80)]
    split = peers.Split.of(Corpus("…", [*documents, Document("last", ("a",), "test", "last")]), 20)
    assert sorted(split.labels) == ["a"] * 15 + ["b"] * 5
    assert len(set(split.train)) == 20
    assert (split.test, split.truth) == (["last"], ["a"])
    assert len(peers.Split.of(Corpus("…", documents), None).train) == 80


def test_peers_search_the_columns_asked_for(peers):
    texts = ["wheat harvest", "wheaten bread", "crude oil", "oils and gas"] * 5
    split = peers.Split(texts, ["grain", "grain", "oil", "oil"] * 5, ["wheatear", "oiled"], ["grain", "oil"])
    predict, choice = peers.PEERS["LinearSVC, grid, characters"](split)
    assert predict().tolist() == ["grain", "oil"]
    assert choice in {f"C={cost:g}" for cost in (0.1, 0.5, 2, 10)}
    predict, _ = peers.PEERS["LogisticRegression, grid"](split)
    assert len(set(predict())) == 1, "without characters both texts are empty"


def test_new_figures_of_peers_replace_old_ones(peers):
    def row(size, name, cpu):
        return {"corpus": "c", "documents": size, "search": name, "cpu": cpu}

    first, second = peers.NAMES[:2]
    before = [row(10, second, 1), row(10, first, 2), row(5, second, 3)]
    assert peers.joined_rows(before, [row(10, first, 4)]) == [
        row(5, second, 3),
        row(10, first, 4),
        row(10, second, 1),
    ]


def test_the_same_figures_of_peers_give_the_same_plot(peers, tmp_path):
    pytest.importorskip("matplotlib")
    figures = {"cpu": 1.5, "peak_mb": 200.0, "macro_f1": 0.5}
    rows = [
        {"corpus": "c", "documents": size, "search": name, **figures}
        for size in (10, 100)
        for name in peers.NAMES[:2]
    ]
    rows.append({"corpus": "c", "documents": 10, "search": peers.NAMES[-1], "skipped": "it is missing"})
    drawn = []
    for name in ("a.svg", "b.svg"):
        peers.plot_peers({"rows": rows}, tmp_path / name)
        drawn.append((tmp_path / name).read_text(encoding="utf-8"))
    assert drawn[0] == drawn[1]
    assert peers.NAMES[1] in drawn[0]
    assert peers.NAMES[-1] not in drawn[0]


@pytest.mark.slow
def test_searching_is_compared_with_peers(tmp_path):
    file, plot = tmp_path / "figures.json", tmp_path / "figure.svg"
    searches = ["TextClassifier()", "LinearSVC, halving, characters", "fastText, best of three"]
    options = ["--peers", "--sizes", "160", "--json", str(file), "--plot", str(plot), "--only", *searches]
    program = [sys.executable, str(BENCHMARKS / "searching.py"), *options]
    done = subprocess.run(
        program, capture_output=True, text=True, encoding="utf-8", cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr
    rows = json.loads(file.read_text(encoding="utf-8"))["rows"]
    assert [row["search"] for row in rows] == searches
    for row in rows[:2]:
        assert row["documents"] == 160
        assert row["cpu"] > 0
        assert row["peak_mb"] > 50
        assert 0 < row["macro_f1"] < 1
    assert "fasttext" in rows[2].get("skipped", "fasttext")
    assert plot.stat().st_size > 1000


@pytest.mark.slow
def test_text_counting_runs(tmp_path):
    pytest.importorskip("polars")
    file = tmp_path / "figures.json"
    options = ["--rounds", "1", "--documents", "40", "--json", str(file)]
    program = [sys.executable, str(BENCHMARKS / "text_counting.py"), *options]
    done = subprocess.run(
        program, capture_output=True, text=True, encoding="utf-8", cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "targets" in done.stdout
    assert "wc -w" in done.stdout or sys.platform == "win32"
    figures = json.loads(file.read_text(encoding="utf-8"))
    assert len(figures["fit_transform"]["textbayes, all cores"]) == 1
    assert [set(target) for target in figures["targets"]] == [
        {"promise", "measured", "bound", "at_least", "passed"}
    ] * 3


@pytest.mark.parametrize(
    ("program", "options"),
    [
        slow("classifiers.py", ["--documents", "40", "--rounds", "1"]),
        slow("scale.py", ["--divide", "100"]),
        slow("model_file.py", ["--gigabytes", "0.001", "--rounds", "1"]),
        slow("text_classifier.py", ["--documents", "40", "--rounds", "1"]),
        slow("predict_stream.py", ["--short", "1", "--long", "2", "--rounds", "1"]),
        slow("train_stream.py", ["--gigabytes", "0.001"]),
        slow("mixture.py", ["--documents", "40", "--rounds", "1"]),
        ("linear_svm.py", ["--documents", "40", "--rounds", "1"]),
        slow("leave_one_out.py", ["--documents", "200", "--rounds", "1"]),
        slow("start.py", ["--documents", "400", "--rounds", "1"]),
    ],
)
def test_classifier_benchmarks_run(program, options, tmp_path):
    command = [sys.executable, str(BENCHMARKS / program), *options]
    done = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "targets" in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("wrk") is None, reason="wrk is not installed")
def test_serving_runs(tmp_path):
    options = ["--documents", "100", "--rounds", "1", "--seconds", "1", "--minutes", "0.05"]
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "serving.py"), *options],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "bare FastAPI route" in done.stdout
    assert "targets" in done.stdout


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.skipif(shutil.which("cargo") is None, reason="cargo is not installed")
def test_the_alternatives_compile():
    manifest = BENCHMARKS / "alternatives" / "Cargo.toml"
    command = ["cargo", "check", "--locked", "--quiet", "--manifest-path", manifest]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
