"""The commands that make and use models: real processes and pipes."""

import json
import random
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from processes import COLOUR, ESCAPE, PROGRAM
from sklearn.base import clone

import warm
from textbayes import AutoNB, MultinomialNB, TextClassifier, TunedClassifier
from textbayes.evaluation import calibration_error
from textbayes.persistence import read_model

MAIL = [
    ("cheap pills, cheap offer", "spam"),
    ("an offer: win money now, cheap", "spam"),
    ("win a cheap prize now", "spam"),
    ("meeting at noon with the team", "ham"),
    ("team lunch at noon 🙂", "ham"),
    ("the team meets at noon", "ham"),
    ("회의 자료를 보냅니다 noon", "업무"),
    ("회의 청구서 자료", "업무"),
    ("다음 회의 자료 검토", "업무"),
]


@pytest.fixture
def mail(tmp_path):
    path = tmp_path / "mail.jsonl"
    lines = [
        {"id": f"m{number}", "body": text, "category": label} for number, (text, label) in enumerate(MAIL)
    ]
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "메일.tb"
    TextClassifier("multinomial").fit(*zip(*MAIL, strict=True)).save(path)
    return path


def as_lines(documents):
    return "".join(json.dumps({"text": text, "label": label}) + "\n" for text, label in documents)


def test_train_with_defaults(run, mail, tmp_path):
    done = run("train", mail, "-o", tmp_path / "mail.tb")
    assert done.returncode == 0
    assert done.stderr == f"{mail}: text = 'body', label = 'category'\n"
    assert done.stdout.startswith("9 documents, 3 classes, ")
    sizes, found, quality = done.stdout.splitlines()[1:4]
    assert sizes == "Documents by class: ham 3, spam 3, 업무 3."
    classifier = TextClassifier.load(tmp_path / "mail.tb")
    tried, best = len(classifier.model_.leaderboard_), classifier.model_.best_score_
    assert found == f"Best of {tried} tried: {classifier.model_.recipe_.summary()}."
    assert quality.startswith(f"On held-out documents: macro F1 {best:.3f} (95 %: ")
    assert f"Model: {tmp_path / 'mail.tb'} (" in done.stdout
    assert classifier.predict(["회의", "cheap"]).tolist() == ["업무", "spam"]
    assert classifier.get_params(deep=False)["model"] == "auto"


def test_train_with_a_recipe_reports_leave_one_out(run, mail, tmp_path):
    done = run("train", mail, "-o", tmp_path / "mail.tb", "--model", "complement")
    assert "Leave-one-out: accuracy " in done.stdout
    assert "Best of" not in done.stdout


def test_every_command_accepts_a_searched_model(run, mail, tmp_path):
    path = tmp_path / "mail.tb"
    result = json.loads(run("train", mail, "-o", path, "--budget", "60", "--json").stdout)
    assert result["leave_one_out"] is None
    assert result["search"]["metric"] == "macro_f1"
    assert result["search"]["low"] <= result["search"]["score"] <= result["search"]["high"]
    before = path.read_bytes()
    assert run("evaluate", path, mail).returncode == 0
    assert json.loads(run("explain", path, "cheap offer 회의", "--json").stdout)["label"] == "spam"
    inspected = json.loads(run("inspect", path, "--json").stdout)
    assert inspected["metric"] == "macro_f1"
    assert len(inspected["leaderboard"]) == 5
    shown = run("inspect", path).stdout
    assert "recipe" in shown
    assert "macro F1" in shown
    taught = [("gold in the mine", "gold"), ("금 gold", "gold")]
    assert run("teach", path, "-", input=as_lines(taught)).returncode == 0
    done = run("predict", path, "-", input=as_lines([("gold", "?")]))
    assert json.loads(done.stdout)["label"] == "gold"
    assert run("forget", path, "-", input=as_lines(taught)).returncode == 0
    assert path.read_bytes() == before
    other = tmp_path / "other.tb"
    # Its own search would choose other kinds of terms, and models that count fewer terms do not merge.
    counter = clone(TextClassifier.load(path).counter_)
    TextClassifier(counter=counter).fit(*zip(*taught, strict=True)).save(other)
    assert run("merge", path, other, "-o", tmp_path / "both.tb").returncode == 0
    both = TextClassifier.load(tmp_path / "both.tb")
    assert both.classes_.tolist() == ["gold", "ham", "spam", "업무"]
    assert both.model_.recipe_ == TextClassifier.load(path).model_.recipe_


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--budget", "0"], "--budget 0.0"),
        (["--budget", "nan"], "--budget nan"),
        (["--budget", "5", "--model", "twcnb"], "cannot be combined with --model 'twcnb'"),
    ],
    ids=["zero", "nan", "no search"],
)
def test_an_invalid_budget(run, mail, tmp_path, options, message):
    done = run("train", mail, "-o", tmp_path / "mail.tb", *options)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (tmp_path / "mail.tb").exists()


