"""Classes, Changes, Batch and the first texts."""

import csv
import io
import json

import pytest
from playwright.sync_api import expect


def test_classes(shop, look):
    sight = look(shop, "classes")
    rows = sight.page.locator(".class-row")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("complaint")
    expect(rows.nth(0)).to_contain_text("3 documents")
    terms = {each["label"]: each["terms"] for each in shop.get("/inspect?terms=8")["classes"]}
    expect(rows.nth(0).locator(".term").first).to_have_text(terms["complaint"][0][0])
    sight.page.get_by_label("Filter classes").fill("ord")
    expect(rows).to_have_count(1)


def test_class_in_detail(shop, look):
    sight = look(shop, "classes")
    sight.page.locator(".class-row", has_text="order").click()
    drawer = sight.page.get_by_role("dialog", name="order")
    expect(drawer.locator(".evidence th").first).to_be_visible()
    drawer.get_by_role("link", name="Show its documents").click()
    expect(sight.page.locator(".document")).to_have_count(3)
    expect(sight.page).to_have_url(f"{sight.address}/#/documents?class=order")


def test_close_pairs(shop, look):
    sight = look(shop, "classes")
    pair = sight.page.locator(".pair").first
    pair.click()
    drawer = sight.page.get_by_role("dialog")
    expect(drawer).to_contain_text("Terms that separate them")
    assert drawer.locator(".evidence tr").count() > 3


def test_changes(bakery, look):
    bakery.teach([("a lovely cake", "praise")], actor="mira", source="mail")
    sight = look(bakery, "changes")
    rows = sight.page.locator(".change")
    expect(rows).to_have_count(10)
    expect(rows.first).to_contain_text("mira taught")
    expect(rows.first).to_contain_text("mail")
    expect(rows.first.locator(".chip")).to_have_text(["none", "praise"])
    expect(rows.first.locator("time")).to_have_attribute(
        "datetime", bakery.get("/changes?limit=1")["changes"][0]["time"]
    )


def test_changes_are_filtered(bakery, look):
    bakery.teach([("a lovely cake", "praise")], actor="mira")
    sight = look(bakery, "changes")
    sight.page.get_by_label("Show only changes by this name").fill("mira")
    expect(sight.page.locator(".change")).to_have_count(1)
    sight.page.get_by_label("Show only changes by this name").fill("")
    sight.button("Filter by class: All classes").click()
    sight.page.keyboard.type("quest")
    sight.page.keyboard.press("Enter")
    expect(sight.page.locator(".change")).to_have_count(3)


def test_changes_are_undone(bakery, look):
    bakery.teach([("a lovely cake", "praise")])
    sight = look(bakery, "changes")
    sight.button("Undo change 10").click()
    sight.toast("Undone: change 10")
    rows = sight.page.locator(".change")
    expect(rows).to_have_count(11)
    expect(rows.first).to_contain_text("tester undid change 10")
    expect(rows.nth(1)).to_contain_text("undone by #11")
    expect(sight.button("Undo change 10")).to_have_count(0)
    assert "a lovely cake" not in bakery.documents()


def test_change_of_a_forgotten_document_opens_its_history(bakery, look):
    document = bakery.documents()[bakery.examples[0][0]]
    bakery.ask("DELETE", f"/documents/{document['id']}")
    sight = look(bakery, "changes")
    sight.page.locator(".change .plain").first.click()
    drawer = sight.page.get_by_role("dialog", name="Document")
    expect(drawer).to_contain_text("does not know this document any more")
    expect(drawer.locator(".change")).to_have_count(2)


def test_older_changes(empty, look):
    empty.teach([(f"roll number {number}", "order") for number in range(60)])
    sight = look(empty, "changes")
    expect(sight.page.locator(".change")).to_have_count(50)
    sight.button("Show older").click()
    expect(sight.page.locator(".change")).to_have_count(60)


def batch(sight, file):
    sight.page.set_input_files("#batch-file", file)
    expect(sight.page.locator(".rows")).to_be_visible()


def download(sight):
    sight.button("Classify the file").click()
    with sight.page.expect_download() as found:
        sight.page.get_by_role("link", name="Download the predictions").click()
    return found.value.suggested_filename, found.value.path().read_text()


def test_batch_of_csv(shop, look, tmp_path):
    file = tmp_path / "mail.csv"
    file.write_text(
        'id,subject,what\n1,hi,"the bread was ""burnt"", twice"\n2,hi,are you open\n'
        '3,=1+1,"six rolls\nplease"\n'
    )
    sight = look(shop, "batch")
    batch(sight, file)
    assert sight.page.locator(".rows thead th").all_inner_texts() == ["id", "subject", "what"]
    expect(sight.page.locator(".rows tbody tr")).to_have_count(3)
    expect(sight.page.get_by_label("Column with the texts")).to_have_value("what")
    name, text = download(sight)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert name == "mail.predictions.csv"
    assert [row["label"] for row in rows] == ["complaint", "question", "order"]
    assert rows[2]["subject"] != "=1+1"  # a formula is neutralised
    expect(sight.page.get_by_role("heading", name="3 texts classified")).to_be_visible()
    expect(sight.page.locator("main .bars")).to_contain_text("complaint (1)")


