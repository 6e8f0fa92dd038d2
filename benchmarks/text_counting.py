"""Speed and memory of ``TextCounter`` compared with its peers: ``make bench``.

Counts the raw text of 20 Newsgroups. Before timing, all counts are compared with scikit-learn's.
"""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer

from corpora import BenchmarkCorpus, missing_note, newsgroups_or_docstrings
from measure import Ratio, Run, Target, Timing, fastest, interleave, ratio
from memory import Peak, peak_memory
from options import asked, timing_options
from polars_counting import WAYS
from report import Report, machine
from textbayes import TextCounter

OURS, OURS_ALONE = "textbayes, all cores", "textbayes, 1 thread"
RATIOS = {"÷ all cores": OURS, "÷ 1 thread": OURS_ALONE}
SKLEARN, HASHING = "scikit-learn CountVectorizer", "scikit-learn HashingVectorizer"
DIMENSIONS = 2**20
SHORT_TEXT = "Wheat futures rose two cents a bushel in Chicago after the Agriculture Department's report."
SHORT_CALLS = 300

Count = Callable[[list[str]], csr_matrix]


def count_with_sklearn(texts: list[str]) -> csr_matrix:
    rows: csr_matrix = CountVectorizer().fit_transform(texts)
    return rows


def count(texts: list[str], **settings: Any) -> csr_matrix:
    # The rule of CountVectorizer.
    return TextCounter(**{"tokens": "words", **settings}).fit_transform(texts)


COUNTERS: dict[str, Count] = {
    SKLEARN: count_with_sklearn,
    **WAYS,
    OURS_ALONE: partial(count, n_jobs=1),
    OURS: count,
}


def main() -> None:
    """Run the benchmark and write its report."""
    options = asked(timing_options(__doc__, documents="only the first N texts, for a trial"))
    corpus = newsgroups_or_docstrings(options.documents)
    report = Report(f"Counting {corpus.name}", machine(corpus, options.rounds))
    if corpus.stand_in:
        report.note(missing_note())
    _measure(corpus, options.rounds, report)
    report.deliver(options, "text_counting")


def _measure(corpus: BenchmarkCorpus, rounds: int, report: Report) -> None:
    texts = corpus.texts
    with tempfile.TemporaryDirectory() as folder:
        check_equal(texts)
        counting = interleave({**_bound(COUNTERS, texts), **_word_counts(texts, Path(folder))}, rounds)
        report.add_timings("fit_transform", counting, against=RATIOS, size=corpus.bytes)
        hashing = interleave(_hashing(texts), rounds)
        report.add_timings(f"hashed to {DIMENSIONS:,} columns", hashing, against=RATIOS, size=corpus.bytes)
        transforms = interleave(_transforms(texts), rounds)
        report.add_timings("transform, fitted before", transforms, against=RATIOS, size=corpus.bytes)
        short = interleave(_transforms(texts, [SHORT_TEXT]), rounds, SHORT_CALLS)
        report.add_timings(f"transform of one text of {len(SHORT_TEXT)} characters", short, against=RATIOS)
        peaks = _peaks(texts, corpus.bytes, Path(folder))
        report.add_peaks("peak memory of fit_transform, each in its own process", peaks)
    report.add_targets(_targets(counting, peaks))


def check_equal(texts: list[str]) -> None:
    """Stop unless every contestant gives the same matrix as scikit-learn, bit for bit."""
    expected = count_with_sklearn(texts)
    for name, run in COUNTERS.items():
        found = run(texts)
        if found.shape != expected.shape or not _same_entries(found, expected):
            raise SystemExit(
                f"{name} does not give scikit-learn's counts, so the timings cannot be compared."
            )


def _same_entries(rows: csr_matrix, others: csr_matrix) -> bool:
    # scikit-learn does not sort the columns of a row.
    pairs = zip(_parts(rows.sorted_indices()), _parts(others.sorted_indices()), strict=True)
    return all(np.array_equal(part, other) for part, other in pairs)


def _parts(rows: csr_matrix) -> tuple[Any, Any, Any]:
    return rows.indptr, rows.indices, rows.data


def _bound(counters: dict[str, Count], texts: list[str]) -> dict[str, Run]:
    return {name: partial(run, texts) for name, run in counters.items()}


def _word_counts(texts: list[str], folder: Path) -> dict[str, Run]:
    """``wc -w`` on the same bytes, for context: it counts words but does not distinguish them."""
    program = shutil.which("wc")
    if program is None:
        return {}
    file = folder / "texts.txt"
    file.write_bytes("\n".join(texts).encode("utf-8"))
    locales = {"wc -w, in UTF-8": "C.UTF-8", "wc -w, in bytes": "C"}
    return {name: partial(_word_count, program, file, locale) for name, locale in locales.items()}


def _word_count(program: str, file: Path, locale: str) -> bytes:
    environment = {**os.environ, "LC_ALL": locale}
    return subprocess.run([program, "-w", file], check=True, capture_output=True, env=environment).stdout


def _hashing(texts: list[str]) -> dict[str, Run]:
    theirs = HashingVectorizer(n_features=DIMENSIONS, alternate_sign=False, norm=None)
    return {
        HASHING: partial(theirs.transform, texts),
        OURS_ALONE: partial(count, texts, dimensions=DIMENSIONS, n_jobs=1),
        OURS: partial(count, texts, dimensions=DIMENSIONS),
    }


def _transforms(texts: list[str], new: list[str] | None = None) -> dict[str, Run]:
    alone, ours = TextCounter(tokens="words", n_jobs=1), TextCounter(tokens="words")
    fitted = {SKLEARN: CountVectorizer(), OURS_ALONE: alone, OURS: ours}
    return {
        name: partial(counter.fit(texts).transform, texts if new is None else new)
        for name, counter in fitted.items()
    }


def _peaks(texts: list[str], text_bytes: int, folder: Path) -> dict[str, Peak]:
    file = folder / "texts.pickle"
    with file.open("wb") as out:
        pickle.dump(texts, out, protocol=pickle.HIGHEST_PROTOCOL)
    return {name: peak_memory(run, file, text_bytes) for name, run in COUNTERS.items()}


def _targets(counting: dict[str, Timing], peaks: dict[str, Peak]) -> list[Target]:
    def times(name: str) -> Ratio:
        return ratio(counting[name], counting[OURS])

    polars = fastest({name: counting[name] for name in WAYS})
    return [
        Target("at least 15 × as fast as CountVectorizer", times(SKLEARN).median, 15),
        Target("at least 4 × as fast as the fastest polars query", times(polars).median, 4),
        Target("at most 3 × texts + result in memory", peaks[OURS].multiple, 3, at_least=False),
    ]


if __name__ == "__main__":
    main()
