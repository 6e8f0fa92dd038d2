"""What --on-error does with records that cannot be used."""

import pytest

from textbayes.cli.bad_records import BadDocument, BadRecords
from textbayes.datasets import BadRecord, Document
from textbayes.errors import FieldError

ERROR = FieldError("메일.csv, line 3", "text", None, "a string")
BAD = BadRecord("메일.csv", "메일.csv, line 3", "3", ERROR)


def test_stop(capsys):
    with pytest.raises(FieldError):
        BadRecords("stop")(BAD)
    assert capsys.readouterr().err == ""


def test_skip(capsys):
    bad = BadRecords("skip", keep=True)
    assert bad(BAD) is None
    assert bad(BAD) is None
    assert capsys.readouterr().err == ""
    bad.finish()
    assert (bad.count, capsys.readouterr().err) == (
        2,
        "Left out 2 bad records; the first: 메일.csv, line 3: has null as its 'text'.\n",
    )


def test_report(capsys):
    bad = BadRecords("report", keep=True)
    assert bad(BAD) == BadDocument("", id="3", reason="has null as its 'text'")
    bad.finish()
    assert capsys.readouterr().err == "메일.csv, line 3: has null as its 'text'\nLeft out 1 bad record.\n"
    assert BadRecords("report")(BAD) is None


def test_quiet(capsys):
    for action in ("skip", "report"):
        bad = BadRecords(action, quiet=True)
        bad.add(Document("a", place="f, line 1"), ERROR)
        bad.finish()
        assert bad.count == 1
    assert capsys.readouterr().err == ""


def test_nothing_is_said_about_no_bad_records(capsys):
    BadRecords("skip").finish()
    assert capsys.readouterr().err == ""


def test_a_reason_is_one_line_without_control_characters(capsys):
    error = FieldError("a\nb.csv, line 1", "x\n\x1b[31my", None, "a string")
    BadRecords("report")(BadRecord("a\nb.csv", "a\nb.csv, line 1", "1", error))
    printed = capsys.readouterr().err
    assert printed.count("\n") == 1
    assert "\x1b" not in printed
