"""No control character and no bidi override of a label, term, text or file name reaches a terminal."""

import csv
import json
import re
import unicodedata

import pytest
from processes import ESCAPE

from textbayes import TextClassifier, TextCounter

# A title, a reset, blinking, a C1 code, a fake line, backspaces, DEL; overrides, isolates, marks; separators.
HOSTILE = "\x1b]0;owned\x07\x1bc\x1b[5;47m\x9b2J\rfake\b\b\x7f\u202egpj\u2066\u200f\u061c\u2028\u2029\ufeff"
# What no screen may change: joiners of Persian, Hindi and emoji, wide letters, right-to-left letters.
SCRIPTS = ("می‌خواهم", "עברית", "क्‍ष", "한국어", "👩‍💻", "Ünï")
SPAM = f"[red]spam{HOSTILE}[/red][link=https://example.com]:bomb:"
HAM = f"{' '.join(SCRIPTS)} $x^"
NAME = "m\x1b]0;owned\x07\x1b[5;47m\u202egpj"
OTHER_SYMBOLS = {"\n", "\t", "\u200c", "\u200d"}


def assert_harmless(shown):
    """Check that a screen has no codes but those of rich: colours and the moves of a progress bar."""
    assert "\x1b[5;47m" not in shown
    rest = ESCAPE.sub("", shown).replace("\r", "")
    found = {
        character
        for character in rest
        if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        and character not in OTHER_SYMBOLS
    }
    assert not found, ascii(found)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    counter = TextCounter(tokens=r"\S+")
    texts = [f"win{HOSTILE} cheap", "cheap pills", f"team {SCRIPTS[0]}", f"lunch {HAM}"] * 3
    labels = [SPAM, SPAM, HAM, HAM] * 3
    TextClassifier("multinomial", counter).fit(texts, labels).save(tmp_path / f"{NAME}.tb")
    rows = [
        {"id": f"7{HOSTILE}", "text": text, "label": label} for text, label in zip(texts, labels, strict=True)
    ]
    rows += [{"text": f"win{HOSTILE}", "label": f"new{HOSTILE}"}, {"text": "lunch", "label": SPAM}]
    rows = [{"note": f"=1{HOSTILE}", "new_label": HAM, **row} for row in rows]
    for name, chosen in (("all", rows), ("new", rows[-2:]), ("old", rows[:1])):
        lines = "".join(json.dumps(row) + "\n" for row in chosen)
        (tmp_path / f"{NAME} {name}.jsonl").write_text(lines, encoding="utf-8")
    (tmp_path / f"{NAME} bad.jsonl").write_text('{"text": "a"}\n{broken', encoding="utf-8")
    return tmp_path


