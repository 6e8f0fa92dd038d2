"""Short texts in several languages: descriptions of Debian packages, and the section that each is in."""

from __future__ import annotations

import bz2
import lzma
import random
import re
from collections import Counter
from functools import cache
from pathlib import Path
from urllib.request import urlopen

from textbayes.datasets import load_docstrings

Divided = tuple[list[str], list[str], list[str], list[str]]

_MIRROR = "http://deb.debian.org/debian/dists/bookworm/main"
_CACHE = Path.home() / ".cache" / "textbayes" / "debian"
_HELD_OUT = 4000
# Smaller classes cannot be divided.
_LEAST_DOCUMENTS = 6


def divided(name: str, size: int, seed: int = 0) -> Divided:
    """Return texts and labels to learn, and held-out ones.

    Parameters
    ----------
    name : str
        "en", or the language of a translation such as "ko": the line that describes a package, by section.
        "source": the same, by source package, of which there are thousands. "summaries" and "docstrings":
        the first lines and the whole of the training split of the built-in corpus, by module.
    size : int
        The number of texts to learn.
    seed : int
        Seed of the division.
    """
    if name in ("summaries", "docstrings"):
        documents = list(load_docstrings().train)
        whole = name == "docstrings"
        pairs = [(one.text if whole else one.text.strip().split("\n")[0], one.label) for one in documents]
        return _divide(pairs, size, seed)
    packages = _packages()
    if name == "source":
        return _by_source(list(packages.values()), seed)
    described = {package: line for package, (line, _, _) in packages.items()}
    if name != "en":
        described = _translated(name)
    return _divide([(line, packages[of][1]) for of, line in described.items() if of in packages], size, seed)


def _divide(pairs: list[tuple[str, str]], size: int, seed: int) -> Divided:
    pairs = [(text, label) for text, label in dict(pairs).items() if text.strip()]
    random.Random(seed).shuffle(pairs)
    sizes = Counter(label for _, label in pairs)
    pairs = [pair for pair in pairs if sizes[pair[1]] >= _LEAST_DOCUMENTS]
    learned, held = pairs[:size], pairs[size : size + _HELD_OUT]
    known = {label for _, label in learned}
    return _columns(learned, [pair for pair in held if pair[1] in known])


def _by_source(packages: list[tuple[str, str, str]], seed: int) -> Divided:
    """Hold out packages of sources that have another one."""
    sizes = Counter(source for _, _, source in packages)
    pairs = [(line, source) for line, _, source in packages if sizes[source] > 1]
    random.Random(seed).shuffle(pairs)
    learned, held, known = [], [], set()
    for pair in pairs:
        (held if pair[1] in known and len(held) < _HELD_OUT else learned).append(pair)
        known.add(pair[1])
    return _columns(learned, held)


def _columns(learned: list[tuple[str, str]], held: list[tuple[str, str]]) -> Divided:
    return (
        [text for text, _ in learned],
        [label for _, label in learned],
        [text for text, _ in held],
        [label for _, label in held],
    )


@cache
def _packages() -> dict[str, tuple[str, str, str]]:
    """The description, section and source of each package."""
    found = {}
    for fields in _blocks(lzma.decompress(_fetched("binary-amd64/Packages.xz")).decode()):
        source = fields.get("Source", fields["Package"]).split()[0]
        found[fields["Package"]] = (fields.get("Description", ""), fields["Section"].split("/")[-1], source)
    return found


def _translated(language: str) -> dict[str, str]:
    text = bz2.decompress(_fetched(f"i18n/Translation-{language}.bz2")).decode()
    return {fields["Package"]: fields.get(f"Description-{language}", "") for fields in _blocks(text)}


def _blocks(text: str) -> list[dict[str, str]]:
    blocks = (dict(re.findall(r"^([\w-]+): (.*)$", block, re.MULTILINE)) for block in text.split("\n\n"))
    return [fields for fields in blocks if "Package" in fields]


def _fetched(path: str) -> bytes:
    """Download a file of the package index once."""
    kept = _CACHE / path.replace("/", "-")
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with urlopen(f"{_MIRROR}/{path}", timeout=60) as answer:
            kept.write_bytes(answer.read())
    return kept.read_bytes()
