//! The entries of a batch, added up class by class.
//!
//! A class's rows are added into one cell per column, and the cells touched become its pairs, in the order of
//! their terms: the work follows the entries, and the cells of one class fit a cache. Then the pairs of all
//! classes are put together term by term.

use super::cells::Cell;
use super::rows::Rows;
use super::sorting::{Sorted, sort_pairs};
use super::totals::Total;
use super::touched::Touched;
use super::values::Value;
use crate::memory;
use crate::threads::{available_threads, on_threads, part_count};

/// One (class, row), sorted by class.
pub type Event = (u32, u32);

/// The pairs of some classes: class by class, and within one by their terms.
pub struct Gathered<C> {
    /// The term of each pair.
    pub terms: Vec<u32>,
    /// The sum of each pair.
    pub cells: Vec<C>,
    /// Each class, where its pairs end, and its total.
    pub classes: Vec<(u32, usize, Total)>,
    /// The bits that the values have.
    pub bits: u64,
}

/// Add up the rows of the events; `None` when the cells cannot hold the values exactly.
pub fn gather<C: Cell, V: Value>(
    rows: Rows<V>,
    events: &[Event],
    weights: Option<&[f64]>,
    columns: usize,
) -> Option<Sorted> {
    let shares = split(rows, events);
    let gathered = on_threads(shares, |events| {
        // Cells for every column are faster, unless there are few entries: then only the columns that occur get one.
        let entries: usize = events.iter().map(|&(_, row)| rows.row_len(row as usize)).sum();
        if entries * 16 > columns {
            gather_classes::<C, V>(rows, events, weights, columns, |column| column as usize, |at| at)
        } else {
            let mut known: Vec<u32> = memory::collected(
                events.iter().flat_map(|&(_, row)| rows.row(row as usize).map(|entry| entry.0)),
            );
            known.sort_unstable();
            known.dedup();
            let place = |column: u32| known.binary_search(&column).unwrap_or(0);
            gather_classes::<C, V>(rows, events, weights, known.len(), place, |at| known[at as usize])
        }
    });
    let bits = gathered.iter().fold(0, |bits, part| bits | part.bits);
    C::hold(bits, rows.len()).then(|| sort_pairs(&gathered, columns))
}

fn gather_classes<C: Cell, V: Value>(
    rows: Rows<V>,
    events: &[Event],
    weights: Option<&[f64]>,
    columns: usize,
    place: impl Fn(u32) -> usize,
    column: impl Fn(u32) -> u32,
) -> Gathered<C> {
    let mut cells = memory::filled(columns, C::default());
    let mut touched = Touched::new(columns);
    // Reserve the maximum: memory that is not used is never touched.
    let most = events.iter().map(|&(_, row)| rows.row_len(row as usize)).sum();
    let (terms, pairs) = (memory::with_capacity(most), memory::with_capacity(most));
    let mut found = Gathered { terms, cells: pairs, classes: Vec::new(), bits: 0 };
    for class_events in events.chunk_by(|left, right| left.0 == right.0) {
        let mut total = Total { documents: class_events.len() as u32, ..Total::default() };
        for &(_, row) in class_events {
            let weight = weights.map_or(1.0, |weights| weights[row as usize]);
            total.weight.add(weight);
            found.bits |= add_row(rows.row(row as usize), weight, &place, &mut cells, &mut touched);
        }
        let start = found.cells.len();
        touched.drain(|at| {
            found.terms.push(column(at));
            found.cells.push(std::mem::take(&mut cells[at as usize]));
        });
        total.values = C::sum(&found.cells[start..]);
        found.classes.push((class_events[0].0, found.terms.len(), total));
    }
    found
}

/// Add a row to the cells; return the bits that its values have.
#[inline(never)]
fn add_row<C: Cell, V: Value>(
    row: impl Iterator<Item = (u32, V)>,
    weight: f64,
    place: impl Fn(u32) -> usize,
    cells: &mut [C],
    touched: &mut Touched,
) -> u64 {
    let mut bits = 0;
    for (column, value) in row {
        let at = place(column);
        bits |= cells[at].add(value, weight);
        touched.add(at);
    }
    bits
}

/// Split events between classes into shares of about equal work, one for each thread.
fn split<'a, V: Value>(rows: Rows<V>, events: &'a [Event]) -> Vec<&'a [Event]> {
    let entries: usize = events.iter().map(|&(_, row)| rows.row_len(row as usize)).sum();
    // Adding an entry takes an eighth of the time of scoring it.
    // Rows without entries, such as those of labels alone, are one part: not one for every class.
    let goal = entries.div_ceil(part_count(entries / 8, available_threads())).max(1);
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
