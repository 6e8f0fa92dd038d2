"""The frame: routes, models, colours, names, tokens, errors and lost servers."""

import json
import re

import pytest
from playwright.sync_api import expect

from textbayes import TextClassifier

from .conftest import Model


def test_views_have_addresses(shop, look):
    sight = look(shop)
    for name in ("Queue", "Documents", "Classes", "Batch", "Changes", "Classify"):
        sight.page.get_by_role("navigation", name="Views").get_by_role("link", name=name).click()
        expect(sight.page.get_by_role("heading", level=1)).to_have_text(name)
        expect(sight.page).to_have_url(f"{sight.address}/#/{name.lower()}")
        expect(sight.page).to_have_title(f"{name} · {shop.name}")
        expect(sight.page.locator(".views [aria-current=page]")).to_have_text(name)
    sight.page.go_back()
    expect(sight.page.get_by_role("heading", level=1)).to_have_text("Changes")


def test_models_are_switched(bakery, look):
    bakery.server.ask("POST", "/models", {"name": f"{bakery.name}-b"})
    sight = look(bakery, "documents")
    expect(sight.page.locator(".document")).to_have_count(9)
    sight.page.get_by_label("Model", exact=True).select_option(f"{bakery.name}-b")
    expect(sight.page.get_by_role("heading", name="Teach it your first texts")).to_be_visible()
    sight.page.get_by_label("Model", exact=True).select_option(bakery.name)
    expect(sight.page.locator(".document")).to_have_count(9)


def test_undo_stays_with_its_model(bakery, look):
    bakery.server.ask("POST", "/models", {"name": f"{bakery.name}-b"})
    sight = look(bakery, "documents")
    sight.button("Forget this document").first.click()
    sight.toast("Forgot")
    sight.page.get_by_label("Model", exact=True).select_option(f"{bakery.name}-b")
    expect(sight.page.get_by_role("heading", name="Teach it your first texts")).to_be_visible()
    sight.free_keys()
    sight.page.keyboard.press("u")
    sight.toast("Nothing to undo here.")
    assert len(bakery.documents()) == 8


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_system_and_the_button(shop, look, scheme):
    sight = look(shop, color_scheme=scheme)
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light, dark = "rgb(247, 246, 243)", "rgb(22, 21, 20)"
    assert sight.page.evaluate(ground) == (light if scheme == "light" else dark)
    sight.button("Dark colours" if scheme == "light" else "Light colours").click()
    assert sight.page.evaluate(ground) == (dark if scheme == "light" else light)
    sight.page.reload()
    sight.page.wait_for_selector("main h1")
    assert sight.page.evaluate(ground) == (dark if scheme == "light" else light)


def test_name_stands_beside_changes(bakery, look):
    sight = look(bakery, "documents", name=None)
    sight.button("Your name, written beside each change").click()
    sight.page.get_by_label("Name", exact=True).fill("Zoë 미라")
    sight.page.keyboard.press("Enter")
    expect(sight.page.locator(".who")).to_have_text("Zoë 미라")
    sight.button("Forget this document").first.click()
    sight.toast("Forgot")
    assert bakery.get("/changes?limit=1")["changes"][0]["actor"] == "Zoë 미라"


def test_keys_are_listed(shop, look):
    sight = look(shop, "documents")
    sight.free_keys()
    sight.page.keyboard.press("?")
    expect(sight.page.get_by_role("dialog", name="Keys")).to_contain_text("Undo the last change")
    sight.page.keyboard.press("Escape")
    expect(sight.page.get_by_role("dialog")).to_have_count(0)


def test_errors_say_what_and_what_to_do(shop, look):
    sight = look(shop, "documents")
    error = {
        "code": "writer-elsewhere",
        "what": "Server alpha (pid 7) writes.",
        "why": "",
        "todo": "Ask http://alpha.",
    }
    sight.page.route("**/documents/*", lambda route: route.fulfill(status=409, json={"error": error}))
    sight.button("Forget this document").first.click()
    sight.toast("Server alpha (pid 7) writes.")
    expect(sight.page.locator(".toast.error")).to_contain_text("Ask http://alpha. This server only follows.")
    expect(sight.page.locator(".toast.error")).to_have_attribute("role", "alert")


