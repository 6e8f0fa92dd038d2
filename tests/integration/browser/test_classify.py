"""Classify: probabilities, the words that decided, corrections and their undo."""

import pytest
from playwright.sync_api import expect

TEXT = "the cake was burnt and stale"


@pytest.fixture
def sight(bakery, look):
    seen = look(bakery)
    seen.page.fill("#text", TEXT)
    expect(seen.page.locator("button.bar")).to_have_count(3)
    return seen


def shown(sight):
    """The classes and their probabilities, as the page shows them."""
    rows = sight.page.locator("button.bar").all()
    return {row.locator(".bar-label").inner_text(): row.locator(".bar-number").inner_text() for row in rows}


def test_probabilities_are_those_of_the_server(sight, bakery):
    answer = bakery.ask("POST", "/predict", {"text": TEXT, "proba": True, "top": 3})
    assert shown(sight) == {each["label"]: f"{100 * each['probability']:.1f} %" for each in answer["top"]}
    expect(sight.page.locator("h2.answer")).to_have_text(answer["label"])
    widths = sight.page.eval_on_selector_all(
        ".bar-fill", "bars => bars.map(bar => parseFloat(bar.style.width))"
    )
    assert widths == pytest.approx([100 * each["probability"] for each in answer["top"]], abs=0.01)


def test_answer_follows_typing(sight):
    sight.page.fill("#text", "are you open on friday")
    expect(sight.page.locator("h2.answer")).to_have_text("question")
    sight.button("Clear").click()
    expect(sight.page.locator("h2.answer")).to_have_count(0)


def test_words_that_decided_are_marked_in_place(sight):
    marked = sight.page.locator(".marked")
    expect(marked).to_have_text(TEXT)
    assert "burnt" in marked.locator("mark.for").all_inner_texts()
    assert "for complaint" in marked.locator("mark", has_text="burnt").get_attribute("title")
    expect(sight.page.locator(".legend")).to_contain_text("solid line for complaint")
    sight.page.get_by_text("Numbers, word by word").click()
    expect(sight.page.locator(".evidence th", has_text="burnt")).to_be_visible()


def test_evidence_is_against_the_chosen_class(sight):
    sight.page.get_by_label("Evidence for").select_option("question")
    expect(sight.page.locator(".legend")).to_contain_text("solid line for question")
    expect(sight.page.locator(".marked mark.against", has_text="burnt")).to_have_count(1)


def test_marks_stand_right_in_any_script(look, empty):
    empty.teach(
        [("😀😀 विद्यालय खुला", "school"), ("병원 예약 취소", "doctor"), ("מרפאה פתוחה היום", "doctor")]
    )
    sight = look(empty)
    sight.page.fill("#text", "😀 👩‍👩‍👧 병원 विद्यालय מרפאה 𝒳")
    expect(sight.page.locator(".marked")).to_have_text("😀 👩‍👩‍👧 병원 विद्यालय מרפאה 𝒳")
    assert {"병원", "विद्यालय", "מרפאה"} <= set(sight.page.locator(".marked mark").all_inner_texts())
    assert sight.page.locator(".marked").get_attribute("dir") == "auto"


def test_click_teaches_and_shows_the_difference(sight, bakery):
    before = shown(sight)["question"]
    sight.page.locator("button.bar", has_text="question").click()
    sight.toast("Taught as question")
    expect(sight.page.locator("button.bar.chosen .bar-label")).to_have_text("question")
    expect(sight.page.locator("button.bar", has_text="question").locator(".delta")).to_contain_text("+")
    assert shown(sight)["question"] != before
    assert bakery.documents()[TEXT]["labels"] == "question"
    assert bakery.documents()[TEXT]["actor"] == "tester"


@pytest.mark.parametrize("how", ["toast", "button", "u", "Control+z"])
def test_undo(sight, bakery, how):
    before = shown(sight)
    sight.page.locator("button.bar", has_text="order").click()
    sight.toast("Taught as order")
    if how == "toast":
        sight.page.locator(".toast").get_by_role("button", name="Undo").click()
    elif how == "button":
        sight.page.locator(".tools").get_by_role("button", name="Undo: Taught as order").click()
    else:
        sight.free_keys()
        sight.page.keyboard.press(how)
    sight.toast("Undone")
    expect(sight.page.locator("button.bar.chosen")).to_have_count(0)
    assert TEXT not in bakery.documents()
    assert shown(sight) == before
    expect(sight.page.locator(".tools .undo")).to_be_disabled()


def test_keys_teach_outside_the_text(sight, bakery):
    sight.page.focus("#text")
    sight.page.keyboard.press("End")
    sight.page.keyboard.type("2u")
    expect(sight.page.locator("#text")).to_have_value(TEXT + "2u")
    expect(sight.page.locator(".marked")).to_have_text(TEXT + "2u")
    assert len(bakery.documents()) == 9
    wanted = sight.page.locator("button.bar .bar-label").nth(1).inner_text()
    sight.free_keys()
    sight.page.keyboard.press("2")
    sight.toast(f"Taught as {wanted}")
    assert bakery.documents()[TEXT + "2u"]["labels"] == wanted


def test_alt_and_a_digit_teach_inside_the_text(sight, bakery):
    sight.page.focus("#text")
    sight.page.keyboard.press("Alt+1")
    sight.toast("Taught as complaint")
    assert bakery.documents()[TEXT]["labels"] == "complaint"


