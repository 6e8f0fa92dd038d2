//! By how much a logarithm falls with a row, in the classes that the row is not in.

use crate::memory;
use crate::scores::logarithm::{FALL_2, FALL_3, FALL_4, FALL_8, fall, ln};
use crate::scores::prepared::{LANES, padded};
use crate::scores::vectors::with_vectors;
use crate::statistics::{Rows, Statistics};
use crate::threads::on_threads;

/// What falls, by −log(1 − removed · cell) for each term and class.
pub trait Falling: Sync {
    /// The cell of a class that lacks a term with this sum.
    fn lacking(&self, total: f64) -> f64;
    /// What the cell of a class has beyond that, where its sum of the term is `pair`.
    fn cell(&self, class: usize, pair: f64, total: f64) -> f64;
    /// What a row takes from its terms.
    fn removed(&self, row: usize) -> Removed;
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
/// - [`super::ComplementFalls`]: log(n_t − n_ct + a) − log(n_t − n_ct − y_t + a);
/// - [`super::FactorFalls`]: log(1 + n_ct f_c) − log(1 + n_ct f_c (1 − h)).
///
/// Both are −log(1 − r) with r = u_t · cell_ct: 1/(n_t − n_ct + a) and y_t, or n_ct f_c/(1 + n_ct f_c) and h.
/// The results for the row's own classes have no meaning.
pub fn other_changes(
    statistics: &Statistics,
    falling: &impl Falling,
    rows: Rows,
    plain: bool,
    threads: usize,
) -> Falls {
    let cells = Cells::new(statistics, falling);
    let classes = statistics.classes().len();
    let parts = on_threads(rows.split(threads), |range| {
        let mut falls = RowFalls::new(classes);
        let mut part = Falls { weighted: vec![], plain: vec![], lacking: vec![], plain_lacking: vec![] };
        for row in range {
            let removed = falling.removed(row);
            let (columns, values) = rows.entries(row);
            sum_row(&cells, columns, values, removed, plain, &mut falls);
            if plain {
                let plain = falls.plain[..classes].iter().map(|sum| sum + falls.lacking.1);
                memory::extend(&mut part.plain, plain);
            }
            let weighted = falls.weighted[..classes].iter().map(|sum| sum + falls.lacking.0);
            memory::extend(&mut part.weighted, weighted);
            part.lacking.push(falls.lacking.0);
            part.plain_lacking.push(falls.lacking.1);
        }
        part
    });
    let mut parts = parts.into_iter();
    let mut all = parts.next().unwrap_or_else(|| unreachable!("there is always a piece"));
    for part in parts {
        memory::extend(&mut all.weighted, part.weighted);
        memory::extend(&mut all.plain, part.plain);
        all.lacking.extend(part.lacking);
        all.plain_lacking.extend(part.plain_lacking);
    }
    all
}

/// What a row takes from a term: its weight times the value, or one number for all its terms.
#[derive(Clone, Copy)]
pub enum Removed {
    /// This many times the value.
    Share(f64),
    /// The same for all terms.
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
    fn new(statistics: &Statistics, falling: &impl Falling) -> Self {
        let (pairs, classes) = (statistics.pairs(), statistics.classes().len());
        let (values, totals) = (pairs.totals().values(), statistics.terms().values());
        let mut cells = Self {
            places: memory::with_capacity(pairs.terms()),
            rows: Vec::new(),
            pairs: Vec::new(),
            width: padded(classes),
        };
        for (term, &total) in totals.iter().enumerate() {
            let range = pairs.range(term);
            let lacking = falling.lacking(total);
            let cell = |place: usize| {
                let class = pairs.classes()[place];
                (falling.cell(class as usize, values[place], total), class)
            };
            let found = range.clone().map(cell);
            let greatest = found.clone().map(|(cell, _)| cell).fold(0.0, f64::max) as f32 * 1.001;
            if range.len() * 4 >= classes && classes > 0 {
                let start = cells.rows.len();
                cells.places.push(Place { lacking, greatest, start: ROW | (start / cells.width) as u32 });
                memory::resize(&mut cells.rows, start + cells.width, 0.0);
                found.for_each(|(cell, class)| cells.rows[start + class as usize] = cell);
            } else {
                cells.places.push(Place { lacking, greatest, start: cells.pairs.len() as u32 });
                memory::push(&mut cells.pairs, (0.0, range.len() as u32));
                memory::extend(&mut cells.pairs, found);
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

/// The number of vectors of sums that stay in registers.
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
