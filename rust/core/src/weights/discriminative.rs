//! Discriminative frequency estimate: counts weighted by the error of the model so far (Su et al. 2008).

use crate::memory;
use crate::statistics::{LabelledRows, Statistics};
use crate::threads::{on_threads, split_evenly};

/// A smaller error counts as zero: what it adds would be too small for a sum (see `statistics::is_sound`).
const LEAST_ERROR: f64 = 1e-100;

/// How to learn.
#[derive(Clone, Copy)]
pub struct EstimateSettings<'a> {
    /// The smoothing count of every term.
    pub alpha: f64,
    /// log P(c) of each class, −∞ for a class without documents.
    pub prior: &'a [f64],
    /// The number of consecutive visits judged by the same model.
    pub block_size: usize,
}

/// Counts of the pairs, in the order of the statistics', and of the classes.
pub struct Estimate {
    /// Σ weight · x_t over the visits of a class's rows.
    pub pairs: Vec<f64>,
    /// Their sums.
    pub classes: Vec<f64>,
}

/// Visit rows in `visits`, in blocks: each adds its counts to its class, times 1 − P(class | row) by the model so
/// far. The rows of one block are judged by the same model. Each row has one class.
///
/// The statistics are those of the same rows, so they have every pair that occurs.
pub fn discriminative_counts(
    statistics: &Statistics,
    documents: LabelledRows,
    visits: &[u32],
    settings: EstimateSettings,
    threads: usize,
) -> Estimate {
    let mut model = Model::new(statistics, settings);
    for block in visits.chunks(settings.block_size.max(1)) {
        let errors = model.errors(documents, block, threads);
        for (&row, error) in block.iter().zip(errors) {
            model.add(documents, row as usize, documents.weight(row as usize) * error);
        }
    }
    let places = statistics.pairs().iter().map(|(_, place)| model.counts[place]).collect();
    Estimate { pairs: places, classes: model.totals }
}

/// Multinomial naive Bayes on the counts so far, by the places of the pairs.
struct Model<'a> {
    statistics: &'a Statistics,
    settings: EstimateSettings<'a>,
    counts: Vec<f64>,
    /// log(1 + count / alpha).
    logs: Vec<f64>,
    totals: Vec<f64>,
}

impl<'a> Model<'a> {
    fn new(statistics: &'a Statistics, settings: EstimateSettings<'a>) -> Self {
        let places = statistics.pairs().totals().len();
        Self {
            statistics,
            settings,
            counts: memory::zeros(places),
            logs: memory::zeros(places),
            totals: memory::zeros(settings.prior.len()),
        }
    }

    /// 1 − P(class | row) of some rows.
    fn errors(&self, documents: LabelledRows, rows: &[u32], threads: usize) -> Vec<f64> {
        let smoothing = self.settings.alpha * self.statistics.terms().len() as f64;
        let slopes: Vec<f64> =
            self.totals.iter().map(|total| (self.settings.alpha / (smoothing + total)).ln()).collect();
        let entries = rows.iter().map(|&row| documents.rows.row_len(row as usize) + 1).sum();
        let found = on_threads(split_evenly(rows.len(), entries, threads), |range| {
            let mut scores = memory::zeros(self.settings.prior.len());
            let error = |&row: &u32| self.error(documents, row as usize, &slopes, &mut scores);
            rows[range].iter().map(error).collect::<Vec<f64>>()
        });
        found.concat()
    }

    fn error(&self, documents: LabelledRows, row: usize, slopes: &[f64], scores: &mut [f64]) -> f64 {
        let (columns, values) = documents.rows.entries(row);
        let mass: f64 = values.iter().sum();
        let starts = self.settings.prior.iter().zip(slopes).map(|(prior, slope)| prior + slope * mass);
        scores.iter_mut().zip(starts).for_each(|(score, start)| *score = start);
        let pairs = self.statistics.pairs();
        for (&term, &value) in columns.iter().zip(values) {
            let range = pairs.range(term as usize);
            let classes = pairs.classes()[range.clone()].iter();
            classes.zip(&self.logs[range]).for_each(|(&class, log)| scores[class as usize] += value * log);
        }
        let class = documents.labels.of(row)[0] as usize;
        let own = scores[class];
        let best = scores.iter().copied().fold(f64::MIN, f64::max);
        // The others' share, rather than 1 minus the own: it keeps its digits where the model is sure.
        let others: f64 = scores
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != class)
            .map(|(_, score)| (score - best).exp())
            .sum();
        let error = others / (others + (own - best).exp());
        if error < LEAST_ERROR { 0.0 } else { error }
    }

    fn add(&mut self, documents: LabelledRows, row: usize, weight: f64) {
        let class = documents.labels.of(row)[0];
        for (term, value) in documents.rows.row(row) {
            let range = self.statistics.pairs().range(term as usize);
            let Ok(at) = self.statistics.pairs().classes()[range.clone()].binary_search(&class) else {
                continue;
            };
            let place = range.start + at;
            self.counts[place] += weight * value;
            self.logs[place] = (self.counts[place] / self.settings.alpha).ln_1p();
            self.totals[class as usize] += weight * value;
        }
    }
}