def test_new_class_by_typing(sight, bakery):
    sight.free_keys()
    sight.page.keyboard.press("n")
    sight.page.keyboard.type("refund 환불")
    expect(sight.page.locator(".picker [role=option]")).to_contain_text(["New class"])
    sight.page.keyboard.press("Enter")
    sight.toast("Taught as refund 환불")
    expect(sight.page.locator("button.bar")).to_have_count(4)
    assert bakery.documents()[TEXT]["labels"] == "refund 환불"


def test_second_correction_relabels_the_same_document(sight, bakery):
    for label in ("order", "question"):
        sight.page.locator("button.bar", has_text=label).click()
        expect(sight.page.locator("button.bar.chosen .bar-label")).to_have_text(label)
    assert len(bakery.documents()) == 10
    document = bakery.documents()[TEXT]
    history = bakery.get(f"/documents/{document['id']}")["history"]
    assert sorted(each["kind"] for each in history) == ["relabel", "teach"]
    for undone in ("Undone: Now question", "Undone: Taught as order"):
        sight.page.locator(".tools .undo").click()
        sight.toast(undone)
    assert TEXT not in bakery.documents()


def held(sight, path="teach"):
    """Hold back the first request to a path; return a function that sends it on."""
    waiting = []

    def hold(route):
        if not waiting:
            waiting.append(route)
        else:
            route.fallback()

    sight.page.route(f"**/{path}", hold)

    def send():
        for route in waiting:
            route.continue_()

    return send


def test_choices_made_while_another_is_saved_are_not_lost(sight, bakery):
    send = held(sight)
    with sight.page.expect_request("**/teach"):
        sight.page.locator("button.bar", has_text="order").dblclick()
    sight.page.locator("button.bar", has_text="question").click()
    send()
    sight.toast("Now question")
    expect(sight.page.locator("button.bar.chosen .bar-label")).to_have_text("question")
    assert bakery.documents()[TEXT]["labels"] == "question"
    kinds = [each["kind"] for each in bakery.get("/changes")["changes"] if each["kind"] != "recipe"]
    assert kinds[:2] == ["relabel", "teach"]
    assert len(bakery.documents()) == 10


def test_undo_waits_for_the_change_that_is_saved(sight, bakery):
    sight.page.locator("button.bar", has_text="order").click()
    sight.toast("Taught as order")
    send = held(sight)
    sight.page.fill("#text", "is the cake free of milk")
    expect(sight.page.locator(".marked")).to_have_text("is the cake free of milk")
    with sight.page.expect_request("**/teach"):
        sight.page.locator("button.bar", has_text="question").click()
    sight.page.locator(".tools .undo").click()
    send()
    sight.toast("Undone: Taught as question")
    expect(sight.page.locator("button.bar.chosen")).to_have_count(0)
    assert bakery.documents().keys() - {text for text, _ in bakery.examples} == {TEXT}


def test_two_undos_at_once_undo_two_changes(sight, bakery):
    for label, words in (("order", "Taught as order"), ("question", "Now question")):
        sight.page.locator("button.bar", has_text=label).click()
        sight.toast(words)
    send = held(sight, "undo")
    sight.free_keys()
    with sight.page.expect_request("**/undo"):
        sight.page.keyboard.press("u")
    sight.page.keyboard.press("u")
    send()
    sight.toast("Undone: Taught as order")
    expect(sight.page.locator(".tools .undo")).to_be_disabled()
    assert TEXT not in bakery.documents()


def test_a_key_that_is_held_down_undoes_one_change(sight, bakery):
    for label, words in (("order", "Taught as order"), ("question", "Now question")):
        sight.page.locator("button.bar", has_text=label).click()
        sight.toast(words)
    sight.free_keys()
    for _ in range(3):
        sight.page.keyboard.down("u")
    sight.page.keyboard.up("u")
    sight.toast("Undone: Now question")
    expect(sight.page.locator("button.bar.chosen .bar-label")).to_have_text("order")
    assert bakery.documents()[TEXT]["labels"] == "order"


def test_text_typed_while_another_is_saved_is_not_taught(sight, bakery):
    send = held(sight)
    with sight.page.expect_request("**/teach"):
        sight.page.locator("button.bar", has_text="order").click()
    sight.page.fill("#text", "two loaves")
    send()
    sight.toast("Taught as order")
    expect(sight.page.locator(".marked")).to_have_text("two loaves")
    expect(sight.page.locator("#text-hint")).to_have_text("10 characters.")
    expect(sight.page.locator("button.bar.chosen")).to_have_count(0)
    assert "two loaves" not in bakery.documents()


def test_text_too_long_to_explain_is_predicted(sight):
    sight.page.evaluate("document.querySelector('#text').value = 'burnt bread '.repeat(20000)")
    sight.page.locator("#text").dispatch_event("input")
    expect(sight.page.get_by_text("too long to explain")).to_be_visible()
    expect(sight.page.locator("button.bar")).to_have_count(3)


def test_several_labels(look, empty):
    empty.teach(
        [("rye and milk", ["bread", "milk"]), ("rye roll", ["bread"]), ("cold milk", ["milk"]), ("tea", [])]
    )
    sight = look(empty)
    sight.page.fill("#text", "warm tea and a roll")
    rows = sight.page.locator("button.bar")
    expect(rows).to_have_count(2)
    for row in rows.all():
        if row.get_attribute("aria-pressed") == "false":
            row.click()
    sight.button("Teach these labels").click()
    sight.toast("Taught as")
    assert sorted(empty.documents()["warm tea and a roll"]["labels"]) == ["bread", "milk"]