def test_a_search_on_a_terminal_shows_progress(on_terminal, mail, tmp_path):
    code, shown = on_terminal("train", mail, "-o", tmp_path / "mail.tb")
    assert code == 0
    assert "Leaving one out" in ESCAPE.sub("", shown)
    # Showing progress does not change the parameters.
    assert TextClassifier.load(tmp_path / "mail.tb").model_.verbose == 0


def test_an_interrupted_search_leaves_no_file(environment, tmp_path):
    rng = random.Random(0)
    words = [f"w{number}" for number in range(3000)]
    documents = [(" ".join(rng.choices(words, k=60)), f"c{number % 40}") for number in range(1500)]
    (tmp_path / "long.jsonl").write_text(as_lines(documents), encoding="utf-8")
    command = [*PROGRAM, "train", str(tmp_path / "long.jsonl"), "-o", str(tmp_path / "long.tb")]
    with warm.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert "text = 'text'" in process.stderr.readline()
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stderr.read() == ""
    assert [path.name for path in tmp_path.iterdir()] == ["long.jsonl"]


def test_train_json(run, mail, tmp_path):
    done = run("train", mail, "-o", tmp_path / "mail.tb", "--model", "multinomial", "--json")
    result = json.loads(done.stdout)
    assert (result["documents"], result["classes"], result["multilabel"]) == (9, 3, False)
    assert result["model"] == str(tmp_path / "mail.tb")
    assert result["bytes"] == (tmp_path / "mail.tb").stat().st_size
    fitted = TextClassifier("multinomial").fit(*zip(*MAIL, strict=True))
    fitted.save(tmp_path / "same.tb")
    assert (tmp_path / "mail.tb").read_bytes() == (tmp_path / "same.tb").read_bytes()
    right = [_left_out(at) == label for at, (_, label) in enumerate(MAIL)]
    assert result["leave_one_out"]["accuracy"] == pytest.approx(sum(right) / 9)


def _left_out(at):
    """Classify a text with a model that forgot it but kept its vocabulary."""
    fitted = TextClassifier("multinomial").fit(*zip(*MAIL, strict=True))
    X = fitted.counter_.transform([text for text, _ in MAIL])
    fitted.model_.forget(X[at : at + 1], [MAIL[at][1]])
    return fitted.model_.predict(X[at : at + 1])[0]


def test_predict_from_a_pipe(run, model):
    lines = '{"text": "cheap prize"}\n{"text": "회의 자료"}\n{"text": "zzz"}\n'
    done = run("predict", model, "-", "--proba", "--top", 2, "--reject-below", "0.6", input=lines)
    assert done.returncode == 0
    assert done.stderr == "standard input: text = 'text'\n"
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["label"] for each in found] == ["spam", "업무", None]
    assert [each["id"] for each in found] == ["1", "2", "3"]
    classifier = TextClassifier.load(model)
    probabilities = classifier.predict_proba(["cheap prize", "회의 자료", "zzz"])
    assert [each["probability"] for each in found] == probabilities.max(axis=1).round(4).tolist()
    assert [len(each["top"]) for each in found] == [2, 2, 2]
    assert found[0]["top"][0] == {"label": "spam", "probability": round(probabilities[0].max(), 4)}


