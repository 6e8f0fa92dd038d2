"""Labelled documents in batches: their size, their labels, and what is printed once."""

import io
import json
import sys

import pytest

from textbayes.cli import batches
from textbayes.cli.batches import LabelledBatches, LaterListsError, batched_documents
from textbayes.cli.sources import Source
from textbayes.datasets import Document
from textbayes.errors import ColumnError, FieldError, NoDocumentsError, ParameterError


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(batches, "_CHARACTERS", 10)
    monkeypatch.setattr(batches, "_DOCUMENTS", 3)


@pytest.fixture
def write(tmp_path):
    def write(*records):
        path = tmp_path / "mail.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return Source(str(path))

    return write


def mail(*labels):
    return [{"text": f"text {number}", "label": label} for number, label in enumerate(labels)]


def test_batches_end_at_a_size_or_a_number_of_documents():
    texts = ["a" * 4, "b" * 4, "c" * 4, "d", "e", "f", "g" * 50, "h"]
    sizes = [len(batch) for batch in batched_documents(Document(text) for text in texts)]
    assert sizes == [3, 3, 1, 1]
    assert list(batched_documents([])) == []


def test_texts_and_labels(write, capsys):
    seen = []
    read = LabelledBatches(write(*mail("x", "y", "x", "z", 3)), watch=seen.append)
    expected = [(["text 0", "text 1"], ["x", "y"]), (["text 2", "text 3"], ["x", "z"]), (["text 4"], ["3"])]
    assert list(read) == list(read) == expected
    assert seen == [0, 5, 0, 5]
    assert capsys.readouterr().err.count("label = 'label'") == 1


def test_the_first_batch_decides_whether_labels_are_lists(write):
    read = LabelledBatches(write(*mail(["x", "y"], "x", [], "z")))
    assert [labels for _, labels in read] == [[["x", "y"], ["x"]], [[], ["z"]]]
    assert read.multilabel
    read = LabelledBatches(write(*mail("x", "y")), multilabel=True)
    assert [labels for _, labels in read] == [[["x"], ["y"]]]


def test_lists_that_come_later(write, monkeypatch):
    records = mail("x", "y", "x", ["x", "y"])
    with pytest.raises(LaterListsError):
        list(LabelledBatches(write(*records)))
    data = "".join(json.dumps(record) + "\n" for record in records).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    with pytest.raises(FieldError, match=r"'4' .*(?s:.)*train with --multilabel"):
        list(LabelledBatches(Source("-")))


def test_a_document_without_a_label(write):
    for labels in (("x", None), ("x", "y", None)):
        with pytest.raises(FieldError, match="has no label"):
            list(LabelledBatches(write(*mail(*labels))))


def test_no_label_column(write):
    with pytest.raises(ColumnError, match="clearly the label"):
        list(LabelledBatches(write({"text": "a", "kind": "x"})))
    with pytest.raises(FieldError, match="line 1"):  # the label comes late
        list(LabelledBatches(write({"text": "a"}, {"text": "b", "label": "x"})))


def test_splits(write, capsys):
    records = [
        {**record, "split": split} for record, split in zip(mail(*"xyz"), ["a", "b", "a"], strict=True)
    ]
    source = write(*records)
    assert sum(len(texts) for texts, _ in LabelledBatches(source)) == 3
    assert "Using the documents of all splits (2 a, 1 b); --only uses" in capsys.readouterr().err
    assert [texts for texts, _ in LabelledBatches(Source(source.path, "a"))] == [["text 0", "text 2"]]
    assert "--only" not in capsys.readouterr().err
    with pytest.raises(ParameterError, match="no document of the split 'c'"):
        list(LabelledBatches(Source(source.path, "c")))


def test_what_can_be_read_again(write, tmp_path):
    assert write(*mail("x")).can_be_read_again
    assert Source(str(tmp_path)).can_be_read_again
    assert Source(str(tmp_path / "missing")).can_be_read_again  # an error of its own
    assert not Source("-").can_be_read_again
    assert not Source("/dev/stdin").can_be_read_again or not sys.platform.startswith("linux")


def test_bad_records_are_left_out_and_printed_once(write, capsys):
    source = write(*mail("x", None, "y", "x", None, "z"))
    source = Source(source.path, on_error="report")
    read = LabelledBatches(source)
    found = [text for texts, _ in read for text in texts]
    assert found == ["text 0", "text 2", "text 3", "text 5"]
    assert [text for texts, _ in read for text in texts] == found
    printed = capsys.readouterr().err
    assert printed.count("line 2: the document '2' has no label\n") == 1
    assert printed.count("Left out 2 bad records.\n") == 1


def test_documents_may_have_no_label_among_lists(write):
    read = LabelledBatches(Source(write(*mail(["x", "y"], [], "z")).path, on_error="skip"))
    assert sum(len(texts) for texts, _ in read) == 3


def test_nothing_but_bad_records(write):
    with pytest.raises(NoDocumentsError, match="no documents besides bad ones"):
        list(LabelledBatches(Source(write(*mail("", None)).path, on_error="skip")))
