"""The pages show the formats that src/textbayes/datasets/formats.py has."""

from pages import DOCS

from textbayes.datasets.formats import FORMATS, formats_table
from textbayes.datasets.json_arrays import MOST_CHARACTERS
from textbayes.datasets.streams import COMPRESSIONS


def test_the_guide_has_the_table_of_formats():
    page = (DOCS / "guide" / "corpora.md").read_text(encoding="utf-8")
    assert formats_table() in page
    assert ", ".join(f"`{ending}`" for ending in COMPRESSIONS) in page
    assert f"at most {MOST_CHARACTERS // 10**6} million characters" in page


def test_the_page_of_the_command_line_has_the_table_of_formats():
    page = (DOCS / "cli.md").read_text(encoding="utf-8")
    assert formats_table() in page
    assert all(f"`{name}`" in page for name in FORMATS)
