import io
import os
import sys
import tarfile

import pyarrow as pa
import pytest

from textbayes.datasets.archives import read_files
from textbayes.errors import FileMissingError, FileReadError

FILES = {"top/b/2": b"two", "top/a/1": "하나".encode(), "top/a/3": b"\xff\x00"}


def _tar(path, mode, files, extra=()):
    with tarfile.open(path, mode) as tar:
        for member in extra:
            tar.addfile(member)
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return path


def _read(path):
    return {"/".join(parts): data for parts, data in read_files(path, lambda parts: True)}


@pytest.mark.parametrize("compression", ["", "gz", "bz2", "xz"])
def test_tars_of_every_compression(tmp_path, compression):
    assert _read(_tar(tmp_path / "any-name", f"w:{compression}", FILES)) == FILES


def test_a_tar_in_zstd(tmp_path):
    path = _tar(tmp_path / "f.tar", "w", FILES)
    path.write_bytes(pa.compress(path.read_bytes(), "zstd", asbytes=True))
    assert _read(path) == FILES


def test_a_folder_reads_like_its_tar(tmp_path):
    for name, data in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    assert _read(tmp_path) == FILES
    assert list(_read(tmp_path)) == sorted(FILES)


def test_only_kept_members_are_read(tmp_path):
    path = _tar(tmp_path / "f.tar", "w", FILES)
    assert [data for _, data in read_files(path, lambda parts: parts[-1] == "2")] == [b"two"]


def test_malicious_and_useless_members(tmp_path, monkeypatch):
    link, device, folder = (tarfile.TarInfo(name) for name in ("top/link", "top/device", "top/folder"))
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    device.type = tarfile.CHRTYPE
    folder.type = tarfile.DIRTYPE
    files = {"../../etc/cron.d/evil": b"a", "/absolute": b"b", "./top/./x": b"c"}
    clutter = {"top/._x": b"d", "__MACOSX/top/x": b"e", "top/.DS_Store": b"f"}
    (tmp_path / "in").mkdir()
    path = _tar(tmp_path / "in" / "f.tar", "w", files | clutter, [link, device, folder])
    monkeypatch.chdir(tmp_path)
    assert _read(path) == {"etc/cron.d/evil": b"a", "absolute": b"b", "top/x": b"c"}
    assert [found.name for found in tmp_path.iterdir()] == ["in"]
    assert [found.name for found in (tmp_path / "in").iterdir()] == ["f.tar"]


@pytest.mark.parametrize("compression", ["", "gz", "bz2", "xz"])
def test_damaged_tars(tmp_path, compression):
    path = _tar(tmp_path / "f.tar", f"w:{compression}", {"a": bytes(range(256)) * 400})
    path.write_bytes(path.read_bytes()[:-200] if compression else path.read_bytes()[:5000])
    with pytest.raises(FileReadError, match=r"f\.tar cannot be read"):
        _read(path)


def test_files_that_are_not_tars(tmp_path):
    (tmp_path / "f.tar").write_text("아니요")
    with pytest.raises(FileReadError, match=r"f\.tar cannot be read"):
        _read(tmp_path / "f.tar")


def test_a_missing_path(tmp_path):
    with pytest.raises(FileMissingError, match="There is nothing at"):
        read_files(tmp_path / "no", lambda parts: True)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows")
@pytest.mark.timeout(60)
def test_a_folder_leaves_out_what_a_tar_would(tmp_path):
    (tmp_path / "secret").write_bytes(b"secret")
    root = tmp_path / "corpus"
    (root / "x").mkdir(parents=True)
    (root / "x" / "1").write_bytes(b"a")
    (root / "x" / "2").symlink_to(tmp_path / "secret")
    (root / "x" / "3").symlink_to(root)
    os.mkfifo(root / "x" / "4")
    assert _read(root) == {"x/1": b"a"}
