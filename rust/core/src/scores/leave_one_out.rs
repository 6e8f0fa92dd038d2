//! What changes in a row's scores when the row itself is taken out of the sums.
//!
//! Taking row x of weight s out takes y = s·x from the sums of its terms and of the pairs of its classes. Two
//! things follow, and each is a loop over the row's entries:
//!
//! - in its own classes, a pair's sum falls: [`own_changes`];
//! - in all other classes, what is left of a term beside the class falls: [`other_changes`].
//!
//! See docs/theory/leave_one_out.md.

use super::logarithm::{FALL_2, FALL_3, FALL_4, FALL_8, fall, ln};
use super::prepared::{LANES, padded};
use super::scorer::split_rows;
use super::vectors::with_vectors;
use crate::statistics::{LabelledRows, Pairs, Rows, Statistics};
use crate::threads::on_threads;

/// The pairs class by class: each class's terms and sums.
struct ByClass {
    starts: Vec<usize>,
    terms: Vec<u32>,
    places: Vec<usize>,
}

impl ByClass {
    fn new(pairs: &Pairs, classes: usize) -> Self {
        let mut starts = vec![0; classes + 1];
        pairs.iter().for_each(|(_, place)| starts[pairs.classes()[place] as usize + 1] += 1);
        (0..classes).for_each(|class| starts[class + 1] += starts[class]);
        let mut next = starts.clone();
        let (mut terms, mut places) = (vec![0; pairs.len()], vec![0; pairs.len()]);
        for (term, place) in pairs.iter() {
            let at = &mut next[pairs.classes()[place] as usize];
            (terms[*at], places[*at]) = (term, place);
            *at += 1;
        }
        Self { starts, terms, places }
    }

    /// The (term, place) pairs of a class.
    fn of(&self, class: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let range = self.starts[class]..self.starts[class + 1];
        range.map(|at| (self.terms[at] as usize, self.places[at]))
    }
}

/// For each label of each row, what its class's own counts lose with the row:
/// Σ x_t · ( log(1 + (n_ct − y_t) · after) − log(1 + n_ct · before_c) ), for each of several models.
///
/// `before` holds a factor for each model and class, `after` for each model and label. A pair that no other
/// row has is nothing without the row, whatever rounding would leave of it.
pub fn own_changes(
    statistics: &Statistics,
    documents: LabelledRows,
    before: &[f64],
    after: &[f64],
    threads: usize,
) -> Vec<f64> {
    let LabelledRows { rows, labels, .. } = documents;
    let classes = statistics.classes().len();
    let by_class = ByClass::new(statistics.pairs(), classes);
    let models = before.len() / classes.max(1);
    // Every (row, place of its label), class by class.
    let mut members: Vec<(u32, u32, u32)> = (0..rows.len())
        .flat_map(|row| {
            let range = labels.starts[row] as usize..labels.starts[row + 1] as usize;
            range.map(move |at| (labels.classes[at], row as u32, at as u32))
        })
        .collect();
    members.sort_unstable();
    let pieces = threads.min(members.len() / 64).max(1);
    let ranges = (0..pieces).map(|n| members.len() * n / pieces..members.len() * (n + 1) / pieces);
    let found = on_threads(ranges, |range| {
        let mut own = Own::new(statistics, documents);
        let mut changes = Vec::new();
        for &(class, row, at) in &members[range] {
            own.turn_to(class as usize, &by_class);
            own.take(row as usize);
            for model in 0..models {
                let (before, after) = (
                    before[model * classes + class as usize],
                    after[model * labels.classes.len() + at as usize],
                );
                changes.push((model * labels.classes.len() + at as usize, own.change(before, after)));
            }
        }
        changes
    });
    let mut changes = vec![0.0; models * labels.classes.len()];
    found.into_iter().flatten().for_each(|(at, change)| changes[at] = change);
    changes
}

/// The sum of a pair, in two parts, and how many rows have it.
#[derive(Clone, Copy, Default)]
struct OwnSum {
    high: f64,
    low: f64,
    documents: u32,
}

