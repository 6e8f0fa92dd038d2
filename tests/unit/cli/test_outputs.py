"""Files that commands write as a whole."""

import os
import stat
import sys
from pathlib import Path

import pytest

from textbayes.cli.outputs import write_page
from textbayes.errors import FileWriteError

needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="permissions and links of POSIX")


def test_a_page_is_written(tmp_path):
    write_page(tmp_path / "why.html", "밀")
    assert (tmp_path / "why.html").read_text(encoding="utf-8") == "밀"
    assert os.listdir(tmp_path) == ["why.html"]


@needs_posix
def test_links_and_permissions_are_kept(tmp_path):
    page = tmp_path / "page"
    page.write_text("old", encoding="utf-8")
    page.chmod(0o600)
    (tmp_path / "link").symlink_to(page)
    write_page(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert page.read_text(encoding="utf-8") == "new"
    assert stat.S_IMODE(page.stat().st_mode) == 0o600


@needs_posix
def test_a_device_stays_a_device():
    write_page(Path("/dev/null"), "text")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_an_old_page_stays_after_an_error(tmp_path):
    (tmp_path / "why.html").write_text("old", encoding="utf-8")
    with pytest.raises(UnicodeEncodeError):
        write_page(tmp_path / "why.html", "half\ud83d")
    assert (tmp_path / "why.html").read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path) == ["why.html"]
    with pytest.raises(FileWriteError):
        write_page(tmp_path / "missing" / "why.html", "text")