def test_predict_csv_from_csv(run, model):
    lines = "id,text,label\na,cheap,ignored\nb,회의,\n"
    done = run("predict", model, "-", "--csv", "--format", "csv", "--top", 1, input=lines)
    assert done.stdout == "id,label,label_1\na,spam,spam\nb,업무,업무\n"


def test_evaluate(run, model, mail, tmp_path):
    done = run("evaluate", model, mail)
    assert done.returncode == 0
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[0] == ["class", "precision", "recall", "F1", "documents", "decided"]
    assert ["spam", "1.000", "1.000", "1.000", "3", "3"] in lines
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text(as_lines([*MAIL, ("team at noon", "spam"), ("gold", "금")]), encoding="utf-8")
    done = run("evaluate", model, wrong, "--json", "--plots", tmp_path / "plots")
    result = json.loads(done.stdout)
    assert "The model does not know 금" in done.stderr
    assert result["documents"] == 11
    assert result["accuracy"] == pytest.approx(9 / 11)
    spam = next(each for each in result["classes"] if each["label"] == "spam")
    assert (spam["precision"], spam["recall"], spam["documents"]) == (1.0, 0.75, 4)
    assert {"truth": "spam", "decided": "ham", "documents": 1, "share": 0.25} in result["confused"]
    for name in ("classes", "confusion", "reliability"):
        assert (tmp_path / "plots" / f"{name}.png").read_bytes().startswith(b"\x89PNG")


def test_evaluate_probabilities_and_best_classes(run, model, tmp_path):
    path = tmp_path / "wrong.jsonl"
    documents = [*MAIL, ("team at noon", "spam"), ("gold", "금")]
    path.write_text(as_lines(documents), encoding="utf-8")
    result = json.loads(run("evaluate", model, path, "--json").stdout)
    texts, labels = zip(*documents, strict=True)
    classes, said = sorted({*labels}), TextClassifier.load(model).predict_proba(list(texts))
    # The model does not know the fourth class.
    said = np.insert(said, classes.index("금"), 0.0, axis=1)
    own = said[np.arange(len(texts)), [classes.index(label) for label in labels]]
    assert result["log_loss"] == pytest.approx(-np.log(np.maximum(own, np.finfo(float).eps)).mean())
    assert result["calibration_error"] == pytest.approx(calibration_error(labels, said, classes=classes))
    recall = {best["k"]: best["recall"] for best in result["best"]}
    assert recall.keys() == {1, 3, 4}  # five are more than there are classes
    assert recall[1] == pytest.approx(result["accuracy"])
    assert recall[3] == pytest.approx(10 / 11)
    assert result["best"][1]["precision"] == pytest.approx(10 / 33)
    shown = run("evaluate", model, path, "--top", "3").stdout
    assert "\nProbabilities: calibration error ." in shown
    assert ", log loss " in shown
    assert re.search(r"\nThe best 3 classes of a text: precision \.\d{3}, recall \.909\.\n", shown)


def test_plots_without_matplotlib_are_refused_before_any_work(environment, model, tmp_path):
    hidden = "import sys; sys.modules['matplotlib'] = None; from textbayes.cli.program import main; main()"
    args = ["evaluate", model, tmp_path / "missing.jsonl", "--plots", tmp_path / "plots"]
    command = [sys.executable, "-c", hidden, *map(str, args)]
    done = warm.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "pip install 'textbayes[plots]'" in done.stderr
    assert "missing.jsonl" not in done.stderr


def test_teach_and_forget_through_pipes(run, model, tmp_path):
    first = model.read_bytes()
    gold = as_lines([("gold mine", "금")])
    taught = json.loads(run("teach", model, "-", "--json", input=gold).stdout)
    assert taught["new_classes"] == ["금"]
    assert TextClassifier.load(model).predict(["gold mine"]).tolist() == ["금"]
    forgot = run("forget", model, "-", input=gold)
    assert forgot.returncode == 0
    assert "Forgot 1 document; the model has 3 classes." in forgot.stdout
    assert "Classes without documents now: 금" in forgot.stdout
    assert model.read_bytes() == first
    again = run("forget", model, "-", input=gold)
    assert again.returncode == 2
    assert "[forget-not-learned]" in again.stderr
    assert "standard input: the model has not learned document '1' ('gold mine')." in again.stderr
    assert model.read_bytes() == first


