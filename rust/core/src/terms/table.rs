//! A table of classes × terms, of a measure of document events.

use super::contingency::Event;
use super::weight;
use crate::memory;
use crate::statistics::Statistics;
use crate::threads::{available_threads, fill_columns, split_evenly};

/// Measures of terms with fewer documents than this are cached: most terms are rare.
const RARE: usize = 32;

/// A measure of each class of `order` and each term, class by class.
pub fn document_events(
    statistics: &Statistics,
    order: &[u32],
    measure: impl Fn(Event) -> f64 + Sync,
) -> Vec<f64> {
    let terms = statistics.pairs().terms();
    let mut table = memory::zeros(order.len() * terms);
    let ranges = split_evenly(terms, statistics.pairs().len(), available_threads());
    fill_columns(&mut table, terms, ranges, |range, mut rows| {
        let mut events = Events::new(statistics, order, &measure);
        range.enumerate().for_each(|(at, term)| events.fill_column(term, at, &mut rows));
    });
    table
}

/// Measures, cached where they recur.
struct Events<'a, M> {
    statistics: &'a Statistics,
    measure: &'a M,
    /// The position of each class in the order; none for a class that is not in it.
    positions: Vec<Option<usize>>,
    of_class: Vec<f64>,
    /// For a number of documents with the term: the measures of the classes that lack it.
    lacking: Vec<Vec<f64>>,
    /// The same for classes that have it, by numbers of documents with the term and of those in the class.
    seen: Vec<f64>,
}

impl<'a, M: Fn(Event) -> f64> Events<'a, M> {
    fn new(statistics: &'a Statistics, order: &[u32], measure: &'a M) -> Self {
        let mut positions = memory::filled(statistics.classes().len(), None);
        order.iter().enumerate().for_each(|(position, &class)| positions[class as usize] = Some(position));
        let of_class = order.iter().map(|&class| weight(statistics.classes(), class as usize)).collect();
        let seen = memory::filled(RARE * RARE * order.len(), f64::NAN);
        Self { statistics, measure, positions, of_class, lacking: Vec::new(), seen }
    }

    /// Fill in a term's column, the same place in each row.
    fn fill_column(&mut self, term: usize, at: usize, rows: &mut [&mut [f64]]) {
        let with_term = weight(self.statistics.terms(), term);
        let lacking = self.lacking(with_term);
        rows.iter_mut().zip(lacking).for_each(|(row, value)| row[at] = *value);
        let pairs = self.statistics.pairs();
        for place in pairs.range(term) {
            if let Some(position) = self.positions[pairs.classes()[place] as usize] {
                rows[position][at] = self.seen(position, weight(pairs.totals(), place), with_term);
            }
        }
    }

    fn event(&self, position: usize, both: f64, with_term: f64) -> f64 {
        let documents = self.statistics.all().weight.value();
        (self.measure)(Event { both, in_class: self.of_class[position], with_term, documents })
    }

    /// The measures of classes that lack a term: they depend on the margins alone, and few of these differ.
    fn lacking(&mut self, with_term: f64) -> &[f64] {
        // Weighted documents may be any number; they share one place, computed each time.
        let kept = with_term.fract() == 0.0 && with_term < f64::from(1 << 24);
        let at = if kept { with_term as usize + 1 } else { 0 };
        if self.lacking.len() <= at {
            self.lacking.resize(at + 1, Vec::new());
        }
        if !kept || self.lacking[at].is_empty() {
            let classes = 0..self.of_class.len();
            self.lacking[at] = classes.map(|position| self.event(position, 0.0, with_term)).collect();
        }
        &self.lacking[at]
    }

    fn seen(&mut self, position: usize, both: f64, with_term: f64) -> f64 {
        let rare = with_term < RARE as f64 && with_term.fract() == 0.0 && both.fract() == 0.0;
        if !rare {
            return self.event(position, both, with_term);
        }
        let at = (position * RARE + with_term as usize) * RARE + both as usize;
        if self.seen[at].is_nan() {
            self.seen[at] = self.event(position, both, with_term);
        }
        self.seen[at]
    }
}
