//! Numbers worked out for each pair seen, kept while the pair's term does not change.

use super::weights::{Correction, Weights};
use crate::statistics::{Changes, Pairs, Statistics};

/// A column beside the pairs: a value at the place of each, from the last time its term changed.
#[derive(Debug, Clone, Default)]
pub struct Kept<T> {
    stamps: Vec<u64>,
    starts: Vec<usize>,
    values: Vec<T>,
}

impl<T: Clone + Default> Kept<T> {
    /// Work out anew what belongs to terms that changed, or that stand elsewhere now.
    ///
    /// `work` gets a term and the values of its pairs. What is kept must depend on nothing else.
    pub fn refresh(&mut self, pairs: &Pairs, changes: &Changes, mut work: impl FnMut(usize, &mut [T])) {
        self.stamps.resize(pairs.terms(), 0);
        self.starts.resize(pairs.terms(), usize::MAX);
        self.values.resize(pairs.classes().len(), T::default());
        for (term, &stamp) in changes.stamps().iter().enumerate() {
            let range = pairs.range(term);
            if stamp != self.stamps[term] || (range.start != self.starts[term] && !range.is_empty()) {
                (self.stamps[term], self.starts[term]) = (stamp, range.start);
                work(term, &mut self.values[range]);
            }
        }
    }

    /// The value at each place; places outside every term's range mean nothing.
    pub fn values(&self) -> &[T] {
        &self.values
    }
}

/// Corrections of the pairs seen, kept from one set of weights to the next.
#[derive(Debug, Clone, Default)]
pub struct KeptCorrections {
    summands: Vec<Correction>,
    kept: Kept<f64>,
}

impl KeptCorrections {
    /// The corrections that these weights give; those of terms that did not change are not worked out again.
    pub fn of(&mut self, weights: &Weights, statistics: &Statistics) -> &[f64] {
        let mut now_and_before = weights.corrections.iter().zip(&self.summands);
        let agree = weights.corrections.len() == self.summands.len();
        if !agree || !now_and_before.all(|(now, before)| now.extends(before)) {
            self.kept = Kept::default();
        }
        self.summands.clone_from(&weights.corrections);
        let (pairs, totals) = (statistics.pairs(), statistics.terms().values());
        self.kept.refresh(pairs, statistics.changes(), |term, corrections| {
            let range = pairs.range(term);
            let own = pairs.classes()[range.clone()].iter().zip(&pairs.totals().values()[range]);
            for (correction, (&class, &pair)) in corrections.iter_mut().zip(own) {
                *correction = weights.correction(class as usize, pair, totals[term]);
            }
        });
        self.kept.values()
    }
}
