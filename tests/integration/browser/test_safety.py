"""Nothing that users send is ever run: labels, terms, texts, ids, names of actors, sources and files."""

import re
from importlib.resources import files

import pytest
from playwright.sync_api import expect

SCRIPTS = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    "javascript:alert(3)",
    '"><svg onload=alert(4)>',
    "{{constructor.constructor('alert(5)')()}}",
    "'-alert(6)-'",
    "<iframe srcdoc='<script>parent.alert(7)</script>'>",
]
ID = "a\"><img src=x onerror=alert(8)> %2e '&;#?"


@pytest.fixture(scope="module")
def hostile(new_model):
    empty = new_model("hostile")
    texts = [f"imgsrc word{number} {each}" for number, each in enumerate(SCRIPTS)]
    empty.teach(zip(texts, SCRIPTS, strict=True), actor="<b onclick=alert(9)>mira</b>", source="<u>mail</u>")
    empty.teach([("the last text", "plain")], id=None, ids=[ID], actor="javascript:alert(10)")
    return empty


def is_untouched(sight):
    """No element came from data: no image but the icon, no frame, no script but those of the page."""
    page = sight.page
    assert page.locator("img:not([src='page/icon.svg']), iframe, svg[onload], object, embed").count() == 0
    assert page.locator("main script, dialog script, main b, main u").count() == 0
    assert page.evaluate("document.querySelectorAll('[onerror], [onclick], [onload]').length") == 0
    assert (
        page.evaluate(
            "[...document.querySelectorAll('a')].filter(one => /^javascript:/i.test(one.href)).length"
        )
        == 0
    )
    sight.check()


def test_classify(hostile, look):
    sight = look(hostile)
    for script in SCRIPTS:
        sight.page.fill("#text", f"{script} imgsrc word0")
        expect(sight.page.locator(".marked")).to_contain_text(script)
        is_untouched(sight)
    for row, words in ((0, "Taught as "), (3, "Now ")):
        label = sight.page.locator("button.bar .bar-label").nth(row).inner_text()
        sight.page.locator("button.bar").nth(row).click()
        sight.toast(words + label)
        is_untouched(sight)
    sight.free_keys()
    sight.page.keyboard.press("n")
    sight.page.keyboard.type("<img src=y onerror=alert(11)>")
    sight.page.keyboard.press("Enter")
    sight.toast("Now <img src=y onerror=alert(11)>")
    is_untouched(sight)


def test_lists(hostile, look):
    sight = look(hostile, None)
    for view in ("documents", "classes", "changes"):
        sight.open(view)
        expect(sight.page.get_by_text(SCRIPTS[0]).first).to_be_visible()
        is_untouched(sight)
        sight.page.locator(".document .plain, .class-row, .change .plain").first.click()
        sight.page.get_by_role("dialog").wait_for()
        sight.page.wait_for_load_state("networkidle")
        is_untouched(sight)


def test_id_with_marks(hostile, look):
    sight = look(hostile, "documents")
    sight.page.locator(".document", has_text="the last text").locator(".plain").click()
    expect(sight.page.get_by_role("dialog").locator("code")).to_have_text(ID)
    sight.button("Relabel…").click()
    sight.page.keyboard.type("onerror")
    sight.page.keyboard.press("Enter")
    sight.toast("Now <img")
    assert hostile.documents()["the last text"]["labels"] == SCRIPTS[0]
    is_untouched(sight)


def test_queue(hostile, look):
    hostile.ask("POST", "/queue", {"texts": SCRIPTS, "source": "<b>queue</b>"})
    sight = look(hostile, "queue")
    for _ in SCRIPTS:
        expect(sight.page.locator(".queue-text")).to_be_visible()
        text = sight.page.locator(".queue-text").inner_text()
        is_untouched(sight)
        sight.page.keyboard.press("1")
        expect(sight.page.locator(".queue-text", has_text=text)).to_have_count(0)
    is_untouched(sight)


def test_batch(hostile, look, tmp_path):
    file = tmp_path / "<img src=x onerror=alert(12)>.csv"
    rows = "".join(f'"{each.replace(chr(34), chr(34) * 2)}",x\n' for each in SCRIPTS)
    file.write_text(f'text,"<img src=z onerror=alert(13)>"\n{rows}')
    sight = look(hostile, "batch")
    sight.page.set_input_files("#batch-file", file)
    expect(sight.page.locator(".rows td").first).to_have_text(SCRIPTS[0])
    is_untouched(sight)
    sight.button("Classify the file").click()
    expect(sight.page.get_by_role("heading", name="7 texts classified")).to_be_visible()
    is_untouched(sight)


def test_first_run(empty, look):
    sight = look(empty)
    sight.page.fill("#examples", "\n".join(f"{each}\t{each}" for each in SCRIPTS))
    expect(sight.page.locator(".chip")).to_have_count(len(SCRIPTS))
    sight.button(f"Teach {len(SCRIPTS)} examples").click()
    sight.toast("Taught 7 texts")
    is_untouched(sight)


def test_address_is_no_way_in(shop, look):
    sight = look(shop, None)
    for view in SCRIPTS:
        sight.page.goto(f"{sight.address}/#/documents?class={view}&search={view}&id={view}")
        sight.page.wait_for_selector("main h1")
        is_untouched(sight)


def test_errors_are_text(shop, look):
    sight = look(shop, "documents")
    error = {"code": SCRIPTS[0], "what": SCRIPTS[1], "why": SCRIPTS[2], "todo": SCRIPTS[3]}
    sight.page.route("**/documents/*", lambda route: route.fulfill(status=422, json={"error": error}))
    sight.button("Forget this document").first.click()
    sight.toast(SCRIPTS[1])
    is_untouched(sight)


def test_policy_holds(shop, look):
    """The policy of the page forbids what an attacker would add."""
    sight = look(shop)
    blocked = sight.page.evaluate(
        """async () => {
          const found = [];
          document.addEventListener("securitypolicyviolation", event => found.push(event.effectiveDirective));
          for (const [tag, text] of [["script", "window.hit = 1"], ["style", "body { color: red }"]]) {
            const element = document.createElement(tag);
            element.textContent = text;
            document.body.append(element);
          }
          const image = new Image();
          image.src = "http://127.0.0.1:1/x.png";
          document.body.append(image);
          await fetch("http://127.0.0.1:1/").catch(() => {});
          await new Promise(done => setTimeout(done, 200));
          return [...new Set(found), String(window.hit)];
        }"""
    )
    assert {"script-src-elem", "style-src-elem", "img-src", "connect-src"} <= set(blocked)
    assert blocked[-1] == "undefined"
    sight.wrong.clear()
    sight.requests.clear()


def test_files_hold_nothing_inline():
    folder = files("textbayes.server") / "page"
    sources = {each.name: each.read_text(encoding="utf-8") for each in folder.iterdir() if each.is_file()}
    html = sources["index.html"]
    assert re.findall(r"<script(?![^>]*\bsrc=)", html) == []
    assert re.findall(r"<style|\sstyle=|\son\w+=", html) == []
    for name, text in sources.items():
        assert not re.search(
            r"(?<!\.w3)(https?:)?//(?!www\.w3\.org)[\w.]+\.\w{2,}/",
            re.sub(r"^\s*//.*$", "", text, flags=re.M),
        ), name
        if name.endswith(".js"):
            assert not re.search(
                r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc", text
            ), name
            assert len(text.splitlines()) < 300, name
            assert text.startswith("// "), name
