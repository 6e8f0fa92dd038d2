//! The entries of a batch, added up class by class.
//!
//! A class's rows are added into one cell per column, and the cells touched become its pairs: the work follows
//! the entries, and the cells of one class fit a cache. The pairs of all classes are then put in the order of
//! their terms.

use super::rows::Rows;
use super::sum::Sum;
use super::totals::{Total, Totals};
use crate::threads::{available_threads, on_threads};

/// One (class, row), sorted by class.
pub type Event = (u32, u32);

/// What is added up for one class and column.
pub trait Cell: Copy + Default + Send + Sync {
    /// True before anything was added.
    fn is_empty(&self) -> bool;
    /// Add one document's value; false when this kind of cell cannot hold it exactly.
    fn add(&mut self, value: f64, weight: f64) -> bool;
    /// What was added.
    fn total(&self) -> Total;
    /// Put what was added in its place.
    fn store(&self, totals: &mut Totals, at: usize);
}

/// Whole numbers, in one word: documents in the high 24 bits, the sum of values in the low 40.
#[derive(Clone, Copy, Default)]
pub struct Whole(u64);

const VALUE_BITS: u32 = 40;

impl Cell for Whole {
    #[inline]
    fn is_empty(&self) -> bool {
        self.0 == 0
    }

    #[inline]
    fn add(&mut self, value: f64, _weight: f64) -> bool {
        let whole = value as u32;
        self.0 += 1 << VALUE_BITS | u64::from(whole);
        f64::from(whole) == value
    }

    fn total(&self) -> Total {
        let (value, documents) = self.parts();
        Total { values: Sum::new(value), weight: Sum::new(f64::from(documents)), documents }
    }

    #[inline]
    fn store(&self, totals: &mut Totals, at: usize) {
        let (value, documents) = self.parts();
        totals.set_whole(at, value, documents);
    }
}

impl Whole {
    /// The sum of the values, and the number of documents.
    #[inline]
    fn parts(self) -> (f64, u32) {
        ((self.0 & ((1 << VALUE_BITS) - 1)) as f64, (self.0 >> VALUE_BITS) as u32)
    }

    /// How many rows of how many entries its bits are sure to hold.
    pub fn holds(rows: Rows) -> bool {
        const MOST_ROWS: usize = 1 << (64 - VALUE_BITS);
        // Each value is below 2^32: with fewer rows than this, no column can reach 2^40.
        const SURE_ROWS: usize = 1 << (VALUE_BITS - 32);
        let largest = || rows.values.iter().copied().fold(0.0, f64::max);
        rows.len() < SURE_ROWS
            || rows.len() < MOST_ROWS && largest() * (rows.len() as f64) < (1_u64 << VALUE_BITS) as f64
    }
}

/// Real numbers, or weighted documents.
#[derive(Clone, Copy, Default)]
pub struct Real(Total);

impl Cell for Real {
    #[inline]
    fn is_empty(&self) -> bool {
        self.0.documents == 0
    }

    #[inline]
    fn add(&mut self, value: f64, weight: f64) -> bool {
        self.0.values.add(weight * value);
        self.0.weight.add(weight);
        self.0.documents += 1;
        true
    }

    fn total(&self) -> Total {
        self.0
    }

    fn store(&self, totals: &mut Totals, at: usize) {
        totals.set(at, &self.0);
    }
}

/// The pairs of some classes, class by class, and the totals of these classes.
struct Gathered<C> {
    terms: Vec<u32>,
    cells: Vec<C>,
    /// Each class, where its pairs end, and its total.
    classes: Vec<(u32, usize, Total)>,
}

/// Pairs by term, then class; and the total of each class that occurs.
#[derive(Default)]
pub struct Sorted {
    /// The terms that occur, rising.
    pub terms: Vec<u32>,
    /// Where each term's pairs start; one more than there are terms.
    pub starts: Vec<usize>,
    /// The class of each pair.
    pub classes: Vec<u32>,
    /// The total of each pair.
    pub totals: Totals,
    /// The sum of each term's pairs.
    pub term_sums: Totals,
    /// The total of each class.
    pub class_totals: Vec<(u32, Total)>,
}