def test_batch_of_json_lines(shop, look, tmp_path):
    file = tmp_path / "mail.jsonl"
    file.write_text(
        "".join(json.dumps({"n": n, "body": text}) + "\n" for n, (text, _) in enumerate(shop.examples))
    )
    sight = look(shop, "batch")
    batch(sight, file)
    sight.page.get_by_label("Answer with").select_option("2")
    name, text = download(sight)
    rows = [json.loads(line) for line in text.splitlines()]
    assert name == "mail.predictions.jsonl"
    assert [row["label"] for row in rows] == [label for _, label in shop.examples]
    assert all(len(row["top"]) == 2 for row in rows)


def test_batch_of_lines(shop, look, tmp_path):
    file = tmp_path / "mail.txt"
    file.write_text("are you open\n\nsix rolls please\n")
    sight = look(shop, "batch")
    batch(sight, file)
    rows = [json.loads(line) for line in download(sight)[1].splitlines()]
    assert [(row["text"], row["label"]) for row in rows] == [
        ("are you open", "question"),
        ("six rolls please", "order"),
    ]


def test_batch_column_can_be_chosen(shop, look, tmp_path):
    file = tmp_path / "mail.csv"
    file.write_text("text,other\nare you open,the bread was burnt and stale\n")
    sight = look(shop, "batch")
    batch(sight, file)
    sight.page.get_by_label("Column with the texts").select_option("other")
    assert "complaint" in download(sight)[1]


def test_batch_says_what_is_wrong(shop, look, tmp_path):
    file = tmp_path / "mail.jsonl"
    file.write_text('{"text": "fine"}\n{"text": broken\n')
    sight = look(shop, "batch")
    batch(sight, file)
    sight.button("Classify the file").click()
    expect(sight.page.locator(".note.warn")).to_contain_text("line 2")


@pytest.fixture
def first(empty, look):
    return look(empty)


def test_first_run_with_the_sample(first, empty):
    expect(first.page.get_by_role("heading", name="Teach it your first texts")).to_be_visible()
    first.button("Fill in a sample").click()
    first.button("Teach 9 examples").click()
    expect(first.page.get_by_role("heading", name="Classify")).to_be_visible(timeout=20_000)
    assert len(empty.documents()) == 9
    first.page.fill("#text", "two loaves please")
    expect(first.page.locator("h2.answer")).to_have_text("order")


def test_first_run_undone_is_empty_again(first, empty):
    first.button("Fill in a sample").click()
    first.button("Teach 9 examples").click()
    expect(first.page.get_by_role("heading", name="Classify")).to_be_visible(timeout=20_000)
    first.page.locator(".tools .undo").click()
    expect(first.page.get_by_role("heading", name="Teach it your first texts")).to_be_visible(timeout=20_000)
    assert empty.documents() == {}


def test_first_run_one_by_one(first, empty):
    for label, text in (("order", "a roll"), ("question", "open\ton sunday?")):
        first.page.get_by_label("Text", exact=True).fill(text)
        first.page.get_by_label("Label", exact=True).fill(label)
        first.page.keyboard.press("Enter")
    expect(first.page.locator("#examples")).to_have_value("order\ta roll\nquestion\topen on sunday?")
    first.button("Teach 2 examples").click()
    first.toast("Taught 2 texts")
    assert empty.documents()["open on sunday?"]["labels"] == "question"


def test_first_run_names_lines_without_a_label(first):
    first.page.fill("#examples", "order\ta roll\nno tab here\n\tno label")
    expect(first.page.locator(".warning")).to_contain_text("2 lines without a label and a tab")
    expect(first.page.get_by_text("One class so far")).to_be_visible()
    expect(first.button("Teach 1 example")).to_be_enabled()


def test_first_run_tab_key_writes_a_tab_once(first):
    first.page.focus("#examples")
    first.page.keyboard.type("order")
    first.page.keyboard.press("Tab")
    first.page.keyboard.type("a roll")
    expect(first.page.locator("#examples")).to_have_value("order\ta roll")
    first.page.keyboard.press("Tab")
    expect(first.page.locator("#examples")).not_to_be_focused()


@pytest.mark.parametrize(
    "contents",
    [
        'label,text\norder,"a roll, please"\n',
        '{"label": "order", "text": "a roll, please"}\n',
        "order\ta roll, please\n",
    ],
)
def test_first_run_from_a_file(first, tmp_path, contents):
    file = tmp_path / "examples.txt"
    file.write_text(contents)
    first.page.set_input_files("#examples-file", file)
    expect(first.button("Teach 1 example")).to_be_enabled()
    expect(first.page.locator(".chip")).to_have_text("order")


def test_first_run_with_several_labels(first, empty):
    first.page.fill("#examples", "bread, milk\trye and milk\nbread\trye")
    first.page.get_by_label("A text can have several labels").check()
    first.button("Teach 2 examples").click()
    first.toast("Taught 2 texts")
    assert sorted(empty.documents()["rye and milk"]["labels"]) == ["bread", "milk"]


def test_more_examples_later(bakery, look):
    sight = look(bakery, "documents")
    sight.page.get_by_role("link", name="Add examples").click()
    expect(sight.page.get_by_role("heading", name="Add examples")).to_be_visible()
    sight.page.fill("#examples", "praise\ta lovely cake")
    sight.button("Teach 1 example").click()
    sight.toast("Taught 1 text")
    assert bakery.documents()["a lovely cake"]["labels"] == "praise"
