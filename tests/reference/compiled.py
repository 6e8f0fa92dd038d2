"""A blend of linear models as dense tables, and random blends for the core and for this reference."""

from dataclasses import dataclass, field

import numpy as np

from textbayes._native import (
    BlendColumns,
    BlendSettings,
    CountedTable,
    Form,
    LearnedTable,
    Rule,
    Statistics,
)


def half(cells):
    """Round to half precision; large numbers become the largest one."""
    return np.clip(cells, -65504.0, 65504.0).astype(np.float16).astype(np.float64)


def form_values(form, counts, documents, frequencies, used):
    """Return the values of one row in a form, before it is divided by its length, and its factor."""
    log, idf, length, _ = form
    values = np.log2(1 + counts) if log else counts.astype(float)
    if idf == "plain":
        values = values * np.log(documents / frequencies)
    elif idf == "smooth":
        values = values * (1 + np.log((1 + documents) / (1 + frequencies)))
    values = np.where(used, values, 0.0)
    size = {"none": 1.0, "l2": np.sqrt(np.sum(values**2)), "l1": np.sum(values)}[length]
    return values, 1.0 / size if size else 0.0


@dataclass
class DenseBlend:
    """Tables of cells by slot and column, and everything else that a score is made of."""

    documents: float
    frequencies: np.ndarray
    maps: list
    order: np.ndarray
    forms: list
    table_forms: list
    cells: list  # (slots, columns) for each table
    bias: np.ndarray
    slopes: np.ndarray  # (tables, classes)
    default_forms: list = field(default_factory=list)
    defaults: list = field(default_factory=list)  # (columns,) for each default column
    default_factors: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))

    def used(self, form):
        """Return the columns that a form uses."""
        group = self.forms[form][3]
        return np.ones(len(self.frequencies), bool) if group < 0 else self.maps[group] >= 0

    def values(self, counts, form):
        """Return one row in a form."""
        return form_values(self.forms[form], counts, self.documents, self.frequencies, self.used(form))

    def table_scores(self, counts, table):
        """Return what one table adds to the scores of a row."""
        values, factor = self.values(counts, self.table_forms[table])
        cells = self.cells[table][self.order]
        return factor * (self.slopes[table] * values.sum() + cells @ values)

    def contributions(self, counts):
        """Return what each column adds to the scores of a row, shape (columns, classes)."""
        found = np.zeros((len(counts), len(self.order)))
        for table, form in enumerate(self.table_forms):
            values, factor = self.values(counts, form)
            weights = self.slopes[table][:, None] + self.cells[table][self.order]
            found += factor * values[:, None] * weights.T
        for number, form in enumerate(self.default_forms):
            values, factor = self.values(counts, form)
            found += np.outer(factor * values * self.defaults[number], self.default_factors[number])
        return found

    def scores(self, X):
        """Return the scores of dense rows."""
        return np.array([self.bias + self.contributions(row).sum(axis=0) for row in X])


# (log, idf, length, column map)
FORMS = [
    (False, "none", "none", -1),
    (True, "smooth", "l2", 0),
    (True, "plain", "l2", 0),
    (False, "smooth", "l1", 1),
]


def own_cells(statistics, rule, slots):
    """Return the corrections of one rule, times its factor, by slot and own column."""
    terms, classes, values, _ = statistics.pairs()
    totals = statistics.terms()[0]
    cells = np.zeros((slots, len(totals)))
    for term, slot, value in zip(terms, classes, values, strict=True):
        correction = 0.0
        if rule["complement_alpha"] is not None:
            alpha = rule["complement_alpha"]
            correction += np.log((totals[term] + alpha) / (totals[term] - value + alpha))
        if len(rule["class_factors"]):
            correction += np.log1p(value * rule["class_factors"][slot])
        if len(rule["linear_factors"]):
            correction += value * rule["linear_factors"][slot]
        cells[slot, term] = rule["factor"][slot] * correction
    return cells


def widen(own, group, maps, columns):
    """Return cells of own columns as cells of all columns."""
    if group < 0:
        return np.pad(own, ((0, 0), (0, columns - own.shape[1])))
    cells = np.zeros((own.shape[0], columns))
    used = maps[group] >= 0
    cells[:, used] = own[:, maps[group][used]]
    return cells


