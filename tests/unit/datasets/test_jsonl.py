import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textbayes.datasets import Document, read_documents
from textbayes.errors import (
    ColumnError,
    EncodingError,
    FieldError,
    NoDocumentsError,
    RecordError,
)


@pytest.fixture
def write(tmp_path):
    def write(content):
        path = tmp_path / "f.jsonl"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_documents(write):
    path = write('\ufeff{"text": "가 나", "labels": ["x", "y"], "id": "d1", "split": "train"}\r\n\n'
                 '{"split": null, "id": 2, "labels": [], "text": "🙂"}')  # fmt: skip
    assert list(read_documents(path)) == [
        Document("가 나", ("x", "y"), "train", "d1"),
        Document("🙂", (), None, "2"),
    ]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1), st.booleans())
def test_any_text_round_trips(tmp_path_factory, texts, ascii_only):
    path = tmp_path_factory.mktemp("jsonl") / "f.jsonl"
    lines = (json.dumps({"text": text}, ensure_ascii=ascii_only) for text in texts)
    path.write_bytes("\n".join(lines).encode())
    assert [document.text for document in read_documents(path)] == texts


def test_a_lone_surrogate_becomes_a_replacement_character(write):
    path = write(r'{"text": "cut \ud83d here, whole \uD83D\uDE00", "label": "\udead"}')
    assert next(read_documents(path)) == Document("cut \ufffd here, whole 😀", ("\ufffd",), None, "1")


@pytest.mark.parametrize("broken", ['{"text": "a"', "{'text': 1}", "text", '{"text": "a"} {}', "[" * 100_000])
def test_broken_json(write, broken):
    documents = read_documents(write(f'{{"text": "fine"}}\n\n{broken}\n'))
    assert next(documents).text == "fine"
    with pytest.raises(RecordError, match=r"f\.jsonl, line 3: this is not JSON at column \d+ \("):
        next(documents)


def test_an_enormous_number_is_broken_json(write):
    with pytest.raises(RecordError, match="line 1"):
        list(read_documents(write('{"text": "a", "n": ' + "9" * 5000 + "}")))


@pytest.mark.parametrize("line", ["[1, 2]", "null", '"text"', '[{"text": "a"}]'])
def test_lines_that_are_not_objects(write, line):
    with pytest.raises(RecordError, match=r"f\.jsonl, line 1: .* is not a JSON object"):
        list(read_documents(write(line)))


def test_a_key_missing_later(write):
    with pytest.raises(FieldError, match=r"f\.jsonl, line 2 has no 'label'"):
        list(read_documents(write('{"text": "a", "label": "b"}\n{"text": "a"}')))


def test_labels_that_start_late(write):
    documents = read_documents(write('\n{"text": "a"}\n{"text": "b", "n": 1}\n{"text": "c", "topic": "x"}'))
    assert [next(documents).labels, next(documents).labels] == [(), ()]
    with pytest.raises(FieldError, match=r"f\.jsonl, line 2 has no 'topic'"):
        next(documents)


def test_a_key_missing_first(write):
    with pytest.raises(ColumnError, match=r"f\.jsonl has no column 'topic'. Did you mean 'topics'"):
        list(read_documents(write('{"text": "a", "topics": []}'), label="topic"))


def test_null_text(write):
    with pytest.raises(FieldError, match=r"f\.jsonl, line 1 has null"):
        list(read_documents(write('{"text": null}')))


def test_invalid_bytes(write):
    with pytest.raises(EncodingError, match=r"f\.jsonl, line 2: the byte 0xe9 at offset 25 is not utf-8"):
        list(read_documents(write(b'{"text": "a"}\n{"text": "d\xe9j\xe0 vu"}')))
    path = write(b'{"text": "d\xe9j\xe0 vu"}')
    assert next(read_documents(path, encoding="latin-1")).text == "déjà vu"


@pytest.mark.parametrize("content", ["", "\n \r\n", "\ufeff"])
def test_empty_files(write, content):
    with pytest.raises(NoDocumentsError, match=r"f\.jsonl holds no documents"):
        list(read_documents(write(content)))