def test_replies_that_are_not_json(shop, look):
    sight = look(shop, "classes")
    answers = iter((413, 429, 500, 503))
    for status in (413, 429, 500, 503):
        sight.page.route(
            "**/documents?*", lambda route: route.fulfill(status=next(answers), body="<h1>no</h1>")
        )
        sight.open("documents")
        expect(sight.page.locator(".note.warn")).to_contain_text(f"http-{status}")
        sight.page.unroute("**/documents?*")
        sight.button("Try again").click()
        expect(sight.page.locator(".document")).to_have_count(9)
        sight.open("classes")


def test_lost_server_is_found_again(shop, look):
    sight = look(shop, "documents")
    sight.page.context.set_offline(True)
    sight.page.get_by_label("Search in texts").fill("cake")
    banner = sight.page.locator(".banner", has_text="The server does not answer.")
    expect(banner).to_be_visible()
    sight.page.context.set_offline(False)
    banner.get_by_role("button", name="Try now").click()
    expect(banner).to_have_count(0)
    sight.toast("The server answers again.")
    sight.button("Try again").click()
    expect(sight.page.locator(".document")).to_have_count(2)


def drop(sight, path, times, **reply):
    """Lose the answers to the first requests of a path, or give another one; return all requests to it."""
    asked = []

    def lose(route):
        asked.append(route.request)
        if len(asked) > times:
            route.fallback()
        elif reply:
            route.fulfill(**reply)
        else:
            route.abort()

    sight.page.route(path, lose)
    return asked


def test_a_lost_answer_is_asked_for_again(shop, look):
    sight = look(shop, None)
    asked = drop(sight, "**/models/shop/model", 1)
    sight.open("documents")
    expect(sight.page.locator(".document")).to_have_count(9)
    assert len(asked) >= 2
    expect(sight.page.locator(".banner")).to_have_count(0)


def test_a_page_that_was_not_shown_starts_when_the_server_is_found_again(shop, look):
    sight = look(shop, None)
    drop(sight, "**/models/shop/model", 2)
    sight.open("documents")
    sight.toast("The server answers again.")
    expect(sight.page.locator(".document")).to_have_count(9)


def test_a_busy_server_is_asked_again(shop, look):
    sight = look(shop, None)
    error = {"code": "server-busy", "what": "The server has too many requests.", "why": "", "todo": ""}
    asked = drop(sight, "**/documents?*", 3, status=503, json={"error": error})
    sight.open("documents")
    expect(sight.page.locator(".document")).to_have_count(9)
    assert len(asked) == 4


def test_change_is_sent_again_with_the_same_key(bakery, look):
    sight = look(bakery, "documents")
    keys = []

    def drop_once(route):
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fetch()  # the server makes the change, but its answer is lost
            route.abort()
        else:
            route.continue_()

    sight.page.route("**/documents/*", drop_once)
    sight.button("Forget this document").first.click()
    sight.toast("Forgot")
    assert len(keys) == 2
    assert keys[0] == keys[1]
    assert bakery.get("/model")["head"] == 10


@pytest.fixture(scope="module")
def guarded(chromium, start_server, tmp_path_factory):
    """A server with tokens."""
    folder = tmp_path_factory.mktemp("guarded")
    return start_server("--store", folder / "store", tokens={"mira": "teach", "rolf": "read"})


def test_token_is_asked_for_and_kept_in_the_tab(guarded, look):
    sight = look(None, None, address=guarded.address, name=None)
    sight.page.goto(guarded.address)
    dialog = sight.page.get_by_role("dialog", name="Token needed")
    expect(dialog).to_be_visible()
    dialog.get_by_role("textbox", name="Token").fill("wrong")
    sight.page.keyboard.press("Enter")
    expect(dialog.get_by_role("textbox", name="Token")).to_have_value("")
    dialog.get_by_role("textbox", name="Token").fill(guarded.tokens["mira"])
    sight.page.keyboard.press("Enter")
    expect(sight.page.get_by_role("heading", name="Teach it your first texts")).to_be_visible()
    assert guarded.tokens["mira"] in sight.page.evaluate("Object.values(sessionStorage)")
    assert guarded.tokens["mira"] not in sight.page.evaluate("Object.values(localStorage).join()")
    assert not any(guarded.tokens["mira"] in url for url in sight.requests)
    sight.page.fill("#examples", "order\ta roll\nquestion\topen?")
    sight.button("Teach 2 examples").click()
    sight.toast("Taught 2 texts")
    sight.page.goto(f"{guarded.address}/#/changes")
    expect(sight.page.locator(".change").first).to_contain_text("mira taught")