/// One class's sums, by term, and one row's share of them.
struct Own<'a> {
    statistics: &'a Statistics,
    documents: LabelledRows<'a>,
    class: Option<usize>,
    /// Side by side, because they are looked up at random.
    sums: Vec<OwnSum>,
    found: Vec<OwnSum>,
    values: Vec<f64>,
    /// n_ct of the row's terms, with the row and without.
    with: Vec<f64>,
    without: Vec<f64>,
    logs: Vec<f64>,
}

impl<'a> Own<'a> {
    fn new(statistics: &'a Statistics, documents: LabelledRows<'a>) -> Self {
        let terms = statistics.terms().len();
        Self {
            statistics,
            documents,
            class: None,
            sums: vec![OwnSum::default(); terms],
            found: Vec::new(),
            values: Vec::new(),
            with: Vec::new(),
            without: Vec::new(),
            logs: Vec::new(),
        }
    }

    fn turn_to(&mut self, class: usize, by_class: &ByClass) {
        if self.class == Some(class) {
            return;
        }
        if let Some(last) = self.class {
            by_class.of(last).for_each(|(term, _)| self.sums[term] = OwnSum::default());
        }
        let totals = self.statistics.pairs().totals();
        let (high, low) = totals.sums().0.parts();
        for (term, place) in by_class.of(class) {
            let low = low.get(place).copied().unwrap_or(0.0);
            self.sums[term] = OwnSum { high: high[place], low, documents: totals.documents()[place] };
        }
        self.class = Some(class);
    }

    /// Look a row's terms up.
    fn take(&mut self, row: usize) {
        let weight = self.documents.weight(row);
        let (columns, values) = self.documents.rows.entries(row);
        self.values.clear();
        self.values.extend_from_slice(values);
        // First all the lookups, which wait for memory together.
        self.found.clear();
        self.found.extend(columns.iter().map(|&term| self.sums[term as usize]));
        self.with.clear();
        self.with.extend(self.found.iter().map(|sum| sum.high));
        self.without.clear();
        self.without.extend(self.found.iter().zip(values).map(|(sum, value)| {
            let others = sum.documents > 1 || weight * value == 0.0;
            if others { (sum.high - weight * value + sum.low).max(0.0) } else { 0.0 }
        }));
    }

    fn change(&mut self, before: f64, after: f64) -> f64 {
        self.logs.resize(self.values.len(), 0.0);
        let Self { values, with, without, logs, .. } = self;
        log_quotients(with, without, (before, after), logs);
        values.iter().zip(logs).map(|(value, log)| value * *log).sum()
    }
}

/// log((1 + without · after) / (1 + with · before)) of each.
fn log_quotients(with: &[f64], without: &[f64], factors: (f64, f64), logs: &mut [f64]) {
    #[inline(always)]
    fn each(with: &[f64], without: &[f64], factors: (f64, f64), logs: &mut [f64]) {
        for ((log, with), without) in logs.iter_mut().zip(with).zip(without) {
            *log = ln((1.0 + without * factors.1) / (1.0 + with * factors.0));
        }
    }
    with_vectors!(each(with: &[f64], without: &[f64], factors: (f64, f64), logs: &mut [f64]))
}

/// What falls in the classes that a row is not in.
#[derive(Debug, Clone)]
pub enum Falling<'a> {
    /// What is left of a term beside a class, n_t − n_ct + a, falls by y_t.
    Complement(f64),
    /// Every factor of log(1 + n_ct · f_c) falls to (1 − h) times itself, with an h for each row.
    Factors(&'a [f64], &'a [f64]),
}

/// Sums of logarithms' falls, row by row: [`other_changes`].
pub struct Falls {
    /// Σ x_t · fall_ct for each row and class.
    pub weighted: Vec<f64>,
    /// Σ fall_ct for each row and class; empty unless asked for.
    pub plain: Vec<f64>,
    /// Σ x_t · fall of a class without the term, for each row.
    pub lacking: Vec<f64>,
    /// Σ fall of a class without the term, for each row.
    pub plain_lacking: Vec<f64>,
}

