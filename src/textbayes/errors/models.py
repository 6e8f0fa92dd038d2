"""Model files that cannot be written or read."""

from __future__ import annotations

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
