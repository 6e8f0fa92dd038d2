"""Predictions for tasks, in the shape that Label Studio takes."""

import pytest
from recorded import body_of

from textbayes import TextClassifier
from textbayes.server.label_studio import LabelConfig, parse_config, predict_tasks
from textbayes.server.live import Served

CONFIG = parse_config(body_of("predict")["label_config"])
TASKS = body_of("predict")["tasks"]


def served(labels=("Freude", "Ärger"), **options):
    texts = ["wie schön, so eine Freude", "so ein Mist 💥 Ärger"]
    return Served("stimmung", TextClassifier("multinomial").fit(texts, list(labels)), version=7)


def test_recorded_tasks_have_a_choice_each():
    found = predict_tasks(served(), CONFIG, TASKS)
    choices = [each["result"][0]["value"]["choices"] for each in found]
    assert choices == [["Freude"], ["Ärger"]]
    first = found[0]
    assert {name: first["result"][0][name] for name in ("from_name", "to_name", "type")} == {
        "from_name": "label",
        "to_name": "text",
        "type": "choices",
    }
    assert 0.5 < first["score"] <= 1
    assert first["model_version"] == "stimmung:7"


def test_an_empty_model_answers_each_task_without_a_result():
    empty = predict_tasks(Served("stimmung", None), CONFIG, TASKS)
    assert empty == [{"result": [], "score": 0.0, "model_version": "stimmung:0"}] * 2


def test_a_task_without_a_text_keeps_its_place():
    found = predict_tasks(served(), CONFIG, [{"data": {}}, TASKS[1], None])
    assert [bool(each["result"]) for each in found] == [False, True, False]
    assert found[1]["result"][0]["value"]["choices"] == ["Ärger"]
    assert predict_tasks(served(), CONFIG, []) == []


def test_a_label_that_the_project_lacks_gives_way_to_the_best_that_it_has():
    texts = ["wie schön", "so ein Mist", "tagung"]
    model = Served("m", TextClassifier("multinomial").fit(texts, ["neu", "Ärger", "Freude"]))
    (found,) = predict_tasks(model, CONFIG, [{"data": {"text": "wie schön"}}])
    assert found["result"][0]["value"]["choices"][0] in CONFIG.choices
    (found,) = predict_tasks(served(("a", "b")), CONFIG, [TASKS[0]])
    assert found["result"] == []


def test_numbers_and_flags_are_written_as_text():
    config = LabelConfig("label", "text", "text", ("1", "2", "true", "false"), False)
    numbers = predict_tasks(served((1, 2)), config, TASKS)
    assert [each["result"][0]["value"]["choices"] for each in numbers] == [["1"], ["2"]]
    flags = predict_tasks(served((True, False)), config, TASKS)
    assert [each["result"][0]["value"]["choices"] for each in flags] == [["true"], ["false"]]


@pytest.mark.parametrize(("several", "most"), [(True, 2), (False, 1)])
def test_several_labels(several, most):
    texts = ["öl und gas", "öl", "gas", "tee"]
    model = TextClassifier("multinomial").fit(texts * 5, [["öl", "gas"], ["öl"], ["gas"], ["tee"]] * 5)
    config = LabelConfig("label", "text", "text", (), several)
    found = predict_tasks(Served("m", model), config, [{"data": {"text": text}} for text in texts])
    sizes = [len(each["result"][0]["value"]["choices"]) if each["result"] else 0 for each in found]
    assert max(sizes) == most
    assert all(0 <= each["score"] <= 1 for each in found)
