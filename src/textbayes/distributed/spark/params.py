"""Parameters of the estimator and of its models, as pyspark.ml has them.

Names that pyspark.ml shares are its own, such as ``inputCol``. All others are those of TextClassifier and
TextCounter, and mean the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self, TypedDict

from pyspark.ml.param import Param, Params
from pyspark.ml.param.shared import (
    HasInputCol,
    HasLabelCol,
    HasPredictionCol,
    HasProbabilityCol,
    HasRawPredictionCol,
)
from pyspark.ml.util import DefaultParamsReader, Identifiable

from textbayes.counts import COUNTER_PARAMETERS
from textbayes.distributed.classifiers import SHARDS
from textbayes.errors import ParameterError

TEXT_OPTIONS = tuple(name for name in COUNTER_PARAMETERS if name != "n_jobs")
"""The parameters of TextCounter; a worker always counts on one thread."""
SAMPLE_SIZE = 20_000
"""The number of texts that "auto" searches on, unless it is given."""


# pyspark puts an instance in the place of this owner, whenever one is made.
_OWNER = Identifiable()
_OWNER.uid = "undefined"


def check_names(owner: str, found: Iterable[str], known: Iterable[str]) -> None:
    """Raise ParameterError if something has no parameters of these names."""
    names = list(known)
    for name in found:
        if name not in names:
            raise ParameterError("parameter", name, names, f"{owner} has no parameter of this name")


def plain(value: Any) -> Any:
    """Convert a value to what JSON has, since parameters are saved as JSON."""
    if hasattr(value, "item"):  # a number of numpy
        return value.item()
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    return value


def param(name: str, doc: str) -> Param[Any]:
    """Declare a parameter."""
    return Param(_OWNER, name, doc, typeConverter=plain)


class Parameters(TypedDict, total=False):
    """The parameters of an estimator, with the types that they take."""

    inputCol: str
    labelCol: str
    predictionCol: str
    probabilityCol: str
    rawPredictionCol: str
    shards: int
    model: str
    parameters: Mapping[str, Any]
    calibrate: bool
    sample_size: int
    lowercase: bool
    tokens: str
    unit: str
    numbers: str
    stop_words: str | Iterable[str] | None
    stemmer: str | None
    ngram_range: tuple[int, int]
    characters: tuple[int, int] | None
    min_count: int
    min_df: int | float
    max_df: int | float
    max_features: int | None
    dimensions: int | None


class TextBayesColumns(HasInputCol, HasLabelCol, HasPredictionCol, HasProbabilityCol, HasRawPredictionCol):
    """The columns of texts, labels and predictions, and the number of shards."""

    shards: Param[int] = param("shards", "number of parts that statistics are split into")

    def __init__(self) -> None:
        super().__init__()
        self._setDefault(inputCol="text", shards=SHARDS)

    def setParams(self, **parameters: Any) -> Self:
        """Set parameters by name."""
        check_names(type(self).__name__, parameters, [one.name for one in self.params])
        return self._set(**parameters)

    def restore(self, metadata: dict[str, Any]) -> Self:
        """Take over the name and the parameters of an instance that was saved."""
        self._resetUid(metadata["uid"])
        reader: Any = DefaultParamsReader
        reader.getAndSetParams(self, metadata)
        return self

    def setInputCol(self, value: str) -> Self:
        """Set the column of the texts."""
        return self._set(inputCol=value)

    def setLabelCol(self, value: str) -> Self:
        """Set the column of the labels."""
        return self._set(labelCol=value)

    def setPredictionCol(self, value: str) -> Self:
        """Set the column of predicted labels; "" leaves it out."""
        return self._set(predictionCol=value)

    def setProbabilityCol(self, value: str) -> Self:
        """Set the column of probabilities; "" leaves it out."""
        return self._set(probabilityCol=value)

    def setRawPredictionCol(self, value: str) -> Self:
        """Set the column of scores; "" leaves it out."""
        return self._set(rawPredictionCol=value)


class TextBayesSettings(Params):
    """What is learned, and how texts are counted."""

    model: Param[str] = param("model", "name of a model, or 'auto' for a search")
    parameters: Param[dict[str, Any]] = param("parameters", "parameters of the model, by name")
    calibrate: Param[bool] = param("calibrate", "whether probabilities are calibrated")
    sample_size: Param[int] = param("sample_size", "number of texts that 'auto' searches on")

    lowercase: Param[bool] = param("lowercase", "lower-case each text first")
    tokens: Param[str] = param("tokens", "how a text is split into tokens")
    unit: Param[str] = param("unit", "what terms are n-grams of: word, char or char_wb")
    numbers: Param[str] = param("numbers", "whether numbers are kept, dropped or marked")
    stop_words: Param[Any] = param("stop_words", "tokens to drop: 'english', or a list")
    stemmer: Param[str] = param("stemmer", "'porter' or a Snowball language")
    ngram_range: Param[list[int]] = param("ngram_range", "least and most tokens of a term")
    characters: Param[list[int]] = param("characters", "least and most characters of n-grams beside words")
    min_count: Param[int] = param("min_count", "drop terms with fewer occurrences")
    min_df: Param[Any] = param("min_df", "drop terms in fewer documents: a number or a share")
    max_df: Param[Any] = param("max_df", "drop terms in more documents: a number or a share")
    max_features: Param[int] = param("max_features", "keep this many terms, the most frequent ones")
    dimensions: Param[int] = param("dimensions", "hash terms to this many columns, without a vocabulary")

    def __init__(self) -> None:
        super().__init__()
        self._setDefault(model="auto", parameters={}, calibrate=True, sample_size=SAMPLE_SIZE)

    def text_options(self) -> dict[str, Any]:
        """Return the parameters of TextCounter that were set."""
        options = {name: self.getOrDefault(name) for name in TEXT_OPTIONS if self.isSet(name)}
        ranges = ("ngram_range", "characters")
        return {
            name: tuple(value) if name in ranges and isinstance(value, list) else value
            for name, value in options.items()
        }
