import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textbayes.datasets import Document, read_documents, streams
from textbayes.errors import ColumnError, EncodingError, FieldError, NoDocumentsError, RecordError

ROWS = [
    {"text": '당첨 "]}, 😀\\', "label": ["스팸", "x"], "n": {"a": [1, "]"]}},
    {"text": "a\nb", "label": []},
]


@pytest.fixture
def write(tmp_path):
    def write(content, name="f.json"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize("indent", [None, 2, "\t"])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_arrays(write, indent, ascii_only):
    path = write("\ufeff \n" + json.dumps(ROWS, indent=indent, ensure_ascii=ascii_only) + "\n \n")
    assert list(read_documents(path)) == [
        Document('당첨 "]}, 😀\\', ("스팸", "x"), None, "1"),
        Document("a\nb", (), None, "2"),
    ]
    assert next(read_documents(path)).place.endswith("f.json, object 1")


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1),
    st.booleans(),
    st.sampled_from([None, 1]),
    st.integers(1, 9),
)
def test_any_text_round_trips(tmp_path_factory, texts, ascii_only, indent, chunk):
    path = tmp_path_factory.mktemp("json") / "f.json"
    # No other key is a name that is recognised, such as ID.
    rows = [{"text": text, f"key {text}": [text]} for text in texts]
    path.write_text(json.dumps(rows, ensure_ascii=ascii_only, indent=indent), encoding="utf-8", newline="")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "_CHUNK", chunk)
        assert [each.text for each in read_documents(path, text="text", labelled=False)] == texts


def test_json_lines_in_a_json_file(write):
    assert [each.text for each in read_documents(write('{"text": "a"}\n{"text": "b"}\n'))] == ["a", "b"]


def test_an_array_on_request(write):
    path = write(json.dumps(ROWS), "f.data")
    assert len(list(read_documents(path, format="json"))) == 2
    with pytest.raises(RecordError, match="this is not an array"):
        list(read_documents(write('{"text": "a"}'), format="json"))
    with pytest.raises(RecordError, match="this is not an array"):
        list(read_documents(write("text"), format="json"))


@pytest.mark.parametrize("content", ["[]", " [\n]\n"])
def test_empty_arrays(write, content):
    with pytest.raises(NoDocumentsError, match=r"f\.json holds no documents"):
        list(read_documents(write(content)))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[{"text": "a"}, {"text": }]', "object 2: this is not JSON at column 10"),
        ('[{"text": "a"},\n {"text":\n\n "b" "c"}]', "object 2: this is not JSON at its line 3, column 6"),
        ('[{"text": "a"}, 3]', "object 2: 3 is not a JSON object"),
        ('[{"text": "a"},]', "object 2: this is not JSON"),
        ('[{"text": "a"},, {"text": "b"}]', "object 2: this is not JSON"),
        ('[{"text": "a"}', "object 1: the array is never closed"),
        ('[{"text": "a"}, {"text": "b"', "object 2: the array is never closed"),
        ('[{"text": "a"}] []', "there is more after the end"),
        ('[{"text": "a"}]]', "there is more after the end"),
        ('[{"text": "a"}] more', "there is more after the end"),
        (
            '[{"text": "a}, {"text": "b"}]',
            "object 1: the array is never closed: a bracket or a quote is missing",
        ),
    ],
)
def test_broken_arrays(write, content, message):
    with pytest.raises(RecordError, match=message):
        list(read_documents(write(content)))


def test_the_objects_before_a_broken_one_come_first(write):
    documents = read_documents(write('[{"text": "a"}, {"text": "b"}, {"txt": "c"}]'))
    assert [next(documents).text, next(documents).text] == ["a", "b"]
    with pytest.raises(FieldError, match=r"f\.json, object 3 has no 'text'. Did you mean 'txt'"):
        next(documents)


def test_an_object_that_never_ends_does_not_fill_memory(write):
    text = '[{"text": "a"}, {"text": "b", ' + '{"text": "c"},' * 1000
    with pytest.raises(RecordError, match="object 2: this object has over 1,000 characters"):
        list(read_documents(write(text), max_record=1000))


def test_invalid_bytes(write):
    with pytest.raises(EncodingError, match=r"f\.json, line 3: the byte 0xe9 at offset 27"):
        list(read_documents(write(b'[{"text": "a"},\r\n{"text":\r"\xe9"}]')))


def test_columns(write):
    with pytest.raises(ColumnError, match="Did you mean 'text'"):
        list(read_documents(write(json.dumps(ROWS)), text="txt"))
