"""The compiled table of a blend: rounding, equal rows, files, live sums, warm updates, smaller tables."""

import copy

import numpy as np
import pytest
from scipy import sparse

from reference.cases import assert_close
from reference.compiled import RandomBlend, half, learn
from textbayes._native import (
    BlendColumns,
    BlendSettings,
    CompiledScorer,
    CompiledWeights,
    CountedTable,
    Form,
    LearnedTable,
    Rule,
)
from textbayes.counts import as_rows
from textbayes.errors import ModelDamagedError


def compiled(blend, threads=1):
    return CompiledWeights.compile(
        blend.settings(), blend.native_forms(), blend.counted(), blend.learned(), threads
    )


def scores(scorer, X, threads=1):
    rows = as_rows(sparse.csr_matrix(X))
    return scorer.scores(rows, threads).reshape(len(rows), -1)


def single(weights, columns=None):
    """Return a blend of one fitted table of dense weights, by slot and column."""
    slots, width = weights.shape
    terms, classes = np.nonzero(weights.T)
    starts = np.searchsorted(terms, np.arange(width + 1)).astype(np.int64)
    member = (np.ones(slots), starts, classes.astype(np.uint32), weights[classes, terms])
    settings = BlendSettings(
        columns or BlendColumns(1.0, np.ones(width), []),
        np.arange(slots, dtype=np.uint32),
        np.zeros(slots),
        np.zeros(slots),
        np.empty(0),
    )
    forms = [Form(False, "none", "none", -1)]
    return CompiledWeights.compile(settings, forms, [], [LearnedTable(0, 1.0, [member])], 1), settings


def cells(weights):
    """Return the cells of a blend of one table, by slot and column."""
    return scores(CompiledScorer(weights), np.eye(weights.width)).T