class RandomBlend:
    """A random blend: two tables from sums, two fitted ones, and documents to score."""

    def __init__(self, seed=0, columns=40, classes=5, slots=7, defaults=True):
        self.rng = np.random.default_rng(seed)
        self.columns, self.slots = columns, slots
        rng = self.rng
        self.order = rng.permutation(slots)[:classes].astype(np.uint32)
        self.maps = [self._map(columns, 0.8), self._map(columns, 0.5)]
        self.documents = 50.0
        self.frequencies = rng.integers(1, 50, size=columns).astype(float)
        self.frequencies[rng.integers(0, columns)] = 2.5
        self.forms = FORMS
        self.counted_forms, self.learned_forms = [0, 1, 3], [2, 1]
        self.statistics = [self._statistics(form) for form in self.counted_forms]
        self.rules = [self._rules(table, defaults) for table in range(3)]
        self.default_forms = [0, 1] if defaults else []
        self.constants = [1.0, 0.25, 3.0]
        self.fitted = [self._fitted(form) for form in self.learned_forms]
        self.fitted_constants = [0.5, 1.0]
        tables = len(self.counted_forms) + len(self.learned_forms)
        self.bias = rng.normal(size=classes)
        self.slopes = rng.normal(size=(tables, classes))
        self.slopes[1] = 0.0
        self.default_factors = rng.normal(size=(len(self.default_forms), classes))

    def _map(self, columns, share):
        used = self.rng.random(columns) < share
        used[0] = True
        own = np.full(columns, -1, dtype=np.int32)
        own[used] = self.rng.permutation(np.sum(used))
        return own

    def own_width(self, form):
        """Return how many columns a form uses."""
        group = self.forms[form][3]
        return self.columns if group < 0 else int(np.sum(self.maps[group] >= 0))

    def _statistics(self, form):
        width = self.own_width(form)
        statistics = Statistics(width)
        statistics.grow(width, self.slots)
        for _ in range(30):
            size = min(5, width)
            columns = np.sort(self.rng.choice(width, size=size, replace=False)).astype(np.int32)
            learn(statistics, columns, self.rng.uniform(0.1, 3, size=size), self.rng.integers(0, self.slots))
        return statistics

    def _rules(self, table, defaults):
        rng, empty = self.rng, np.empty(0)
        factor = rng.normal(size=self.slots)
        first = {
            "factor": factor,
            "class_factors": rng.uniform(0.5, 2, size=self.slots),
            "complement_alpha": None,
            "linear_factors": empty,
        }
        second = {
            "factor": rng.normal(size=self.slots),
            "class_factors": empty,
            "complement_alpha": 0.7,
            "linear_factors": rng.normal(size=self.slots) if table == 2 else empty,
        }
        if defaults and table < 2:
            second["default"] = [("total", 0.7), ("ratio", 0.7)][table]
            second["default_factor"] = table
        return [first, second]

    def _fitted(self, form):
        width = self.own_width(form)
        weights = self.rng.normal(size=(2, self.slots, width))
        weights[self.rng.random(weights.shape) < 0.6] = 0.0
        return [(self.rng.normal(size=self.slots), each) for each in weights]

    def native_forms(self):
        """Return the forms."""
        return [Form(*form) for form in self.forms]

    def native_columns(self):
        """Return the columns."""
        return BlendColumns(self.documents, self.frequencies, self.maps)

    def settings(self, columns=None):
        """Return the settings."""
        columns = columns or self.native_columns()
        slopes, factors = self.slopes.ravel(), self.default_factors.ravel()
        return BlendSettings(columns, self.order, self.bias, slopes, factors)

    def counted(self):
        """Return the tables computed from sums."""
        return [
            CountedTable(form, statistics, [Rule(**rule) for rule in rules], constant)
            for form, statistics, rules, constant in zip(
                self.counted_forms, self.statistics, self.rules, self.constants, strict=True
            )
        ]

    def learned(self):
        """Return the fitted tables."""
        found = []
        for form, members, constant in zip(
            self.learned_forms, self.fitted, self.fitted_constants, strict=True
        ):
            native = []
            for factor, weights in members:
                terms, slots = np.nonzero(weights.T)
                starts = np.searchsorted(terms, np.arange(weights.shape[1] + 1)).astype(np.int64)
                native.append((factor, starts, slots.astype(np.uint32), weights[slots, terms]))
            found.append(LearnedTable(form, constant, native))
        return found

    def dense(self):
        """Return the blend with dense tables."""
        cells, defaults = [], []
        for form, statistics, rules, constant in zip(
            self.counted_forms, self.statistics, self.rules, self.constants, strict=True
        ):
            own = sum(own_cells(statistics, rule, self.slots) for rule in rules) * constant
            cells.append(half(widen(own, self.forms[form][3], self.maps, self.columns)))
            for rule in rules:
                if "default" in rule:
                    kind, alpha = rule["default"]
                    totals = statistics.terms()[0]
                    own = -np.log(totals + alpha) if kind == "total" else -np.log1p(totals / alpha)
                    own = own.astype(np.float32).astype(float)
                    defaults.append(widen(own[None], self.forms[form][3], self.maps, self.columns)[0])
        for form, members, constant in zip(
            self.learned_forms, self.fitted, self.fitted_constants, strict=True
        ):
            own = sum(factor[:, None] * weights for factor, weights in members) * constant
            cells.append(half(widen(own, self.forms[form][3], self.maps, self.columns)))
        return DenseBlend(
            self.documents,
            self.frequencies,
            self.maps,
            self.order,
            self.forms,
            self.counted_forms + self.learned_forms,
            cells,
            self.bias,
            self.slopes,
            self.default_forms,
            defaults,
            self.default_factors,
        )

    def counts(self, rows=20):
        """Return random dense rows of counts, the first one empty."""
        X = self.rng.poisson(0.4, size=(rows, self.columns))
        X[0] = 0
        return X


def learn(statistics, columns, values, slot):
    """Add one document to statistics."""
    labels = (np.array([0, 1]), np.array([slot], dtype=np.uint32))
    statistics.add((OneRow(columns, values, len(statistics.terms()[0])), labels, None))


@dataclass
class OneRow:
    """One row of counts as the core reads it."""

    columns: np.ndarray
    values: np.ndarray
    width: int

    @property
    def starts(self):
        """Where the row starts and ends."""
        return np.array([0, len(self.columns)])
