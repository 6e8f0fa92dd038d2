import bz2
import gzip
import io
import lzma
import sys

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textbayes.datasets import streams
from textbayes.datasets.streams import (
    DamagedLine,
    TextStream,
    known_encoding,
    open_stream,
    read_lines,
    read_text,
)
from textbayes.errors import EncodingError, FileReadError, ParameterError

TEXT = "한국어 문서\nنص عربي\r\nहिन्दी पाठ\remoji 😀👩‍👩‍👧\u2028still the same line\n"


def _lines(data, encoding="utf-8"):
    return list(read_lines(io.BytesIO(data), "file.txt", encoding))


COMPRESS = [gzip.compress, bz2.compress, lzma.compress, lambda data: pa.compress(data, "zstd", asbytes=True)]


@pytest.mark.parametrize("compress", [bytes, *COMPRESS])
def test_compression_is_detected_by_content(tmp_path, compress):
    path = tmp_path / "no-ending"
    path.write_bytes(compress(TEXT.encode()) + compress(b"second member"))
    with open_stream(str(path)) as stream:
        assert stream.read() == TEXT.encode() + b"second member"


def test_a_text_that_starts_like_a_compressed_one(tmp_path):
    path = tmp_path / "f.txt"
    for text in (b"BZh9 is how bzip2 starts", b"BZh91AY", b"\xfd7z", b"BZ"):
        path.write_bytes(text)
        with open_stream(str(path)) as stream:
            assert stream.read() == text


@pytest.mark.parametrize("compress", [bz2.compress, lzma.compress])
def test_damaged_bytes(tmp_path, compress):
    path = tmp_path / "bent.xz"
    data = bytearray(compress(TEXT.encode() * 50))
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(FileReadError, match=r"bent\.xz cannot be read"), open_stream(str(path)) as stream:
        stream.read()


@pytest.mark.parametrize("compress", COMPRESS)
def test_a_truncated_file_is_damaged(tmp_path, compress):
    path = tmp_path / "cut.gz"
    path.write_bytes(compress(TEXT.encode() * 50)[:-9])
    with pytest.raises(FileReadError, match=r"cut\.gz") as caught, open_stream(str(path)) as stream:
        stream.read()
    assert caught.value.filename == str(path)


def test_standard_input_may_be_compressed_and_stays_open(monkeypatch):
    data = io.BytesIO(gzip.compress(TEXT.encode()))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data))
    with open_stream("-") as stream:
        assert stream.read() == TEXT.encode()
    assert not sys.stdin.closed
    assert not data.closed


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
def test_only_line_feeds_and_carriage_returns_end_lines(encoding):
    assert _lines(TEXT.encode(encoding), encoding) == [
        "한국어 문서\n",
        "نص عربي\r\n",
        "हिन्दी पाठ\r",
        "emoji 😀👩‍👩‍👧\u2028still the same line\n",
    ]


@given(st.text(st.sampled_from("ab\r\n한😀\u2028")), st.integers(1, 7))
def test_chunk_sizes_do_not_matter(text, chunk):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "_CHUNK", chunk)
        assert _lines(text.encode()) == list(io.StringIO(text, newline=""))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_a_byte_order_mark_is_dropped_once(encoding):
    assert _lines("\ufeff\ufeffa\ufeff".encode(encoding), encoding) == ["\ufeffa\ufeff"]


@given(st.lists(st.text(st.sampled_from("a한😀 ")), max_size=5), st.integers(1, 9))
def test_an_invalid_byte_is_located(before, chunk):
    good = "".join(f"{line}\n" for line in before).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "_CHUNK", chunk)
        lines = read_lines(io.BytesIO(good + b"caf\xe9 au lait\n"), "file.txt", "utf-8")
        assert [next(lines) for _ in before] == [f"{line}\n" for line in before]
        with pytest.raises(EncodingError) as caught:
            next(lines)
    assert f"line {len(before) + 1}: the byte 0xe9 at offset {len(good) + 3} is not utf-8" in str(
        caught.value
    )
    assert "encoding=" in caught.value.todo


def test_a_truncated_character_is_located():
    with pytest.raises(EncodingError, match=r"line 2: the byte 0xed at offset 2 "):
        _lines(b"a\n" + "한".encode()[:2])


def test_offsets_include_the_byte_order_mark():
    with pytest.raises(EncodingError, match=r"offset 4 "):
        _lines(b"\xef\xbb\xbfa\xff")


def test_utf_16_read_as_utf_8_is_recognised():
    with pytest.raises(EncodingError, match="perhaps 'utf-16'"):
        _lines("text".encode("utf-16"))


def test_a_whole_file_keeps_its_line_ends(tmp_path):
    (tmp_path / "file").write_bytes(TEXT.encode("utf-8-sig"))
    assert read_text(str(tmp_path / "file"), "utf-8") == TEXT


@pytest.mark.parametrize("name", ["utf8x", "hex", "rot13", ""])
def test_unknown_encodings(name):
    with pytest.raises(ParameterError, match="encoding="):
        known_encoding(name)


def test_known_encodings_get_their_canonical_name():
    assert known_encoding("UTF8") == "utf-8"


@pytest.mark.parametrize(
    ("encoding", "bad"),
    [
        ("utf-8", b"\xff"),
        ("utf-16", b"\x3d\xd8"),
        ("shift_jis", b"\xff"),
        ("gb18030", b"\xff"),
        ("euc_kr", b"\xff"),
    ],
)
@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 1000])
def test_reading_goes_on_after_damaged_bytes(monkeypatch, encoding, bad, chunk):
    monkeypatch.setattr(streams, "_CHUNK", chunk)
    text = "日本\n日"
    data = text.encode(encoding)
    rest = "\n一二\r\n日".encode(encoding).removeprefix("".encode(encoding))
    stream = TextStream(io.BytesIO(data + bad + rest), "f", encoding, resumes=True)
    lines = list(stream.lines())
    assert lines == ["日本\n", "日\ufffd\n", "一二\r\n", "日"]
    assert [isinstance(line, DamagedLine) for line in lines] == [False, True, False, False]
    assert f"f, line 2: the byte 0x{bad[0]:02x} at offset {len(data)} " in str(lines[1].error)
    pieces = TextStream(io.BytesIO(data + bad + rest), "f", encoding, resumes=True).pieces()
    assert "".join(pieces) == "".join(lines)


def test_the_start_does_not_wait_for_more_than_a_line():
    class Pipe(io.BytesIO):
        def read1(self, size=-1):
            assert self.tell() < 9, "the first line is known"
            return super().read1(4)

    stream = TextStream(Pipe("\n \n가 b\nnext\n".encode()), "f", "utf-8")
    assert stream.start() == stream.start() == "가 b"


def test_lines_follow_the_start():
    for text in ("\n \r\n가 b\nnext\n", "", "x", "\ufeff{\r\n}"):
        stream = TextStream(io.BytesIO(text.encode()), "f", "utf-8")
        assert stream.start() == text.removeprefix("\ufeff").strip().partition("\n")[0].strip()
        assert "".join(stream.lines()) == text.removeprefix("\ufeff")


def test_the_mark_of_utf_16_is_an_error_in_any_case():
    for encoding in ("utf-16-le", "utf-16-be"):
        stream = TextStream(io.BytesIO("\ufeffabc\nabc\n".encode(encoding)), "f", "utf-8", resumes=True)
        with pytest.raises(EncodingError, match="perhaps 'utf-16'"):
            list(stream.lines())
