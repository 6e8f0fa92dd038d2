import pytest

from textbayes.datasets.formats import DELIMITED, FORMATS, STREAMED, format_of_name, format_of_start


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_a_reader(name):
    found = FORMATS[name]
    assert (found.read_text is None) != (found.read_path is None)
    assert (name in STREAMED) == (found.read_text is not None)
    for ending in found.endings:
        assert format_of_name(f"메일{ending}") == format_of_name(f"X{ending.upper()}") == name
        assert (format_of_name(f"f{ending}.bz2") == name) == (name in STREAMED)


def test_delimited_formats_have_a_header():
    assert DELIMITED == ("csv", "tsv")


@pytest.mark.parametrize(
    ("name", "start", "found"),
    [
        ("text", "[", "json"),
        ("text", "[]", "json"),
        ("text", "[link] text", "text"),
        ("text", "__label__x", "fasttext"),
        ("text", '{ "a": 1}', "jsonl"),
        ("text", '{"text": "cut', "jsonl"),
        ("text", "{name}, hello", "text"),
        ("text", "", "text"),
        ("json", "[", "json"),
        ("json", "", "jsonl"),
        ("json", "__label__x", "jsonl"),
        ("csv", '{"a": 1}', "csv"),
    ],
)
def test_the_first_line_decides(name, start, found):
    assert format_of_start(name, start) == found
