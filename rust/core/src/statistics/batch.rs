//! The sums of one batch of labelled rows, by the terms that occur in it.

use super::cells::{Real, Whole};
use super::gathering::{Event, gather};
use super::rows::{LabelledRows, Labels, Rows};
use super::sorting::Sorted;
use super::totals::{Total, Totals};
use super::values::Value;
use crate::memory;

/// The sums of a batch: for each term that occurs, in order, its total and its (class, total) pairs in order.
pub struct Batch {
    /// The terms that occur, rising; `None` for all columns, of which some may not occur.
    terms: Option<Vec<u32>>,
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
    /// The terms that occur, rising: each one's number and column.
    pub fn terms(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let columns = (0..self.term_totals.len())
            .map(|number| (number, self.terms.as_ref().map_or(number, |terms| terms[number] as usize)));
        columns.filter(|(number, _)| self.term_totals.documents()[*number] > 0)
    }

    /// True when terms are numbered by their columns.
    pub fn is_by_column(&self) -> bool {
        self.terms.is_none()
    }

    /// The sums of a batch. A row of weight 0 is ignored.
    pub fn new<V: Value>(documents: LabelledRows<V>, columns: usize) -> Self {
        let LabelledRows { rows, labels, weights } = documents;
        let kept = |&row: &u32| weights.is_none_or(|weights| weights[row as usize] > 0.0);
        let kept: Vec<u32> = memory::collected((0..rows.len() as u32).filter(kept));
        let of_row = |&row: &u32| labels.of(row as usize).iter().map(move |&class| (class, row));
        let events = memory::collected(kept.iter().flat_map(of_row));
        let pairs = added_up(rows, &by_class(events), weights, columns);
        if labels.are_single() {
            return Self::of_single_labels(pairs);
        }
        // Over documents once: the same, with all documents in one class.
        let once: Vec<Event> = memory::collected(kept.iter().map(|&row| (0, row)));
        Self::of_labels(pairs, added_up(rows, &once, weights, columns))
    }

    /// With one label per document, a term's total is the sum of its pairs.
    fn of_single_labels(pairs: Sorted) -> Self {
        let Sorted { terms, starts, classes, totals: pair_totals, term_sums: term_totals, class_totals } =
            pairs;
        let mut all = Total::default();
        class_totals.iter().for_each(|(_, total)| all.add(total));
        Self { terms, term_totals, starts, classes, pair_totals, class_totals, all }
    }

    /// Terms that occur only in documents without a label have a total, and no pairs.
    fn of_labels(pairs: Sorted, once: Sorted) -> Self {
        let count = once.term_sums.len();
        let mut starts = memory::with_capacity(count + 1);
        let mut number = 0;
        for at in 0..count {
            let term = once.terms.as_ref().map_or(at as u32, |terms| terms[at]);
            match &pairs.terms {
                None => number = term as usize,
                Some(terms) => number += terms[number..].partition_point(|&other| other < term),
            }
            starts.push(pairs.starts[number]);
        }
        starts.push(pairs.classes.len());
        Self {
            terms: once.terms,
            term_totals: once.term_sums,
            starts,
            classes: pairs.classes,
            pair_totals: pairs.totals,
            class_totals: pairs.class_totals,
            all: once.class_totals.first().map_or_else(Total::default, |(_, total)| *total),
        }
    }
}

fn added_up<V: Value>(rows: Rows<V>, events: &[Event], weights: Option<&[f64]>, columns: usize) -> Sorted {
    let exactly = weights.is_none().then(|| gather::<Whole, V>(rows, events, None, columns)).flatten();
    exactly.or_else(|| gather::<Real, V>(rows, events, weights, columns)).unwrap_or_default()
}

/// The classes of rows, row by row.
pub fn events(labels: Labels, rows: usize) -> Vec<Event> {
    let of_row = |row: usize| labels.of(row).iter().map(move |&class| (class, row as u32));
    memory::collected((0..rows).flat_map(of_row))
}

/// Events in the order of their classes; those of one class keep theirs.
pub fn by_class(mut events: Vec<Event>) -> Vec<Event> {
    let classes = events.iter().map(|event| event.0 as usize + 1).max().unwrap_or(0);
    if classes > events.len() {
        events.sort_unstable();
        return events;
    }
    let mut next = memory::zeros::<usize>(classes + 1);
    events.iter().for_each(|event| next[event.0 as usize + 1] += 1);
    (0..classes).for_each(|class| next[class + 1] += next[class]);
    let mut sorted = memory::filled(events.len(), (0, 0));
    for event in events {
        let place = &mut next[event.0 as usize];
        sorted[*place] = event;
        *place += 1;
    }
    sorted
}