def test_every_number_of_half_precision_is_stored_as_it_is():
    numbers = np.arange(65536, dtype=np.uint16).view(np.float16).astype(np.float64)
    numbers = np.where(np.isfinite(numbers), numbers, 0.0).reshape(256, 256)
    assert np.array_equal(cells(single(numbers)[0]), numbers)
    # The same in a table too sparse for dense rows.
    sparse_numbers = np.zeros((256, 65536 // 64))
    sparse_numbers[:64] = numbers.reshape(64, -1)
    assert np.array_equal(cells(single(sparse_numbers)[0]), sparse_numbers)


def test_other_numbers_are_rounded_as_numpy_does():
    rng = np.random.default_rng(0)
    exponents = rng.uniform(-30, 18, size=(100, 400))
    numbers = rng.choice([-1.0, 1.0], size=exponents.shape) * 2.0**exponents
    halves = np.arange(0x7BFF, dtype=np.uint16).view(np.float16).astype(np.float64)
    middles = (halves[:-1] + halves[1:]) / 2  # go to the even one
    for each in (numbers, np.resize(middles, (100, 400)), np.resize(-np.nextafter(middles, 1e9), (100, 400))):
        assert np.array_equal(cells(single(each)[0]), half(each))
    large = np.array([[65504.0, 65519.0, 65520.0, 1e9, -1e300, np.inf, -np.inf, np.nan]])
    expected = np.array([[65504.0] * 4 + [-65504.0, 65504.0, -65504.0, 0.0]])
    assert np.array_equal(cells(single(large)[0]), expected)


def test_equal_rows_are_stored_once():
    weights = np.tile([[1.0, 0.0, 2.0], [0.0, 0.5, 2.0]], (1, 100))
    table, _ = single(weights)
    assert len(table) == 3
    assert table.width == 300
    assert np.array_equal(cells(table), weights)
    assert len(table.state()["row_starts"]) == 4


def test_threads_change_no_byte():
    blend = RandomBlend(0, columns=4000)
    one, many = compiled(blend, 1).state(), compiled(blend, 3).state()
    assert all(np.array_equal(one[name], many[name]) for name in one)


def test_parts_that_do_not_fit_are_refused():
    blend = RandomBlend(1)
    settings, forms, counted, learned = (
        blend.settings(),
        blend.native_forms(),
        blend.counted(),
        blend.learned(),
    )
    wrong = copy.copy(blend)
    wrong.slopes = blend.slopes[:4]
    twice = copy.copy(blend)
    twice.order = np.zeros(5, dtype=np.uint32)
    beyond = copy.copy(blend)
    beyond.order = np.array([0, 1, 2, 3, 9], dtype=np.uint32)
    rule = Rule(np.ones(3), np.empty(0), 1.0, np.empty(0))
    few = CountedTable(0, blend.statistics[0], [rule], 1.0)
    pairs = LearnedTable(2, 1.0, [(np.ones(7), np.array([0, 2]), np.array([1], dtype=np.uint32), np.ones(1))])
    for each in (
        (settings, forms[:2], counted, learned),
        (settings, [Form(False, "none", "none", 2)] * 4, counted, learned),
        (settings, forms, counted[:2], learned),
        (settings, forms, [few, *counted[1:]], learned),
        (settings, forms, counted, [pairs, learned[1]]),
        (settings, forms * 9, counted, learned),
        (wrong.settings(), forms, counted, learned),
        (twice.settings(), forms, counted, learned),
        (beyond.settings(), forms, counted, learned),
    ):
        with pytest.raises(ValueError, match="do not fit"):
            CompiledWeights.compile(*each, 1)
    with pytest.raises(ValueError, match="do not fit"):
        BlendColumns(1.0, np.ones(3), [np.zeros(2, dtype=np.int32)])
    for form in (("none", "l3"), ("tf", "l2")):
        with pytest.raises(ValueError, match="not known"):
            Form(True, *form, -1)


def frozen(state):
    """Return the arrays as a mapped file has them."""
    return {name: np.frombuffer(array.tobytes(), array.dtype) for name, array in state.items()}


def test_a_stored_table_gives_the_same_bits():
    blend = RandomBlend(2)
    weights, X = compiled(blend), blend.counts()
    expected = scores(CompiledScorer(weights), X)
    for state in (weights.state(), frozen(weights.state())):
        again = CompiledWeights.from_state(state, blend.native_forms(), blend.documents, "a.model")
        assert np.array_equal(scores(CompiledScorer(again), X), expected)
        assert again.width == 40
        assert len(again) == len(weights)
        assert again.nbytes == weights.nbytes


def test_arrays_that_do_not_fit_are_refused():
    blend = RandomBlend(3)
    forms = blend.native_forms()

    def changed(**arrays):
        return CompiledWeights.from_state({**compiled(blend).state(), **arrays}, forms, 50.0)

    state = compiled(blend).state()
    for arrays in (
        {"bias": state["bias"][:3]},
        {"slopes": state["slopes"][:-1]},
        {"order": np.zeros(5, dtype=np.uint32)},
        {"order": np.array([0, 1, 2, 3, 2**32 - 1], dtype=np.uint32)},
        {"table_forms": np.full(5, 4, dtype=np.uint32)},
        {"counted_tables": np.array([6], dtype=np.uint32)},
        {"counted_tables": np.empty(0, dtype=np.uint32)},
        {"default_forms": np.empty(0, dtype=np.uint32)},
        {"scales": np.ones(2, dtype=np.float32)},
        {"cells": state["cells"][:-1]},
        {"row_starts": np.empty(0, dtype=np.int64)},
        {"changed_columns": np.array([1], dtype=np.uint32)},
        {"changed_starts": np.array([0, 5])},
    ):
        with pytest.raises(ValueError, match="do not fit"):
            changed(**arrays)
    with pytest.raises(KeyError):
        CompiledWeights.from_state({}, forms, 50.0)


def test_a_damaged_row_is_an_error_and_never_a_crash():
    blend = RandomBlend(4, columns=12)
    state, X = compiled(blend).state(), np.ones((2, 12), dtype=int)
    row = as_rows(sparse.csr_matrix(X[:1]))
    rng, found = np.random.default_rng(0), []
    for name in ("cells", "row_of", "row_starts"):
        for _ in range(400):
            array = state[name].copy()
            place = rng.integers(1 if name == "row_starts" else 0, len(array) - (name == "row_starts"))
            array[place] = rng.integers(0, 256) if name == "cells" else rng.integers(0, 100)
            again = CompiledWeights.from_state({**state, name: array}, blend.native_forms(), 50.0, "a.model")
            scorer = CompiledScorer(again)
            for call in (
                lambda scorer=scorer: scorer.scores(as_rows(sparse.csr_matrix(X)), 1),
                lambda scorer=scorer: scorer.contributions(row),
                lambda again=again: again.recompiled(None, 1),
                lambda again=again: again.importance(np.ones(5)),
                lambda again=again: again.select(np.arange(12, dtype=np.uint32), precision=8),
            ):
                try:
                    call()
                except ModelDamagedError as error:
                    found.append(str(error))
    assert len(found) > 500
    assert all("a.model" in message and "compiled weights" in message for message in found)


def live(blend, columns=None):
    return blend.settings(columns), blend.counted()


def test_live_tables_give_the_bits_of_compiled_ones():
    blend = RandomBlend(5)
    weights, X = compiled(blend), blend.counts()
    expected = scores(CompiledScorer(weights), X)
    assert np.array_equal(scores(CompiledScorer(weights, live(blend)), X), expected)
    # Without tables from sums the compiled ones are kept.
    assert np.array_equal(scores(CompiledScorer(weights, (blend.settings(), [])), X), expected)
    again = weights.recompiled(live(blend), 2)
    assert all(np.array_equal(again.state()[name], array) for name, array in weights.state().items())


def grown(blend):
    """Learn documents with new columns and a new class."""
    rng, new = blend.rng, 5
    blend = copy.copy(blend)
    blend.statistics = [statistics.copy() for statistics in blend.statistics]
    old_width, blend.slots = blend.columns, blend.slots + 1
    blend.columns += new
    blend.frequencies = np.append(blend.frequencies, np.zeros(new))
    maps = []
    for each in blend.maps:
        own = each.max() + 1
        maps.append(np.append(each, np.array([own, -1, own + 1, -1, own + 2], dtype=np.int32)))
    blend.maps = maps
    blend.order = np.append(blend.order, np.uint32(blend.slots - 1))[::-1].copy()
    blend.bias = rng.normal(size=6)
    blend.slopes = rng.normal(size=(5, 6))
    blend.default_factors = rng.normal(size=(len(blend.default_forms), 6))
    rules = []
    for each in blend.rules:
        wider = []
        for rule in each:
            pad = {
                name: np.append(rule[name], 0.5)
                for name in ("factor", "class_factors", "linear_factors")
                if len(rule[name])
            }
            wider.append({**rule, **pad})
        rules.append(wider)
    blend.rules = rules
    for form, statistics in zip(blend.counted_forms, blend.statistics, strict=True):
        width = blend.own_width(form)
        statistics.grow(width, blend.slots)
        for slot in (blend.slots - 1, 0):
            columns = np.sort(rng.choice(width, size=8, replace=False)).astype(np.int32)
            learn(statistics, columns, np.full(8, 2.0), slot)
    blend.fitted = [
        [(np.append(factor, 1.0), np.pad(weights, ((0, 1), (0, 3)))) for factor, weights in members]
        for members in blend.fitted
    ]
    return blend, old_width


def test_live_tables_follow_their_sums():
    blend = RandomBlend(6)
    weights = compiled(blend)
    columns = blend.native_columns()
    after, width = grown(blend)
    columns.grow(after.frequencies[width:], [each[width:] for each in after.maps])
    assert len(columns) == after.columns
    dense = after.dense()
    dense.frequencies = np.where(dense.frequencies > 0, dense.frequencies, 1.0)
    X = after.counts()
    X[:, width:] += 1
    scorer = CompiledScorer(weights, live(after, columns))
    found = scores(scorer, X)
    assert_close(found, dense.scores(X))
    assert np.array_equal(scores(scorer, X, 2), found)
    again = weights.recompiled(live(after, columns), 1)
    assert np.array_equal(scores(CompiledScorer(again), X), found)
    fresh = CompiledWeights.compile(
        after.settings(columns), after.native_forms(), after.counted(), after.learned(), 1
    )
    assert all(np.array_equal(fresh.state()[name], array) for name, array in again.state().items())


def test_live_tables_of_another_blend_are_refused():
    blend, other = RandomBlend(7), RandomBlend(7, defaults=False)
    weights = compiled(blend)
    settings, counted = live(blend)
    compact = weights.select(np.arange(40, dtype=np.uint32), precision=8)
    for table, parts in (
        (weights, (settings, counted[:2])),
        (weights, (settings, counted[::-1])),
        (weights, live(other)),
        (compact, (settings, counted)),
    ):
        with pytest.raises(ValueError, match="do not fit"):
            CompiledScorer(table, parts)
        with pytest.raises(ValueError, match="do not fit"):
            table.recompiled(parts, 1)


@pytest.mark.parametrize("slots", [7, 300])
def test_steps_are_added_and_rounded(slots):
    blend = RandomBlend(8, slots=slots)
    weights, dense, X = compiled(blend), blend.dense(), blend.counts()
    state = weights.state()
    rng = np.random.default_rng(1)
    for table in (3, 4, 3):
        columns = np.flatnonzero(dense.used(dense.table_forms[table]))[:6].astype(np.int32)
        values, steps = rng.normal(size=6), rng.normal(size=5)
        steps[2] = 0.0
        weights.add_outer(columns, blend.order, [(table, values, steps)])
        change = np.zeros_like(dense.cells[table])
        change[np.ix_(blend.order, columns)] = np.outer(steps, values)
        dense.cells[table] = half(dense.cells[table] + change)
    expected = dense.scores(X)
    found = scores(CompiledScorer(weights), X)
    assert_close(found, expected)
    assert np.array_equal(scores(CompiledScorer(weights, live(blend)), X), found)
    # The compiled rows stay as they are; changes are beside them, in a file too.
    assert np.array_equal(weights.state()["cells"], state["cells"])
    stored = CompiledWeights.from_state(frozen(weights.state()), blend.native_forms(), 50.0, "a.model")
    assert np.array_equal(scores(CompiledScorer(stored), X), found)
    for merged in (weights.recompiled(None, 1), weights.recompiled(live(blend), 1)):
        assert np.array_equal(scores(CompiledScorer(merged), X), found)
        assert len(merged.state()["changed_columns"]) == 0


def test_steps_of_new_columns_and_classes():
    weights, _ = single(np.array([[1.0, 0.0], [0.0, 2.0]]))
    order = np.array([2, 0, 1], dtype=np.uint32)
    change = (0, np.array([1.0, 0.5]), np.array([4.0, 2.0, 0.0]))
    weights.add_outer(np.array([1, 3], dtype=np.int32), order, [change])
    columns = BlendColumns(1.0, np.ones(4), [])
    settings = BlendSettings(columns, np.arange(3, dtype=np.uint32), np.zeros(3), np.zeros(3), np.empty(0))
    expected = np.array([[1, 2, 0, 1], [0, 2, 0, 0], [0, 4, 0, 2]], dtype=float)
    found = scores(CompiledScorer(weights, (settings, [])), np.eye(4)).T
    assert np.array_equal(found, expected)
    assert np.array_equal(cells(weights.recompiled((settings, []), 1)), expected)
    # Without new settings the classes and columns are the compiled ones.
    assert np.array_equal(cells(weights), expected[:2, :2])


def test_a_scorer_keeps_its_weights():
    weights, _ = single(np.eye(2))
    scorer = CompiledScorer(weights)
    weights.add_outer(
        np.array([0], dtype=np.int32), np.arange(2, dtype=np.uint32), [(0, np.ones(1), np.ones(2))]
    )
    assert np.array_equal(scores(scorer, np.eye(2)), np.eye(2))
    assert np.array_equal(cells(weights), [[2, 0], [1, 1]])


def test_copies_of_weights_change_alone():
    blend = RandomBlend(8)
    weights, X = compiled(blend), blend.counts()
    columns = np.arange(6, dtype=np.int32)

    def change(own, seed):
        rng = np.random.default_rng(seed)
        chosen = columns[seed % 3 :: 2]
        step = (3, rng.normal(size=len(chosen)), rng.normal(size=5))
        own.add_outer(chosen.copy(), blend.order, [step])

    expected = {0: scores(CompiledScorer(weights), X)}
    versions = {0: weights}
    for seed in range(1, 6):
        versions[seed] = versions[seed - 1].copy()
        change(versions[seed], seed)
        # Compiled again, a blend with the same changes shares nothing.
        other = compiled(blend)
        for each in range(1, seed + 1):
            change(other, each)
        expected[seed] = scores(CompiledScorer(other), X)
        found = versions[seed].state()
        assert all(np.array_equal(found[name], array) for name, array in other.state().items())
    for seed in (3, 0, 5, 1):
        assert np.array_equal(scores(CompiledScorer(versions.pop(seed)), X), expected[seed])
    for seed, own in versions.items():
        assert np.array_equal(scores(CompiledScorer(own), X), expected[seed])


def test_copies_of_columns_grow_alone():
    old = BlendColumns(1.0, np.ones(2), [np.arange(2, dtype=np.int32)])
    new = old.copy()
    new.grow(np.ones(3), [np.arange(3, dtype=np.int32)])
    assert (len(old), len(new)) == (2, 5)
    with pytest.raises(ValueError, match="do not fit"):
        new.grow(np.ones(1), [])
    assert (len(old), len(new)) == (2, 5)
    old.grow(np.ones(1), [np.zeros(1, dtype=np.int32)])
    assert (len(old), len(new)) == (3, 5)


def test_steps_that_do_not_fit_are_refused():
    weights = compiled(RandomBlend(9))
    ints, reals, order = np.array([1], dtype=np.int32), np.ones(1), np.array([0, 1], dtype=np.uint32)
    for each in (
        (2, ints, reals, np.ones(2), order),
        (5, ints, reals, np.ones(2), order),
        (3, -ints, reals, np.ones(2), order),
        (3, ints, np.ones(2), np.ones(2), order),
        (3, ints, reals, np.ones(3), order),
        (3, ints, reals, np.ones(2), np.zeros(2, dtype=np.uint32)),
        (3, ints, reals, np.ones(2), np.array([0, 2**31], dtype=np.uint32)),
    ):
        table, columns, values, steps, classes = each
        with pytest.raises(ValueError, match="do not fit"):
            weights.add_outer(columns, classes, [(table, values, steps)])


def test_selected_columns_keep_their_scores():
    blend = RandomBlend(10)
    weights, X = compiled(blend), blend.counts()
    columns = np.array([7, 3, 39, 12, 0], dtype=np.uint32)
    kept = np.zeros_like(X)
    kept[:, columns] = X[:, columns]
    small = weights.select(columns)
    assert small.width == 5
    expected = scores(CompiledScorer(weights), kept)
    assert_close(scores(CompiledScorer(small), X[:, columns]), expected)
    # Changes are merged.
    change = (3, np.array([2.0]), np.ones(5))
    weights.add_outer(np.array([3], dtype=np.int32), blend.order, [change])
    found = scores(CompiledScorer(weights.select(columns)), X[:, columns])
    assert_close(found, scores(CompiledScorer(weights), kept))


def test_small_cells_are_dropped():
    blend = RandomBlend(11)
    dense, X = blend.dense(), blend.counts()
    least = np.array([0.1, 0.5, 0.0, 1.0, 100.0], dtype=np.float32)
    small = compiled(blend).select(np.arange(40, dtype=np.uint32), least)
    dense.cells = [
        np.where(np.abs(table) >= size, table, 0) for table, size in zip(dense.cells, least, strict=True)
    ]
    assert_close(scores(CompiledScorer(small), X), dense.scores(X))
    assert small.nbytes < compiled(blend).nbytes


@pytest.mark.parametrize(("classes", "slots"), [(5, 7), (200, 300), (3, 70_000)])
def test_bytes_are_multiples_of_the_scale_of_their_table(classes, slots):
    columns = 6 if slots > 1000 else 40
    blend = RandomBlend(12, columns=columns, classes=classes, slots=slots)
    dense, X = blend.dense(), blend.counts()
    small = compiled(blend).select(np.arange(columns, dtype=np.uint32), precision=8)
    absent = np.setdiff1d(np.arange(slots), blend.order)
    for table in dense.cells:
        table[absent] = 0.0
    scales = [np.float32(np.abs(table).max() / 127) for table in dense.cells]
    scales = [float(scale) or 1.0 for scale in scales]
    assert_close(small.state()["scales"], scales)
    dense.cells = [np.rint(table / scale) * scale for table, scale in zip(dense.cells, scales, strict=True)]
    assert_close(scores(CompiledScorer(small), X), dense.scores(X))
    again = CompiledWeights.from_state(small.state(), blend.native_forms(), blend.documents)
    assert np.array_equal(scores(CompiledScorer(again), X), scores(CompiledScorer(small), X))
    assert_close(scores(CompiledScorer(small.recompiled(None, 1)), X), scores(CompiledScorer(small), X))
    with pytest.raises(ValueError, match="do not fit"):
        small.add_outer(np.zeros(1, dtype=np.int32), blend.order, [(3, np.ones(1), np.ones(classes))])


def test_importance_is_the_weighted_variance_of_cells():
    blend = RandomBlend(13)
    weights, dense = compiled(blend), blend.dense()
    scales = np.array([1.0, 2.0, 0.0, 0.5, 3.0])
    N, df = blend.documents, blend.frequencies
    idf = {"none": np.ones(40), "plain": np.log(N / df), "smooth": 1 + np.log((1 + N) / (1 + df))}

    def expected():
        found = np.zeros(40)
        for table, form in enumerate(dense.table_forms):
            weighted = dense.cells[table][blend.order] * idf[dense.forms[form][1]]
            found += scales[table] ** 2 * df * weighted.var(axis=0)
        return found

    assert_close(weights.importance(scales), expected())
    column = np.flatnonzero(dense.used(2))[:1]
    weights.add_outer(column.astype(np.int32), blend.order, [(3, np.array([2.0]), np.arange(5.0))])
    cell = dense.cells[3][blend.order, column]
    dense.cells[3][blend.order, column] = half(cell + 2 * np.arange(5.0))
    assert_close(weights.importance(scales), expected())
    with pytest.raises(ValueError, match="do not fit"):
        weights.importance(scales[:2])


def test_selections_that_do_not_fit_are_refused():
    weights, columns = compiled(RandomBlend(14)), np.arange(3, dtype=np.uint32)
    for call in (
        lambda: weights.select(columns + 38),
        lambda: weights.select(columns, np.ones(2, dtype=np.float32)),
        lambda: weights.select(columns, precision=4),
    ):
        with pytest.raises(ValueError, match=r"do not fit|8, 16 or 64"):
            call()