/// For each row and class, Σ x_t · fall_ct, where fall_ct is by how much a logarithm falls with the row:
///
/// - [`Falling::Complement`]: log(n_t − n_ct + a) − log(n_t − n_ct − y_t + a);
/// - [`Falling::Factors`]: log(1 + n_ct f_c) − log(1 + n_ct f_c (1 − h)).
///
/// Both are −log(1 − r) with r = u_t · cell_ct: 1/(n_t − n_ct + a) and y_t, or n_ct f_c/(1 + n_ct f_c) and h.
/// What it gives for the row's own classes means nothing.
pub fn other_changes(
    statistics: &Statistics,
    falling: &Falling,
    rows: Rows,
    weights: Option<&[f64]>,
    plain: bool,
    threads: usize,
) -> Falls {
    let cells = Cells::new(statistics, falling);
    let classes = statistics.classes().len();
    let parts = on_threads(split_rows(rows, threads), |(first, last)| {
        let mut falls = RowFalls::new(classes);
        let mut part = Falls { weighted: vec![], plain: vec![], lacking: vec![], plain_lacking: vec![] };
        for row in first..last {
            let removed = match falling {
                Falling::Complement(_) => Removed::Share(weights.map_or(1.0, |weights| weights[row])),
                Falling::Factors(_, rows) => Removed::Constant(rows[row]),
            };
            let (columns, values) = rows.entries(row);
            sum_row(&cells, columns, values, removed, plain, &mut falls);
            if plain {
                part.plain.extend(falls.plain[..classes].iter().map(|sum| sum + falls.lacking.1));
            }
            part.weighted.extend(falls.weighted[..classes].iter().map(|sum| sum + falls.lacking.0));
            part.lacking.push(falls.lacking.0);
            part.plain_lacking.push(falls.lacking.1);
        }
        part
    });
    let mut parts = parts.into_iter();
    let mut all = parts.next().unwrap_or_else(|| unreachable!("there is always a piece"));
    for part in parts {
        all.weighted.extend(part.weighted);
        all.plain.extend(part.plain);
        all.lacking.extend(part.lacking);
        all.plain_lacking.extend(part.plain_lacking);
    }
    all
}

/// What a row takes from a term: its weight times the value, or one number for all its terms.
#[derive(Clone, Copy)]
enum Removed {
    Share(f64),
    Constant(f64),
}

impl Removed {
    #[inline(always)]
    fn of(self, value: f64) -> f64 {
        match self {
            Self::Share(weight) => weight * value,
            Self::Constant(constant) => constant,
        }
    }
}

/// The cells of a term: sixteen bytes, because there is one for every term and they are looked up at random.
#[derive(Clone, Copy)]
struct Place {
    /// The cell of a class that lacks the term; the others hold what they have beyond it.
    lacking: f64,
    /// The greatest of the others, or a little more: it decides how many terms of the series are needed.
    greatest: f32,
    /// The number of its row of cells with [`ROW`] set, or the place of its pairs.
    start: u32,
}

const ROW: u32 = 1 << 31;

/// The cells of all pairs: rows for terms that many classes have, pairs for the others.
struct Cells {
    places: Vec<Place>,
    rows: Vec<f64>,
    /// For each term without a row: (0, how many pairs), then the pairs' cells and classes.
    pairs: Vec<(f64, u32)>,
    width: usize,
}

