"""How small a model can be: terms, size, the loss that is measured, and macro F1 on the test documents.

    .venv/bin/python experiments/compact.py      # 10 min; R8, WebKB and 20 Newsgroups if present

- ``TextClassifier()`` is fitted on the training documents of each corpus, and compacted for a loss of .002
  and of .01, and to 1 MB. ``compact`` sees training documents only; the test documents show whether the loss
  that it measured holds.
- For the ranking of terms, importance / frequency ** power: macro F1 on the test documents with the same
  share of terms, ranked by powers 0, .5 and 1, with weights of 16 and 8 bits.
- ``--models FOLDER`` keeps the fitted models there, and uses those that are there.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from textbayes import TextClassifier
from textbayes.counts import select_columns
from textbayes.datasets import Corpus, data_home, load_docstrings, load_newsgroups, read_documents
from textbayes.estimators.text.compact_source import compact_source
from textbayes.estimators.text.compacting import Cut, RankedTable
from textbayes.evaluation import f1
from textbayes.scores import CompiledScorer
from written import conditions, markdown_table, share, use_shared_corpora, write_results

REQUESTS: dict[str, dict[str, Any]] = {
    "loss .002": {"max_loss": 0.002},
    "loss .01": {"max_loss": 0.01},
    "1 MB": {"size": "1MB"},
}
SHARES, POWERS = (0.3, 0.1, 0.03), (0.0, 0.5, 1.0)


def stored(name: str) -> Corpus:
    """Read a corpus of shared/data."""
    return Corpus(name, list(read_documents(data_home() / f"{name}.jsonl.zst")))


CORPORA: dict[str, Callable[[], Corpus]] = {
    "built-in": load_docstrings,
    "R8": lambda: stored("r8-all-terms"),
    "WebKB-4": lambda: stored("webkb-stemmed"),
    "20 Newsgroups": load_newsgroups,
}


def main() -> None:
    """Compact the model of every corpus and write the results."""
    use_shared_corpora()
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--models", type=Path, help="a folder that keeps the fitted models")
    folder = parser.parse_args().models
    figures: dict[str, Any] = {}
    for name, load in CORPORA.items():
        try:
            corpus = load()
        except OSError:
            print(f"{name} is not here.")
            continue
        figures[name] = measured(fitted(name, corpus, folder), corpus)
        print(name, figures[name], flush=True)
    _write(figures)


def fitted(name: str, corpus: Corpus, folder: Path | None) -> TextClassifier:
    """Fit the default model, or load one that was kept."""
    path = None if folder is None else folder / f"{name}.tb"
    if path is not None and path.exists():
        return TextClassifier.load(path)
    classifier = TextClassifier().fit(corpus.train.texts, corpus.train.label)
    if path is not None:
        classifier.save(path)
    return classifier


def measured(classifier: TextClassifier, corpus: Corpus) -> dict[str, Any]:
    """Return the figures of the whole model and of its compact forms."""
    test, truth = corpus.test.texts, corpus.test.label
    whole = f1(truth, classifier.predict(test)).macro
    found: dict[str, Any] = {"whole": whole, "compact": {}, "ranking": ranking(classifier, corpus)}
    for name, request in REQUESTS.items():
        begun = time.perf_counter()
        small = classifier.compact(**request)
        made = small.compaction_
        found["compact"][name] = {
            "terms": made.terms,
            "all_terms": made.all_terms,
            "megabytes": round(small.nbytes / 1e6, 3),
            "bits": made.bits,
            "loss": made.loss,
            "standard_error": made.error,
            "test_loss": whole - f1(truth, small.predict(test)).macro,
            "seconds": round(time.perf_counter() - begun, 1),
        }
    return found


def ranking(classifier: TextClassifier, corpus: Corpus) -> list[list[float]]:
    """Return the test loss for each share of terms: of each power with 16 bits, then with 8 bits."""
    learned = classifier._learned
    source = compact_source(learned)
    table, rows = RankedTable(source.blend, source.documents.rows), learned.read(corpus.test.texts)
    classes, truth = source.blend.classes, corpus.test.label

    def score(weights: Any, rows: Any) -> float:
        return f1(truth, classes[CompiledScorer(weights, len(classes)).first(rows)]).macro

    whole, losses = score(table.weights, rows), []
    for part in SHARES:
        line = []
        for bits in (16, 8):
            for power in POWERS:
                cut = Cut(part, power, bits)
                columns = table.columns(cut)
                kept = np.zeros(table.width, dtype=bool)
                kept[columns] = True
                line.append(whole - score(table.select(columns, cut), select_columns(rows, kept)))
        losses.append(line)
    return losses


def _write(figures: dict[str, Any]) -> None:
    lines = [
        [
            name,
            asked,
            f"{one['terms']:,} of {one['all_terms']:,}",
            f"{one['megabytes']:.2f} MB",
            f"{_signed(one['loss'])} ± {_signed(one['standard_error'])}",
            _signed(one["test_loss"]),
        ]
        for name, of in figures.items()
        for asked, one in of["compact"].items()
    ]
    ranked = [
        [name, f"{part:.0%}", *map(_signed, line)]
        for name, of in figures.items()
        for part, line in zip(SHARES, of["ranking"], strict=True)
    ]
    wholes = ", ".join(f"{name} {share(of['whole'])}" for name, of in figures.items())
    headings = [
        "corpus",
        "asked for",
        "terms",
        "file",
        "loss measured by compact",
        "loss on the test",
    ]
    powers = [f"power {power:g}, {bits} bits" for bits in (16, 8) for power in POWERS]
    parts = [
        "# Compact models",
        f"Macro F1 of the whole models on the test documents: {wholes} (compact.py).",
        markdown_table(headings, lines),
        "Loss of macro F1 on the test documents with a share of the terms, by the power of the ranking:",
        markdown_table(["corpus", "terms", *powers], ranked),
    ]
    write_results("compact", {**conditions(), "figures": figures}, "\n\n".join(parts))


def _signed(value: float) -> str:
    return f"{value:.4f}".replace("0.", ".", 1)


if __name__ == "__main__":
    main()