def test_token_without_the_right_is_told_so(guarded, look):
    status, answer = guarded.ask(
        "POST",
        "/teach",
        {"texts": ["a roll", "open?"], "labels": ["order", "question"], "settle": True},
        {"Authorization": f"Bearer {guarded.tokens['mira']}"},
    )
    assert status == 200, answer
    sight = look(None, None, address=guarded.address, name=None)
    sight.page.goto(f"{guarded.address}/#/documents")
    sight.page.get_by_role("textbox", name="Token").fill(guarded.tokens["rolf"])
    sight.page.keyboard.press("Enter")
    sight.button("Forget this document").first.click()
    expect(sight.page.locator(".toast.error")).to_contain_text("teach")


def test_server_without_a_store_is_read_only(start_server, bakery_file, look):
    server = start_server(bakery_file)
    sight = look(None, None, address=server.address)
    sight.open()
    expect(sight.page.locator(".banner", has_text="Read-only.")).to_be_visible()
    sight.page.fill("#text", "are you open")
    expect(sight.page.locator("h2.answer")).to_have_text("question")
    expect(sight.page.locator("button.bar")).to_have_count(0)
    sight.open("documents")
    expect(sight.page.locator(".note.warn")).to_be_visible()


def test_follower_names_the_writer(shop, start_server, look):
    follower = start_server("--store", shop.server.store)
    sight = look(shop, "documents", address=follower.address)
    expect(sight.page.locator(".document")).to_have_count(9)
    expect(sight.page.locator(".banner", has_text="Read-only.")).to_contain_text(shop.server.address)
    expect(sight.button("Forget this document")).to_have_count(0)


@pytest.fixture(scope="module")
def files(start_server, tmp_path_factory):
    """A server of model files: one with many classes, one with numbers as labels."""
    folder = tmp_path_factory.mktemp("files")
    labels = [f"class {number}" for number in range(1200)]
    texts = [f"word{number} thing{number}" for number in range(1200)]
    TextClassifier("multinomial").fit(texts, labels).save(folder / "many.tb")
    stars = (["bad bread", "fine bread", "lovely bread"], [1, 3, 5])
    TextClassifier("multinomial").fit(*stars).save(folder / "stars.tb")
    return start_server(folder / "many.tb", folder / "stars.tb", "--store", folder / "store")


def test_many_classes(files, look):
    sight = look(Model(files, "many"))
    sight.page.fill("#text", "word777 is new")
    expect(sight.page.locator("button.bar")).to_have_count(8)
    expect(sight.page.get_by_text("1,192 more classes")).to_be_visible()
    sight.free_keys()
    sight.page.keyboard.press("n")
    sight.page.keyboard.type("class 1111")
    expect(sight.page.locator(".picker [role=option]").first).to_have_text(re.compile("class 1111"))
    sight.page.keyboard.press("Enter")
    sight.toast("Taught as class 1111")
    sight.open("classes")
    expect(sight.page.locator(".class-row")).to_have_count(40)
    sight.page.get_by_label("Filter classes").fill("class 119")
    expect(sight.page.locator(".class-row")).to_have_count(11)


def test_labels_that_are_numbers(files, look):
    model = Model(files, "stars")
    sight = look(model)
    sight.page.fill("#text", "lovely bread")
    expect(sight.page.locator("h2.answer")).to_have_text("5")
    assert "lovely" in sight.page.locator(".marked mark.for").all_inner_texts()
    sight.page.locator("button.bar", has_text="3").click()
    sight.toast("Taught as 3")
    assert json.dumps(model.documents()["lovely bread"]["labels"]) == "3"
