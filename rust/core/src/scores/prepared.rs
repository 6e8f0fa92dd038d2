//! Precomputed corrections: a row of cells for terms that most classes have, pairs for the others.
//!
//! A fixed share of a row's cells are pairs seen, so that memory still follows the pairs.

use super::vectors::with_vectors;
use crate::memory;
use crate::statistics::{Statistics, Value};
use crate::threads::{available_threads, on_threads, split_evenly};
use crate::weights::Weights;

/// Where the corrections of a term are: the number of its row with [`ROW`] set, or the place of its pairs.
///
/// Four bytes, because there is one for every term and they are looked up at random.
type Place = u32;

const ROW: Place = 1 << 31;

/// True for a term whose corrections are worth a row of cells. Such terms are added before the others.
#[inline]
pub fn is_common(pairs: usize, classes: usize) -> bool {
    // Cells in registers cost little; a row of many classes is as long as it is wide.
    let share = if classes <= 64 { 8 } else { 2 };
    pairs * share >= classes && classes > 0
}

/// Sums of classes are kept in vectors of this many.
pub const LANES: usize = 4;
/// The number of vectors that stay in registers while a row is added.
const VECTORS: usize = 8;

/// The length of an array of sums for `classes` classes.
pub fn padded(classes: usize) -> usize {
    classes.next_multiple_of(LANES)
}

/// Precomputed corrections.
pub struct Prepared {
    places: Vec<Place>,
    cells: Vec<f64>,
    /// For each term without a row: (0, how many pairs), then the pairs' corrections and classes.
    pairs: Vec<(f64, u32)>,
    width: usize,
}

impl Prepared {
    /// Compute the corrections of all pairs.
    pub fn new(weights: &Weights, statistics: &Statistics) -> Self {
        let pairs = statistics.pairs();
        let ranges = split_evenly(pairs.terms(), pairs.len(), available_threads());
        let parts = on_threads(ranges, |range| Self::of_terms(weights, statistics, range));
        let mut parts = parts.into_iter();
        let mut all = parts.next().unwrap_or_else(|| Self::of_terms(weights, statistics, 0..0));
        for part in parts {
            let (rows, pairs) = (all.cells.len() / all.width.max(1), all.pairs.len());
            let before = |place: Place| (if place & ROW != 0 { rows } else { pairs }) as u32;
            memory::extend(&mut all.places, part.places.into_iter().map(|place| place + before(place)));
            memory::extend(&mut all.cells, part.cells);
            memory::extend(&mut all.pairs, part.pairs);
        }
        all
    }

    fn of_terms(weights: &Weights, statistics: &Statistics, terms: std::ops::Range<usize>) -> Self {
        let (pairs, classes) = (statistics.pairs(), statistics.classes().len());
        let (values, totals) = (pairs.totals().values(), statistics.terms().values());
        let mut part =
            Self { places: Vec::new(), cells: Vec::new(), pairs: Vec::new(), width: padded(classes) };
        for term in terms {
            let range = pairs.range(term);
            let own = pairs.classes()[range.clone()].iter().zip(&values[range.clone()]);
            let corrections =
                own.map(|(&class, &pair)| (weights.correction(class as usize, pair, totals[term]), class));
            if is_common(range.len(), classes) {
                let start = part.cells.len();
                memory::push(&mut part.places, ROW | (start / part.width) as u32);
                memory::resize(&mut part.cells, start + part.width, 0.0);
                corrections.for_each(|(correction, class)| part.cells[start + class as usize] = correction);
            } else {
                memory::push(&mut part.places, part.pairs.len() as u32);
                memory::push(&mut part.pairs, (0.0, range.len() as u32));
                memory::extend(&mut part.pairs, corrections);
            }
        }
        part
    }

    /// Set the sums of the classes to those of a row: each entry's value times its term's corrections.
    ///
    /// `scratch` holds the row's entries, split in two. The sums must be [`padded`].
    #[inline]
    pub fn sum_row<V: Value>(
        &self,
        columns: &[i32],
        values: &[V],
        scratch: &mut [Vec<(u32, f64)>; 2],
        sums: &mut [f64],
    ) {
        let [common, rare] = scratch;
        common.resize(columns.len(), (0, 0.0));
        rare.resize(columns.len(), (0, 0.0));
        let (mut in_common, mut in_rare) = (0, 0);
        for (&term, &value) in columns.iter().zip(values) {
            let (place, value) = (self.places[term as usize], value.real());
            let is_row = usize::from(place & ROW != 0);
            // Written to both, kept in one: no branch to mispredict.
            common[in_common] = (place & !ROW, value);
            rare[in_rare] = (place, value);
            in_common += is_row;
            in_rare += 1 - is_row;
        }
        sum_common(self, &common[..in_common], sums);
        for &(place, value) in &rare[..in_rare] {
            let (_, length) = self.pairs[place as usize];
            let pairs = &self.pairs[place as usize + 1..][..length as usize];
            pairs.iter().for_each(|(correction, class)| sums[*class as usize] += value * correction);
        }
    }

    /// The sums of N classes, which stay in registers.
    #[inline(always)]
    fn sum_block<const N: usize>(&self, entries: &[(u32, f64)], at: usize, sums: &mut [f64]) {
        let mut block = [0.0; N];
        for &(row, value) in entries {
            let cells = &self.cells[row as usize * self.width + at..][..N];
            block.iter_mut().zip(cells).for_each(|(sum, cell)| *sum += value * cell);
        }
        sums[at..at + N].copy_from_slice(&block);
    }
}

/// Set the sums to those of the terms with a row of cells.
fn sum_common(prepared: &Prepared, entries: &[(u32, f64)], sums: &mut [f64]) {
    // It pays: benchmarks/classifiers.py, predict.
    with_vectors!(sum_blocks(prepared: &Prepared, entries: &[(u32, f64)], sums: &mut [f64]))
}

#[inline(always)]
fn sum_blocks(prepared: &Prepared, entries: &[(u32, f64)], sums: &mut [f64]) {
    for at in (0..prepared.width).step_by(VECTORS * LANES) {
        match (prepared.width - at) / LANES {
            1 => prepared.sum_block::<LANES>(entries, at, sums),
            2 => prepared.sum_block::<{ 2 * LANES }>(entries, at, sums),
            3 => prepared.sum_block::<{ 3 * LANES }>(entries, at, sums),
            4 => prepared.sum_block::<{ 4 * LANES }>(entries, at, sums),
            5 => prepared.sum_block::<{ 5 * LANES }>(entries, at, sums),
            6 => prepared.sum_block::<{ 6 * LANES }>(entries, at, sums),
            7 => prepared.sum_block::<{ 7 * LANES }>(entries, at, sums),
            _ => prepared.sum_block::<{ VECTORS * LANES }>(entries, at, sums),
        }
    }
}
