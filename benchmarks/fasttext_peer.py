"""Train fastText with three settings, and predict with the best: run by search_peers.py in another Python.

    python fasttext_peer.py FOLDER      # with the files learned, held, all and test

The best setting is the one with the largest macro F1 on the held-out documents; it then learns all documents.
The numbers of the predicted labels and the cost are printed as JSON. Only fastText and numpy are needed.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections import Counter
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

SETTINGS: tuple[dict[str, Any], ...] = (
    {"lr": 0.5, "epoch": 25, "wordNgrams": 1},
    {"lr": 0.5, "epoch": 50, "wordNgrams": 2},
    {"lr": 0.5, "epoch": 25, "wordNgrams": 2, "minn": 2, "maxn": 5},
)
# One works with the numpy of this Python, another does not: whichever is installed.
_PACKAGES = ("fasttext-wheel", "fasttext", "fasttext-numpy2-wheel")


def main(folder: Path) -> None:
    """Choose, learn, predict and print."""
    import fasttext

    def trained(name: str, setting: dict[str, Any]) -> Any:
        return fasttext.train_supervised(str(folder / name), verbose=0, seed=0, **setting)

    start, used = time.perf_counter(), time.process_time()
    truth, texts = _read(folder / "held")
    figures = [_macro_f1(truth, _predicted(trained("learned", setting), texts)) for setting in SETTINGS]
    best = SETTINGS[figures.index(max(figures))]
    model = trained("all", best)
    spent = {"seconds": time.perf_counter() - start, "cpu": time.process_time() - used}
    # Linux counts in kB.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    predicted = [int(label) for label in _predicted(model, _read(folder / "test")[1])]
    choice = " ".join(f"{name}={value:g}" for name, value in best.items())
    found = {"peak_mb": peak, "choice": choice, "package": _package(), "predicted": predicted}
    print(json.dumps({**spent, **found}))


def _read(path: Path) -> tuple[list[str], list[str]]:
    lines = [line.partition(" ") for line in path.read_text(encoding="utf-8").split("\n")[:-1]]
    return [label.removeprefix("__label__") for label, _, _ in lines], [text for _, _, text in lines]


def _predicted(model: Any, texts: list[str]) -> list[str]:
    # An empty text has no label.
    return [labels[0].removeprefix("__label__") if labels else "0" for labels in model.predict(texts)[0]]


def _macro_f1(truth: list[str], given: list[str]) -> float:
    right = Counter(label for label, other in zip(truth, given, strict=True) if label == other)
    sizes = Counter(truth) + Counter(given)
    return sum(2 * right[label] / sizes[label] for label in sizes) / len(sizes)


def _package() -> str:
    for name in _PACKAGES:
        try:
            return f"{name} {version(name)}"
        except PackageNotFoundError:
            continue
    return "fasttext"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
