"""Limits that are no limits are refused."""

from dataclasses import fields
from pathlib import Path

import pytest

from textbayes.errors import ParameterError
from textbayes.server import Settings

LIMITS = [
    field.name
    for field in fields(Settings)
    if isinstance(field.default, int | float) and not isinstance(field.default, bool)
]


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("value", [-1, float("nan"), float("inf"), "10", None, True])
def test_every_limit_is_checked(name, value):
    with pytest.raises(ParameterError, match=name):
        Settings("mail.tb", **{name: value})


@pytest.mark.parametrize("name", LIMITS)
def test_zero_waits_not_at_all_or_is_refused(name):
    if name in {"lock_seconds", "watch_seconds", "settle_seconds", "snapshot_seconds"}:
        assert getattr(Settings("mail.tb", **{name: 0}), name) == 0
    else:
        with pytest.raises(ParameterError, match=name):
            Settings("mail.tb", **{name: 0})


def test_models_are_named_after_their_files(tmp_path):
    settings = Settings([tmp_path / "mail.tb", tmp_path / "새 소식.tb", tmp_path / "a.b.tb"])
    assert list(settings.files) == ["mail", "새-소식", "a.b"]
    assert Settings("mail.tb").files == {"mail": Path("mail.tb")}
    assert Settings().files == {}
    with pytest.raises(ParameterError, match="distinct names"):
        Settings(["a/mail.tb", "b/mail.tb"])


@pytest.mark.parametrize("rate", [0, -1, float("nan"), "10", True])
def test_a_rate_is_above_zero(rate):
    with pytest.raises(ParameterError, match="rate"):
        Settings("mail.tb", rate=rate)
    assert Settings("mail.tb").rate is None
