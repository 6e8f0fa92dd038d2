import gzip
import io
import sys

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textbayes.datasets import streams
from textbayes.datasets.streams import decode_text, known_encoding, open_stream, read_lines
from textbayes.errors import EncodingError, FileReadError, ParameterError

TEXT = "한국어 문서\nنص عربي\r\nहिन्दी पाठ\remoji 😀👩‍👩‍👧\u2028still the same line\n"


def _lines(data, encoding="utf-8"):
    return list(read_lines(io.BytesIO(data), "file.txt", encoding))


@pytest.mark.parametrize(
    "compress", [bytes, gzip.compress, lambda data: pa.compress(data, "zstd", asbytes=True)]
)
def test_compression_is_detected_by_content(tmp_path, compress):
    path = tmp_path / "no-ending"
    path.write_bytes(compress(TEXT.encode()) + compress(b"second member"))
    with open_stream(str(path)) as stream:
        assert stream.read() == TEXT.encode() + b"second member"


@pytest.mark.parametrize("compress", [gzip.compress, lambda data: pa.compress(data, "zstd", asbytes=True)])
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


def test_decode_text_keeps_line_ends():
    assert decode_text(TEXT.encode("utf-8-sig"), "file", "utf-8") == TEXT


@pytest.mark.parametrize("name", ["utf8x", "hex", "rot13", ""])
def test_unknown_encodings(name):
    with pytest.raises(ParameterError, match="encoding="):
        known_encoding(name)


def test_known_encodings_get_their_canonical_name():
    assert known_encoding("UTF8") == "utf-8"
