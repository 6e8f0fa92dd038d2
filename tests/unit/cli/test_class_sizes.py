"""The classes that train names."""

import pytest

from textbayes.cli.class_sizes import class_sizes, hint_at_splits


def test_all_classes_if_there_are_few():
    assert class_sizes(["[b]", "b", "밀"], [2.0, 1200.0, 3.0]) == "Documents by class: b 1,200, 밀 3, [b] 2."


def test_some_classes_if_there_are_many():
    shown = class_sizes([f"{'x' * 100}{at}" for at in range(300)], range(1, 301))
    assert shown.count("…") == 10
    assert len(shown) < 600
    assert " 300, " in shown
    assert shown.endswith(" 1.")


@pytest.mark.parametrize(
    ("labels", "hinted"),
    [(["train", "test"], True), (["Train", "test", "unsup"], True), (["spam", "test"], False), ([], False)],
)
def test_hint_at_parts_of_a_corpus(tmp_path, capsys, labels, hinted):
    hint_at_splits([str(tmp_path)], labels)
    said = capsys.readouterr().err
    assert ("look like parts of a corpus" in said) == hinted
    assert not hinted or f"use {tmp_path / 'train'}" in said or f"use {tmp_path / 'Train'}" in said


def test_no_hint_for_labels_of_a_file(tmp_path, capsys):
    path = tmp_path / "mail.jsonl"
    path.touch()
    hint_at_splits([str(path)], ["train", "test"])
    assert not capsys.readouterr().err
