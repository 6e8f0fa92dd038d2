//! Counts weighted by how badly a model knows them: the discriminative frequency estimate.

use crate::statistics::{Labels, Rows, Statistics};
use crate::threads::on_threads;

/// A smaller doubt is none: what it adds would be too small for a sum (see `statistics::is_sound`).
const LEAST_DOUBT: f64 = 1e-100;

/// Labelled rows to learn from.
#[derive(Clone, Copy)]
pub struct Lessons<'a> {
    /// The rows.
    pub rows: Rows<'a>,
    /// Their classes.
    pub labels: Labels<'a>,
    /// The weight of each row; none for 1.
    pub weights: Option<&'a [f64]>,
}

impl Lessons<'_> {
    /// The weight of a row.
    pub fn weight(&self, row: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row])
    }
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
/// The pairs of the statistics are all that can be seen: they are those of the same rows. `prior` is log P(c)
/// for each class, −∞ for a class that is none.
pub fn discriminative_counts(
    statistics: &Statistics,
    lessons: Lessons,
    visits: &[u32],
    alpha: f64,
    prior: &[f64],
    block: usize,
    threads: usize,
) -> Estimate {
    let mut model = Model::new(statistics, alpha, prior);
    for block in visits.chunks(block.max(1)) {
        let doubts = model.doubts(lessons, block, threads);
        for (&row, doubt) in block.iter().zip(doubts) {
            model.add(lessons, row as usize, lessons.weight(row as usize) * doubt);
        }
    }
    let places = statistics.pairs().iter().map(|(_, place)| model.counts[place]).collect();
    Estimate { pairs: places, classes: model.totals }
}

/// Multinomial naive Bayes on the counts so far, by the places of the pairs.
struct Model<'a> {
    statistics: &'a Statistics,
    alpha: f64,
    prior: &'a [f64],
    counts: Vec<f64>,
    /// log(1 + count / alpha).
    logs: Vec<f64>,
    totals: Vec<f64>,
}

impl<'a> Model<'a> {
    fn new(statistics: &'a Statistics, alpha: f64, prior: &'a [f64]) -> Self {
        let places = statistics.pairs().totals().len();
        Self {
            statistics,
            alpha,
            prior,
            counts: vec![0.0; places],
            logs: vec![0.0; places],
            totals: vec![0.0; prior.len()],
        }
    }

    /// 1 − P(class | row) of some rows.
    fn doubts(&self, lessons: Lessons, rows: &[u32], threads: usize) -> Vec<f64> {
        let smoothing = self.alpha * self.statistics.terms().len() as f64;
        let slopes: Vec<f64> =
            self.totals.iter().map(|total| (self.alpha / (smoothing + total)).ln()).collect();
        let pieces = pieces_of(lessons.rows, rows, threads);
        let found = on_threads(pieces, |(first, last)| {
            let mut scores = vec![0.0; self.prior.len()];
            let doubt = |&row: &u32| self.doubt(lessons, row as usize, &slopes, &mut scores);
            rows[first..last].iter().map(doubt).collect::<Vec<f64>>()
        });
        found.concat()
    }

    fn doubt(&self, lessons: Lessons, row: usize, slopes: &[f64], scores: &mut [f64]) -> f64 {
        let (columns, values) = lessons.rows.entries(row);
        let mass: f64 = values.iter().sum();
        let starts = self.prior.iter().zip(slopes).map(|(prior, slope)| prior + slope * mass);
        scores.iter_mut().zip(starts).for_each(|(score, start)| *score = start);
        let pairs = self.statistics.pairs();
        for (&term, &value) in columns.iter().zip(values) {
            let range = pairs.range(term as usize);
            let classes = pairs.classes()[range.clone()].iter();
            classes.zip(&self.logs[range]).for_each(|(&class, log)| scores[class as usize] += value * log);
        }
        let class = lessons.labels.of(row)[0] as usize;
        let own = scores[class];
        let best = scores.iter().copied().fold(f64::MIN, f64::max);
        // The others' share, rather than 1 minus the own: it keeps its digits where the model is sure.
        let others: f64 = scores
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != class)
            .map(|(_, score)| (score - best).exp())
            .sum();
        let doubt = others / (others + (own - best).exp());
        if doubt < LEAST_DOUBT { 0.0 } else { doubt }
    }

    fn add(&mut self, lessons: Lessons, row: usize, weight: f64) {
        let class = lessons.labels.of(row)[0];
        for (term, value) in lessons.rows.row(row) {
            let range = self.statistics.pairs().range(term as usize);
            let Ok(at) = self.statistics.pairs().classes()[range.clone()].binary_search(&class) else {
                continue;
            };
            let place = range.start + at;
            self.counts[place] += weight * value;
            self.logs[place] = (self.counts[place] / self.alpha).ln_1p();
            self.totals[class as usize] += weight * value;
        }
    }
}

/// Cut a list of rows into pieces of about equal work, one for each thread worth waking.
fn pieces_of(rows: Rows, visits: &[u32], threads: usize) -> Vec<(usize, usize)> {
    const WORTH_A_THREAD: usize = 1 << 14;
    let entries: usize = visits.iter().map(|&row| rows.row_len(row as usize) + 1).sum();
    let pieces = threads.min(entries / WORTH_A_THREAD).max(1);
    (0..pieces).map(|n| (visits.len() * n / pieces, visits.len() * (n + 1) / pieces)).collect()
}
