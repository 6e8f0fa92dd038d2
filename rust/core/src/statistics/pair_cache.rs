//! Numbers computed for each pair seen, reused until the pair's term changes.

use super::changes::Changes;
use super::pairs::Pairs;
use crate::memory;

/// A column beside the pairs: a value at the place of each, from the last time its term changed.
#[derive(Debug, Clone, Default)]
pub struct PairCache<T> {
    stamps: Vec<u64>,
    starts: Vec<usize>,
    values: Vec<T>,
}

impl<T: Clone + Default> PairCache<T> {
    /// Recompute the values of terms that changed or whose pairs moved.
    ///
    /// `work` gets a term and the values of its pairs. The values must depend on nothing else.
    pub fn refresh(&mut self, pairs: &Pairs, changes: &Changes, mut work: impl FnMut(usize, &mut [T])) {
        memory::resize(&mut self.stamps, pairs.terms(), 0);
        memory::resize(&mut self.starts, pairs.terms(), usize::MAX);
        memory::resize(&mut self.values, pairs.classes().len(), T::default());
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
