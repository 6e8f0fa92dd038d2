import bz2
import gc
import gzip
import io
import json
import lzma
import os
import sys
import tracemalloc

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from textbayes.datasets import read_documents
from textbayes.errors import (
    ColumnError,
    FileMissingError,
    ParameterConflictError,
    ParameterError,
    RecordError,
)

ROWS = [("안녕하세요", "인사"), ("مرحبا", "تحية"), ('bye, "all" 👋', "farewell")]
LINES = "".join(json.dumps({"text": text, "label": label}) + "\n" for text, label in ROWS).encode()
CSV = '\ufefftext,label\n안녕하세요,인사\nمرحبا,تحية\n"bye, ""all"" 👋",farewell\n'.encode()
TSV = 'text\tlabel\n안녕하세요\t인사\nمرحبا\tتحية\n"bye, ""all"" 👋"\tfarewell\n'.encode()
ARRAY = json.dumps([{"text": text, "label": label} for text, label in ROWS], indent=1).encode()
FASTTEXT = "".join(f"__label__{label} {text}\n" for text, label in ROWS).encode()
COMPRESS = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": lambda data: pa.compress(data, "zstd", asbytes=True),
}


def _packed(path, content):
    return COMPRESS.get(path.suffix, bytes)(content)


@pytest.mark.parametrize("compression", COMPRESS)
@pytest.mark.parametrize(
    ("ending", "content"),
    [
        (".jsonl", LINES),
        (".ndjson", LINES),
        (".json", LINES),
        (".json", ARRAY),
        (".csv", CSV),
        (".tsv", TSV),
        (".TAB", TSV),
        (".txt", FASTTEXT),
        (".txt", LINES),
        (".ft", FASTTEXT),
    ],
)
def test_every_text_format_plain_and_compressed(tmp_path, ending, content, compression):
    path = tmp_path / f"f{ending}{compression}"
    path.write_bytes(COMPRESS[compression](content))
    assert [(document.text, document.label) for document in read_documents(path)] == ROWS
    assert list(read_documents(str(path))) == list(read_documents(path))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (None, LINES),
        (None, b"\n \n" + LINES),
        (None, ARRAY),
        (None, json.dumps(json.loads(ARRAY)).encode()),
        (None, FASTTEXT),
        ("jsonl", LINES),
        ("json", ARRAY),
        ("csv", CSV),
        ("tsv", TSV),
        ("fasttext", FASTTEXT),
    ],
)
def test_standard_input(monkeypatch, name, content):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert [(document.text, document.label) for document in read_documents("-", format=name)] == ROWS
    assert not sys.stdin.closed


def test_standard_input_is_named_in_errors(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"text": }\n')))
    with pytest.raises(RecordError, match=r"standard input, line 1.*\n.*\n.*pass format="):
        next(read_documents("-"))


def test_standard_input_cannot_be_parquet():
    with pytest.raises(
        ParameterError, match=r"format='parquet'.*\n.*\n.*jsonl, json, csv, tsv, text, fasttext"
    ):
        read_documents("-", format="parquet")


@pytest.mark.parametrize(
    "line", ["free prize", "{text} 가", "[list] of", "{", "a {", "__labels__ x", "text,label", "[1, 2]"]
)
def test_standard_input_is_plain_text_otherwise(monkeypatch, line):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{line}\n둘\n".encode())))
    if line == "{":
        with pytest.raises(RecordError, match="this is not JSON"):
            list(read_documents("-"))
    else:
        assert [each.text for each in read_documents("-")] == [line, "둘"]


def test_a_line_arrives_before_standard_input_ends(monkeypatch):
    reading, writing = os.pipe()
    with open(reading, encoding="utf-8") as source:
        monkeypatch.setattr(sys, "stdin", source)
        os.write(writing, b"one\n")
        documents = read_documents("-")
        assert next(documents).text == "one"
        os.write(writing, b"two\n")
        os.close(writing)
        assert next(documents).text == "two"


