"""The Rust core as Python sees it."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

class NotTextAt(TypeError): ...
class NotUtf8At(ValueError): ...
class NotLearnedAt(ValueError): ...

_Totals = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.uint32]]

class Statistics:
    def __new__(cls, terms: int) -> Self: ...
    def __len__(self) -> int: ...
    def copy(self) -> Self: ...
    def grow(self, terms: int, classes: int) -> None: ...
    def add(
        self,
        starts: NDArray[np.int64],
        columns: NDArray[np.int32],
        values: NDArray[np.int64] | NDArray[np.float64],
        label_starts: NDArray[np.int64],
        classes: NDArray[np.uint32],
        weights: NDArray[np.float64] | None,
    ) -> None: ...
    def subtract(
        self,
        starts: NDArray[np.int64],
        columns: NDArray[np.int32],
        values: NDArray[np.int64] | NDArray[np.float64],
        label_starts: NDArray[np.int64],
        classes: NDArray[np.uint32],
        weights: NDArray[np.float64] | None,
    ) -> None: ...
    def merge(
        self, other: Self, class_of: NDArray[np.uint32], term_of: NDArray[np.uint32] | None = None
    ) -> None: ...
    def all(self) -> tuple[float, float, int]: ...
    def classes(self) -> _Totals: ...
    def terms(self) -> _Totals: ...
    def pairs(
        self,
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64], NDArray[np.float64]]: ...
    def class_squares(self) -> NDArray[np.float64]: ...
    def with_pair_values(
        self, starts: NDArray[np.int64], classes: NDArray[np.uint32], values: NDArray[np.float64]
    ) -> Statistics: ...
    def state(self) -> dict[str, NDArray[Any]]: ...
    @classmethod
    def from_state(cls, state: dict[str, NDArray[Any]], path: str | None = None) -> Self: ...

class KeptCorrections:
    def __new__(cls) -> Self: ...

class Weights:
    def __new__(
        cls,
        bias: NDArray[np.float64],
        slope: NDArray[np.float64],
        default: NDArray[np.float64],
        scale: NDArray[np.float64],
        class_factors: NDArray[np.float64],
        complement_alpha: float | None,
        linear_factors: NDArray[np.float64],
    ) -> Self: ...
    def absolute_excess(self, statistics: Statistics, kept: KeptCorrections) -> NDArray[np.float64]: ...
    def corrections(self, statistics: Statistics) -> NDArray[np.float64]: ...

class Scorer:
    def __new__(cls, weights: Weights, statistics: Statistics, order: NDArray[np.uint32]) -> Self: ...
    def scores(
        self,
        statistics: Statistics,
        starts: NDArray[np.int64],
        columns: NDArray[np.int32],
        values: NDArray[np.int64] | NDArray[np.float64],
        threads: int,
    ) -> NDArray[np.float64]: ...
    def first(
        self,
        statistics: Statistics,
        starts: NDArray[np.int64],
        columns: NDArray[np.int32],
        values: NDArray[np.int64] | NDArray[np.float64],
        threads: int,
    ) -> NDArray[np.uint32]: ...
    def best(
        self,
        statistics: Statistics,
        starts: NDArray[np.int64],
        columns: NDArray[np.int32],
        values: NDArray[np.int64] | NDArray[np.float64],
        k: int,
        threads: int,
    ) -> tuple[NDArray[np.uint32], NDArray[np.float64]]: ...

_Mixing = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]

class PoissonSums:
    def __new__(cls, added: float) -> Self: ...
    def __len__(self) -> int: ...
    def refresh(
        self,
        statistics: Statistics,
        by_length: Statistics,
        classes: NDArray[np.uint32],
        lengths: NDArray[np.float64],
    ) -> None: ...
    def of_classes(
        self, statistics: Statistics, by_length: Statistics
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]: ...

class PoissonScorer:
    def __new__(
        cls,
        statistics: Statistics,
        sums: PoissonSums,
        own: _Mixing,
        rest: _Mixing,
        all: tuple[float, float, float],
        order: NDArray[np.uint32],
        theta: float,
    ) -> Self: ...
    def scores(
        self,
        statistics: Statistics,
        sums: PoissonSums,
        starts: NDArray[np.int64],
        columns: NDArray[np.int32],
        values: NDArray[np.int64] | NDArray[np.float64],
        threads: int,
    ) -> NDArray[np.float64]: ...

def mutual_information(statistics: Statistics) -> NDArray[np.float64]: ...
def divergences(statistics: Statistics, mean_of_classes: bool) -> NDArray[np.float64]: ...
def information_gains(statistics: Statistics, order: NDArray[np.uint32]) -> NDArray[np.float64]: ...
def chi_squares(statistics: Statistics, order: NDArray[np.uint32]) -> NDArray[np.float64]: ...
def weighted_sums(
    starts: NDArray[np.int64],
    columns: NDArray[np.int32],
    values: NDArray[np.int64] | NDArray[np.float64],
    width: int,
    label_starts: NDArray[np.int64],
    classes: NDArray[np.uint32],
    known_classes: int,
    weights: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def probability_ratios(
    starts: NDArray[np.int64],
    columns: NDArray[np.int32],
    values: NDArray[np.int64] | NDArray[np.float64],
    width: int,
    label_starts: NDArray[np.int64],
    classes: NDArray[np.uint32],
    uniform: NDArray[np.float64],
    by_length: NDArray[np.float64],
    own: NDArray[np.float64],
    rest: NDArray[np.float64],
) -> NDArray[np.float64]: ...

class MixtureSettings:
    def __new__(
        cls,
        smoothing: str | None,
        strength: float,
        keep: float,
        keep_threshold: float | None,
        max_iter: int,
        tol: float,
        starts: int,
    ) -> Self: ...

class MixtureScorer:
    def __new__(
        cls,
        arrays: dict[str, NDArray[Any]],
        background: NDArray[np.float64],
        biases: NDArray[np.float64],
    ) -> Self: ...
    def scores(
        self,
        starts: NDArray[np.int64],
        columns: NDArray[np.int32],
        values: NDArray[np.float64],
        threads: int,
    ) -> NDArray[np.float64]: ...
    def component_scores(
        self,
        starts: NDArray[np.int64],
        columns: NDArray[np.int32],
        values: NDArray[np.float64],
        group: int | None,
        threads: int,
    ) -> NDArray[np.float64]: ...
    def best(
        self,
        starts: NDArray[np.int64],
        columns: NDArray[np.int32],
        values: NDArray[np.float64],
        k: int,
        threads: int,
    ) -> tuple[NDArray[np.uint32], NDArray[np.float64]]: ...

def discriminative_counts(
    statistics: Statistics,
    starts: NDArray[np.int64],
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    label_starts: NDArray[np.int64],
    classes: NDArray[np.uint32],
    weights: NDArray[np.float64] | None,
    visits: NDArray[np.uint32],
    alpha: float,
    prior: NDArray[np.float64],
    block: int,
    threads: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def opposed_weights(
    statistics: Statistics,
    starts: NDArray[np.int64],
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    label_starts: NDArray[np.int64],
    classes: NDArray[np.uint32],
    weights: NDArray[np.float64] | None,
    visits: NDArray[np.uint32],
    orders: int,
    alpha: float,
    biases: NDArray[np.float64],
    learn_biases: bool,
    several: bool,
    block: int,
    threads: int,
) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.float64], NDArray[np.float64]]: ...
def margin_weights(
    statistics: Statistics,
    starts: NDArray[np.int64],
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    label_starts: NDArray[np.int64],
    classes: NDArray[np.uint32],
    weights: NDArray[np.float64] | None,
    visits: NDArray[np.uint32],
    live: NDArray[np.uint32],
    cost: float,
    tolerance: float,
    threads: int,
) -> tuple[tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.float64], NDArray[np.float64]], int]: ...
def own_changes(
    statistics: Statistics,
    starts: NDArray[np.int64],
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    label_starts: NDArray[np.int64],
    classes: NDArray[np.uint32],
    weights: NDArray[np.float64] | None,
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    threads: int,
) -> NDArray[np.float64]: ...
def complement_falls(
    statistics: Statistics,
    alpha: float,
    starts: NDArray[np.int64],
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    plain: bool,
    threads: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]: ...
def factor_falls(
    statistics: Statistics,
    factors: NDArray[np.float64],
    shares: NDArray[np.float64],
    starts: NDArray[np.int64],
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    threads: int,
) -> NDArray[np.float64]: ...
def length_changes(
    statistics: Statistics,
    of_class: bool,
    alpha: float,
    starts: NDArray[np.int64],
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    label_starts: NDArray[np.int64],
    classes: NDArray[np.uint32],
    weights: NDArray[np.float64] | None,
    slopes: NDArray[np.float64],
    threads: int,
) -> NDArray[np.float64]: ...
def evidence_sums(
    terms: int,
    uniform: NDArray[np.float64],
    by_length: NDArray[np.float64],
    fixed: NDArray[np.float64],
    weights: NDArray[np.float64],
    ratio: bool,
    rows: NDArray[np.int64],
    uniform_factors: NDArray[np.float64],
    length_factors: NDArray[np.float64],
    floors: NDArray[np.float64],
    threads: int,
) -> NDArray[np.float64]: ...

class Rules:
    def __new__(
        cls,
        lowercase: bool,
        tokens: str,
        unit: str,
        numbers: str,
        stop_words: set[str],
        stemmer: str | None,
        min_n: int,
        max_n: int,
    ) -> Self: ...
    def terms(self, text: str) -> list[str]: ...
    def spans(self, text: str) -> list[tuple[int, int, str]]: ...

class Vocabulary:
    def __new__(cls, bytes: bytes | None = None, ends: NDArray[np.int64] | None = None) -> Self: ...
    def __len__(self) -> int: ...
    def arena(self) -> tuple[bytes, NDArray[np.int64]]: ...
    def state(self) -> dict[str, NDArray[Any]]: ...
    @classmethod
    def mapped(cls, bytes: NDArray[np.uint8], ends: NDArray[np.int64], order: NDArray[np.uint32]) -> Self: ...
    def terms(self) -> list[str]: ...
    def column(self, term: str) -> int | None: ...
    def sorted(self) -> NDArray[np.uint32]: ...
    def select(self, columns: NDArray[np.uint32]) -> Self: ...
    def join(self, other: Self) -> NDArray[np.uint32]: ...
    def late_terms(self) -> int: ...
    def count_text(self, rules: Rules, text: str) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...
    def order_rows(
        self, starts: NDArray[np.int64], columns: NDArray[np.int32], counts: NDArray[np.float64]
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...

class Counting:
    def __new__(cls, rules: Rules, threads: int) -> Self: ...
    def __len__(self) -> int: ...
    def add_list(self, texts: list[Any], start: int) -> int: ...
    def add_offsets(self, data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None: ...
    def add_views(self, views: NDArray[np.uint8], buffers: list[NDArray[np.uint8]]) -> None: ...
    def name_and_grow(self, vocabulary: Vocabulary) -> None: ...
    def name_by(self, vocabulary: Vocabulary) -> None: ...
    def name_hashed(self, dimensions: int) -> None: ...
    def sums(self, columns: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]: ...
    def keep(self, vocabulary: Vocabulary, keep: NDArray[np.bool_]) -> Vocabulary: ...
    def take_rows(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]: ...

def available_threads() -> int: ...
def count_text_hashed(
    rules: Rules, text: str, dimensions: int
) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...
def digest(parts: list[NDArray[np.uint8]]) -> int: ...
def fit_mixtures(
    starts: NDArray[np.int64],
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    background: NDArray[np.float64],
    group_starts: NDArray[np.int64],
    members: NDArray[np.uint32],
    sizes: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    settings: MixtureSettings,
    threads: int,
    watch: Callable[[int], object] | None,
) -> dict[str, NDArray[Any]]: ...
def mixture_background(
    starts: NDArray[np.int64],
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    terms: int,
    weights: NDArray[np.float64] | None,
) -> NDArray[np.float64]: ...
def hashed_column(term: str, dimensions: int) -> int: ...
def stemmer_names() -> list[str]: ...
