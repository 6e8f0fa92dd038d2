"""Model files that cannot be written or read."""

from __future__ import annotations

import errno

from textbayes.errors.base import TextbayesError, shown


class ModelForeignError(TextbayesError, ValueError):
    """A file is not a model of textbayes."""

    code = "model-foreign"

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(
            f"{path!r} is not a model of textbayes: {problem}.",
            "A model is a safetensors file whose header says that textbayes wrote it.",
            "Pass a file written by save; a pickle is never read.",
        )


class ModelKindError(ModelForeignError):
    """A model file holds a model of another kind than the one that is needed.

    Parameters
    ----------
    path : str
        The file.
    found : str
        What it holds, such as ``"a MultinomialNB"``.
    wanted : str
        What is needed, such as ``"a TextClassifier"``.
    """

    code = "model-kind"

    def __init__(self, path: str, found: str, wanted: str) -> None:
        TextbayesError.__init__(
            self,
            f"{path!r} holds {found}, not {wanted}.",
            "Models of textbayes differ in what they take, texts or counts, and in what they can do.",
            "Pass the file of another model. textbayes.load reads every kind.",
        )


class ModelDamagedError(TextbayesError, ValueError):
    """A model file was cut, changed or forged."""

    code = "model-damaged"

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(
            f"The model file {path!r} is damaged: {problem}.",
            "A damaged model would predict wrong labels silently.",
            "Copy the file again, or train and save the model again.",
        )


class ModelLockedError(TextbayesError, TimeoutError):
    """Another process or thread is changing a model file.

    Parameters
    ----------
    path : str
        The file.
    holder : str
        Who holds its lock, such as ``"process 81 (textbayes teach), since 2026-11-16 14:03:22"``; may be
        empty.
    seconds : float
        How long the lock was waited for.
    """

    code = "model-locked"

    def __init__(self, path: str, holder: str, seconds: float) -> None:
        by = holder or "another process"
        super().__init__(
            f"The model file {path!r} is being changed by {by}; waited {seconds:g} s.",
            "Two writers at once would lose the changes of one of them. Nothing was changed.",
            "A server holds the file until it ends: send texts to it with `textbayes push`, or stop it first."
            if "(textbayes serve)" in holder
            else "Try again when it is done, or wait longer: --wait, or wait= of write_lock.",
        )
        # OSError's own constructor would take the facts for errno and strerror.
        self.errno, self.strerror, self.filename = errno.EAGAIN, self.what, path
        self.holder = holder


class ModelChangedError(TextbayesError, RuntimeError):
    """A model file was replaced or changed after the model was loaded from it."""

    code = "model-changed"

    def __init__(self, path: str, saving: bool = True) -> None:
        super().__init__(
            f"The model file {path!r} changed since the model was loaded from it.",
            "Saving would undo the changes of another program."
            if saving
            else "The model is read from this file when it is used (mmap=True), so it would answer wrongly.",
            "Load the model again and repeat the change, or save it to another file."
            if saving
            else "Load it again. Replace a file that is in use by save or mv, never by cp.",
        )


class ModelVersionError(TextbayesError, ValueError):
    """A model file has a format of a later version."""

    code = "model-version"

    def __init__(self, path: str, found: int, newest: int, package: str) -> None:
        super().__init__(
            f"The model file {path!r} has format {found}; this version of textbayes reads up to {newest}.",
            f"It was written by textbayes {package}, whose files may differ.",
            "Upgrade textbayes: later versions read the files of all earlier ones.",
        )


class ModelUnsavableError(TextbayesError, TypeError):
    """A model holds something that a file cannot hold."""

    code = "model-unsavable"

    def __init__(self, name: str, value: object) -> None:
        super().__init__(
            f"{name} is {shown(value)} of type {type(value).__name__}, which a model file cannot hold.",
            "A file holds numbers, text and the estimators of textbayes: nothing that could run when loaded.",
            "Use settings of these kinds, or keep the model in memory.",
        )


class CompactModelError(TextbayesError, TypeError):
    """A compact model is asked for something that needs its documents."""

    code = "model-compact"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"This is a compact model, so {what} cannot be used.",
            "A compact model has weights, but no documents and no sums: it learns nothing.",
            "Use the model that it was made from, and compact that one again.",
        )
