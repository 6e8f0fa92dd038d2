"""Queue: labels by keyboard, skip, undo, progress, quality, upload."""

import re

import pytest
from playwright.sync_api import expect

TEXTS = [
    f"the {thing} was {how}"
    for thing in ("cake", "bread", "roll")
    for how in ("burnt", "late", "lovely", "salty")
]


@pytest.fixture
def sight(bakery, look):
    bakery.ask("POST", "/queue", {"texts": TEXTS})
    seen = look(bakery, "queue")
    expect(seen.page.locator(".queue-text")).to_be_visible()
    return seen


def current(sight):
    return sight.page.locator(".queue-text").inner_text()


def next_after(sight, text):
    expect(sight.page.locator(".queue-text")).not_to_have_text(text)


def label(sight, key):
    """Press a key that labels the text; return the text when the server has it."""
    text = current(sight)
    sight.page.keyboard.press(key)
    expect(sight.page.locator(".tools .undo")).to_have_attribute("title", re.compile(f"^Undo: .*{text}$"))
    return text


def progress(sight, *words):
    for each in words:
        expect(sight.page.locator(".progress-place")).to_contain_text(each)


def test_labels_by_key(sight, bakery):
    progress(sight, "0 labelled", "12 to go")
    labels = sight.page.locator("button.bar .bar-label").all_inner_texts()
    assert labels == ["complaint", "order", "question"]  # the keys do not move with the probabilities
    for number in (1, 3):
        text = label(sight, str(number))
        next_after(sight, text)
        assert bakery.documents()[text]["labels"] == labels[number - 1]
    progress(sight, "2 labelled", "10 to go", "2 by you now")


def test_enter_accepts_the_best_class(sight, bakery):
    best = sight.page.locator(".bar.best .bar-label").inner_text()
    expect(sight.button(f"Accept {best}")).to_be_visible()
    text = label(sight, "Enter")
    next_after(sight, text)
    progress(sight, "1 labelled")
    assert bakery.documents()[text]["labels"] == best


def test_new_class(sight, bakery):
    text = current(sight)
    sight.page.keyboard.press("n")
    sight.page.keyboard.type("praise")
    sight.page.keyboard.press("Enter")
    next_after(sight, text)
    expect(sight.page.locator(".tools .undo")).to_be_enabled()
    expect(sight.page.locator("button.bar")).to_have_count(4)
    assert bakery.documents()[text]["labels"] == "praise"


def test_skip_and_undo(sight, bakery):
    text = label(sight, "s")
    next_after(sight, text)
    progress(sight, "1 skipped", "11 to go")
    sight.page.keyboard.press("u")
    expect(sight.page.locator(".queue-text")).to_have_text(text)
    progress(sight, "12 to go")
    assert bakery.get("/queue")["skipped"] == 0


def test_undo_of_a_label_brings_the_text_back(sight, bakery):
    text = label(sight, "2")
    next_after(sight, text)
    progress(sight, "1 labelled")
    sight.page.keyboard.press("u")
    expect(sight.page.locator(".queue-text")).to_have_text(text)
    assert text not in bakery.documents()
    assert bakery.get("/queue")["waiting"] == 12


def test_why(sight):
    text = current(sight)
    sight.page.keyboard.press("w")
    expect(sight.page.locator(".marked")).to_have_text(text)
    expect(sight.page.locator(".legend")).to_be_visible()


def test_whole_queue_by_keyboard_with_a_chart(sight, bakery):
    for _ in TEXTS:
        text = label(sight, "1")
        expect(sight.page.locator(".now")).not_to_contain_text(text)
    expect(sight.page.get_by_role("heading", name="All done")).to_be_visible()
    quality = bakery.get("/quality")
    assert bakery.get("/queue")["labelled"] == 12
    random = quality["labelled"]["texts"]
    figure = sight.page.locator("figure", has_text="New texts")
    if random:
        expect(figure).to_contain_text(f"of {random} random text")
    assert figure.locator("svg path.band").count() == (1 if random >= 5 else 0)
    if quality["points"]:
        chart = sight.page.locator("figure", has_text="Leave-one-out")
        expect(chart.locator("svg[role=img]")).to_have_attribute("aria-label", re.compile("Accuracy"))


def test_empty_queue_invites(bakery, look):
    sight = look(bakery, "queue")
    expect(sight.page.get_by_role("heading", name="No texts to label yet")).to_be_visible()
    sight.page.get_by_text("Paste lines").click()
    sight.page.get_by_label("Texts, one a line").fill("one roll\n\nanother roll\none roll")
    sight.button("Add lines").click()
    sight.toast("2 texts added")
    expect(sight.page.locator(".queue-text")).to_be_visible()
    progress(sight, "2 to go")


@pytest.mark.parametrize(
    ("name", "contents", "columns"),
    [
        ("texts.csv", 'id,message\n1,"one, ""roll"""\n2,another roll\n', ["id", "message"]),
        (
            "texts.jsonl",
            '{"id": 1, "message": "one, \\"roll\\""}\n{"id": 2, "message": "another roll"}\n',
            ["id", "message"],
        ),
        ("texts.txt", 'one, "roll"\nanother roll\n', ["text"]),
    ],
)
def test_upload(bakery, look, tmp_path, name, contents, columns):
    file = tmp_path / name
    file.write_text(contents)
    sight = look(bakery, "queue")
    sight.page.set_input_files("#queue-file", file)
    expect(sight.page.locator(".rows th")).to_have_text(columns)
    sight.button("Add to the queue").click()
    sight.toast("2 texts added")
    found = {each["text"] for each in bakery.get("/queue?limit=10", "tester")["texts"]}
    assert found == {'one, "roll"', "another roll"}


def test_a_refused_label_brings_the_text_back(sight):
    text = current(sight)
    sight.page.route(
        "**/queue/*",
        lambda route: route.fulfill(
            status=507,
            json={"error": {"code": "store-full", "what": "The disk is full.", "todo": "Make room."}},
        ),
    )
    sight.page.keyboard.press("1")
    sight.toast("The disk is full.")
    expect(sight.page.locator(".toast.error")).to_contain_text("Make room.")
    expect(sight.page.locator(".queue-text")).to_have_text(text)


def test_first_texts_can_be_labelled_from_the_queue(empty, look):
    empty.ask("POST", "/queue", {"texts": ["a roll", "a cake"]})
    sight = look(empty, "queue")
    text = current(sight)
    sight.page.keyboard.press("n")
    sight.page.keyboard.type("order")
    sight.page.keyboard.press("Enter")
    next_after(sight, text)
    expect(sight.page.locator("button.bar")).to_have_count(1)
    assert empty.documents()[text]["labels"] == "order"