impl Cells {
    fn new(statistics: &Statistics, falling: &Falling) -> Self {
        let (pairs, classes) = (statistics.pairs(), statistics.classes().len());
        let (values, totals) = (pairs.totals().values(), statistics.terms().values());
        let mut cells = Self {
            places: Vec::with_capacity(pairs.terms()),
            rows: Vec::new(),
            pairs: Vec::new(),
            width: padded(classes),
        };
        for (term, &total) in totals.iter().enumerate() {
            let range = pairs.range(term);
            let lacking = match falling {
                Falling::Complement(alpha) => 1.0 / (total + alpha),
                Falling::Factors(..) => 0.0,
            };
            let cell = |place: usize| {
                let class = pairs.classes()[place];
                let cell = match falling {
                    // 1/(n_t − n_ct + a) − 1/(n_t + a)
                    Falling::Complement(alpha) => {
                        let beside = (total - values[place]).max(0.0) + alpha;
                        (total + alpha - beside) / (beside * (total + alpha))
                    }
                    Falling::Factors(factors, _) => {
                        let scaled = values[place] * factors[class as usize];
                        scaled / (1.0 + scaled)
                    }
                };
                (cell, class)
            };
            let found = range.clone().map(cell);
            let greatest = found.clone().map(|(cell, _)| cell).fold(0.0, f64::max) as f32 * 1.001;
            if range.len() * 4 >= classes && classes > 0 {
                let start = cells.rows.len();
                cells.places.push(Place { lacking, greatest, start: ROW | (start / cells.width) as u32 });
                cells.rows.resize(start + cells.width, 0.0);
                found.for_each(|(cell, class)| cells.rows[start + class as usize] = cell);
            } else {
                cells.places.push(Place { lacking, greatest, start: cells.pairs.len() as u32 });
                cells.pairs.push((0.0, range.len() as u32));
                cells.pairs.extend(found);
            }
        }
        cells
    }
}

/// The work on one row, and its sums; used again for the next.
struct RowFalls {
    weighted: Vec<f64>,
    plain: Vec<f64>,
    /// Weighted and plain, of a class that lacks all terms.
    lacking: (f64, f64),
    /// Entries with a row of cells, by how many terms of the series they need; the others last.
    entries: [Vec<Entry>; DEGREES + 1],
    lengths: [usize; DEGREES + 1],
    found: Vec<Place>,
    heads: Vec<u32>,
    lacking_falls: Vec<f64>,
    /// 1 − r of the pairs of the others, then its logarithm.
    logs: Vec<f64>,
}

/// An entry: where its cells are, its value, and what the cells are multiplied by.
#[derive(Clone, Copy, Default)]
struct Entry {
    start: u32,
    value: f64,
    removed: f64,
}

/// Two, three, four or eight terms of the series, or a logarithm.
const DEGREES: usize = 5;

impl RowFalls {
    fn new(classes: usize) -> Self {
        let sums = vec![0.0; padded(classes)];
        Self {
            weighted: sums.clone(),
            plain: sums,
            lacking: (0.0, 0.0),
            entries: Default::default(),
            lengths: [0; DEGREES + 1],
            found: Vec::new(),
            heads: Vec::new(),
            lacking_falls: Vec::new(),
            logs: Vec::new(),
        }
    }
}

fn sum_row(
    cells: &Cells,
    columns: &[i32],
    values: &[f64],
    removed: Removed,
    plain: bool,
    falls: &mut RowFalls,
) {
    with_vectors!(sum_entries(
        cells: &Cells,
        columns: &[i32],
        values: &[f64],
        removed: Removed,
        plain: bool,
        falls: &mut RowFalls
    ))
}

#[inline(always)]
fn sum_entries(
    cells: &Cells,
    columns: &[i32],
    values: &[f64],
    removed: Removed,
    plain: bool,
    falls: &mut RowFalls,
) {
    falls.sort_entries(cells, columns, values, removed);
    falls.sum_lacking(values);
    if plain {
        falls.sum_rows::<true>(cells);
    } else {
        falls.sum_rows::<false>(cells);
    }
    falls.sum_pairs(cells);
}

impl RowFalls {
    /// Put entries where they belong, without a branch to mispredict.
    #[inline(always)]
    fn sort_entries(&mut self, cells: &Cells, columns: &[i32], values: &[f64], removed: Removed) {
        for entries in &mut self.entries {
            entries.resize(entries.len().max(columns.len()), Entry::default());
        }
        // First all the lookups, which wait for memory together.
        self.found.clear();
        self.found.extend(columns.iter().map(|&term| cells.places[term as usize]));
        self.lacking_falls.clear();
        self.lengths = [0; DEGREES + 1];
        for (&place, &value) in self.found.iter().zip(values) {
            let removed = removed.of(value);
            let lacking = 1.0 - removed * place.lacking;
            self.lacking_falls.push(lacking);
            // −log(1 − u·(l + cell)) = −log(1 − u·l) − log(1 − cell · u/(1 − u·l)), of which the first is for all.
            let removed = removed / lacking;
            let greatest = removed.abs() * f64::from(place.greatest);
            let degree = [FALL_2, FALL_3, FALL_4, FALL_8].map(|limit| usize::from(greatest > limit));
            let degree = if place.start & ROW != 0 { degree.iter().sum() } else { DEGREES };
            self.entries[degree][self.lengths[degree]] = Entry { start: place.start & !ROW, value, removed };
            self.lengths[degree] += 1;
        }
    }

