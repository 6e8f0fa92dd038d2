"""Test texts: real corpora, read in the simplest way, and texts that every machine has."""

import json
from functools import cache
from pathlib import Path

import pyarrow as pa
import sklearn

# Texts that have broken tokenizers: scripts, case, digits, blanks, symbols. No combining marks (category M),
# for which our words and Python's \w differ on purpose.
UNICODE_TEXTS = (
    "Wheat rose; wheat AND corn fell, 3.5 % (x_y) don't a I'm",
    "naïve Straße STRASSE ẞ ﬁn œuvre Ǆ ǅ ª º",
    "한국어 형태소 분석 밀 가격이 올랐다",
    "الكتاب الكبير 123 ١٢٣ العربية",
    "ΟΔΥΣΣΕΥΣ ΣΑΣ Σ. ας",
    "東京都の天気 weather2024年 カタカナ",
    "👩‍👩‍👧‍👦 emoji 👍🏽 flags 🇰🇷 ok️".replace("\ufe0f", ""),
    "tab\tnew\nline\r\nnel\x85sep\u2028fs\x1cgs\x1d nbsp\xa0ideographic\u3000end",
    "zero\x00byte \x00\x00 after",
    "עברית RTL \u202eabc\u202c טקסט",
    "² ½ Ⅷ ④ ৪ 𝟘𝟙 ９",
    "",
    "   \n\t ",
    "aa aa aa bb",
)


def real_texts(path: Path, with_title: bool = False) -> list[str]:
    """Read the texts of a corpus in JSON Lines compressed with zstd."""
    with pa.input_stream(str(path), compression="zstd") as stream:
        records = [json.loads(line) for line in stream.read().splitlines()]
    if with_title:
        return [f"{record['title'] or ''}\n{record['text']}" for record in records]
    return [record["text"] for record in records]


@cache
def everyday_texts(count: int = 120, characters: int = 4000) -> tuple[str, ...]:
    """Return the beginnings of scikit-learn's source files, and :data:`UNICODE_TEXTS`."""
    files = sorted(Path(sklearn.__file__).parent.rglob("*.py"))[:count]
    return (*(path.read_text("utf-8")[:characters] for path in files), *UNICODE_TEXTS)
