//! The best class of a row, from corrections in single precision.
//!
//! Half the memory is read, and every sum comes with a bound on its error. Where the best class leads by more
//! than that, it is the best by the exact scores too; the few other rows are scored again.

use std::ops::Range;

use super::vectors::with_vectors;
use crate::memory;
use crate::statistics::{Statistics, Value};
use crate::threads::{available_threads, on_threads, split_evenly, take_front};
use crate::weights::Weights;

/// With more classes, rows of cells would waste memory: a term has up to two pairs of its own, or a row.
const MOST_CLASSES: usize = 48;
const OWN_PAIRS: usize = 2;
/// The number of cells added at once.
const LANES: usize = 8;
/// With more entries the bound is too wide to be useful.
const MOST_ENTRIES: usize = 1 << 16;

/// The pairs of a term without a row; unused ones add 0.
#[derive(Clone, Copy, Default)]
struct Own {
    classes: [u16; OWN_PAIRS],
    corrections: [f32; OWN_PAIRS],
}

/// The other parts of a class's score; the bias of a class that is not scored is −∞.
#[derive(Clone, Copy)]
struct Class {
    position: u32,
    bias: f64,
    slope: f64,
    scale: f64,
}

/// The largest of each kind of weight, which bound the rounding of a score.
#[derive(Clone, Copy)]
struct Largest {
    bias: f64,
    slope: f64,
    default: f64,
    scale: f64,
    correction: f64,
}

/// Corrections in single precision.
pub struct Approximate {
    /// The number of each term's row plus one, or 0. Apart from the pairs, because access is random.
    rows: Vec<u32>,
    own: Vec<Own>,
    cells: Vec<f32>,
    width: usize,
    classes: Vec<Class>,
    largest: Largest,
}

/// Buffers for the work on one row, reused for the next.
#[derive(Default)]
pub struct ApproximateScratch {
    common: Vec<(u32, f32)>,
    rare: Vec<(u32, f32)>,
    sums: Vec<f32>,
}

impl Approximate {
    /// True when there are not too many classes.
    pub fn suits(statistics: &Statistics) -> bool {
        statistics.classes().len() <= MOST_CLASSES
    }

    /// Compute the corrections; `None` when no bound holds for some.
    pub fn new(weights: &Weights, order: &[u32], statistics: &Statistics) -> Option<Self> {
        let width = statistics.classes().len().next_multiple_of(LANES);
        let pairs = statistics.pairs();
        let has_row = |term: &usize| pairs.range(*term).len() > OWN_PAIRS;
        let (mut rows, mut own) =
            (memory::zeros(pairs.terms()), memory::filled(pairs.terms(), Own::default()));
        let mut cells = memory::zeros((0..pairs.terms()).filter(has_row).count() * width);
        let mut work = Vec::new();
        let mut left = (rows.as_mut_slice(), own.as_mut_slice(), cells.as_mut_slice());
        let mut first = 0;
        for range in split_evenly(pairs.terms(), pairs.len(), available_threads()) {
            let count = range.clone().filter(has_row).count();
            let here = (take_front(&mut left.0, range.len()), take_front(&mut left.1, range.len()));
            work.push((range, first, here, take_front(&mut left.2, count * width)));
            first += count as u32;
        }
        let found = on_threads(work, |(range, first, here, cells)| {
            fill(weights, statistics, range, first, here, (cells, width))
        });
        let (least, most) = found
            .into_iter()
            .fold((0.0, 0.0), |(least, most): (f64, f64), found| (least.min(found.0), most.max(found.1)));
        let largest = Largest {
            bias: absolute(&weights.bias),
            slope: absolute(&weights.slope),
            default: absolute(&weights.default),
            scale: if weights.scale.is_empty() { 1.0 } else { absolute(&weights.scale) },
            correction: most,
        };
        (least == 0.0 && most.is_finite()).then(|| {
            let classes = scored_classes(weights, order);
            Self { rows, own, cells, width, classes, largest }
        })
    }

    /// The position of the best class of a row, unless it is too close to call.
    pub fn best<V: Value>(
        &self,
        weights: &Weights,
        (columns, values): (&[i32], &[V]),
        scratch: &mut ApproximateScratch,
    ) -> Option<u32> {
        const LARGEST_SUM: f64 = 1e37; // single precision goes a little further
        let mass = V::sum(values);
        let surely_finite = mass * (1.0 + self.largest.correction) < LARGEST_SUM;
        if columns.len() > MOST_ENTRIES || !surely_finite {
            return None;
        }
        self.sum_row(columns, values, scratch);
        // The defaults give every class the same, unless classes are scaled.
        let default = if weights.scale.is_empty() { 0.0 } else { weights.default_sum(columns, values) };
        let (mut best, mut first, mut second) = (0, f64::NEG_INFINITY, f64::NEG_INFINITY);
        for (class, &sum) in self.classes.iter().zip(&scratch.sums) {
            let score = class.bias + class.scale * (class.slope * mass + default + f64::from(sum));
            second = if score > first { first } else { second.max(score) };
            best = if score > first { class.position } else { best };
            first = first.max(score);
        }
        let largest_sum = scratch.sums.iter().copied().fold(0.0, f32::max);
        let bound = self.bound(columns.len() as f64, mass, f64::from(largest_sum));
        (first - second > 2.0 * bound).then_some(best)
    }