    #[inline(always)]
    fn sum_lacking(&mut self, values: &[f64]) {
        self.lacking_falls.iter_mut().for_each(|fall| *fall = -ln(*fall));
        let weighted = self.lacking_falls.iter().zip(values).map(|(fall, value)| fall * value).sum();
        self.lacking = (weighted, self.lacking_falls.iter().sum());
    }

    #[inline(always)]
    fn sum_rows<const PLAIN: bool>(&mut self, cells: &Cells) {
        self.weighted.fill(0.0);
        self.plain.fill(0.0);
        let Self { weighted, plain, .. } = self;
        let [two, three, four, eight, more, _] = &self.entries;
        let [ends @ .., _] = self.lengths;
        let entries =
            [&two[..ends[0]], &three[..ends[1]], &four[..ends[2]], &eight[..ends[3]], &more[..ends[4]]];
        for at in (0..cells.width).step_by(VECTORS * LANES) {
            match (cells.width - at) / LANES {
                1 => sum_block::<LANES, PLAIN>(cells, at, entries, weighted, plain),
                2 => sum_block::<{ 2 * LANES }, PLAIN>(cells, at, entries, weighted, plain),
                _ => sum_block::<{ VECTORS * LANES }, PLAIN>(cells, at, entries, weighted, plain),
            }
        }
    }

    /// The terms that few classes have, pair by pair.
    #[inline(always)]
    fn sum_pairs(&mut self, cells: &Cells) {
        let Self { entries: [.., entries], logs, heads, weighted, plain, .. } = self;
        let entries = &entries[..self.lengths[DEGREES]];
        heads.clear();
        heads.extend(entries.iter().map(|entry| cells.pairs[entry.start as usize].1));
        logs.clear();
        let pairs_of =
            |entry: &Entry, length: u32| &cells.pairs[entry.start as usize + 1..][..length as usize];
        for (entry, &length) in entries.iter().zip(heads.iter()) {
            logs.extend(pairs_of(entry, length).iter().map(|(cell, _)| 1.0 - entry.removed * cell));
        }
        logs.iter_mut().for_each(|log| *log = ln(*log));
        let mut rest = logs.as_slice();
        for (entry, &length) in entries.iter().zip(heads.iter()) {
            let (own, others) = rest.split_at(length as usize);
            rest = others;
            for (log, &(_, class)) in own.iter().zip(pairs_of(entry, length)) {
                weighted[class as usize] -= entry.value * log;
                plain[class as usize] -= log;
            }
        }
    }
}

/// So many vectors of sums stay in registers.
const VECTORS: usize = 3;

/// The sums of N classes over all entries with rows of cells.
#[inline(always)]
fn sum_block<const N: usize, const PLAIN: bool>(
    cells: &Cells,
    at: usize,
    [two, three, four, eight, more]: [&[Entry]; DEGREES],
    weighted: &mut [f64],
    plain: &mut [f64],
) {
    let mut sums = ([0.0; N], [0.0; N]);
    add_rows::<N, PLAIN>(cells, at, two, &mut sums, fall::<2>);
    add_rows::<N, PLAIN>(cells, at, three, &mut sums, fall::<3>);
    add_rows::<N, PLAIN>(cells, at, four, &mut sums, fall::<4>);
    add_rows::<N, PLAIN>(cells, at, eight, &mut sums, fall::<8>);
    add_rows::<N, PLAIN>(cells, at, more, &mut sums, |r| -ln(1.0 - r));
    weighted[at..at + N].copy_from_slice(&sums.0);
    plain[at..at + N].copy_from_slice(&sums.1);
}