MODEL, ALL, NEW, OLD, BAD = f"{NAME}.tb", *(f"{NAME} {name}.jsonl" for name in ("all", "new", "old", "bad"))
# What to run, the exit status, and what the screen has to show.
COMMANDS = [
    (["explain", MODEL, f"win{HOSTILE} cheap {HAM}"], 0, [r"[red]spam\x1b]0;owned\x07", *SCRIPTS]),
    (["explain", MODEL, ALL], 0, [r"Document 7\x1b]0;owned\x07", *SCRIPTS]),
    (["explain", MODEL, ALL, "--json"], 0, []),
    (["explain", MODEL, "cheap", "--html", f"{NAME}.html"], 0, [r"Page: m\x1b]0;owned"]),
    (["inspect", MODEL], 0, [r"[red]spam\x1b]0", r"win\x1b]0;owned\x07", *SCRIPTS]),
    (["inspect", MODEL, "--no-loo"], 0, [r"\u202egpj\u2066", *SCRIPTS]),
    (["inspect", MODEL, "--class", SPAM], 0, [r"[red]spam\x1b]0", r"win\x1b]0;owned\x07"]),
    (["inspect", MODEL, "--between", SPAM, HAM], 0, [r"win\x1b]0;owned\x07", SCRIPTS[0]]),
    (["inspect", MODEL, "--json"], 0, []),
    (["inspect", MODEL, "--class", f"no{HOSTILE}"], 2, [r"\x1b]0;owned"]),
    (["evaluate", MODEL, ALL], 0, [r"[red]spam\x1b]0", "Confused most often", *SCRIPTS]),
    (["evaluate", MODEL, ALL, "--json"], 0, []),
    (["evaluate", MODEL, ALL, "--plots", f"{NAME} plots"], 0, [r"Figure: m\x1b]0;owned"]),
    (["compare", ALL, "--model", "multinomial", "--folds", "2"], 0, [r"m\x1b]0;owned\x07"]),
    (["compare", ALL, "--model", "multinomial", "--folds", "2", "--json"], 0, []),
    (["teach", MODEL, NEW, "-o", f"{NAME} 2.tb"], 0, [r"New classes: new\x1b]0", r"Model: m\x1b]0;owned"]),
    (["forget", MODEL, OLD, "-o", f"{NAME} 2.tb"], 0, [r"Model: m\x1b]0;owned"]),
    (["forget", MODEL, NEW, "-o", f"{NAME} 2.tb"], 2, [r"\x1b]0;owned"]),
    (["relabel", MODEL, OLD, "-o", f"{NAME} 2.tb"], 0, [r"Model: m\x1b]0;owned"]),
    (["verify", MODEL], 0, [r"m\x1b]0;owned\x07\x1b[5;47m\u202egpj.tb: sound"]),
    (["settle", MODEL], 0, [r"Model: m\x1b]0;owned"]),
    (["merge", MODEL, MODEL, "-o", f"{NAME} 2.tb"], 0, [r"Model: m\x1b]0;owned"]),
    (["compact", MODEL, "-o", f"{NAME} 2.tb"], 0, [r"Model: m\x1b]0;owned"]),
    (["train", ALL, "--model", "complement", "-o", f"{NAME} 2.tb"], 0, [r"spam\x1b]0", r"Model: m\x1b]0"]),
    (["train", ALL, "-o", f"{NAME} 2.tb"], 0, [r"Model: m\x1b]0;owned"]),
    (["predict", MODEL, ALL], 0, ["\\u202egpj", *SCRIPTS]),
    (["predict", MODEL, ALL, "--top", "2", "--proba", "--with-text"], 0, ["\\u202egpj", *SCRIPTS]),
    (["predict", MODEL, ALL, "--csv", "--with-text", "--columns", "note"], 0, [r"'=1\x1b]0;owned", *SCRIPTS]),
    (["predict", MODEL, ALL, "-o", f"{NAME}.csv"], 0, [r"Predictions: m\x1b]0;owned"]),
    (["predict", MODEL, BAD, "--on-error", "report"], 0, [r"m\x1b]0;owned"]),
    (["predict", MODEL, BAD], 2, [r"m\x1b]0;owned"]),
    (["predict", MODEL, f"missing{HOSTILE}"], 2, [r"missing\x1b]0;owned"]),
    (["predict", f"missing{HOSTILE}", ALL], 2, [r"missing\x1b]0;owned"]),
    (["predict", MODEL, ALL, f"--no{HOSTILE}"], 2, [r"\x1b]0;owned"]),
    ([f"no{HOSTILE}"], 2, []),
    (["train", ALL, "--model", f"no{HOSTILE}", "-o", "x.tb"], 2, [r"no\x1b]0;owned"]),
    (["train", ALL, "--config", f"no{HOSTILE}.toml", "-o", "x.tb"], 2, [r"no\x1b]0;owned"]),
    (["data", "fetch", f"no{HOSTILE}"], 2, [r"no\x1b]0;owned"]),
    (["data", "list", "--home", f"no{HOSTILE}"], 0, [r"no\x1b]0;owned"]),
    (["serve", f"missing{HOSTILE}", "--port", "0"], 2, [r"missing\x1b]0;owned"]),
]


@pytest.mark.parametrize(
    ("args", "status", "needed"), COMMANDS, ids=[ascii(" ".join(args))[:60] for args, _, _ in COMMANDS]
)
def test_a_terminal_gets_no_control_characters(on_terminal, folder, args, status, needed):
    code, shown = on_terminal(*args)
    assert code == status, ascii(shown)
    assert_harmless(shown)
    # Lines are wrapped at 80 columns.
    flat = re.sub(r"\s+", "", ESCAPE.sub("", shown))
    for part in needed:
        assert re.sub(r"\s+", "", part) in flat, f"{part!a} not in {shown!a}"


@pytest.mark.parametrize(
    "args",
    [COMMANDS[number][0] for number in (0, 2, 4, 8, 10, 15)],
    ids=lambda args: ascii(" ".join(args))[:60],
)
def test_a_pipe_gets_no_control_characters(run, folder, args):
    done = run(*args)
    assert done.returncode == 0, done.stderr
    assert_harmless(done.stdout)
    assert_harmless(done.stderr)
    assert "\x1b" not in done.stdout + done.stderr


def test_data_is_exact_in_files_and_pipes(run, folder):
    lines = [json.loads(line) for line in run("predict", MODEL, ALL, "--with-text").stdout.splitlines()]
    assert lines[0]["text"] == f"win{HOSTILE} cheap"
    assert lines[0]["label"] == SPAM
    assert lines[0]["id"] == f"7{HOSTILE}"
    run("predict", MODEL, ALL, "--with-text", "-o", "out.jsonl", "--on-error", "report")
    text = (folder / "out.jsonl").read_text(encoding="utf-8")
    assert [json.loads(line) for line in text.split("\n")[:-1]] == lines
    assert SCRIPTS[0] in text  # readable, not as escapes
    run("predict", MODEL, ALL, "--with-text", "-o", "out.csv")
    with open("out.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["id"], row["text"], row["label"]) for row in rows] == [
        (line["id"], line["text"], line["label"]) for line in lines
    ]


def test_markup_and_emoji_names_of_labels_are_no_markup(on_terminal, folder):
    _, shown = on_terminal("evaluate", MODEL, ALL)
    flat = re.sub(r"\s+", "", ESCAPE.sub("", shown))
    assert "[/red][link=https://example.com]:bomb:" in flat
