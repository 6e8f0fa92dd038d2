"""Parts of data for worker processes, which import them from here."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from textbayes.errors import FieldError


@dataclass
class Rows:
    """Texts and labels in one batch."""

    texts: list
    labels: list

    def __call__(self):
        yield pa.record_batch({"text": pa.array(self.texts, pa.string()), "label": self.labels})
        return os.getpid()


@dataclass
class Endless:
    """A part that says which process reads it, and never ends."""

    file: Path

    def __call__(self):
        self.file.with_suffix(".new").write_text(str(os.getpid()))
        self.file.with_suffix(".new").rename(self.file)
        while True:
            time.sleep(0.1)


@dataclass
class Ending:
    """A part that fails, or ends its process, when another process has written a file."""

    file: Path
    how: str

    def __call__(self):
        while not self.file.exists():
            time.sleep(0.1)
        if self.how == "exit":
            os._exit(3)
        raise FieldError("mail.csv, line 3", "text", None, "a string")
