"""The folder of corpora."""

from __future__ import annotations

import os
import sys
from pathlib import Path

HOME_SETTING = "--home DIR or the variable TEXTBAYES_DATA"
"""How the folder of corpora is chosen, for error messages."""


def data_home() -> Path:
    """Return the folder of corpora: the default for loading and fetching.

    ``$TEXTBAYES_DATA`` if set, otherwise the user's cache folder for textbayes. It may not exist yet.

    Examples
    --------
    >>> from textbayes.datasets import data_home
    >>> data_home().is_absolute()
    True
    """
    chosen = os.environ.get("TEXTBAYES_DATA")
    return Path(chosen).expanduser().absolute() if chosen else _cache_folder() / "textbayes"


def _cache_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "~/AppData/Local")).expanduser()
    if sys.platform == "darwin":
        return Path("~/Library/Caches").expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
