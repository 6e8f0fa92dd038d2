//! Complement naive Bayes: the complements that a row is in, and the sum of a class's absolute weights.

use super::falls::{Falling, Removed};
use crate::memory;
use crate::scores::logarithm::ln;
use crate::statistics::{LabelledRows, Statistics};
use crate::threads::on_threads;

/// What is left of a term outside a class, n_t − n_ct + a, falls by y_t.
#[derive(Debug, Clone, Copy)]
pub struct ComplementFalls<'a> {
    /// a, the smoothing count.
    pub alpha: f64,
    /// The weight of each row; `None` when every weight is 1.
    pub weights: Option<&'a [f64]>,
}

impl Falling for ComplementFalls<'_> {
    fn lacking(&self, total: f64) -> f64 {
        1.0 / (total + self.alpha)
    }

    /// 1/(n_t − n_ct + a) − 1/(n_t + a).
    fn cell(&self, _class: usize, pair: f64, total: f64) -> f64 {
        let beside = (total - pair).max(0.0) + self.alpha;
        (total + self.alpha - beside) / (beside * (total + self.alpha))
    }

    fn removed(&self, row: usize) -> Removed {
        Removed::Share(self.weights.map_or(1.0, |weights| weights[row]))
    }
}

/// What a class is compared with: the weights are slope_c plus, for a pair,
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// log(a + n_ct) − log(n_t − n_ct + a), for the class against its complement.
    Class,
    /// log(a + n_t) − log(n_t − n_ct + a), for all rows against the complement.
    All,
}

/// One term of one row: its sum, what the row takes of it, and whether no other row has it.
#[derive(Clone, Copy)]
struct Entry {
    total: f64,
    removed: f64,
    only: bool,
}

impl Entry {
    /// The sum without the row, smoothed.
    fn rest(self, alpha: f64) -> f64 {
        alpha + if self.only { 0.0 } else { (self.total - self.removed).max(0.0) }
    }
}

impl Comparison {
    /// A pair's weight without the slope, with the row and without it, in a class that the row is not in.
    fn other(self, alpha: f64, pair: f64, entry: Entry) -> (f64, f64) {
        let beside = (entry.total - pair).max(0.0) + alpha;
        let fallen = (entry.total - pair - entry.removed).max(0.0) + alpha;
        match self {
            Self::Class => (ln((alpha + pair) / beside), ln((alpha + pair) / fallen)),
            Self::All => (ln((alpha + entry.total) / beside), ln(entry.rest(alpha) / fallen)),
        }
    }

    /// The same in a class of the row; `left` is what the pair is without it.
    fn own(self, alpha: f64, (pair, left): (f64, f64), entry: Entry) -> (f64, f64) {
        let beside = (entry.total - pair).max(0.0) + alpha;
        match self {
            Self::Class => (ln((alpha + pair) / beside), ln((alpha + left) / beside)),
            Self::All => (ln((alpha + entry.total) / beside), ln(entry.rest(alpha) / beside)),
        }
    }

    /// The same for a class that lacks the term.
    fn lacking(self, alpha: f64, entry: Entry) -> (f64, f64) {
        match self {
            Self::Class => (ln(alpha / (alpha + entry.total)), ln(alpha / entry.rest(alpha))),
            Self::All => (0.0, 0.0),
        }
    }
}

/// For each row and class, Σ over the row's terms of |slope + b′_ct| − |slope + b_ct|: b is a weight without the
/// slope, b′ the same after the row is removed. `slopes` are those without the row, for each row and class.
pub fn length_changes(
    statistics: &Statistics,
    (comparison, alpha): (Comparison, f64),
    documents: LabelledRows,
    slopes: &[f64],
    threads: usize,
) -> Vec<f64> {
    let classes = statistics.classes().len();
    let LabelledRows { rows, labels, .. } = documents;
    let parts = on_threads(rows.split(threads), |range| {
        let first = range.start;
        let mut changes = memory::zeros(range.len() * classes);
        for row in range {
            let slopes = &slopes[row * classes..][..classes];
            let changes = &mut changes[(row - first) * classes..][..classes];
            let weight = documents.weight(row);
            for (term, value) in rows.row(row).filter(|_| weight > 0.0) {
                let of_term = (comparison, alpha, term as usize, weight * value);
                add_term(statistics, of_term, labels.of(row), slopes, changes);
            }
        }
        changes
    });
    parts.concat()
}

fn add_term(
    statistics: &Statistics,
    (comparison, alpha, term, removed): (Comparison, f64, usize, f64),
    own: &[u32],
    slopes: &[f64],
    changes: &mut [f64],
) {
    let total = statistics.terms().get(term);
    let entry = Entry { total: total.values.value(), removed, only: total.documents <= 1 };
    let lacking = comparison.lacking(alpha, entry);
    let change = |slope: f64, (before, after): (f64, f64)| (slope + after).abs() - (slope + before).abs();
    if comparison == Comparison::Class {
        changes.iter_mut().zip(slopes).for_each(|(sum, &slope)| *sum += change(slope, lacking));
    }
    let pairs = statistics.pairs();
    for place in pairs.range(term) {
        let class = pairs.classes()[place];
        let (pair, documents) = (pairs.totals().values()[place], pairs.totals().documents()[place]);
        let weight = if own.contains(&class) {
            let left = if documents <= 1 { 0.0 } else { (pair - removed).max(0.0) };
            comparison.own(alpha, (pair, left), entry)
        } else {
            comparison.other(alpha, pair, entry)
        };
        let slope = slopes[class as usize];
        changes[class as usize] += change(slope, weight) - change(slope, lacking);
    }
}
