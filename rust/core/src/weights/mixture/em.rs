//! EM for the mixture of one class (eqs. 15–21).

use super::documents::{Documents, Unseen};
use super::random::Random;
use super::structure::{Gains, Kept};
use super::{Estimate, Keep, Settings};
use crate::memory;

/// A component whose documents add up to less than this share of the class's is dead: leaving it out changes
/// the criterion by less than this.
const DEAD: f64 = 1e-10;

/// EM on some documents of a class.
pub struct Em<'a> {
    pub documents: &'a Documents,
    pub unseen: &'a Unseen,
    pub settings: &'a Settings,
    /// The training documents.
    pub members: &'a [u32],
}

/// What the E-step expects of each component: eqs. 17–19 before they are divided by the documents.
#[derive(Clone)]
pub struct Expected {
    /// Σ q x_n, by column, then component; `stride` to a column.
    pub sums: Vec<f64>,
    pub stride: usize,
    /// Σ q |x|.
    pub lengths: Vec<f64>,
    /// Σ q.
    pub documents: Vec<f64>,
}

/// Everything that the E-step needs, and the parameters kept.
pub struct Parameters {
    /// log f(m); −∞ for a dead component.
    pub log_weights: Vec<f64>,
    /// Σ (θ_0 − θ) over the kept terms.
    pub slopes: Vec<f64>,
    /// log θ/θ_0 of the kept, 0 of the others; laid out as the sums.
    table: Vec<f64>,
    /// The log of the prior.
    log_prior: f64,
    /// The parameters kept; `None` for all.
    pub kept: Option<Kept>,
    /// How many parameters that is.
    pub count: usize,
}

/// The result of EM.
pub struct Run {
    pub expected: Expected,
    pub parameters: Parameters,
    /// The criterion and the number of parameters, at the start and after every iteration.
    pub history: Vec<(f64, usize)>,
}

