//! The sums of one batch of labelled rows, by the terms that occur in it.

use super::gathering::{Event, Real, Sorted, Whole, gather};
use super::rows::{Labels, Rows};
use super::totals::{Total, Totals};

/// The sums of a batch: for each term that occurs, in order, its total and its (class, total) pairs in order.
pub struct Batch {
    /// The terms that occur, rising.
    pub terms: Vec<u32>,
    /// Each term's total, over documents once.
    pub term_totals: Totals,
    /// Where each term's pairs start; one more than there are terms.
    pub starts: Vec<usize>,
    /// The class of each pair, rising for one term.
    pub classes: Vec<u32>,
    /// The total of each pair.
    pub pair_totals: Totals,
    /// The total of each class.
    pub class_totals: Vec<(u32, Total)>,
    /// The total of everything, over documents once.
    pub all: Total,
}

impl Batch {
    /// The sums of a batch. A row of weight 0 is as if it were not there.
    pub fn new(rows: Rows, labels: Labels, weights: Option<&[f64]>, columns: usize) -> Self {
        let kept = |&row: &u32| weights.is_none_or(|weights| weights[row as usize] > 0.0);
        let kept: Vec<u32> = (0..rows.len() as u32).filter(kept).collect();
        let mut events: Vec<Event> = kept
            .iter()
            .flat_map(|&row| labels.of(row as usize).iter().map(move |&class| (class, row)))
            .collect();
        events.sort_unstable();
        let pairs = added_up(rows, &events, weights, columns);
        if labels.are_single() {
            return Self::of_single_labels(pairs);
        }
        // Over documents once: the same, with all documents in one class.
        let once: Vec<Event> = kept.iter().map(|&row| (0, row)).collect();
        Self::of_labels(pairs, added_up(rows, &once, weights, columns))
    }

    /// With one label a document, a term's total is the sum of its pairs.
    fn of_single_labels(pairs: Sorted) -> Self {
        let Sorted { terms, starts, classes, totals: pair_totals, term_sums: term_totals, class_totals } =
            pairs;
        let mut all = Total::default();
        class_totals.iter().for_each(|(_, total)| all.add(total));
        Self { terms, term_totals, starts, classes, pair_totals, class_totals, all }
    }

    /// Terms that occur only in documents without a label have a total, and no pairs.
    fn of_labels(pairs: Sorted, once: Sorted) -> Self {
        let mut starts = Vec::with_capacity(once.terms.len() + 1);
        let mut number = 0;
        for term in &once.terms {
            starts.push(pairs.starts[number]);
            number += usize::from(pairs.terms.get(number) == Some(term));
        }
        starts.push(pairs.starts[number]);
        Self {
            terms: once.terms,
            term_totals: once.totals,
            starts,
            classes: pairs.classes,
            pair_totals: pairs.totals,
            class_totals: pairs.class_totals,
            all: once.class_totals.first().map_or_else(Total::default, |(_, total)| *total),
        }
    }
}

fn added_up(rows: Rows, events: &[Event], weights: Option<&[f64]>, columns: usize) -> Sorted {
    let whole = weights.is_none() && Whole::holds(rows);
    let exactly = whole.then(|| gather::<Whole>(rows, events, None, columns)).flatten();
    exactly.or_else(|| gather::<Real>(rows, events, weights, columns)).unwrap_or_default()
}
