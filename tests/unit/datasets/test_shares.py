"""The shares of a file have its documents, each once, with the same places."""

import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from textbayes.datasets import read_documents, shares
from textbayes.datasets.shares import share_files
from textbayes.errors import EncodingError, FieldError, RecordError

RECORDS = [{"text": f"글 {'x' * (at % 5)} 🌾 {at}", "label": f"c{at % 3}"} for at in range(40)]


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(shares, "_LEAST", 50)
    monkeypatch.setattr(shares, "_CHUNK", 7)


def everything(documents):
    return [(document, document.place) for document in documents]


def read_shares(paths, most, **options):
    cut = share_files(paths, most, options.get("format"), options.get("encoding", "utf-8"))
    # As if each was read by another process.
    return cut, [pair for share in cut for pair in everything(read_documents(paths, part=[share], **options))]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n", "\n\r"])
@pytest.mark.parametrize("most", [2, 3, 7, 1000])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_json_lines(tmp_path, end, most, mark):
    path = str(tmp_path / "a.jsonl")
    lines = [json.dumps(record, ensure_ascii=False) for record in RECORDS]
    for last in ("", end):
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(mark + end.join(lines) + last)
        cut, found = read_shares([path], most)
        assert found == everything(read_documents([path]))
        assert len(cut) == 1 if end == "\r" else len(cut) > 1
        assert sum(share.size for share in cut) == (tmp_path / "a.jsonl").stat().st_size


@pytest.mark.parametrize("most", [2, 3, 1000])
def test_row_groups_of_parquet(tmp_path, most):
    path = str(tmp_path / "a.parquet")
    pq.write_table(pa.Table.from_pylist(RECORDS), path, row_group_size=3)
    cut, found = read_shares([path], most)
    assert found == everything(read_documents([path]))
    assert 2 <= len(cut) <= min(most, 14)


def test_files_that_are_not_cut(tmp_path):
    lines = "".join(json.dumps(record) + "\n" for record in RECORDS)
    rows = "text,label\n" + "".join(f'"{record["text"]}\n",{record["label"]}\n' for record in RECORDS)
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "b.jsonl").write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "c.csv").write_text(rows, encoding="utf-8")
    (tmp_path / "d.txt").write_text(lines)
    (tmp_path / "e.json").write_text(lines)
    (tmp_path / "f" / "class").mkdir(parents=True)
    (tmp_path / "f" / "class" / "1.txt").write_text("a text")
    paths = sorted(map(str, tmp_path.iterdir()))
    cut, found = read_shares(paths, 4)
    assert [(share.file, share.stop) for share in cut] == [(number, 0) for number in range(6)]
    assert found == everything(read_documents(paths))
    other = tmp_path / "g.jsonl"
    other.write_text(lines, encoding="utf-16")
    assert len(share_files([str(other)], 4, encoding="utf-16")) == 1


def test_columns_of_the_first_file(tmp_path):
    for number in range(2):
        records = [{"text": "not this", "body": record["text"], "y": record["label"]} for record in RECORDS]
        own = [{key: record[key] for key in ("body", "y")} for record in records] if number == 0 else records
        (tmp_path / f"{number}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in own))
    paths = [str(tmp_path / "0.jsonl"), str(tmp_path / "1.jsonl")]
    assert read_shares(paths, 3)[1] == everything(read_documents(paths))


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b"no JSON", RecordError),
        (b'{"text": "\xff", "label": "a"}', EncodingError),
        (b'{"text": 1}', FieldError),
    ],
)
def test_errors_name_the_line(tmp_path, line, error):
    lines = [json.dumps(record).encode() for record in RECORDS]
    lines.insert(31, line)
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(error) as whole:
        list(read_documents(path))
    with pytest.raises(error) as shared:
        read_shares([str(path)], 3)
    assert "line 32" in str(whole.value)
    assert str(shared.value) == str(whole.value)
    bad = []
    read_shares([str(path)], 3, on_error=lambda record: bad.append(str(record)))
    assert len(bad) == 1
    assert "line 32" in bad[0]