impl Em<'_> {
    /// The best of several random starts; `None` when told to stop.
    pub fn best_run(&self, components: usize, random: &mut Random, stop: &dyn Fn() -> bool) -> Option<Run> {
        let starts = if components == 1 { 1 } else { self.settings.starts };
        let mut best: Option<Run> = None;
        for _ in 0..starts {
            let run = self.run(self.deal(components, random), stop)?;
            if best.as_ref().is_none_or(|best| run.criterion() > best.criterion()) {
                best = Some(run);
            }
        }
        best
    }

    fn run(&self, mut expected: Expected, stop: &dyn Fn() -> bool) -> Option<Run> {
        let budget = expected.documents.len() * self.terms();
        let mut parameters = self.maximise(&expected, budget);
        let mut next = expected.clone();
        let mut history = Vec::new();
        loop {
            let criterion = self.expect(&parameters, &mut next);
            history.push((criterion, parameters.count));
            // One component takes every document wholly: nothing is left to iterate.
            let done = expected.documents.len() == 1
                || history.len() > self.settings.max_iter
                || self.has_converged(&history);
            if done {
                return Some(Run { expected, parameters, history });
            }
            if stop() {
                return None;
            }
            std::mem::swap(&mut expected, &mut next);
            parameters = self.maximise(&expected, budget);
        }
    }

    fn has_converged(&self, history: &[(f64, usize)]) -> bool {
        let [.., before, now] = history else {
            return false;
        };
        (now.0 - before.0).abs() <= self.settings.tol * now.0.abs()
    }

    /// How many terms have a parameter in each component.
    fn terms(&self) -> usize {
        self.documents.terms.len() + self.unseen.len()
    }

    /// The total weight of the documents.
    pub fn total(&self) -> f64 {
        self.members.iter().map(|&document| self.documents.weights[document as usize]).sum()
    }

    /// Deal the documents to the components at random, in parts of equal size.
    fn deal(&self, components: usize, random: &mut Random) -> Expected {
        let mut expected = Expected::new(components, self.documents.terms.len());
        let mut order = self.members.to_vec();
        if components > 1 {
            random.shuffle(&mut order);
        }
        let mut shares = memory::zeros(expected.stride);
        for (place, &document) in order.iter().enumerate() {
            shares.fill(0.0);
            shares[place % components] = self.documents.weights[document as usize];
            expected.add(self.documents, document, &shares);
        }
        expected
    }

    /// The E-step: fill in what is expected, and return the criterion (eq. 15, and the prior).
    pub fn expect(&self, parameters: &Parameters, expected: &mut Expected) -> f64 {
        expected.clear();
        let mut scores = memory::zeros(expected.stride);
        let mut criterion = 0.0;
        for &document in self.members {
            let weight = self.documents.weights[document as usize];
            criterion += weight * parameters.responsibilities(self.documents, document, &mut scores);
            scores.iter_mut().for_each(|share| *share *= weight);
            expected.add(self.documents, document, &scores);
        }
        (criterion + parameters.log_prior) / self.total().max(f64::MIN_POSITIVE)
    }

    /// The M-step: eqs. 19–21.
    fn maximise(&self, expected: &Expected, budget: usize) -> Parameters {
        let total: f64 = expected.documents.iter().sum();
        let estimates: Vec<Option<Estimate>> = expected
            .documents
            .iter()
            .zip(&expected.lengths)
            .map(|(&own, &length)| (own > DEAD * total).then(|| self.settings.smoothing.estimate(length)))
            .collect();
        let own = |at: usize| if estimates[at].is_some() { expected.documents[at] } else { 0.0 };
        let living: f64 = (0..estimates.len()).map(own).sum();
        let mut parameters = Parameters {
            log_weights: (0..estimates.len()).map(|at| (own(at) / living).ln()).collect(),
            slopes: memory::zeros(expected.stride),
            table: self.log_ratios(expected, &estimates),
            log_prior: 0.0,
            kept: None,
            count: 0,
        };
        parameters.kept = self.choose(&parameters.table, expected, &estimates, budget, total);
        self.sum_up(&mut parameters, expected, &estimates);
        parameters
    }

    /// log θ/θ_0 of every cell; 0 for dead components.
    fn log_ratios(&self, expected: &Expected, estimates: &[Option<Estimate>]) -> Vec<f64> {
        let mut table = memory::zeros(expected.sums.len());
        let columns =
            table.chunks_exact_mut(expected.stride).zip(expected.sums.chunks_exact(expected.stride));
        for ((ratios, sums), &background) in columns.zip(&self.documents.background) {
            let per_background = 1.0 / background;
            for ((ratio, &sum), estimate) in ratios.iter_mut().zip(sums).zip(estimates) {
                if let Some(estimate) = estimate {
                    *ratio = estimate.log_ratio(sum, per_background);
                }
            }
        }
        table
    }

    /// Choose the structure by the gains; `None` for everything.
    fn choose(
        &self,
        log_ratios: &[f64],
        expected: &Expected,
        estimates: &[Option<Estimate>],
        budget: usize,
        total: f64,
    ) -> Option<Kept> {
        if self.settings.keep == Keep::Share(1.0) {
            return None;
        }
        let mut cells = memory::zeros(expected.sums.len());
        for (column, &background) in self.documents.background.iter().enumerate() {
            let first = column * expected.stride;
            for (at, estimate) in living(estimates, first) {
                cells[at] = estimate.gain(expected.sums[at], background, log_ratios[at]) / total;
            }
        }
        let factor = |estimate: &Option<Estimate>| {
            estimate.map(|estimate| estimate.gain(0.0, 1.0, estimate.unseen_ratio().ln()) / total)
        };
        let factors: Vec<_> = estimates.iter().map(factor).collect();
        let gains = Gains { cells: &cells, stride: expected.stride, factors: &factors, unseen: self.unseen };
        Some(match self.settings.keep {
            Keep::Share(share) => gains.largest((share * budget as f64).round() as usize),
            Keep::Above(threshold) => gains.above(threshold),
        })
    }

    /// Drop the parameters that are not kept, and sum up the others.
    fn sum_up(&self, parameters: &mut Parameters, expected: &Expected, estimates: &[Option<Estimate>]) {
        let Parameters { table, slopes, log_prior, kept, count, .. } = parameters;
        for (column, &background) in self.documents.background.iter().enumerate() {
            let first = column * expected.stride;
            for (at, estimate) in living(estimates, first) {
                if kept.as_ref().is_some_and(|kept| !kept.cells[at]) {
                    table[at] = 0.0;
                    continue;
                }
                let sum = expected.sums[at];
                slopes[at - first] += background - estimate.theta(sum, background);
                *log_prior += estimate.log_prior(sum, background, table[at]);
                *count += 1;
            }
        }
        for (component, estimate) in living(estimates, 0) {
            let unseen = kept.as_ref().map_or(self.unseen.len(), |kept| kept.unseen[component]);
            let (ratio, share) = (estimate.unseen_ratio(), self.unseen.sums[unseen]);
            slopes[component] += (1.0 - ratio) * share;
            *log_prior += estimate.log_prior(0.0, 1.0, ratio.ln()) * share;
            *count += unseen;
        }
    }
}

/// The living components, numbered from `first`.
fn living(estimates: &[Option<Estimate>], first: usize) -> impl Iterator<Item = (usize, &Estimate)> {
    let all = estimates.iter().enumerate();
    all.filter_map(move |(component, estimate)| Some((first + component, estimate.as_ref()?)))
}

