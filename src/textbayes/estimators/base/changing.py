"""Changes of a model: they are made on a fork, which then takes the place of the model.

A fork shares everything with its model until one of them changes: values are copied, and caches move to the
fork. So an exception in the middle of a change, of whatever kind, leaves the model as it was; and another
thread sees the model before the change or after it. Changes of one model wait for each other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Self, TypeVar, cast
from weakref import WeakKeyDictionary

from textbayes.statistics.lock import Lock

# Not attributes of the models, which scikit-learn compares, and which a change replaces.
_LOCKS: WeakKeyDictionary[Any, Lock] = WeakKeyDictionary()


class Forkable:
    """A model whose changes are made on a fork."""

    def fork(self) -> Self:
        """Return a model that shares everything with this one; a subclass copies what its changes touch."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin

    def snapshot(self) -> Self:
        """Return the model as it is now, which no later change touches; what it computes, both know."""
        twin = object.__new__(type(self))
        twin.__dict__ = self.__dict__
        return twin


Method = TypeVar("Method", bound=Callable[..., Any])


def writer_lock(model: Any) -> Lock:
    """Return the lock that a thread holds while it changes a model."""
    # One call of a dict, which threads need no lock for: an interrupt could leave that taken.
    return _LOCKS.setdefault(model, Lock())


def changes(method: Method) -> Method:
    """Make a method change a fork, which takes the place of the model when all is done."""

    @wraps(method)
    def changed(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        with writer_lock(self):
            fork = self.fork()
            result = method(fork, *args, **kwargs)
            # One assignment: before it the model is the old one, after it the new one.
            self.__dict__ = fork.__dict__
        return self if result is fork else result

    return cast(Method, changed)


def reads(method: Method) -> Method:
    """Make a method read one state of the model, whatever other threads change in the meantime."""

    @wraps(method)
    def read(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        return method(self.snapshot(), *args, **kwargs)

    return cast(Method, read)