#[inline(always)]
fn add_rows<const N: usize, const PLAIN: bool>(
    cells: &Cells,
    at: usize,
    entries: &[Entry],
    (weighted, plain): &mut ([f64; N], [f64; N]),
    fall: impl Fn(f64) -> f64,
) {
    for entry in entries {
        let row = &cells.rows[entry.start as usize * cells.width + at..][..N];
        for class in 0..N {
            let fall = fall(entry.removed * row[class]);
            weighted[class] += entry.value * fall;
            if PLAIN {
                plain[class] += fall;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Labels;

    /// Rows of 4 entries over 30 terms, of classes in turn.
    fn learned(classes: u32, rows: Rows, labels: Labels) -> Statistics {
        let mut statistics = Statistics::new(30);
        statistics.grow(30, classes as usize);
        statistics.add(LabelledRows { rows, labels, weights: None });
        statistics
    }

    fn entries() -> (Vec<i64>, Vec<i32>, Vec<f64>) {
        let columns = (0..60).flat_map(|row| (0..4).map(move |at| (row * 3 + at * 7 + row * row % 5) % 30));
        let values = (0..240).map(|at| 1.0 + f64::from(at % 7) / 3.0).collect();
        ((0..=60).map(|row| row * 4).collect(), columns.collect(), values)
    }

    #[test]
    fn falls_are_logarithms_of_what_is_left() {
        let (starts, columns, values) = entries();
        let rows = Rows { starts: &starts, columns: &columns, values: &values };
        // Few classes give every term a row of cells, many give it pairs.
        for (count, alpha) in [(3, 1.0), (3, 1e-3), (40, 0.5)] {
            let classes: Vec<u32> = (0..60).map(|row| row * row % count).collect();
            let label_starts: Vec<i64> = (0..=60).collect();
            let labels = Labels { starts: &label_starts, classes: &classes };
            let statistics = learned(count, rows, labels);
            let falls = other_changes(&statistics, &Falling::Complement(alpha), rows, None, true, 2);
            for (row, &own) in classes.iter().enumerate() {
                for class in (0..count).filter(|&class| class != own) {
                    let (mut weighted, mut plain) = (0.0, 0.0);
                    for (term, value) in rows.row(row) {
                        let total = statistics.terms().values()[term as usize];
                        let pair = statistics.pairs().get(term as usize, class).values.value();
                        let fall = ((total - pair + alpha) / (total - pair - value + alpha)).ln();
                        weighted += value * fall;
                        plain += fall;
                    }
                    let at = row * count as usize + class as usize;
                    assert!((falls.weighted[at] - weighted).abs() < 1e-11, "{count} {alpha} {row} {class}");
                    assert!((falls.plain[at] - plain).abs() < 1e-11);
                }
            }
        }
    }

    #[test]
    fn own_changes_are_logarithms_of_what_is_left() {
        let (starts, columns, values) = entries();
        let rows = Rows { starts: &starts, columns: &columns, values: &values };
        let classes: Vec<u32> = (0..60).map(|row| row % 3).collect();
        let label_starts: Vec<i64> = (0..=60).collect();
        let labels = Labels { starts: &label_starts, classes: &classes };
        let statistics = learned(3, rows, labels);
        let (before, after) = ([0.5, 1.0, 2.0], (0..60).map(|at| 0.1 * f64::from(at)).collect::<Vec<f64>>());
        let changes =
            own_changes(&statistics, LabelledRows { rows, labels, weights: None }, &before, &after, 3);
        for (row, &class) in classes.iter().enumerate() {
            let change: f64 = rows
                .row(row)
                .map(|(term, value)| {
                    let pair = statistics.pairs().get(term as usize, class).values.value();
                    let left = 1.0 + (pair - value) * after[row];
                    value * (left / (1.0 + pair * before[class as usize])).ln()
                })
                .sum();
            assert!((changes[row] - change).abs() < 1e-11, "{row}");
        }
    }
}
