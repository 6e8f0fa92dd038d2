"""Which file or folder a loader reads."""

from __future__ import annotations

import os
from pathlib import Path

from textbayes.datasets.archives import missing_path
from textbayes.datasets.home import data_home
from textbayes.datasets.registry import corpus_entry, find_archive
from textbayes.errors import CorpusMissingError


def locate_corpus(name: str, path: str | os.PathLike[str] | None) -> Path:
    """Return the path given, or the place in ``data_home()`` where the named corpus is.

    That is a folder with the corpus's name, or else one of its archives as the registry calls them.
    """
    if path is not None:
        given = Path(path)
        if not given.exists():
            raise missing_path(given)
        return given
    entry = corpus_entry(name)
    folder = data_home() / name
    if folder.is_dir():
        return folder
    archive = find_archive(entry)
    if archive is None:
        looked = [folder, *(data_home() / archive.file for archive in entry.archives)]
        raise CorpusMissingError(name, [str(place) for place in looked])
    return archive