def test_a_delimiter_or_no_header_means_csv(monkeypatch, tmp_path):
    data = "가|x\n나|y\n".encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    found = read_documents("-", header=False, delimiter="|", text="1", label="2")
    assert [(each.text, each.label) for each in found] == [("가", "x"), ("나", "y")]
    (tmp_path / "f.txt").write_bytes(b"text|label\n" + data)
    assert [each.label for each in read_documents(tmp_path / "f.txt", delimiter="|")] == ["x", "y"]
    (tmp_path / "f.jsonl").touch()
    for options in ({"header": False}, {"delimiter": "|"}):
        for name, path in ((None, tmp_path / "f.jsonl"), ("text", "-"), (None, tmp_path)):
            with pytest.raises(ParameterConflictError, match="and only csv and tsv have a header"):
                read_documents(path, format=name, **options)


def test_documents_arrive_before_standard_input_ends(monkeypatch):
    reading, writing = os.pipe()
    with open(reading, encoding="utf-8") as source:
        monkeypatch.setattr(sys, "stdin", source)
        os.write(writing, b'{"text": "one"}\n')
        documents = read_documents("-")
        assert next(documents).text == "one"
        os.write(writing, b'{"text": "two"}\n')
        os.close(writing)
        assert next(documents).text == "two"


def test_a_missing_path_raises_immediately(tmp_path):
    (tmp_path / "reviews.csv").touch()
    with pytest.raises(FileMissingError, match=r"review\.csv'. Did you mean 'reviews\.csv'") as caught:
        read_documents(tmp_path / "review.csv")
    assert isinstance(caught.value, FileNotFoundError)
    assert caught.value.filename == str(tmp_path / "review.csv")
    with pytest.raises(FileMissingError):
        read_documents(tmp_path / "no" / "such" / "folder")


@pytest.mark.parametrize("name", ["f.xls", "f", "f.gz", "f.parquet.gz"])
def test_an_unknown_suffix_lists_the_known_ones(tmp_path, name):
    (tmp_path / name).touch()
    with pytest.raises(ParameterError, match=r"\.jsonl, .*\.csv, .*\.parquet"):
        read_documents(tmp_path / name)


def test_a_format_overrides_the_name(tmp_path):
    path = tmp_path / "export.txt"
    path.write_bytes(TSV)
    assert len(list(read_documents(path, format="tsv"))) == 3


def test_formats_that_do_not_match_the_path(tmp_path):
    path = tmp_path / "f.csv"
    path.write_bytes(CSV)
    for place, name in [(path, "folder"), (tmp_path, "csv"), (path, "cvs")]:
        with pytest.raises(ParameterError, match=f"format='{name}' is not an option"):
            read_documents(place, format=name)


def test_options_are_checked_immediately(tmp_path):
    path = tmp_path / "f.csv"
    path.write_bytes(CSV)
    with pytest.raises(ParameterError, match=r"encoding='utf-9'.*Did you mean 'utf-8'"):
        read_documents(path, encoding="utf-9")
    with pytest.raises(ParameterError, match="separator="):
        read_documents(path, separator="")


@pytest.fixture(params=["jsonl", "jsonl.gz", "json", "txt.gz", "csv", "tsv.zst", "parquet"])
def big_file(request, tmp_path):
    """Return a file with about 30 MB of text in 7,000 documents."""
    path = tmp_path / f"big.{request.param}"
    body = "긴 문서 the quick brown fox 😀 " * 120
    if request.param == "parquet":
        with pq.ParquetWriter(path, pa.schema({"text": pa.string(), "label": pa.string()})) as writer:
            for start in range(0, 7_000, 3_500):
                texts = [f"{start + n} {body}" for n in range(3_500)]
                writer.write_table(pa.table({"text": texts, "label": ["x"] * 3_500}))
        return path
    tab = "\t" if "tsv" in request.param else ","
    head = b"" if "json" in request.param or "txt" in request.param else f"text{tab}label\n".encode()
    line = json.dumps({"text": body, "label": "x"}, ensure_ascii=False) if not head else f"{body}{tab}x"
    raw = head + f"{line}\n".encode() * 7_000
    if request.param == "json":  # all on one line
        raw = b"[" + f"{line},".encode() * 6_999 + f"{line}]".encode()
    path.write_bytes(_packed(path, raw))
    return path


