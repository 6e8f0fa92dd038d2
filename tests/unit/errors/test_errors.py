"""Every error: one code each, three lines, and a way through a pickle."""

import builtins
import errno
import inspect
import pickle
import re
import types
import typing
from collections.abc import Iterable

import pytest
from sklearn.exceptions import NotFittedError

from textbayes import errors
from textbayes.errors import TextbayesError

# A fact for each type that a constructor asks for.
FACTS = {
    str: "facts.txt",
    int: 3,
    float: 2.5,
    bool: True,
    object: {"a": None},
    bytes: b"facts",
    typing.Any: {"a": None},
}


def every_error(kind: type = TextbayesError) -> list[type]:
    return [kind for child in kind.__subclasses__() for kind in (child, *every_error(child))]


def fact(hint: object) -> object:
    if hint in FACTS:
        return FACTS[hint]
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return fact(parts[0])
    if isinstance(origin, type) and issubclass(origin, dict):
        return {fact(parts[0]): fact(parts[1])}
    if isinstance(origin, type) and issubclass(origin, Iterable):
        return [fact(parts[0]), "another"] if parts[0] is str else [fact(parts[0])]
    raise AssertionError(f"no fact for {hint}: add one to FACTS")


def make(kind: type) -> TextbayesError:
    hints = typing.get_type_hints(kind.__init__)
    parameters = list(inspect.signature(kind.__init__).parameters)[1:]
    return kind(**{name: fact(hints[name]) for name in parameters})


# UnfittedError is imported on first use.
NAMED = [getattr(errors, name) for name in errors.__all__]
ERRORS = every_error()
ALL = pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__name__)


def test_there_are_errors():
    assert len(ERRORS) >= 15


def test_codes_are_unique():
    codes = [kind.code for kind in ERRORS]
    assert len(codes) == len(set(codes)), sorted(code for code in codes if codes.count(code) > 1)
    assert TextbayesError.code not in codes


@ALL
def test_it_is_public_in_errors(kind):
    assert getattr(errors, kind.__name__) is kind
    assert kind.__name__.endswith("Error")
    assert inspect.getdoc(kind)


@ALL
def test_its_code_is_its_own_and_in_kebab_case(kind):
    assert "code" in vars(kind), "inherited from another situation"
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", kind.code)


@ALL
def test_it_is_a_builtin_error_too(kind):
    bases = [base for base in kind.__mro__ if base not in (Exception, BaseException, object)]
    assert any(vars(builtins).get(base.__name__) is base or base is NotFittedError for base in bases)


@ALL
def test_its_message_has_three_lines_and_ends_with_the_code(kind):
    error = make(kind)
    lines = str(error).splitlines()
    assert len(lines) == 3
    assert lines[0] == error.what
    assert lines[1] == f"  {error.why}"
    assert lines[2] == f"  {error.todo}    [{kind.code}]"
    for sentence in (error.what, error.why, error.todo):
        assert sentence[-1] in ".?!…)`'\"", sentence
        assert "  " not in sentence


@ALL
def test_it_survives_a_pickle(kind):
    error = make(kind)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        copy = pickle.loads(pickle.dumps(error, protocol))
        assert type(copy) is kind
        assert str(copy) == str(error)
        assert (copy.what, copy.why, copy.todo) == (error.what, error.why, error.todo)
        assert getattr(copy, "errno", None) == getattr(error, "errno", None)


@ALL
def test_it_survives_a_pickle_with_facts_by_position(kind):
    hints = typing.get_type_hints(kind.__init__)
    error = kind(*(fact(hints[name]) for name in list(inspect.signature(kind.__init__).parameters)[1:]))
    assert str(pickle.loads(pickle.dumps(error))) == str(error) == str(make(kind))


@ALL
def test_a_long_value_with_line_breaks_keeps_the_three_lines(kind, monkeypatch):
    monkeypatch.setitem(FACTS, object, "line\n" * 1000)
    error = make(kind)
    assert len(str(error).splitlines()) == 3
    assert len(str(error)) < 2000


@ALL
def test_it_can_be_caught_as_what_it_is(kind):
    with pytest.raises(TextbayesError, match=re.escape(f"[{kind.code}]")):
        raise make(kind)


def test_the_remedy_for_a_file_fits_the_reason():
    assert "download it again" in errors.FileReadError("a.gz", None, "it ends too early").todo
    assert "you may read it" in errors.FileReadError("a.gz", errno.EACCES, "Permission denied").todo
    assert "delete the file" in errors.FileWriteError("a.tb", errno.EEXIST, "it is not a model").todo
    assert "has room" in errors.FileWriteError("a.tb", errno.ENOSPC, "No space left").todo


def test_a_download_that_cannot_be_stored_may_have_changed_files():
    assert "Nothing was changed" in errors.FileWriteError("a.tb", errno.ENOSPC, "No space left").why
    stored = errors.FileWriteError("a.part", errno.ENOSPC, "No space left", "TEXTBAYES_DATA")
    assert "Nothing was changed" not in stored.why
    assert "TEXTBAYES_DATA" in stored.todo


def test_a_document_that_was_not_learned():
    assert "the model has fewer documents" in errors.NotLearnedError.of_class(None).what
    assert "class 'spam' has less of column 3" in errors.NotLearnedError.of_class("spam", 3).what
    error = pickle.loads(pickle.dumps(errors.NotLearnedError.of_text(2, "spam", 0.5)))
    assert "texts[2] with the label 'spam' and the weight 0.5 was never learned" in error.what
    assert error.position == 2


def test_what_was_added_to_a_message_survives_a_pickle():
    error = make(errors.ColumnError)
    error.todo += " If its first row is no header, pass header=False."
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
