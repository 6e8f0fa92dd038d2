"""Limits that are no limits are refused."""

from dataclasses import fields

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
    if name in {"lock_seconds", "watch_seconds"}:
        assert getattr(Settings("mail.tb", **{name: 0}), name) == 0
    else:
        with pytest.raises(ParameterError, match=name):
            Settings("mail.tb", **{name: 0})