impl Run {
    fn criterion(&self) -> f64 {
        self.history.last().map_or(f64::NEG_INFINITY, |last| last.0)
    }
}

impl Expected {
    fn new(components: usize, columns: usize) -> Self {
        // Whole vectors of processors, once there is more than one component.
        let stride = if components < 3 { components } else { components.next_multiple_of(4) };
        let (lengths, documents) = (memory::zeros(components), memory::zeros(components));
        Self { sums: memory::zeros(columns * stride), stride, lengths, documents }
    }

    fn clear(&mut self) {
        self.sums.fill(0.0);
        self.lengths.fill(0.0);
        self.documents.fill(0.0);
    }

    /// Add a document, shared out among the components.
    fn add(&mut self, documents: &Documents, document: u32, shares: &[f64]) {
        for (own, share) in self.documents.iter_mut().zip(shares) {
            *own += share;
        }
        let length = documents.lengths[document as usize];
        for (own, share) in self.lengths.iter_mut().zip(shares) {
            *own += share * length;
        }
        let (columns, values) = documents.entries(document);
        match self.stride {
            1 => add_row::<1>(&mut self.sums, columns, values, shares),
            2 => add_row::<2>(&mut self.sums, columns, values, shares),
            4 => add_row::<4>(&mut self.sums, columns, values, shares),
            _ => add_wide_row(&mut self.sums, columns, values, shares),
        }
    }
}

impl Parameters {
    /// Put q(m|x) of eq. 16 in `scores`; return log Σ f(m) G(x|m).
    pub fn responsibilities(&self, documents: &Documents, document: u32, scores: &mut [f64]) -> f64 {
        let length = documents.lengths[document as usize];
        scores.fill(f64::NEG_INFINITY);
        for (component, &log_weight) in self.log_weights.iter().enumerate() {
            scores[component] = log_weight + length * self.slopes[component];
        }
        let (columns, values) = documents.entries(document);
        match scores.len() {
            1 => score_row::<1>(scores, &self.table, columns, values),
            2 => score_row::<2>(scores, &self.table, columns, values),
            stride if stride % 8 == 0 => score_row::<8>(scores, &self.table, columns, values),
            _ => score_row::<4>(scores, &self.table, columns, values),
        }
        self.normalise(scores)
    }

    fn normalise(&self, scores: &mut [f64]) -> f64 {
        let total = log_sum_exp(scores);
        if total == f64::NEG_INFINITY {
            // No component can have generated it, so it is no evidence.
            scores.fill(0.0);
            scores
                .iter_mut()
                .zip(&self.log_weights)
                .for_each(|(share, log_weight)| *share = log_weight.exp());
        } else {
            scores.iter_mut().for_each(|score| *score = (*score - total).exp());
        }
        total
    }
}

/// The log of a sum of exponentials; −∞ for none.
pub fn log_sum_exp(scores: &[f64]) -> f64 {
    let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if scores.len() == 1 || greatest.is_infinite() {
        return greatest;
    }
    greatest + scores.iter().map(|score| (score - greatest).exp()).sum::<f64>().ln()
}

/// Add Σ x_n log θ/θ_0 to every component's score, `LANES` of them at a time.
fn score_row<const LANES: usize>(scores: &mut [f64], table: &[f64], columns: &[u32], values: &[f64]) {
    let stride = scores.len();
    for (block, scores) in scores.chunks_exact_mut(LANES).enumerate() {
        let mut sums = [0.0; LANES];
        for (&column, value) in columns.iter().zip(values) {
            let row = &table[column as usize * stride + block * LANES..][..LANES];
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += value * weight;
            }
        }
        scores.iter_mut().zip(sums).for_each(|(score, sum)| *score += sum);
    }
}

fn add_row<const LANES: usize>(sums: &mut [f64], columns: &[u32], values: &[f64], shares: &[f64]) {
    let mut own = [0.0; LANES];
    own.copy_from_slice(shares);
    for (&column, value) in columns.iter().zip(values) {
        let row = &mut sums[column as usize * LANES..][..LANES];
        for (sum, share) in row.iter_mut().zip(own) {
            *sum += share * value;
        }
    }
}

fn add_wide_row(sums: &mut [f64], columns: &[u32], values: &[f64], shares: &[f64]) {
    let stride = shares.len();
    for (&column, value) in columns.iter().zip(values) {
        let row = &mut sums[column as usize * stride..][..stride];
        for (sum, share) in row.iter_mut().zip(shares) {
            *sum += share * value;
        }
    }
}
