//! Multinomial naive Bayes: a class's own counts, and the factor of all its counts. The first also serves complement
//! naive Bayes against the class.

use super::falls::{Falling, Removed};
use crate::memory;
use crate::scores::logarithm::ln;
use crate::scores::vectors::with_vectors;
use crate::statistics::{LabelledRows, Pairs, Statistics};
use crate::threads::{on_threads, split_evenly};

/// A row has some hundred entries, and its class must be looked up: see `threads`.
const WORK_OF_A_ROW: usize = 256;

/// Every factor of log(1 + n_ct · f_c) falls to (1 − h) times itself, with an h for each row.
#[derive(Debug, Clone, Copy)]
pub struct FactorFalls<'a> {
    /// f of each class.
    pub factors: &'a [f64],
    /// h of each row.
    pub shares: &'a [f64],
}

impl Falling for FactorFalls<'_> {
    fn lacking(&self, _total: f64) -> f64 {
        0.0
    }

    fn cell(&self, class: usize, pair: f64, _total: f64) -> f64 {
        let scaled = pair * self.factors[class];
        scaled / (1.0 + scaled)
    }

    fn removed(&self, row: usize) -> Removed {
        Removed::Constant(self.shares[row])
    }
}

/// The pairs class by class: each class's terms and sums.
struct ByClass {
    starts: Vec<usize>,
    terms: Vec<u32>,
    places: Vec<usize>,
}

impl ByClass {
    fn new(pairs: &Pairs, classes: usize) -> Self {
        let mut starts = memory::zeros(classes + 1);
        pairs.iter().for_each(|(_, place)| starts[pairs.classes()[place] as usize + 1] += 1);
        (0..classes).for_each(|class| starts[class + 1] += starts[class]);
        let mut next = starts.clone();
        let (mut terms, mut places) = (memory::zeros(pairs.len()), memory::zeros(pairs.len()));
        for (term, place) in pairs.iter() {
            let at = &mut next[pairs.classes()[place] as usize];
            (terms[*at], places[*at]) = (term, place);
            *at += 1;
        }
        Self { starts, terms, places }
    }

    /// The (term, place) pairs of a class.
    fn of(&self, class: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let range = self.starts[class]..self.starts[class + 1];
        range.map(|at| (self.terms[at] as usize, self.places[at]))
    }
}

/// For each label of each row, what its class's own counts lose with the row:
/// Σ x_t · ( log(1 + (n_ct − y_t) · after) − log(1 + n_ct · before_c) ), for each of several models.
///
/// `before` holds a factor for each model and class, `after` for each model and label. A pair that no other
/// row has is exactly 0 without the row, whatever the rounding.
pub fn own_changes(
    statistics: &Statistics,
    documents: LabelledRows,
    before: &[f64],
    after: &[f64],
    threads: usize,
) -> Vec<f64> {
    let LabelledRows { rows, labels, .. } = documents;
    let classes = statistics.classes().len();
    let by_class = ByClass::new(statistics.pairs(), classes);
    let models = before.len() / classes.max(1);
    // Every (row, place of its label), class by class.
    let mut members: Vec<(u32, u32, u32)> = memory::collected((0..rows.len()).flat_map(|row| {
        let range = labels.starts[row] as usize..labels.starts[row + 1] as usize;
        range.map(move |at| (labels.classes[at], row as u32, at as u32))
    }));
    members.sort_unstable();
    let ranges = split_evenly(members.len(), members.len() * WORK_OF_A_ROW, threads);
    let found = on_threads(ranges, |range| {
        let mut own = Own::new(statistics, documents);
        let mut changes = Vec::new();
        for &(class, row, at) in &members[range] {
            own.turn_to(class as usize, &by_class);
            own.take(row as usize);
            for model in 0..models {
                let (before, after) = (
                    before[model * classes + class as usize],
                    after[model * labels.classes.len() + at as usize],
                );
                let place = model * labels.classes.len() + at as usize;
                memory::push(&mut changes, (place, own.change(before, after)));
            }
        }
        changes
    });
    let mut changes = memory::zeros(models * labels.classes.len());
    found.into_iter().flatten().for_each(|(at, change)| changes[at] = change);
    changes
}

/// The sum of a pair, in two parts, and how many rows have it.
#[derive(Clone, Copy, Default)]
struct OwnSum {
    high: f64,
    low: f64,
    documents: u32,
}

/// One class's sums, by term, and one row's share of them.
struct Own<'a> {
    statistics: &'a Statistics,
    documents: LabelledRows<'a>,
    class: Option<usize>,
    /// Side by side, because they are looked up at random.
    sums: Vec<OwnSum>,
    found: Vec<OwnSum>,
    values: Vec<f64>,
    /// n_ct of the row's terms, with the row and without.
    with: Vec<f64>,
    without: Vec<f64>,
    logs: Vec<f64>,
}

impl<'a> Own<'a> {
    fn new(statistics: &'a Statistics, documents: LabelledRows<'a>) -> Self {
        let terms = statistics.terms().len();
        Self {
            statistics,
            documents,
            class: None,
            sums: memory::filled(terms, OwnSum::default()),
            found: Vec::new(),
            values: Vec::new(),
            with: Vec::new(),
            without: Vec::new(),
            logs: Vec::new(),
        }
    }

    fn turn_to(&mut self, class: usize, by_class: &ByClass) {
        if self.class == Some(class) {
            return;
        }
        if let Some(last) = self.class {
            by_class.of(last).for_each(|(term, _)| self.sums[term] = OwnSum::default());
        }
        let totals = self.statistics.pairs().totals();
        let (high, low) = totals.sums().0.parts();
        for (term, place) in by_class.of(class) {
            let low = low.get(place).copied().unwrap_or(0.0);
            self.sums[term] = OwnSum { high: high[place], low, documents: totals.documents()[place] };
        }
        self.class = Some(class);
    }

    /// Look a row's terms up.
    fn take(&mut self, row: usize) {
        let weight = self.documents.weight(row);
        let (columns, values) = self.documents.rows.entries(row);
        self.values.clear();
        self.values.extend_from_slice(values);
        // First all the lookups, which wait for memory together.
        self.found.clear();
        self.found.extend(columns.iter().map(|&term| self.sums[term as usize]));
        self.with.clear();
        self.with.extend(self.found.iter().map(|sum| sum.high));
        self.without.clear();
        self.without.extend(self.found.iter().zip(values).map(|(sum, value)| {
            let others = sum.documents > 1 || weight * value == 0.0;
            if others { (sum.high - weight * value + sum.low).max(0.0) } else { 0.0 }
        }));
    }

    fn change(&mut self, before: f64, after: f64) -> f64 {
        self.logs.resize(self.values.len(), 0.0);
        let Self { values, with, without, logs, .. } = self;
        log_quotients(with, without, (before, after), logs);
        values.iter().zip(logs).map(|(value, log)| value * *log).sum()
    }
}

/// log((1 + without · after) / (1 + with · before)) of each.
fn log_quotients(with: &[f64], without: &[f64], factors: (f64, f64), logs: &mut [f64]) {
    #[inline(always)]
    fn each(with: &[f64], without: &[f64], factors: (f64, f64), logs: &mut [f64]) {
        for ((log, with), without) in logs.iter_mut().zip(with).zip(without) {
            *log = ln((1.0 + without * factors.1) / (1.0 + with * factors.0));
        }
    }
    with_vectors!(each(with: &[f64], without: &[f64], factors: (f64, f64), logs: &mut [f64]))
}
