"""The pages show the formats and options that src/textbayes/datasets has."""

from pages import DOCS

from textbayes.datasets import read_documents
from textbayes.datasets.files import ON_ERROR
from textbayes.datasets.formats import FORMATS, formats_table
from textbayes.datasets.streams import COMPRESSIONS, MAX_RECORD


def listed(names, last=" or "):
    *first, final = (f"`{name}`" for name in names)
    return ", ".join(first) + last + final


def test_the_guide_has_the_table_of_formats():
    page = (DOCS / "guide" / "corpora.md").read_text(encoding="utf-8")
    assert formats_table() in page
    assert listed(COMPRESSIONS, ", ") in page
    assert f"at most {MAX_RECORD // 10**6} million characters" in page


def test_the_page_of_the_command_line_has_the_table_of_formats():
    page = (DOCS / "cli.md").read_text(encoding="utf-8")
    assert formats_table() in page
    assert f"| `--format FORMAT` | {listed(FORMATS)}." in page
    assert f"a text or a label: {listed(ON_ERROR)}." in page


def test_the_docstring_lists_formats_and_actions():
    for names in (FORMATS, ON_ERROR):
        options = ", ".join(f'"{name}"' for name in names)
        assert f"{{{options}}}" in read_documents.__doc__
