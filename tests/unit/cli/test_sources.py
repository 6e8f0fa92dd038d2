"""DATA in every format, and the messages about it."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from textbayes.cli.console import as_options
from textbayes.cli.sources import Source, labels_of, source_of
from textbayes.datasets import Document
from textbayes.errors import ColumnError, FieldError, LabelsError, ParameterError

ROWS = [("cheap pills", "spam", "train"), ("team 회의", "ham", "train"), ("متى الاجتماع", "ham", "test")]


@pytest.fixture(params=["jsonl", "csv", "parquet", "folder"])
def source(request, tmp_path):
    path = tmp_path / f"mail.{request.param}"
    if request.param == "jsonl":
        lines = [json.dumps({"body": text, "topic": label}) for text, label, _ in ROWS]
        path.write_text("\n".join(lines))
    elif request.param == "csv":
        path.write_text("body,topic\n" + "".join(f"{text},{label}\n" for text, label, _ in ROWS))
    elif request.param == "parquet":
        pq.write_table(pa.table({"body": [row[0] for row in ROWS], "topic": [row[1] for row in ROWS]}), path)
    else:
        for number, (text, label, _) in enumerate(ROWS):
            (path / label).mkdir(parents=True, exist_ok=True)
            (path / label / f"{number}.txt").write_text(text)
    return Source(str(path))


def test_every_format(source, capsys):
    corpus = source.corpus()
    found = {(document.text, document.label) for document in corpus}
    assert found == {(text, label) for text, label, _ in ROWS}
    printed = capsys.readouterr().err
    columns = f"{source.path}: text = 'body', label = 'topic'\n"
    assert printed == ("" if source.path.endswith("folder") else columns)
    assert labels_of(corpus.documents, source.name) == corpus.label
    texts = [document.text for document in source.documents(labelled=False)]
    assert sorted(texts) == sorted(text for text, _, _ in ROWS)


def test_only_one_split(tmp_path, capsys):
    path = tmp_path / "mail.jsonl"
    rows = [{"text": text, "label": label, "split": split} for text, label, split in ROWS]
    path.write_text("\n".join(map(json.dumps, rows)))
    assert source_of(str(path), "train").corpus().texts == ["cheap pills", "team 회의"]
    assert "--only" not in capsys.readouterr().err
    assert len(source_of(str(path)).corpus()) == 3
    assert "(1 test, 2 train); --only uses" in capsys.readouterr().err
    with pytest.raises(ParameterError, match="Did you mean 'train'"):
        source_of(str(path), "tain").corpus()


def test_no_labels(tmp_path):
    path = tmp_path / "mail.jsonl"
    path.write_text('{"text": "a", "kind": "x"}\n')
    with pytest.raises(ColumnError, match="clearly the label"):
        Source(str(path)).corpus()
    assert [document.text for document in Source(str(path)).documents(labelled=False)] == ["a"]
    assert source_of(str(path), label="kind").corpus().label == ["x"]


def test_labels_match_the_kind_of_model():
    one, two, none = Document("a", ("x",), id="1"), Document("b", ("x", "y"), id="2"), Document("c", id="3")
    assert labels_of([one], "f") == ["x"]
    assert labels_of([one], "f", multilabel=True) == [["x"]]
    assert labels_of([one, two, none], "f") == [["x"], ["x", "y"], []]
    assert labels_of([one, none], "f", multilabel=True) == [["x"], []]
    with pytest.raises(FieldError, match="the document '3' has no label"):
        labels_of([one, none], "f")
    with pytest.raises(LabelsError, match=r"a list of labels .*, and the model has learned one label"):
        labels_of([one, two], "f", multilabel=False)


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("Pass text= one of them.", "Pass --text one of them."),
        ("model='x' is not an option", "--model 'x' is not an option"),
        ("context='x' and text==1", "context='x' and text==1"),
        ('{"label": "a=b"}', '{"label": "a=b"}'),
    ],
)
def test_settings_are_named_as_options(message, shown):
    assert as_options(message) == shown


def test_several_files_and_their_name(tmp_path, capsys):
    for name in ("가.jsonl", "b.jsonl", "c.jsonl"):
        (tmp_path / name).write_text('{"text": "a", "label": "x"}\n')
    paths = [str(tmp_path / name) for name in ("가.jsonl", "b.jsonl", "c.jsonl")]
    source = source_of(paths)
    assert source.name == f"{paths[0]} and 2 others"
    assert source.corpus().name == "가.jsonl and 2 others"
    assert [document.id for document in source.documents()] == [f"{path}:1" for path in paths]
    assert capsys.readouterr().err.count("text = 'text'") == 6
    assert source_of(paths[:1]).path == paths[0]
    assert source.can_be_read_again
    assert not source_of([*paths, "-"]).can_be_read_again


@pytest.mark.parametrize(("multilabel", "left"), [(True, 3), (False, 2), (None, 2)])
def test_documents_without_labels_are_left_out(tmp_path, capsys, multilabel, left):
    path = tmp_path / "mail.jsonl"
    path.write_text('{"text": "a", "label": "x"}\n{"text": "b", "label": []}\n{"text": "c", "label": "y"}\n')
    assert len(source_of(str(path), on_error="skip").corpus(multilabel)) == left
    message = f"Left out 1 bad record; the first: {path}, line 2: the document '2' has no label.\n"
    assert (message in capsys.readouterr().err) == (left == 2)
    if left == 2:
        with pytest.raises(FieldError, match="line 2: the document '2' has no label"):
            source_of(str(path)).corpus(multilabel)


def test_several_labels_anywhere_mean_that_documents_may_have_none(tmp_path):
    path = tmp_path / "mail.jsonl"
    path.write_text('{"text": "a", "label": []}\n{"text": "b", "label": ["x", "y"]}\n')
    assert len(source_of(str(path), on_error="skip").corpus(None)) == 2


def test_an_unknown_action():
    with pytest.raises(ParameterError, match="on_error='ignore' is not an option"):
        source_of("mail.jsonl", on_error="ignore")
