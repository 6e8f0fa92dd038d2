//! Scores of rows, by the cheaper of two methods that give the same numbers.
//!
//! Direct: walk the pairs of a row's terms and compute each correction. Prepared: the same with precomputed
//! corrections. The additions are the same, in the same order, so the choice changes no bit of the result.
//! Where only the best class is needed, approximate sums with a bound on their error decide most rows.

use std::cmp::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::approximate::{Approximate, ApproximateScratch};
use super::prepared::{Prepared, is_common, padded};
use crate::memory;
use crate::statistics::{Rows, Statistics, Value};
use crate::threads::{fill_rows, on_threads, take_front};
use crate::weights::Weights;

/// The cost of walking a prepared pair, relative to computing its correction.
const WALKED: f64 = 0.1;

/// The prepared corrections, and the cost of direct scoring so far.
#[derive(Default)]
struct Progress {
    prepared: Option<Arc<Prepared>>,
    /// Computed when first needed; `None` inside where no bound holds.
    approximate: Option<Arc<Option<Approximate>>>,
    spent: f64,
}

/// Buffers for the work on one row, reused for the next.
struct Scratch {
    sums: Vec<f64>,
    entries: [Vec<(u32, f64)>; 2],
}

impl Scratch {
    fn new(statistics: &Statistics) -> Self {
        Self { sums: memory::zeros(padded(statistics.classes().len())), entries: [Vec::new(), Vec::new()] }
    }
}

/// Weights made ready to score rows of the statistics they were computed from.
///
/// A scorer shares ownership of its statistics: it cannot be given others, and they do not change while it exists.
/// Learning goes through `Arc::make_mut`, which copies statistics that a scorer still holds. Estimators drop their
/// scorer before they learn, so no copy is made there, and the cost of learning a document follows the document alone.
/// The alternative, a stamp compared on every call, would need no drop, but a stale scorer could then only fail.
pub struct Scorer {
    statistics: Arc<Statistics>,
    weights: Weights,
    /// The class at each position of the output.
    order: Vec<u32>,
    progress: Mutex<Progress>,
}

impl Scorer {
    /// Score the classes of `order`, in that order.
    pub fn new(statistics: Arc<Statistics>, weights: Weights, order: Vec<u32>) -> Self {
        Self { statistics, weights, order, progress: Mutex::default() }
    }

    /// How many classes are scored.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// True when no class is scored.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The scores of every row and class, row by row.
    pub fn scores<V: Value>(&self, rows: Rows<V>, threads: usize) -> Vec<f64> {
        let prepared = self.prepare(rows);
        let width = self.order.len();
        let mut scores = memory::zeros(rows.len() * width);
        fill_rows(&mut scores, width, rows.split(threads), |range, mut part| {
            let mut scratch = Scratch::new(&self.statistics);
            for row in range {
                let out = take_front(&mut part, width);
                self.score_row(prepared.as_deref(), rows.entries(row), &mut scratch, out);
            }
        });
        scores
    }

    /// The `k` best positions of each row and their scores, best first; of equal ones the first comes first.
    pub fn best<V: Value>(&self, rows: Rows<V>, k: usize, threads: usize) -> (Vec<u32>, Vec<f64>) {
        let prepared = self.prepare(rows);
        let k = k.min(self.order.len());
        let found = on_threads(rows.split(threads), |range| {
            let mut scratch = Scratch::new(&self.statistics);
            let mut scores = memory::zeros(self.order.len());
            let mut best = memory::with_capacity(range.len() * k);
            for row in range {
                self.score_row(prepared.as_deref(), rows.entries(row), &mut scratch, &mut scores);
                push_best(&scores, k, &mut best);
            }
            best
        });
        found.into_iter().flatten().unzip()
    }

