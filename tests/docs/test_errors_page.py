"""docs/errors.md shows every error, as src/textbayes/errors has it now."""

import importlib.util

import pytest
from pages import DOCS

SPEC = importlib.util.spec_from_file_location("make_errors", DOCS / "make_errors.py")
make_errors = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(make_errors)
KINDS = make_errors.error_classes()


def test_the_page_is_up_to_date():
    page = make_errors.PAGE.read_text(encoding="utf-8")
    assert page == make_errors.page(), "Run `python docs/make_errors.py`."


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.code)
def test_every_error_has_a_section(kind):
    page = make_errors.PAGE.read_text(encoding="utf-8")
    assert f"\n## `{kind.code}`\n" in page
    assert kind.__name__ in page


def test_codes_are_distinct_and_kebab_case():
    codes = [kind.code for kind in KINDS]
    assert len(set(codes)) == len(codes)
    assert all(code == code.lower() and code.replace("-", "").isalnum() for code in codes)


def test_no_facts_remain_of_removed_errors():
    assert set(make_errors.FACTS) == {kind.__name__ for kind in KINDS}
