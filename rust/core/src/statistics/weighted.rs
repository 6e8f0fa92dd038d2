//! Plain sums of weighted rows, for scores that need no more than that.

use super::batch::{by_class, events};
use super::cells::Plain;
use super::gathering::{Event, gather};
use super::rows::{Labels, Rows};
use super::sorting::Sorted;
use super::values::Value;
use crate::memory;

/// Sums of weight · value: of each pair seen, by term, then class, and of each term over documents once.
pub struct WeightedSums {
    /// Where each term's pairs start; one more than there are terms.
    pub starts: Vec<usize>,
    /// The class of each pair.
    pub classes: Vec<u32>,
    /// The sum of each pair.
    pub pairs: Vec<f64>,
    /// The sum of each term.
    pub terms: Vec<f64>,
}

impl WeightedSums {
    /// Add up rows, each times its weight.
    pub fn new<V: Value>(rows: Rows<V>, labels: Labels, weights: &[f64], columns: usize) -> Self {
        let pairs = added_up(rows, &by_class(events(labels, rows.len())), weights, columns);
        let once: Vec<Event> = memory::collected((0..rows.len() as u32).map(|row| (0, row)));
        let several = (!labels.are_single()).then(|| added_up(rows, &once, weights, columns));
        let terms = by_column(several.as_ref().unwrap_or(&pairs), columns);
        let mut starts = pairs.starts;
        if let Some(known) = pairs.terms {
            let compact = std::mem::take(&mut starts);
            let start = |column| compact[known.partition_point(|&term| term < column)];
            starts = memory::collected((0..=columns as u32).map(start));
        }
        Self { starts, classes: pairs.classes, pairs: pairs.totals.into_values(), terms }
    }
}

fn added_up<V: Value>(rows: Rows<V>, events: &[Event], weights: &[f64], columns: usize) -> Sorted {
    gather::<Plain, V>(rows, events, Some(weights), columns).unwrap_or_default()
}

/// The sum of each column's pairs.
fn by_column(sorted: &Sorted, columns: usize) -> Vec<f64> {
    let sums = sorted.term_sums.values();
    let Some(terms) = &sorted.terms else {
        return memory::copied(sums);
    };
    let mut found = memory::zeros(columns);
    terms.iter().zip(sums).for_each(|(&term, &sum)| found[term as usize] = sum);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_count_by_their_weights() {
        let rows = Rows { starts: &[0, 2, 3], columns: &[0, 2, 2], values: &[1.0, 2.0, 4.0] };
        let labels = Labels { starts: &[0, 1, 3], classes: &[1, 0, 1] };
        // With few columns by counting, with many by sorting.
        for columns in [3, 1000] {
            let sums = WeightedSums::new(rows, labels, &[1.0, 0.5], columns);
            assert_eq!((sums.classes, sums.pairs), (vec![1, 0, 1], vec![1.0, 2.0, 4.0]));
            assert_eq!(sums.terms[..3], [1.0, 0.0, 4.0]);
            assert_eq!(sums.starts[..4], [0, 1, 1, 3]);
            assert_eq!((sums.starts.len(), sums.terms.len()), (columns + 1, columns));
        }
    }
}