def test_memory_does_not_grow_with_the_file(big_file):
    def read():
        before = pa.total_allocated_bytes()
        arrow = number = 0
        for number, _ in enumerate(read_documents(big_file), start=1):
            if number % 50 == 0:
                arrow = max(arrow, pa.total_allocated_bytes() - before)
        return number, arrow

    next(read_documents(big_file))  # late imports do not count
    gc.collect()
    tracemalloc.start()
    try:
        number, arrow = read()
        python = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert number == 7_000
    assert python < 6e6
    assert arrow < 12e6


def _open_files():
    return {os.readlink(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd") if
            os.path.exists(f"/proc/self/fd/{number}")}  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="counts open files in /proc")
@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz", "jsonl.bz2", "csv", "csv.xz", "csv.zst", "parquet"])
@pytest.mark.parametrize("fate", ["exhausted", "error", "closed", "forgotten", "never started"])
def test_files_are_closed(tmp_path, ending, fate):
    path = tmp_path / f"f.{ending}"
    broken = fate == "error"
    if ending == "parquet":
        pq.write_table(pa.table({"text": ["a", None if broken else "b"]}), path)
    elif "jsonl" in ending:
        path.write_bytes(
            _packed(path, b'{"text": "a"}\n{"text": null}' if broken else b'{"text": "a"}\n' * 2)
        )
    else:
        path.write_bytes(_packed(path, b"text\na\nb,c\n" if broken else b"text\na\nb\n"))
    documents = read_documents(path)
    if fate != "never started":
        assert next(documents).text == "a"
        assert str(path) in _open_files()
    if fate == "exhausted":
        assert len(list(documents)) == 1
    elif fate == "error":
        with pytest.raises(ValueError, match=r"null as its 'text'|has 2 fields"):
            list(documents)
    elif fate == "closed":
        documents.close()
    elif fate == "forgotten":
        del documents
    assert str(path) not in _open_files()


def test_the_shared_corpora_are_read(shared_data):
    for name, documents, classes, train, test in [
        ("r8-all-terms.jsonl.zst", 7_674, 8, 5_485, 2_189),
        ("r52-all-terms.jsonl.zst", 9_100, 52, 6_532, 2_568),
        ("webkb-stemmed.jsonl.zst", 4_199, 4, 2_803, 1_396),
    ]:
        found = list(read_documents(shared_data(name)))
        splits = [document.split for document in found]
        assert (len(found), splits.count("train"), splits.count("test")) == (documents, train, test)
        assert len({document.label for document in found}) == classes
        assert len({document.id for document in found}) == documents


@pytest.mark.parametrize("kind", ["csv", "jsonl", "json", "parquet"])
def test_other_columns_come_along(tmp_path, kind):
    rows = [{"body": "a", "n": 1, "topic": "x"}, {"body": "b", "n": 2, "topic": "y"}]
    path = tmp_path / f"mail.{kind}"
    if kind == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    elif kind == "csv":
        path.write_text("body,n,topic\na,1,x\nb,2,y\n")
    else:
        lines = [json.dumps(row) for row in rows]
        path.write_text("\n".join(lines) if kind == "jsonl" else f"[{','.join(lines)}]")
    found = list(read_documents(path, columns=["topic", "n"]))
    assert [document.others for document in found] == [
        ("x", "1" if kind == "csv" else 1),
        ("y", "2" if kind == "csv" else 2),
    ]
    assert [document.label for document in found] == ["x", "y"]
    assert [document.others for document in read_documents(path)] == [(), ()]
    with pytest.raises(ColumnError, match="Did you mean 'topic'"):
        list(read_documents(path, columns=["topc"]))


def test_an_object_may_lack_another_column(tmp_path):
    path = tmp_path / "mail.jsonl"
    path.write_text('{"text": "a", "n": 1}\n{"text": "b", "m": 2}\n')
    assert [document.others for document in read_documents(path, columns=["n"])] == [(1,), (None,)]


def test_plain_text_has_no_other_columns(tmp_path):
    (tmp_path / "mail.txt").write_text("a\n")
    with pytest.raises(ColumnError, match="no column 'n'"):
        list(read_documents(tmp_path / "mail.txt", columns=["n"]))