    /// The largest distance of a score from the exact one.
    ///
    /// No product is negative, so n of them, each of two rounded numbers, are summed to within (n + 4)·2⁻²⁴ of
    /// their sum; twice that covers the sum's own error and the rounding of doubles while they are
    /// added. The rest covers the rounding of a score in doubles, and values too small for single precision.
    fn bound(&self, entries: f64, mass: f64, largest_sum: f64) -> f64 {
        let Largest { bias, slope, default, scale, correction } = self.largest;
        let single = f64::from(f32::EPSILON) * (entries + 4.0) * largest_sum;
        let double = 32.0 * f64::EPSILON * (bias + scale * ((slope + default) * mass + largest_sum));
        let tiny = f64::from(f32::MIN_POSITIVE) * (entries + mass) * (1.0 + correction);
        scale * (single + tiny) + double
    }

    fn sum_row<V: Value>(&self, columns: &[i32], values: &[V], scratch: &mut ApproximateScratch) {
        let ApproximateScratch { common, rare, sums } = scratch;
        common.resize(columns.len(), (0, 0.0));
        rare.resize(columns.len(), (0, 0.0));
        let (mut in_common, mut in_rare) = (0, 0);
        for (&term, &value) in columns.iter().zip(values) {
            let (row, value) = (self.rows[term as usize], value.single());
            // Written to both, kept in one: no branch to mispredict.
            common[in_common] = (row.wrapping_sub(1), value);
            rare[in_rare] = (term as u32, value);
            in_common += usize::from(row != 0);
            in_rare += usize::from(row == 0);
        }
        sums.clear();
        sums.resize(self.width, 0.0);
        sum_common(self, &common[..in_common], sums);
        for &(term, value) in &rare[..in_rare] {
            let Own { classes, corrections } = self.own[term as usize];
            for own in 0..OWN_PAIRS {
                sums[usize::from(classes[own])] += value * corrections[own];
            }
        }
    }

    /// The sums of N classes, which stay in registers.
    #[inline(always)]
    fn sum_block<const N: usize>(&self, entries: &[(u32, f32)], sums: &mut [f32]) {
        let mut block = [0.0; N];
        for &(row, value) in entries {
            let cells = &self.cells[row as usize * N..][..N];
            block.iter_mut().zip(cells).for_each(|(sum, cell)| *sum += value * cell);
        }
        sums.copy_from_slice(&block);
    }
}

/// Set the sums to those of the terms with a row of cells.
fn sum_common(approximate: &Approximate, entries: &[(u32, f32)], sums: &mut [f32]) {
    // It pays: benchmarks/classifiers.py, predict.
    with_vectors!(sum_blocks(approximate: &Approximate, entries: &[(u32, f32)], sums: &mut [f32]))
}

#[inline(always)]
fn sum_blocks(approximate: &Approximate, entries: &[(u32, f32)], sums: &mut [f32]) {
    match approximate.width / LANES {
        1 => approximate.sum_block::<LANES>(entries, sums),
        2 => approximate.sum_block::<{ 2 * LANES }>(entries, sums),
        3 => approximate.sum_block::<{ 3 * LANES }>(entries, sums),
        4 => approximate.sum_block::<{ 4 * LANES }>(entries, sums),
        5 => approximate.sum_block::<{ 5 * LANES }>(entries, sums),
        _ => approximate.sum_block::<MOST_CLASSES>(entries, sums),
    }
}

/// Compute the corrections of some terms, whose first row has this number; return the least and the greatest.
fn fill(
    weights: &Weights,
    statistics: &Statistics,
    range: Range<usize>,
    mut row: u32,
    (rows, own): (&mut [u32], &mut [Own]),
    (cells, width): (&mut [f32], usize),
) -> (f64, f64) {
    let (pairs, totals) = (statistics.pairs(), statistics.terms().values());
    let (mut least, mut most) = (0.0_f64, 0.0_f64);
    let mut cells = cells.chunks_exact_mut(width.max(1));
    for ((place, own), term) in rows.iter_mut().zip(own).zip(range) {
        let range = pairs.range(term);
        let found = pairs.classes()[range.clone()].iter().zip(&pairs.totals().values()[range.clone()]);
        let corrections = found.map(|(&class, &pair)| {
            let correction = weights.correction(class as usize, pair, totals[term]);
            // Written so that NaN is neither.
            least = if correction >= least { least } else { correction };
            most = if correction <= most { most } else { correction };
            (class as usize, correction as f32)
        });
        if range.len() > OWN_PAIRS {
            row += 1;
            *place = row;
            if let Some(cells) = cells.next() {
                corrections.for_each(|(class, correction)| cells[class] = correction);
            }
        } else {
            for (at, (class, correction)) in corrections.enumerate() {
                (own.classes[at], own.corrections[at]) = (class as u16, correction);
            }
        }
    }
    (least, most)
}

/// Each class, by its number.
fn scored_classes(weights: &Weights, order: &[u32]) -> Vec<Class> {
    let unscored = Class { position: 0, bias: f64::NEG_INFINITY, slope: 0.0, scale: 0.0 };
    let mut classes = memory::filled(weights.bias.len(), unscored);
    for (position, &class) in order.iter().enumerate() {
        let at = class as usize;
        let (bias, slope, scale) = (weights.bias[at], weights.slope(at), weights.scale(at));
        classes[at] = Class { position: position as u32, bias, slope, scale };
    }
    classes
}

fn absolute(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, value| value.abs().max(most))
}
