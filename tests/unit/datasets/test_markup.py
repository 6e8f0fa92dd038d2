import pytest
from hypothesis import given
from hypothesis import strategies as st

from textbayes.datasets.markup import strip_http_header, strip_tags

PIECES = ["<", ">", "<!", "<![", "<![if x]>", "]]>", "<!--", "-->", "<p", "</p>", "<b>", "<?php", "<style"]
PIECES += ["<script>", "</script>", "&amp;", "&#x1F600;", "&#99999999;", "가", " ", '"', "=", "/"]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>one<p>two", "one two"),
        ("<b>o</b>ne<br>two<img src=x>three", "one two three"),
        ("<ul><li>하나<li>둘</ul>", "하나 둘"),
        ("a<!-- hidden -->b", "ab"),
        ("<script>if (a<b) x();</script>seen<style>p {}</style>", "seen"),
        ("&lt;b&gt; &eacute; &#128512; &nbsp;x", "<b> é 😀 x"),
        ("a<![if !IE]>b<![endif]>c", "abc"),
        ("a < b and c > d", "a < b and c > d"),
        ("<title>T</title>\n\n<body>\tx", "T x"),
        ("", ""),
    ],
)
def test_tags(page, text):
    assert strip_tags(page) == text


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)))
def test_any_page_is_parsed(page):
    text = strip_tags(page)
    assert text == " ".join(text.split())


def test_headers():
    assert (
        strip_http_header("WWW Alert: x\nDate: y\r\nContent-type: z\r\n\r\nText: \n\nmore")
        == "Text: \n\nmore"
    )
    assert strip_http_header("<html>\n\nx") == "<html>\n\nx"
    assert strip_http_header("Date: y\nno header\n\nx") == "Date: y\nno header\n\nx"