    /// The best position of each row; of equal ones the first.
    pub fn first<V: Value>(&self, rows: Rows<V>, threads: usize) -> Vec<u32> {
        if !Approximate::suits(&self.statistics) {
            return self.best(rows, 1, threads).0;
        }
        let approximate = self.prepare_approximate(rows);
        if approximate.as_deref().is_some_and(Option::is_none) {
            return self.best(rows, 1, threads).0;
        }
        let approximate = approximate.as_deref().and_then(Option::as_ref);
        let prepared = self.progress().prepared.clone();
        let found = on_threads(rows.split(threads), |range| {
            let (mut scratch, mut buffers) = (Scratch::new(&self.statistics), ApproximateScratch::default());
            let (mut scores, mut best) = (memory::zeros(self.order.len()), Vec::new());
            let mut found = memory::with_capacity(range.len());
            for row in range {
                let entries = rows.entries(row);
                let sure = approximate
                    .and_then(|approximate| approximate.best(&self.weights, entries, &mut buffers));
                found.push(sure.unwrap_or_else(|| {
                    self.score_row(prepared.as_deref(), entries, &mut scratch, &mut scores);
                    best.clear();
                    push_best(&scores, 1, &mut best);
                    best.first().map_or(0, |first| first.0)
                }));
            }
            found
        });
        found.concat()
    }

    fn score_row<V: Value>(
        &self,
        prepared: Option<&Prepared>,
        (columns, values): (&[i32], &[V]),
        scratch: &mut Scratch,
        out: &mut [f64],
    ) {
        let mass = V::sum(values);
        let default = self.weights.default_sum(columns, values);
        let Scratch { sums, entries } = scratch;
        match prepared {
            Some(prepared) => prepared.sum_row(columns, values, entries, sums),
            None => self.sum_directly(columns, values, sums),
        }
        for (score, &class) in out.iter_mut().zip(&self.order) {
            let class = class as usize;
            let linear = self.weights.slope(class) * mass + default + sums[class];
            *score = self.weights.bias[class] + self.weights.scale(class) * linear;
        }
    }