impl Sorted {
    fn sum_terms(&mut self) {
        let mut sums = Totals::zeros(self.terms.len());
        for (number, ends) in self.starts.windows(2).enumerate() {
            sums.set(number, &self.totals.sum(ends[0]..ends[1]));
        }
        self.term_sums = sums;
    }

    /// Put the pairs of later terms behind.
    fn append(&mut self, other: Self) {
        let before = self.classes.len();
        self.starts.pop();
        self.starts.extend(other.starts.iter().map(|start| start + before));
        self.terms.extend(other.terms);
        self.classes.extend(other.classes);
        self.totals.append(other.totals);
        self.term_sums.append(other.term_sums);
    }
}

/// Add up the rows of the events; `None` when the cells cannot hold the values exactly.
pub fn gather<C: Cell>(
    rows: Rows,
    events: &[Event],
    weights: Option<&[f64]>,
    columns: usize,
) -> Option<Sorted> {
    let shares = split(rows, events);
    let gathered = on_threads(shares, |events| {
        // Cells for every column are quicker, unless there are few entries; then the columns are numbered anew.
        let entries: usize = events.iter().map(|&(_, row)| rows.row_len(row as usize)).sum();
        if entries * 16 > columns {
            gather_classes::<C>(rows, events, weights, columns, |column| column as usize, |at| at)
        } else {
            let mut known: Vec<u32> =
                events.iter().flat_map(|&(_, row)| rows.row(row as usize).map(|entry| entry.0)).collect();
            known.sort_unstable();
            known.dedup();
            let place = |column: u32| known.binary_search(&column).unwrap_or(0);
            gather_classes::<C>(rows, events, weights, known.len(), place, |at| known[at as usize])
        }
    });
    let gathered = gathered.into_iter().collect::<Option<Vec<_>>>()?;
    Some(sort_pairs(&gathered, columns))
}

fn gather_classes<C: Cell>(
    rows: Rows,
    events: &[Event],
    weights: Option<&[f64]>,
    columns: usize,
    place: impl Fn(u32) -> usize,
    column: impl Fn(u32) -> u32,
) -> Option<Gathered<C>> {
    let mut cells = vec![C::default(); columns];
    let mut touched: Vec<u32> = Vec::new();
    let mut found = Gathered { terms: Vec::new(), cells: Vec::new(), classes: Vec::new() };
    let mut exact = true;
    for class_events in events.chunk_by(|left, right| left.0 == right.0) {
        let mut total = Total { documents: class_events.len() as u32, ..Total::default() };
        for &(_, row) in class_events {
            let weight = weights.map_or(1.0, |weights| weights[row as usize]);
            total.weight.add(weight);
            exact &= add_row(rows.row(row as usize), weight, &place, &mut cells, &mut touched);
        }
        found.terms.extend(touched.iter().map(|&at| column(at)));
        for &at in &touched {
            let cell = std::mem::take(&mut cells[at as usize]);
            total.values.add_sum(cell.total().values, 1.0);
            found.cells.push(cell);
        }
        touched.clear();
        found.classes.push((class_events[0].0, found.terms.len(), total));
    }
    exact.then_some(found)
}

/// Add a row to the cells; false when these cannot hold it exactly.
#[inline(never)]
fn add_row<C: Cell>(
    row: impl Iterator<Item = (u32, f64)>,
    weight: f64,
    place: impl Fn(u32) -> usize,
    cells: &mut [C],
    touched: &mut Vec<u32>,
) -> bool {
    let mut exact = true;
    for (column, value) in row {
        let at = place(column);
        let cell = &mut cells[at];
        if cell.is_empty() {
            touched.push(at as u32);
        }
        exact &= cell.add(value, weight);
    }
    exact
}

