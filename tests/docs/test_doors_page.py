"""docs/doors.md shows what each door can do: nothing is missing, and everything that it names exists."""

import importlib.util
import sys

import pytest
from pages import DOCS

pytest.importorskip("starlette")

SPEC = importlib.util.spec_from_file_location("make_doors", DOCS / "make_doors.py")
make_doors = importlib.util.module_from_spec(SPEC)
sys.modules["make_doors"] = make_doors  # for its dataclass
SPEC.loader.exec_module(make_doors)


def names_of(door):
    return make_doors.entries(door)


def test_the_page_is_up_to_date():
    page = make_doors.PAGE.read_text(encoding="utf-8")
    assert page == make_doors.page(), "Run `python docs/make_doors.py`."


@pytest.mark.parametrize("row", make_doors.rows(), ids=lambda row: row.what)
def test_no_cell_is_empty(row):
    for cell in (row.python, row.command, row.http):
        assert cell.strip()
        if isinstance(cell, make_doors.Not):
            assert cell.endswith("."), "the reason is a sentence"


@pytest.mark.parametrize("name", sorted(make_doors.public_methods()))
def test_every_method_has_a_row(name):
    used = {entry.partition("(")[0] for entry in names_of("python")}
    assert f"TextClassifier.{name}" in used, f"Add TextClassifier.{name} to a row of docs/make_doors.py."


@pytest.mark.parametrize("name", sorted(make_doors.commands()))
def test_every_command_has_a_row(name):
    used = names_of("command")
    stem = name.split(" ")[0]
    assert any(entry == name or entry.startswith((f"{name} ", f"{stem} ")) for entry in used), name


@pytest.mark.parametrize("route", sorted(make_doors.routes()))
def test_every_route_and_field_has_a_row(route):
    used = names_of("http")
    assert any(entry == route or entry.startswith(f"{route} ") for entry in used), route
    for field in make_doors.routes()[route]:
        assert f"{route} {field}" in used, f"Add the field {field} of {route} to a row of docs/make_doors.py."


def test_a_row_that_names_nothing_is_refused():
    with pytest.raises(SystemExit, match="has no parameter reject_above"):
        make_doors.check_python("TextClassifier.predict(reject_above)")
    with pytest.raises(SystemExit, match=r"there is no TextClassifier\.guess"):
        make_doors.check_python("TextClassifier.guess")
    with pytest.raises(SystemExit, match="predict has no --reject-above"):
        make_doors.check_command("predict --reject-above")
    with pytest.raises(SystemExit, match="there is no command guess"):
        make_doors.check_command("guess DATA")
    with pytest.raises(SystemExit, match="has no field reject_above"):
        make_doors.check_route("POST /predict reject_above")
    with pytest.raises(SystemExit, match="no route GET /predict"):
        make_doors.check_route("GET /predict")
