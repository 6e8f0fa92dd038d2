"""Everyone can use it: names and roles, landmarks, keys, contrast, small screens, any language."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

VIEWS = ["classify", "queue", "documents", "classes", "batch", "changes", "teach"]
LONG = "Donaudampfschifffahrtsgesellschaftskapitän" * 12

CHECKS = Path(__file__).with_name("checks.js").read_text(encoding="utf-8").strip().rstrip(";")


def wrong(page, check):
    """What a function of checks.js finds in the page."""
    return page.evaluate(f"{CHECKS}.{check}()")


@pytest.fixture(scope="module")
def full(new_model):
    """A model with long and foreign texts and labels."""
    model = new_model("full")
    model.ask("POST", "/queue", {"texts": ["the roll was burnt", LONG, "مرحبا بكم في المخبز"]})
    model.teach(
        [
            *model.examples,
            (LONG, "a very long class " * 8),
            ("خبز طازج كل صباح", "سؤال"),
            ("빵이 타서 왔어요 😀", "불만"),
        ]
    )
    return model


def settle(sight, view):
    sight.open(view)
    sight.page.wait_for_load_state("networkidle")
    if view == "classify":
        sight.page.fill("#text", f"the bread was burnt {LONG} please خبز")
        expect(sight.page.locator(".marked")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_and_names(full, look, scheme):
    sight = look(full, None, color_scheme=scheme)
    for view in VIEWS:
        settle(sight, view)
        assert (view, wrong(sight.page, "contrasts")) == (view, [])
        assert (view, wrong(sight.page, "nameless")) == (view, [])


def test_small_screen_does_not_scroll_sideways(full, look):
    sight = look(full, None)
    sight.page.set_viewport_size({"width": 390, "height": 844})
    for view in VIEWS:
        settle(sight, view)
        assert (view, sight.page.evaluate("document.documentElement.scrollWidth")) == (view, 390)
    place = sight.page.get_by_role("navigation", name="Views").bounding_box()
    assert place["y"] + place["height"] == pytest.approx(844, abs=1)
    assert all(link.bounding_box()["height"] >= 44 for link in sight.page.locator(".views a").all())


def test_dialogs_fit_small_screens(full, look):
    sight = look(full, "documents")
    sight.page.set_viewport_size({"width": 320, "height": 640})
    sight.page.locator(".document .plain").first.click()
    sight.page.get_by_role("dialog").locator(".full-text").wait_for()
    box = sight.page.get_by_role("dialog").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 320
    assert wrong(sight.page, "contrasts") == []


def test_structure(full, look):
    sight = look(full, None)
    for view in VIEWS:
        settle(sight, view)
        check_structure(sight.page)


def check_structure(page):
    assert page.locator("h1").count() == 1
    assert page.get_by_role("main").count() == 1
    assert page.get_by_role("banner").count() == 1
    assert page.get_by_role("navigation").count() == 1
    assert page.evaluate("document.documentElement.lang") == "en"
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(ids) == len(set(ids))
    assert wrong(page, "broken") == []


def test_skip_link_and_order_of_tabs(shop, look):
    sight = look(shop, "documents")
    sight.page.keyboard.press("Tab")
    expect(sight.page.get_by_role("link", name="Skip to the content")).to_be_focused()
    sight.page.keyboard.press("Enter")
    expect(sight.page.get_by_role("main")).to_be_focused()
    sight.page.keyboard.press("Tab")
    expect(sight.page.get_by_role("link", name="Add examples")).to_be_focused()
    sight.page.keyboard.press("Tab")
    expect(sight.page.get_by_label("Search in texts")).to_be_focused()
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert sight.page.evaluate(outline) == "solid"
    assert (
        sight.page.evaluate(
            "[...document.querySelectorAll('[tabindex]')].filter(one => one.tabIndex > 0).length"
        )
        == 0
    )


def test_results_are_announced(bakery, look):
    sight = look(bakery)
    sight.page.fill("#text", "are you open")
    announcer = sight.page.locator("#announcer")
    expect(announcer).to_have_attribute("aria-live", "polite")
    expect(announcer).to_contain_text("question, ")
    sight.page.locator("button.bar").first.click()
    expect(announcer).to_contain_text("question")


def test_dialog_keeps_and_returns_the_focus(shop, look):
    sight = look(shop, "documents")
    label = sight.page.locator(".chip-button").first
    label.focus()
    sight.page.keyboard.press("Enter")
    combobox = sight.page.locator(".picker [role=combobox]")
    expect(combobox).to_be_focused()
    sight.page.keyboard.press("ArrowDown")
    active = combobox.get_attribute("aria-activedescendant")
    expect(sight.page.locator(f"#{active}")).to_have_attribute("aria-selected", "true")
    assert active == "pick-1"
    sight.page.keyboard.press("Escape")
    expect(label).to_be_focused()


def test_reduced_motion(shop, look):
    sight = look(shop)
    moves = """[...document.querySelectorAll('*')].filter(one => {
      const style = getComputedStyle(one);
      return style.transitionDuration !== '0s' || style.animationName !== 'none';
    }).length"""
    sight.page.fill("#text", "are you open")
    expect(sight.page.locator("button.bar")).to_have_count(3)
    assert sight.page.evaluate(moves) == 0


def test_right_to_left_and_long_texts(full, look):
    sight = look(full, "documents")
    arabic = sight.page.locator(".document-text", has_text="خبز")
    assert sight.page.evaluate("one => getComputedStyle(one).direction", arabic.element_handle()) == "rtl"
    rows = sight.page.locator(".document").all()
    assert all(row.bounding_box()["height"] < 200 for row in rows)
