"""Documents: search, filter, relabel, forget, erase and history."""

import pytest
from playwright.sync_api import expect


@pytest.fixture
def sight(bakery, look):
    seen = look(bakery, "documents")
    expect(seen.page.locator(".document")).to_have_count(9)
    return seen


def row(sight, text):
    return sight.page.locator(".document", has_text=text)


def pick(sight, *keys):
    sight.page.locator(".picker [role=combobox]").wait_for()
    sight.page.keyboard.type(keys[0])
    sight.page.keyboard.press("Enter")


def test_search(sight):
    expect(sight.page.get_by_role("status").first).to_have_text("9 documents")
    sight.page.get_by_label("Search in texts").fill("cake")
    expect(sight.page.locator(".document")).to_have_count(2)
    expect(sight.page.get_by_text("2 documents found")).to_be_visible()
    sight.page.get_by_label("Search in texts").fill("zzz")
    expect(sight.page.get_by_text("No document matches.")).to_be_visible()


@pytest.mark.parametrize("width", [1280, 390])
def test_a_long_text_leaves_room_for_its_label(bakery, look, width):
    bakery.teach([("please bake a loaf of rye " * 40, "order"), ("the same as ever", "x" * 200)])
    sight = look(bakery, "documents")
    sight.page.set_viewport_size({"width": width, "height": 860})
    expect(sight.page.locator(".document")).to_have_count(11)
    (box,) = (each.bounding_box() for each in row(sight, "a loaf of rye").locator(".chip").all())
    assert box["height"] < 40
    assert box["width"] > 50
    assert sight.page.evaluate("document.documentElement.scrollWidth") == width


def test_filter_by_class(sight):
    sight.button("Filter by class: All classes").click()
    pick(sight, "quest")
    expect(sight.page.locator(".document")).to_have_count(3)
    assert set(sight.page.locator(".document .chip").all_inner_texts()) == {"question"}
    sight.button("Filter by class: question").click()
    sight.page.locator(".picker").get_by_role("option", name="All classes").click()
    expect(sight.page.locator(".document")).to_have_count(9)


def test_link_to_a_class(shop, look):
    sight = look(shop, "documents?class=order")
    expect(sight.page.locator(".document")).to_have_count(3)


def test_relabel(sight, bakery):
    row(sight, "sour").get_by_role("button", name="Relabel, now complaint").click()
    pick(sight, "order")
    sight.toast("Now order")
    expect(row(sight, "sour").locator(".chip")).to_have_text("order")
    document = next(each for text, each in bakery.documents().items() if "sour" in text)
    assert (document["labels"], document["actor"]) == ("order", "tester")


def test_forget_and_undo(sight, bakery):
    row(sight, "sour").get_by_role("button", name="Forget this document").click()
    sight.toast("Forgot")
    expect(row(sight, "sour")).to_have_count(0)
    assert len(bakery.documents()) == 8
    sight.free_keys()
    sight.page.keyboard.press("u")
    expect(row(sight, "sour")).to_have_count(1)
    assert len(bakery.documents()) == 9


def test_drawer_shows_the_history(sight, bakery):
    row(sight, "sour").locator(".plain").click()
    drawer = sight.page.get_by_role("dialog", name="Document")
    expect(drawer.locator(".full-text")).to_contain_text("cream was sour")
    drawer.get_by_role("button", name="Relabel…").click()
    pick(sight, "order")
    expect(drawer.locator(".change")).to_have_count(2)
    expect(drawer.locator(".change-head").first).to_contain_text("tester relabelled")
    drawer.get_by_role("button", name="Undo change 10").click()
    expect(drawer.locator(".change")).to_have_count(3)
    expect(drawer.locator(".chip").first).to_have_text("complaint")
    sight.page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    expect(row(sight, "sour").locator(".chip")).to_have_text("complaint")


def test_erase_asks_first(sight, bakery):
    row(sight, "sour").locator(".plain").click()
    sight.button("Erase…").click()
    question = sight.page.get_by_role("dialog", name="Erase this document for good?")
    expect(question).to_contain_text("There is no undo.")
    expect(question.get_by_role("button", name="Erase", exact=True)).to_be_disabled()
    question.get_by_role("button", name="Cancel").click()
    assert len(bakery.documents()) == 9
    sight.button("Erase…").click()
    question.get_by_role("checkbox").check()
    question.get_by_role("button", name="Erase", exact=True).click()
    sight.toast("Erased")
    expect(row(sight, "sour")).to_have_count(0)
    assert bakery.get("/changes?limit=1")["changes"][0]["kind"] in ("erase", "erased")


def test_pages(empty, look):
    empty.teach([(f"roll number {number}", "order" if number % 2 else "question") for number in range(120)])
    sight = look(empty, "documents")
    expect(sight.page.locator(".document")).to_have_count(50)
    sight.button("Show more").click()
    expect(sight.page.locator(".document")).to_have_count(100)
    sight.button("Show more").click()
    expect(sight.page.locator(".document")).to_have_count(120)
    expect(sight.button("Show more")).to_have_count(0)


def test_by_keyboard_only(sight, bakery):
    sight.page.get_by_label("Search in texts").fill("sour")
    expect(sight.page.locator(".document")).to_have_count(1)
    for _ in range(3):  # the filter, the document, its label
        sight.page.keyboard.press("Tab")
    sight.page.keyboard.press("Enter")
    pick(sight, "question")
    sight.toast("Now question")
    assert next(each for text, each in bakery.documents().items() if "sour" in text)["labels"] == "question"