    /// The sums of a row, common terms first, as they are when prepared.
    fn sum_directly<V: Value>(&self, columns: &[i32], values: &[V], sums: &mut [f64]) {
        sums.fill(0.0);
        let statistics = &*self.statistics;
        let (pairs, classes) = (statistics.pairs(), statistics.classes().len());
        for common in [true, false] {
            for (&term, &value) in columns.iter().zip(values) {
                let range = pairs.range(term as usize);
                if is_common(range.len(), classes) != common {
                    continue;
                }
                let total = statistics.terms().values()[term as usize];
                for place in range {
                    let class = pairs.classes()[place] as usize;
                    let pair = pairs.totals().values()[place];
                    sums[class] += value.real() * self.weights.correction(class, pair, total);
                }
            }
        }
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Precompute corrections where that is cheaper for these rows, or has become so.
    fn prepare<V: Value>(&self, rows: Rows<V>) -> Option<Arc<Prepared>> {
        let mut progress = self.progress();
        if progress.prepared.is_none() && progress.is_worth_it(&self.statistics, rows) {
            progress.prepared = Some(Arc::new(Prepared::new(&self.weights, &self.statistics)));
        }
        progress.prepared.clone()
    }

    /// The same for approximate ones.
    fn prepare_approximate<V: Value>(&self, rows: Rows<V>) -> Option<Arc<Option<Approximate>>> {
        let mut progress = self.progress();
        if progress.approximate.is_none() && progress.is_worth_it(&self.statistics, rows) {
            progress.approximate =
                Some(Arc::new(Approximate::new(&self.weights, &self.order, &self.statistics)));
        }
        progress.approximate.clone()
    }
}

impl Progress {
    /// True when it is cheaper to compute all corrections than to walk these rows.
    fn is_worth_it<V: Value>(&mut self, statistics: &Statistics, rows: Rows<V>) -> bool {
        let pairs = statistics.pairs();
        // Earlier requests count too, so that many small ones are treated like one large one.
        for part in rows.columns.chunks(1 << 12) {
            let walked: usize = part.iter().map(|&term| pairs.range(term as usize).len()).sum();
            self.spent += walked as f64 * (1.0 - WALKED);
            if pairs.len() as f64 <= self.spent {
                return true;
            }
        }
        false
    }
}

/// Add the `k` best positions of scores, best first; of equal ones the first comes first.
pub fn push_best(scores: &[f64], k: usize, best: &mut Vec<(u32, f64)>) {
    let better = |&a: &u32, &b: &u32| {
        let order = scores[b as usize].partial_cmp(&scores[a as usize]).unwrap_or(Ordering::Equal);
        order.then(a.cmp(&b))
    };
    if k == 1 {
        // The first of equal ones: `max_by` would give the last.
        let first = (0..scores.len() as u32).min_by(better);
        best.extend(first.map(|at| (at, scores[at as usize])));
        return;
    }
    let mut positions: Vec<u32> = (0..scores.len() as u32).collect();
    if k < positions.len() && k > 0 {
        positions.select_nth_unstable_by(k - 1, better);
    }
    positions.truncate(k);
    positions.sort_unstable_by(better);
    best.extend(positions.into_iter().map(|at| (at, scores[at as usize])));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{LabelledRows, Labels};
    use crate::weights::Correction;

    fn statistics() -> Arc<Statistics> {
        let mut statistics = Statistics::new(50);
        statistics.grow(50, 3);
        let columns: Vec<i32> = (0..400).map(|i| i * 7 % 50).collect();
        let values: Vec<f64> = (0..400).map(|i| f64::from(i % 5)).collect();
        let starts: Vec<i64> = (0..=100).map(|i| i * 4).collect();
        let classes: Vec<u32> = (0..100).map(|i| i * i % 3).collect();
        let labels: Vec<i64> = (0..=100).collect();
        let rows = Rows { starts: &starts, columns: &columns, values: &values };
        let labels = Labels { starts: &labels, classes: &classes };
        statistics.add(LabelledRows { rows, labels, weights: None });
        Arc::new(statistics)
    }

    #[test]
    fn every_form_gives_the_same_bits() {
        let statistics = statistics();
        let weights = Weights {
            bias: vec![0.1, 0.2, 0.3],
            slope: vec![-1.0, -2.0, -3.0],
            default: (0..50).map(|t| f64::from(t) / 50.0).collect(),
            scale: vec![1.0, 0.5, 2.0],
            corrections: vec![Correction::Class(vec![1.0, 2.0, 3.0]), Correction::Complement(0.5)],
        };
        let rows =
            Rows { starts: &[0, 3, 3, 5], columns: &[0, 7, 49, 3, 4], values: &[1.0, 2.5, 1.0, 1.0, 3.0] };
        let direct = Scorer::new(Arc::clone(&statistics), weights.clone(), vec![2, 0, 1]);
        let expected = direct.scores(rows, 1);
        assert!(direct.progress.lock().expect("unpoisoned").prepared.is_none());
        let ahead = Scorer::new(statistics, weights, vec![2, 0, 1]);
        ahead.progress.lock().expect("unpoisoned").spent = 1e9;
        assert_eq!(ahead.scores(rows, 2), expected);
        assert!(ahead.progress.lock().expect("unpoisoned").prepared.is_some());
        let (best, scores) = ahead.best(rows, 3, 2);
        assert_eq!(best.len(), 9);
        assert!(ahead.progress().approximate.is_none());
        let firsts: Vec<u32> = best.iter().copied().step_by(3).collect();
        assert_eq!(ahead.first(rows, 2), firsts);
        assert!(ahead.progress().approximate.is_some());
        assert_eq!(scores[0], expected[..3].iter().copied().fold(f64::MIN, f64::max));
    }

    #[test]
    fn a_scorer_keeps_the_statistics_it_was_made_from() {
        let mut statistics = statistics();
        let weights = Weights {
            bias: vec![0.0; 3],
            corrections: vec![Correction::Linear(vec![1.0; 3])],
            ..Default::default()
        };
        let rows = Rows { starts: &[0, 2], columns: &[0, 7], values: &[1.0, 2.0] };
        let scorer = Scorer::new(Arc::clone(&statistics), weights.clone(), vec![0, 1, 2]);
        let before = scorer.scores(rows, 1);
        let labels = Labels { starts: &[0, 1], classes: &[1] };
        Arc::make_mut(&mut statistics).add(LabelledRows { rows, labels, weights: None });
        assert_eq!(scorer.scores(rows, 1), before);
        drop(scorer);
        // No scorer holds them now: learning works in place.
        let place: *const Statistics = &*statistics;
        Arc::make_mut(&mut statistics).add(LabelledRows { rows, labels, weights: None });
        assert_eq!(place, &*statistics as *const Statistics);
        let after = Scorer::new(statistics, weights, vec![0, 1, 2]).scores(rows, 1);
        assert_eq!(after, [before[0], before[1] + 10.0, before[2]]);
    }

    #[test]
    fn equal_scores_keep_their_order() {
        let mut best = vec![];
        push_best(&[1.0, 3.0, 3.0, 2.0], 3, &mut best);
        push_best(&[1.0, 3.0, 3.0], 1, &mut best);
        assert_eq!(best, [(1, 3.0), (2, 3.0), (3, 2.0), (1, 3.0)]);
    }
}
