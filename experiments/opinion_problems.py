"""Short opinions: tweets, and sentences of reviews, with the mean rating of twenty people.

The data of Hutto and Gilbert 2014, a part of the source package of vaderSentiment 3.3.2 on PyPI.
"""

from __future__ import annotations

import io
import tarfile
from functools import cache
from pathlib import Path
from urllib.request import urlopen

PROBLEMS = {"tweets": "tweets", "products": "amazonReviewSnippets", "films": "movieReviewSnippets"}

_PACKAGE = (
    "https://files.pythonhosted.org/packages/77/8c/"
    "4a48c10a50f750ae565e341e697d74a38075a3e43ff0df6f1ab72e186902/vaderSentiment-3.3.2.tar.gz"
)
_INNER = "vaderSentiment-3.3.2/additional_resources/hutto_ICWSM_2014.tar.gz"
_CACHE = Path.home() / ".cache" / "textbayes" / "vaderSentiment-3.3.2.tar.gz"


def opinions(name: str) -> tuple[list[str], list[str]]:
    """Return texts and their labels: "good" for a mean rating above 0, "bad" for one below."""
    content = _files()[f"hutto_ICWSM_2014/{PROBLEMS[name]}_GroundTruth.txt"].decode("latin-1")
    rows = [line.split("\t", 2) for line in content.splitlines() if line.count("\t") >= 2]
    # The file is UTF-8 in parts.
    rated = [(_repaired(text), float(rating)) for _, rating, text in rows if float(rating) != 0]
    return [text for text, _ in rated], ["good" if rating > 0 else "bad" for _, rating in rated]


def _repaired(text: str) -> str:
    try:
        return text.encode("latin-1").decode()
    except UnicodeDecodeError:
        return text


@cache
def _files() -> dict[str, bytes]:
    if not _CACHE.exists():
        _CACHE.parent.mkdir(parents=True, exist_ok=True)
        with urlopen(_PACKAGE, timeout=60) as answer:
            _CACHE.write_bytes(answer.read())
    with tarfile.open(_CACHE) as package:
        inner = package.extractfile(_INNER)
        assert inner is not None
        with tarfile.open(fileobj=io.BytesIO(inner.read())) as archive:
            members = [member for member in archive if member.isfile()]
            return {member.name: archive.extractfile(member).read() for member in members}  # type: ignore[union-attr]
