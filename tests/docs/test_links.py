"""Links between pages resolve, and every page is in the navigation of mkdocs.yml."""

import re
import unicodedata

import pytest
from pages import DOCS, PAGES, REPOSITORY, name_of

OTHERS = ["CHANGELOG.md", "CONTRIBUTING.md", "benchmarks/README.md", "experiments/README.md"]
LINKED = [*PAGES, *(REPOSITORY / name for name in OTHERS if (REPOSITORY / name).exists())]
_BLOCK = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!\!)\[[^\]\n]+\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)


def prose(page):
    return _BLOCK.sub("", page.read_text(encoding="utf-8"))


def anchors(page):
    """Return the anchors of a page's headings, as Python-Markdown makes them."""
    return {anchor(heading) for heading in _HEADING.findall(prose(page))}


def anchor(heading):
    plain = unicodedata.normalize("NFKD", heading.replace("`", "")).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


@pytest.mark.parametrize("page", LINKED, ids=name_of)
def test_internal_links_resolve(page):
    for link in _LINK.findall(prose(page)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, fragment = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{name_of(page)} links to {link}, which does not exist"
        if fragment:
            assert fragment in anchors(target), f"{name_of(page)} links to {link}, which has no such heading"


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=name_of)
def test_pages_link_only_inside_the_site(page):
    for link in _LINK.findall(prose(page)):
        if not re.match(r"[a-z]+:|#", link):
            target = (page.parent / link.partition("#")[0]).resolve()
            assert target.is_relative_to(DOCS), f"{name_of(page)} links to {link}, which is not on the site"


def test_the_navigation_lists_every_page():
    settings = (REPOSITORY / "mkdocs.yml").read_text(encoding="utf-8")
    navigation = settings[settings.index("\nnav:") :]
    listed = re.findall(r"^ +- .*?(\S+\.md)$", navigation, re.MULTILINE)
    assert sorted(listed) == [page.relative_to(DOCS).as_posix() for page in sorted(DOCS.rglob("*.md"))]


def test_anchors_match_mkdocs():
    assert anchor("No vocabulary: `dimensions`") == "no-vocabulary-dimensions"
    assert anchor("`text-type`") == "text-type"