def test_settle(run, tmp_path):
    path, other = tmp_path / "any.tb", tmp_path / "other model.tb"
    model = AutoNB(candidates=["linear-svm"], updates="any", random_state=0)
    TextClassifier(model).fit(*zip(*MAIL, strict=True)).save(path)
    before, gold = path.read_bytes(), as_lines([("gold mine 금", "금")])
    assert f"Already settled, with {len(MAIL)} documents." in run("settle", path).stdout
    assert path.read_bytes() == before
    done = run("teach", path, "-", "-o", other, input=gold)
    assert "Not settled: the model approximates one trained on its documents." in done.stdout
    assert f"textbayes settle '{other}'" in done.stdout
    assert read_model(other).part("model").part("blend").value("settled", bool) is False
    assert json.loads(run("predict", other, "-", input=gold).stdout)["label"] == "금"
    shown = json.loads(run("inspect", other, "--json").stdout)
    assert (shown["settled"], shown["updates"]) == (False, "any")
    shown = run("inspect", other).stdout
    assert "Not settled" in shown
    assert "recipe with approximate updates" in shown
    settled = json.loads(run("settle", other, "--json").stdout)
    assert settled == {"model": str(other), "refitted": True, "documents": len(MAIL) + 1, "settled": True}
    assert read_model(other).part("model").part("blend").value("settled", bool) is True
    assert "Not settled" not in run("inspect", other).stdout
    at_once = tmp_path / "at once.tb"
    done = run("teach", path, "-", "-o", at_once, "--settle", "--json", input=gold)
    assert json.loads(done.stdout)["settled"] is True
    assert at_once.read_bytes() == other.read_bytes()
    done = run("forget", at_once, "-", "--no-settle", "--json", input=gold)
    assert json.loads(done.stdout)["settled"] is False
    assert run("settle", at_once).returncode == 0
    assert at_once.read_bytes() == before
    assert "Not settled" not in run("forget", other, "-", input=gold).stdout
    assert other.read_bytes() == before


def test_merge(run, tmp_path):
    halves = [tmp_path / "one.tb", tmp_path / "two.tb"]
    for path, half in zip(halves, (MAIL[::2], MAIL[1::2]), strict=True):
        TextClassifier("twcnb").fit(*zip(*half, strict=True)).save(path)
    done = run("merge", *halves, "-o", tmp_path / "both.tb", "--json")
    assert json.loads(done.stdout) == {"model": str(tmp_path / "both.tb"), "merged": 2, "classes": 3}
    whole = TextClassifier("twcnb").fit(*zip(*MAIL, strict=True))
    texts = [text for text, _ in MAIL]
    merged = TextClassifier.load(tmp_path / "both.tb")
    assert merged.predict_proba(texts) == pytest.approx(whole.predict_proba(texts), abs=1e-12)


def test_compare(run, mail):
    done = run("compare", mail, "--model", "multinomial", "--model", "twcnb", "--folds", 3, "--json")
    result = json.loads(done.stdout)
    assert {row["model"] for row in result["rows"]} == {"multinomial", "twcnb"}
    assert len(result["runs"]) == 6
    table = run("compare", mail, "--model", "complement", "--metric", "micro_f1", "--folds", 3)
    assert "micro F1" in table.stdout
    assert "3 classes. StratifiedFolds(folds=3, seed=0)" in table.stdout


