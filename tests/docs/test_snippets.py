"""Every Python snippet of README.md and docs/ runs and gives the output on the page.

The snippets of a page share one namespace and run in order, in an empty folder. A snippet with prompts
(``>>>``) is checked against the output on the page. A snippet that cannot run here has a comment with the
reason on the line above it: ``<!-- no-run: needs a cluster -->``. One that needs a package which may be
missing names it there: ``<!-- needs: daft -->``.
"""

import doctest
import re
from importlib.util import find_spec

import pytest
from pages import PAGES, Snippet, name_of, snippets

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
NO_RUN = re.compile(r"<!-- no-run: \S+ \S.* -->")
NEEDS = re.compile(r"<!-- needs: (\w+) -->")


def python_snippets(page):
    return [snippet for snippet in snippets(page) if snippet.info.startswith("py")]


@pytest.mark.parametrize("page", [page for page in PAGES if python_snippets(page)], ids=name_of)
def test_snippets_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    for snippet in python_snippets(page):
        needed = NEEDS.fullmatch(snippet.above)
        if not NO_RUN.fullmatch(snippet.above) and (needed is None or find_spec(needed[1])):
            run(snippet, namespace)


def run(snippet: Snippet, namespace: dict):
    place = f"{name_of(snippet.page)}:{snippet.line}"
    if not snippet.source.lstrip().startswith(">>>"):
        # Leading empty lines, so that a traceback shows the line number of the page.
        exec(compile("\n" * (snippet.line - 1) + snippet.source, place, "exec"), namespace)
        return
    examples = doctest.DocTestParser().get_doctest(snippet.source, namespace, place, place, snippet.line - 1)
    report = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    failures, _ = runner.run(examples, out=report.append, clear_globs=False)
    namespace.update(examples.globs)  # a doctest works on a copy
    assert not failures, "".join(report)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_snippets_are_marked_correctly(page):
    for snippet in snippets(page):
        place = f"{name_of(page)}:{snippet.line}"
        assert len(snippet.info.split()) <= 1, f"{place}: mkdocs shows no block with {snippet.info!r}"
        if "no-run" in snippet.above:
            assert NO_RUN.fullmatch(snippet.above), f"{place}: write <!-- no-run: the reason in words -->"
        if "needs:" in snippet.above:
            assert NEEDS.fullmatch(snippet.above), f"{place}: write <!-- needs: package -->"


def test_indented_and_marked_snippets_are_found(tmp_path):
    page = tmp_path / "page.md"
    text = "- item\n\n    <!-- no-run: needs a cluster -->\n    ```python\n    x = '한국어'\n    ```\n"
    page.write_text(text, encoding="utf-8")
    (snippet,) = snippets(page)
    assert snippet == Snippet(page, 5, "python", "x = '한국어'\n", "<!-- no-run: needs a cluster -->")
    assert NO_RUN.fullmatch(snippet.above)


def test_wrong_output_is_detected():
    with pytest.raises(AssertionError, match="Expected"):
        run(Snippet(PAGES[0], 1, "python", ">>> 1 + 1\n3\n", ""), {})
