//! Corrections worked out ahead: a row of cells for terms that most classes have, pairs for the others.
//!
//! At least half of a row's cells are pairs seen, so that memory still follows the pairs.

use super::weights::Weights;
use crate::statistics::Statistics;
use crate::threads::{available_threads, on_threads};

/// Where the corrections of a term are: some pairs, or a row of one cell for each class.
#[derive(Clone, Copy, Default)]
struct Place {
    /// The first pair, or the number of the row.
    first: u32,
    /// How many pairs, or [`ROW`].
    length: u32,
}

const ROW: u32 = u32::MAX;

/// So many entries have their places looked up together, so that the waits for memory overlap.
const BATCH: usize = 32;

/// Corrections worked out ahead.
pub struct Prepared {
    places: Vec<Place>,
    cells: Vec<f64>,
    pairs: Vec<(f64, u32)>,
    width: usize,
}

/// The corrections of a stretch of terms.
struct Part {
    places: Vec<Place>,
    cells: Vec<f64>,
    pairs: Vec<(f64, u32)>,
}

impl Prepared {
    /// Work out the corrections of all pairs.
    pub fn new(weights: &Weights, statistics: &Statistics) -> Self {
        let terms = statistics.pairs().terms();
        let width = statistics.classes().len();
        const WORTH_A_THREAD: usize = 1 << 14;
        let threads = available_threads().min(statistics.pairs().len() / WORTH_A_THREAD).max(1);
        let ranges: Vec<_> = (0..threads).map(|n| terms * n / threads..terms * (n + 1) / threads).collect();
        let parts = on_threads(ranges, |range| prepare(weights, statistics, range));
        let mut all = Self { places: Vec::with_capacity(terms), cells: Vec::new(), pairs: Vec::new(), width };
        for part in parts {
            let (rows, pairs) = (all.cells.len() / width.max(1), all.pairs.len());
            all.places.extend(part.places.into_iter().map(|Place { first, length }| {
                let before = if length == ROW { rows } else { pairs };
                Place { first: first + before as u32, length }
            }));
            all.cells.extend(part.cells);
            all.pairs.extend(part.pairs);
        }
        all
    }

    /// Add each entry's value times its term's corrections to the sums of the classes.
    #[inline]
    pub fn add_row(&self, row: impl Iterator<Item = (u32, f64)>, sums: &mut [f64]) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instructions, as just asked; the code is the same safe Rust.
            // It is worth it: benchmarks/classifiers.py, predict, half the time of baseline x86-64.
            #[allow(unsafe_code)]
            return unsafe { self.add_row_avx2(row, sums) };
        }
        self.add_row_anywhere(row, sums);
    }

    /// The same, four doubles at a time. Products are rounded before they are added, so the bits are the same.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn add_row_avx2(&self, row: impl Iterator<Item = (u32, f64)>, sums: &mut [f64]) {
        self.add_row_anywhere(row, sums);
    }

    #[inline(always)]
    fn add_row_anywhere(&self, mut row: impl Iterator<Item = (u32, f64)>, sums: &mut [f64]) {
        let mut batch = [(Place::default(), 0.0); BATCH];
        loop {
            let mut filled = 0;
            for (slot, (term, value)) in batch.iter_mut().zip(&mut row) {
                *slot = (self.places[term as usize], value);
                filled += 1;
            }
            for &(place, value) in &batch[..filled] {
                self.add_entry(place, value, sums);
            }
            if filled < BATCH {
                return;
            }
        }
    }

    #[inline(always)]
    fn add_entry(&self, Place { first, length }: Place, value: f64, sums: &mut [f64]) {
        if length == ROW {
            let cells = &self.cells[first as usize * self.width..][..self.width];
            sums.iter_mut().zip(cells).for_each(|(sum, cell)| *sum += value * cell);
        } else {
            let pairs = &self.pairs[first as usize..(first + length) as usize];
            pairs.iter().for_each(|(correction, class)| sums[*class as usize] += value * correction);
        }
    }
}

fn prepare(weights: &Weights, statistics: &Statistics, terms: std::ops::Range<usize>) -> Part {
    let (pairs, width) = (statistics.pairs(), statistics.classes().len());
    let (values, totals) = (pairs.totals().values(), statistics.terms().values());
    let mut part = Part { places: Vec::new(), cells: Vec::new(), pairs: Vec::new() };
    for term in terms {
        let range = pairs.range(term);
        let each = pairs.classes()[range.clone()]
            .iter()
            .zip(&values[range.clone()])
            .map(|(&class, &pair)| (class as usize, weights.correction(class as usize, pair, totals[term])));
        if range.len() * 2 >= width && width > 0 {
            let start = part.cells.len();
            part.cells.resize(start + width, 0.0);
            each.for_each(|(class, correction)| part.cells[start + class] = correction);
            part.places.push(Place { first: (start / width) as u32, length: ROW });
        } else {
            let first = part.pairs.len() as u32;
            part.pairs.extend(each.map(|(class, correction)| (correction, class as u32)));
            part.places.push(Place { first, length: range.len() as u32 });
        }
    }
    part
}