def test_compare_says_which_documents_it_uses(run, tmp_path):
    path = tmp_path / "split.jsonl"
    lines = [
        {"text": text, "label": label, "split": "test" if number % 3 == 2 else "train"}
        for number, (text, label) in enumerate(MAIL * 2)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = run("compare", path, "--model", "complement", "--ngrams", "1-2")
    assert (
        "Learning the 12 documents of the split train, testing with the 6 of the split test." in done.stderr
    )
    assert "all splits" not in done.stderr
    assert "FixedSplit" in done.stdout
    done = run("compare", path, "--model", "complement", "--folds", "3")
    assert "Using the documents of all splits (6 test, 12 train), divided into 3 folds." in done.stderr


def test_a_pipe_gets_whole_names(run, tmp_path):
    label = "a_class_with_a_long_name_" * 8
    texts = [f"{'wheatandcorn' * 9} rose", "oil fell"] * 3
    TextClassifier("complement").fit(texts, [label, "oil"] * 3).save(tmp_path / "m.tb")
    for args in ((), ("--no-loo",), ("--between", label, "oil")):
        done = run("inspect", tmp_path / "m.tb", *args)
        assert done.returncode == 0, done.stderr
        assert any(label in line and ("wheatandcorn" * 9) in line for line in done.stdout.splitlines())
        assert not any(line.endswith(" ") for line in done.stdout.splitlines())
    # The evidence has no unit that a user knows, so its shares are shown.
    shown = [float(found) for found in re.findall(r" ([\d.]+)%", done.stdout)]
    assert sum(shown) == pytest.approx(100, abs=0.3)


def test_explain_and_inspect(run, model, tmp_path):
    page = tmp_path / "why.html"
    done = run("explain", model, "-", "--html", page, input="cheap <b> team")
    assert "cheap[+++]" in done.stdout
    assert "&lt;b&gt;" in page.read_text(encoding="utf-8")
    result = json.loads(run("explain", model, "cheap team", "--json").stdout)
    assert [token["term"] for token in result["tokens"]] == ["cheap", "team"]
    result = json.loads(run("inspect", model, "--terms", 1, "--json").stdout)
    assert {each["label"]: each["terms"][0][0] for each in result["classes"]}["spam"] == "cheap"
    result = json.loads(run("inspect", model, "--between", "spam", "업무", "--json").stdout)
    assert {term for term, _ in result["terms"][:3]} >= {"회의", "cheap"}


def test_several_labels(run, tmp_path):
    lines = "text,topics\nwheat and corn,grain;corn\nwheat,grain\ncrude oil,oil\nweather,\n"
    trained = run("train", "-", "-o", tmp_path / "m.tb", "--format", "csv", "--separator", ";", input=lines)
    assert trained.returncode == 0
    assert "several labels per text" in trained.stdout
    done = run("predict", tmp_path / "m.tb", "-", "--proba", input='{"text": "corn"}\n')
    result = json.loads(done.stdout)
    assert result["labels"] == ["corn", "grain"]
    assert all(0.5 < each <= 1 for each in result["probabilities"])
    done = run("evaluate", tmp_path / "m.tb", "-", "--format", "csv", "--separator", ";", input=lines)
    assert done.returncode == 0
    texts, labels = (
        ["wheat and corn", "wheat", "crude oil", "weather"],
        [["grain", "corn"], ["grain"], ["oil"], []],
    )
    accuracy = TextClassifier().fit(texts, labels).score(texts, labels)
    assert f"4 documents, accuracy {accuracy:.1%}." in done.stdout


@pytest.mark.parametrize("no_color", [None, "1"])
def test_output_fits_a_terminal(on_terminal, model, mail, no_color):
    changes = {} if no_color is None else {"NO_COLOR": no_color}
    for args in (("explain", model, "cheap meeting 회의"), ("evaluate", model, mail), ("inspect", model)):
        code, shown = on_terminal(*args, **changes)
        assert code == 0
        assert all(len(line) <= 80 for line in ESCAPE.sub("", shown).splitlines() if str(mail) not in line)
        if args[0] == "explain":
            assert bool(COLOUR.search(shown)) == (no_color is None)
            assert bool(re.search(r"cheap\[[+-]+\]", shown)) == (no_color is not None)


def test_a_pipe_is_answered_line_by_line_until_ctrl_c(environment, model):
    with subprocess.Popen(
        [*PROGRAM, "predict", str(model), "-"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        for text, label in (("cheap", "spam"), ("회의", "업무")):
            process.stdin.write(json.dumps({"text": text}) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["label"] == label  # otherwise this blocks
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, err) == ("", "standard input: text = 'text'\n")


STREAM = """
import json, sys
line = json.dumps({"text": "cheap offer meeting noon " * 40}) + "\\n"
for _ in range(int(sys.argv[1])):
    sys.stdout.write(line)
"""


def test_predict_takes_the_same_memory_for_any_input(environment, model):
    psutil = pytest.importorskip("psutil")
    peaks = []
    for lines in (2_000, 60_000):  # 2 MB and 60 MB of text
        source = subprocess.Popen([sys.executable, "-c", STREAM, str(lines)], stdout=subprocess.PIPE)
        with subprocess.Popen(
            [*PROGRAM, "predict", str(model), "-"],
            env=environment,
            stdin=source.stdout,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            source.stdout.close()
            watched, peak = psutil.Process(process.pid), 0
            for number, _ in enumerate(process.stdout, start=1):
                if number % 500 == 0:
                    peak = max(peak, watched.memory_info().rss)
        assert source.wait() == 0
        assert (process.returncode, number) == (0, lines)
        peaks.append(peak)
    assert peaks[1] < peaks[0] + 20_000_000


def test_head_ends_a_stream_quietly(environment, model):
    source = subprocess.Popen([sys.executable, "-c", STREAM, "5000"], stdout=subprocess.PIPE, stderr=-3)
    process = subprocess.Popen(
        [*PROGRAM, "predict", str(model), "-"],
        env=environment,
        stdin=source.stdout,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    source.stdout.close()
    assert b"spam" in process.stdout.readline()
    process.stdout.close()
    result = process.stderr.read()
    assert process.wait(60) == 1
    assert result == b"standard input: text = 'text'\n"
    process.stderr.close()
    source.wait(60)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("textbayes tr", ["train"]),
        ("textbayes train --mod", ["--model"]),
        ("textbayes train x.jsonl --model poisson-", ["poisson-chi2", "poisson-ig", "poisson-ratio"]),
    ],
)
def test_completion(environment, words, expected):
    completing = {"_TEXTBAYES_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": words}
    done = warm.run(PROGRAM, env={**environment, **completing}, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    found = {word for word in expected if f'"{word}"' in done.stdout}
    assert found == set(expected)
    assert "--json" not in done.stdout


@pytest.mark.parametrize(
    "chosen",
    [AutoNB(candidates=["complement", "multinomial"], random_state=0), TunedClassifier(MultinomialNB())],
    ids=lambda chosen: type(chosen).__name__,
)
def test_tuned_and_searched_models(run, chosen, tmp_path):
    path = tmp_path / "chosen.tb"
    TextClassifier(chosen).fit(*zip(*MAIL, strict=True)).save(path)
    done = run("explain", path, "a cheap offer 🙂", "--html", tmp_path / "why.html")
    assert done.returncode == 0, done.stderr
    assert "cheap[+" in done.stdout
    assert "<table>" in (tmp_path / "why.html").read_text(encoding="utf-8")
    found = json.loads(run("explain", path, "a cheap 회의", "--json").stdout, parse_constant=pytest.fail)
    for one in found["classes"]:
        total = one["bias"] + sum(token["contributions"][one["label"]] for token in found["tokens"])
        assert total == pytest.approx(one["score"], abs=1e-9)
    assert "strongest terms" in run("inspect", path).stdout
    before = path.read_bytes()
    lesson = as_lines([("zebra 얼룩말 zebra", "동물")] * 3)
    assert "4 classes" in run("teach", path, "-", input=lesson).stdout
    predicted = run("predict", path, "-", input=lesson).stdout.splitlines()
    assert [json.loads(line)["label"] for line in predicted] == ["동물"] * 3
    assert "3 classes" in run("forget", path, "-", input=lesson).stdout
    assert len(path.read_bytes()) == len(before)