/// Cut events into shares of about equal work, between classes, one for each thread worth waking.
fn split<'a>(rows: Rows, events: &'a [Event]) -> Vec<&'a [Event]> {
    const WORTH_A_THREAD: usize = 1 << 17;
    let entries: usize = events.iter().map(|&(_, row)| rows.row_len(row as usize)).sum();
    let goal = entries.div_ceil(available_threads().min(entries / WORTH_A_THREAD).max(1));
    let mut shares = Vec::new();
    let (mut start, mut size) = (0, 0);
    for (at, &(class, row)) in events.iter().enumerate() {
        if size >= goal && at > 0 && events[at - 1].0 != class {
            shares.push(&events[start..at]);
            (start, size) = (at, 0);
        }
        size += rows.row_len(row as usize);
    }
    shares.push(&events[start..]);
    shares
}

/// Put the pairs in the order of their terms; within a term their classes rise, as they do in the parts.
fn sort_pairs<C: Cell>(parts: &[Gathered<C>], columns: usize) -> Sorted {
    const WORTH_A_THREAD: usize = 1 << 16;
    const MOST_THREADS: usize = 4; // each reads all pairs, and keeps its share
    let pairs: usize = parts.iter().map(|part| part.terms.len()).sum();
    let mut sorted = if pairs * 16 > columns {
        let threads = available_threads().min(MOST_THREADS).min(pairs / WORTH_A_THREAD).max(1);
        let ranges = (0..threads).map(|n| columns * n / threads..columns * (n + 1) / threads);
        let mut shares = on_threads(ranges, |range| by_counting(parts, range)).into_iter();
        let first = shares.next().unwrap_or_default();
        shares.fold(first, |mut all, share| {
            all.append(share);
            all
        })
    } else {
        by_sorting(parts, pairs)
    };
    sorted.class_totals =
        parts.iter().flat_map(|part| part.classes.iter().map(|&(class, _, total)| (class, total))).collect();
    sorted
}

/// Call `visit(term, class, cell)` for every pair, class by class.
fn each_pair<C: Cell>(parts: &[Gathered<C>], mut visit: impl FnMut(u32, u32, &C)) {
    for part in parts {
        let mut start = 0;
        for &(class, end, _) in &part.classes {
            for (&term, cell) in part.terms[start..end].iter().zip(&part.cells[start..end]) {
                visit(term, class, cell);
            }
            start = end;
        }
    }
}

fn by_counting<C: Cell>(parts: &[Gathered<C>], range: std::ops::Range<usize>) -> Sorted {
    let mut next = vec![0_usize; range.len() + 1];
    let within = |term: u32| (term as usize).wrapping_sub(range.start);
    for part in parts {
        let terms = part.terms.iter().map(|&term| within(term)).filter(|&term| term < range.len());
        terms.for_each(|term| next[term + 1] += 1);
    }
    let mut sorted = Sorted::default();
    for term in 0..range.len() {
        if next[term + 1] > 0 {
            sorted.terms.push((range.start + term) as u32);
            sorted.starts.push(next[term]);
        }
        next[term + 1] += next[term];
    }
    let pairs = next[range.len()];
    sorted.starts.push(pairs);
    sorted.classes = vec![0; pairs];
    sorted.totals = Totals::zeros(pairs);
    each_pair(parts, |term, class, cell| {
        let term = within(term);
        if term < range.len() {
            let place = &mut next[term];
            sorted.classes[*place] = class;
            cell.store(&mut sorted.totals, *place);
            *place += 1;
        }
    });
    sorted.sum_terms();
    sorted
}

fn by_sorting<C: Cell>(parts: &[Gathered<C>], pairs: usize) -> Sorted {
    let mut found: Vec<(u32, u32, C)> = Vec::with_capacity(pairs);
    each_pair(parts, |term, class, cell| found.push((term, class, *cell)));
    found.sort_unstable_by_key(|&(term, class, _)| (term, class));
    let mut sorted = Sorted { totals: Totals::zeros(pairs), ..Sorted::default() };
    for (at, (term, class, cell)) in found.iter().enumerate() {
        if sorted.terms.last() != Some(term) {
            sorted.terms.push(*term);
            sorted.starts.push(at);
        }
        sorted.classes.push(*class);
        cell.store(&mut sorted.totals, at);
    }
    sorted.starts.push(pairs);
    sorted.sum_terms();
    sorted
}
