//! The sums of one batch of labelled rows, by the terms that occur in it.

use super::rows::{Labels, Rows};
use super::totals::{Total, Totals};
use super::transposition::{Entries, Event, transpose};

/// The sums of a batch: for each term that occurs, in order, its total and its (class, total) pairs in order.
#[derive(Default)]
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
        let weight = |row: u32| weights.map_or(1.0, |weights| weights[row as usize]);
        let kept: Vec<u32> = (0..rows.len() as u32).filter(|&row| weight(row) > 0.0).collect();
        let mut events: Vec<Event> = kept
            .iter()
            .flat_map(|&row| labels.of(row as usize).iter().map(move |&class| (class, row)))
            .collect();
        events.sort_unstable();
        let pairs = add_up(transpose(rows, &events, weights, columns));
        let single = labels.are_single();
        let terms = if single {
            None
        } else {
            let once: Vec<Event> = kept.iter().map(|&row| (0, row)).collect();
            Some(add_up(transpose(rows, &once, weights, columns)))
        };
        let mut batch = Self::join(pairs, terms);
        for &row in &kept {
            batch.all.add(&row_total(rows, row, weight(row)));
        }
        for &(class, row) in &events {
            let total = row_total(rows, row, weight(row));
            match batch.class_totals.last_mut() {
                Some((last, sum)) if *last == class => sum.add(&total),
                _ => batch.class_totals.push((class, total)),
            }
        }
        batch
    }

    /// Pairs beside the totals of their terms, which are the pairs' own sums when none are given.
    fn join(pairs: Added, totals: Option<Added>) -> Self {
        let Added { terms, starts, classes, totals: pair_totals } = pairs;
        let Some(once) = totals else {
            let mut term_totals = Totals::zeros(terms.len());
            for (number, ends) in starts.windows(2).enumerate() {
                let mut sum = Total::default();
                (ends[0]..ends[1]).for_each(|pair| sum.add(&pair_totals.get(pair)));
                term_totals.set(number, &sum);
            }
            return Self { terms, term_totals, starts, classes, pair_totals, ..Self::default() };
        };
        // Terms that occur only in documents without a label have a total, and no pairs.
        let mut wider = Vec::with_capacity(once.terms.len() + 1);
        let mut number = 0;
        for &term in &once.terms {
            wider.push(starts[number]);
            number += usize::from(terms.get(number) == Some(&term));
        }
        wider.push(starts[number]);
        let (terms, term_totals) = (once.terms, once.totals);
        Self { terms, term_totals, starts: wider, classes, pair_totals, ..Self::default() }
    }
}

fn row_total(rows: Rows, row: u32, weight: f64) -> Total {
    let mut total = Total::new(0.0, weight);
    rows.row(row as usize).for_each(|(_, value)| total.values.add(weight * value));
    total
}

/// Entries of one term and class, added up.
struct Added {
    terms: Vec<u32>,
    starts: Vec<usize>,
    classes: Vec<u32>,
    totals: Totals,
}

fn add_up(entries: Entries) -> Added {
    let Entries { terms, starts, mut classes, mut values, weights } = entries;
    let whole = |values: &[f64]| values.iter().all(|value| value.fract() == 0.0 && value.abs() < 1e15);
    let exact = whole(&values) && weights.as_deref().is_none_or(whole);
    let mut totals = Totals::for_writing(exact, weights.is_some());
    let mut new_starts = vec![0; starts.len()];
    let mut at = 0;
    for number in 0..terms.len() {
        let (mut from, end) = (starts[number], starts[number + 1]);
        while from < end {
            let class = classes[from];
            let length = classes[from..end].iter().take_while(|&&other| other == class).count();
            let range = from..from + length;
            let weights = weights.as_ref().map(|weights| &weights[range.clone()]);
            let total = run_total(&values[range], weights, exact);
            // What is written lies behind what is read: a run is at least one long.
            classes[at] = class;
            values[at] = total.values.value();
            totals.write_rest(&total);
            at += 1;
            from += length;
        }
        new_starts[number + 1] = at;
    }
    classes.truncate(at);
    classes.shrink_to_fit();
    values.truncate(at);
    values.shrink_to_fit();
    totals.adopt_values(values);
    Added { terms, starts: new_starts, classes, totals }
}

fn run_total(values: &[f64], weights: Option<&[f64]>, exact: bool) -> Total {
    let mut total = Total { documents: values.len() as u32, ..Total::default() };
    if exact {
        total.values = super::Sum::new(values.iter().sum());
        total.weight = super::Sum::new(weights.map_or(values.len() as f64, |weights| weights.iter().sum()));
    } else {
        values.iter().for_each(|&value| total.values.add(value));
        match weights {
            Some(weights) => weights.iter().for_each(|&weight| total.weight.add(weight)),
            None => total.weight.add(values.len() as f64),
        }
    }
    total
}
