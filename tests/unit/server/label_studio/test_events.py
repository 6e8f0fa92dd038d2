"""Events of a webhook, as they were recorded and as they could be broken."""

import copy

import pytest
from recorded import messages

from textbayes.errors import RequestFieldError
from textbayes.server.label_studio import deleted_ids, deleted_sources, read_annotations


def created():
    return copy.deepcopy(messages("ANNOTATION_CREATED")[0])


def test_an_annotation_that_was_created():
    (found,) = read_annotations(created())
    assert (found.id, found.source, found.text) == ("ls-1-1", "label-studio/1/1", "wie schön")
    assert (found.labels, found.several) == (("Freude",), False)


def test_an_update_keeps_the_id_and_has_another_key():
    (before,) = read_annotations(created())
    (after,) = read_annotations(messages("ANNOTATION_UPDATED")[0])
    assert (after.id, after.labels) == (before.id, ("Ärger",))
    assert after.key != before.key


def test_a_message_that_comes_again_has_the_same_key():
    assert read_annotations(created())[0].key == read_annotations(created())[0].key
    assert len(read_annotations(created())[0].key) < 200


def test_a_skipped_task_has_no_label():
    cancelled = next(each for each in messages("ANNOTATION_CREATED") if each["annotation"]["was_cancelled"])
    assert read_annotations(cancelled)[0].labels == ()
    message = created()
    message["annotation"]["was_cancelled"] = True
    assert read_annotations(message)[0].labels == ()


def test_many_annotations_find_their_tasks():
    (message,) = messages("ANNOTATIONS_CREATED")
    found = read_annotations(message)
    assert {each.id: each.text for each in found} == {"ls-1-4": "wie schön", "ls-1-5": "so ein Mist 💥"}
    message = copy.deepcopy(message)
    message["task"].reverse()
    assert {each.id: each.text for each in read_annotations(message)} == {
        each.id: each.text for each in found
    }


def test_deletions_name_annotations_or_tasks_only():
    assert deleted_ids(messages("ANNOTATIONS_DELETED")[0]) == ["ls-1-1"]
    assert sorted(deleted_ids(messages("ANNOTATIONS_DELETED")[1])) == ["ls-1-2", "ls-1-3", "ls-1-4", "ls-1-5"]
    assert deleted_sources(messages("TASKS_DELETED")[0]) == {"label-studio/1/2"}
    single = {"project": {"id": 1}, "annotation": {"id": 7, "task": 3}}
    assert deleted_ids(single) == ["ls-1-7"]


def test_other_results_and_odd_values_are_passed_over():
    message = created()
    message["annotation"]["result"] = [
        None,
        {"from_name": "other", "value": {"choices": ["x"]}},
        {"from_name": "label", "value": None},
        {"from_name": "label", "value": {"choices": "x"}},
        {"from_name": "label", "value": {"choices": ["밀", 5, " ", "밀", "é"]}},
    ]
    assert read_annotations(message)[0].labels == ("밀", "é")
    message["annotation"]["result"] = None
    assert read_annotations(message)[0].labels == ()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("project", None),
        ("project", {"id": "1"}),
        ("project", {"id": 1}),
        ("annotation", 5),
        ("annotation", [5]),
        ("annotation", {"id": True, "task": 1}),
        ("annotation", {"id": -1, "task": 1}),
        ("annotation", {"id": 1}),
        ("task", "x"),
        ("task", {"id": 2**70}),
    ],
)
def test_broken_messages_are_refused(field, value):
    message = created()
    message[field] = value
    with pytest.raises(RequestFieldError):
        read_annotations(message)


@pytest.mark.parametrize("field", ["project", "annotation", "task"])
def test_missing_fields_are_refused(field):
    message = created()
    del message[field]
    with pytest.raises(RequestFieldError):
        read_annotations(message)


def test_a_task_that_is_not_in_the_message_has_no_text():
    message = created()
    message["task"]["id"] = 99
    assert read_annotations(message)[0].text is None
