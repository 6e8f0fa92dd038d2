//! Structural mixtures of one component per class with all parameters (Grim 2008): the sums of a class are its model.
//!
//! Without row x, the background of a term is what the other rows have of it, θ_0 = T_n / T, and a class has
//! θ = a N_n + b θ_0, where a and b follow from the words of the class. So log θ/θ_0 is log b for a term that the class
//! lacks, plus log(1 + a/b N_n / θ_0) for a pair that was seen. All strengths of smoothing are scored in one pass.

use crate::memory;
use crate::scores::logarithm::ln;
use crate::scores::vectors::with_vectors;
use crate::statistics::{LabelledRows, Rows, Statistics};
use crate::threads::on_threads;
use crate::weights::mixture::{Estimate, Smoothing};

/// A difference below this share of the minuend is only rounding.
const NOTHING: f64 = 1e-12;
/// A product of this many factors is turned into a logarithm. None of them is large or small, so it neither overflows
/// nor underflows.
const FACTORS: u32 = 8;
const LARGE: f64 = 1e18;
const SMALL: f64 = -0.999;
/// Strengths are scored in groups of this many, a few vectors of a processor.
const LANES: usize = 8;

/// log p(c) G(x|c) of every row, class and smoothing by the model without the row; with `odds`, less that of the rows
/// without the class. A class without any other row is −∞, with odds the background.
pub fn mixture_scores(
    statistics: &Statistics,
    documents: LabelledRows,
    smoothings: &[Smoothing],
    odds: bool,
    threads: usize,
) -> Vec<f64> {
    let parts = on_threads(documents.rows.split(threads), |range| {
        let mut left = Left::new(statistics, smoothings);
        let mut found = memory::with_capacity(range.len() * left.classes() * smoothings.len());
        for row in range {
            left.remove(documents, row);
            left.push_scores(documents.rows, row, odds, &mut found);
        }
        found
    });
    parts.concat()
}

/// What is left of the sums without a row.
struct Left<'a> {
    statistics: &'a Statistics,
    smoothings: &'a [Smoothing],
    weight: f64,
    words: f64,
    documents: f64,
    /// Of each class, words and documents.
    class_words: Vec<f64>,
    class_documents: Vec<f64>,
    is_own: Vec<bool>,
    sums: LogSums,
    /// The classes as they are with the row, which those that do not have it keep.
    whole: Terms,
}

/// For each class and strength, log θ/θ_0 of a term that the class lacks, and what N / θ_0 is multiplied by.
#[derive(Clone)]
struct Terms {
    lacking: Vec<f64>,
    factors: Vec<f64>,
}

impl Terms {
    fn of(words: &[f64], smoothings: &[Smoothing], side: Side) -> Self {
        let size = words.len() * smoothings.len();
        let mut terms = Self { lacking: memory::zeros(size), factors: memory::zeros(size) };
        (0..words.len()).for_each(|class| terms.set(class, words[class], smoothings, side));
        terms
    }

    fn set(&mut self, class: usize, words: f64, smoothings: &[Smoothing], side: Side) {
        for (at, smoothing) in smoothings.iter().enumerate() {
            let estimate = smoothing.estimate(words);
            self.lacking[class * smoothings.len() + at] = side.lacking(&estimate).ln();
            self.factors[class * smoothings.len() + at] = side.factor(&estimate);
        }
    }
}

fn left(whole: f64, part: f64) -> f64 {
    let left = whole - part;
    if left > NOTHING * whole { left } else { 0.0 }
}

fn log_share(part: f64, whole: f64) -> f64 {
    (part / whole.max(f64::MIN_POSITIVE)).max(f64::MIN_POSITIVE).ln()
}

impl<'a> Left<'a> {
    fn new(statistics: &'a Statistics, smoothings: &'a [Smoothing]) -> Self {
        let classes = statistics.classes().len();
        Self {
            statistics,
            smoothings,
            weight: 0.0,
            words: 0.0,
            documents: 0.0,
            class_words: memory::zeros(classes),
            class_documents: memory::zeros(classes),
            is_own: memory::filled(classes, false),
            sums: LogSums::new(classes, smoothings.len()),
            whole: Terms::of(statistics.classes().values(), smoothings, Side::Own),
        }
    }

    fn classes(&self) -> usize {
        self.is_own.len()
    }

    fn remove(&mut self, documents: LabelledRows, row: usize) {
        let (all, totals) = (self.statistics.all(), self.statistics.classes());
        self.weight = documents.weight(row);
        let words = self.weight * documents.rows.row(row).map(|(_, value)| value).sum::<f64>();
        self.words = left(all.values.value(), words);
        self.documents = left(all.weight.value(), self.weight);
        self.class_words.copy_from_slice(totals.values());
        for (class, documents) in self.class_documents.iter_mut().enumerate() {
            *documents = totals.get(class).weight.value();
        }
        self.is_own.fill(false);
        for &class in documents.labels.of(row) {
            let class = class as usize;
            self.is_own[class] = true;
            self.class_words[class] = left(self.class_words[class], words);
            self.class_documents[class] = left(self.class_documents[class], self.weight);
        }
    }

    fn push_scores(&mut self, rows: Rows, row: usize, odds: bool, found: &mut Vec<f64>) {
        let first = found.len();
        memory::resize(found, first + self.classes() * self.smoothings.len(), 0.0);
        let scores = &mut found[first..];
        let mut terms = self.whole.clone();
        for class in (0..self.classes()).filter(|&class| self.is_own[class]) {
            terms.set(class, self.class_words[class], self.smoothings, Side::Own);
        }
        let documents = self.class_documents.clone();
        self.add(rows, row, &terms, &documents, 1.0, scores);
        if odds {
            let rest = |whole: f64, parts: &[f64]| -> Vec<f64> {
                parts.iter().map(|&part| left(whole, part)).collect()
            };
            let side = Side::Rest(self.words);
            let terms = Terms::of(&rest(self.words, &self.class_words), self.smoothings, side);
            self.add(rows, row, &terms, &rest(self.documents, &documents), -1.0, scores);
            return;
        }
        for (scores, &documents) in scores.chunks_exact_mut(self.smoothings.len()).zip(&documents) {
            if documents == 0.0 {
                scores.fill(f64::NEG_INFINITY);
            }
        }
    }

    /// Add `sign` times log p(c) + Σ x log θ/θ_0.
    fn add(
        &mut self,
        rows: Rows,
        row: usize,
        terms: &Terms,
        documents: &[f64],
        sign: f64,
        scores: &mut [f64],
    ) {
        self.sums.start(&terms.factors);
        let kept = self.add_pairs(rows, row);
        let strengths = self.smoothings.len();
        for (class, &documents) in documents.iter().enumerate() {
            let prior = log_share(documents, self.documents);
            for at in 0..strengths {
                let place = class * strengths + at;
                scores[place] += sign * (prior + kept * terms.lacking[place] + self.sums.get(class, at));
            }
        }
    }

    /// Sum x log(1 + factor · N / θ_0) over the pairs of the row's terms; return the words of terms with a background.
    fn add_pairs(&mut self, rows: Rows, row: usize) -> f64 {
        let (pairs, totals) = (self.statistics.pairs(), self.statistics.terms().values());
        let mut kept = 0.0;
        for (term, value) in rows.row(row) {
            let removed = self.weight * value;
            let rest = left(totals[term as usize], removed);
            if rest == 0.0 {
                continue;
            }
            kept += value;
            let per_background = self.words / rest;
            for place in pairs.range(term as usize) {
                let class = pairs.classes()[place] as usize;
                let sum = pairs.totals().values()[place];
                let sum = if self.is_own[class] { left(sum, removed) } else { sum };
                self.sums.add(class, sum * per_background, value);
            }
        }
        self.sums.finish();
        kept
    }
}

/// The rows of a class, or those without it, whose words are all but its own: θ/θ_0 = a T + b − a N / θ_0.
#[derive(Clone, Copy)]
enum Side {
    Own,
    Rest(f64),
}

impl Side {
    /// θ/θ_0 of a term that the class lacks.
    fn lacking(self, estimate: &Estimate) -> f64 {
        match self {
            Side::Own => estimate.unseen_ratio(),
            Side::Rest(words) => estimate.of_sum() * words + estimate.unseen_ratio(),
        }
    }

    /// What N / θ_0 of the class is multiplied by, to be added to 1.
    fn factor(self, estimate: &Estimate) -> f64 {
        let sign = if matches!(self, Side::Own) { 1.0 } else { -1.0 };
        sign * estimate.of_sum() / self.lacking(estimate)
    }
}

/// Σ x log(1 + factor · amount) of each class and strength.
struct LogSums {
    width: usize,
    factors: Vec<f64>,
    /// The greatest and the least factor of each class.
    bounds: Vec<(f64, f64)>,
    sums: Vec<f64>,
    /// Factors of terms that occur once, and how many there are.
    products: Vec<f64>,
    counts: Vec<u32>,
}

impl LogSums {
    fn new(classes: usize, strengths: usize) -> Self {
        let width = strengths.next_multiple_of(LANES);
        Self {
            width,
            factors: memory::zeros(classes * width),
            bounds: memory::filled(classes, (0.0, 0.0)),
            sums: memory::zeros(classes * width),
            products: memory::filled(classes * width, 1.0),
            counts: memory::zeros(classes),
        }
    }

    fn start(&mut self, factors: &[f64]) {
        self.sums.fill(0.0);
        let strengths = factors.len() / self.bounds.len().max(1);
        let rows = self.factors.chunks_exact_mut(self.width).zip(factors.chunks_exact(strengths.max(1)));
        for ((own, given), bounds) in rows.zip(&mut self.bounds) {
            own[..strengths].copy_from_slice(given);
            let most = given.iter().copied().fold(0.0, f64::max);
            *bounds = (most, given.iter().copied().fold(0.0, f64::min));
        }
    }

    fn get(&self, class: usize, at: usize) -> f64 {
        self.sums[class * self.width + at]
    }

    #[inline]
    fn add(&mut self, class: usize, amount: f64, value: f64) {
        let range = class * self.width..(class + 1) * self.width;
        let (most, least) = self.bounds[class];
        if value != 1.0 || amount * most > LARGE || amount * least < SMALL {
            add_powers(&mut self.sums[range.clone()], &self.factors[range], amount, value);
            return;
        }
        multiply(&mut self.products[range.clone()], &self.factors[range], amount);
        self.counts[class] += 1;
        if self.counts[class] == FACTORS {
            self.settle(class);
        }
    }

    fn finish(&mut self) {
        for class in 0..self.counts.len() {
            if self.counts[class] > 0 {
                self.settle(class);
            }
        }
    }

    fn settle(&mut self, class: usize) {
        let range = class * self.width..(class + 1) * self.width;
        add_logs(&mut self.sums[range.clone()], &mut self.products[range]);
        self.counts[class] = 0;
    }
}

fn add_powers(sums: &mut [f64], factors: &[f64], amount: f64, value: f64) {
    with_vectors!(add_power_lanes(sums: &mut [f64], factors: &[f64], amount: f64, value: f64))
}

#[inline(always)]
fn add_power_lanes(sums: &mut [f64], factors: &[f64], amount: f64, value: f64) {
    for (sums, factors) in sums.chunks_exact_mut(LANES).zip(factors.chunks_exact(LANES)) {
        for lane in 0..LANES {
            // Rounding must not make it negative.
            sums[lane] += value * ln((1.0 + factors[lane] * amount).max(f64::MIN_POSITIVE));
        }
    }
}

fn multiply(products: &mut [f64], factors: &[f64], amount: f64) {
    with_vectors!(multiply_lanes(products: &mut [f64], factors: &[f64], amount: f64))
}

#[inline(always)]
fn multiply_lanes(products: &mut [f64], factors: &[f64], amount: f64) {
    for (products, factors) in products.chunks_exact_mut(LANES).zip(factors.chunks_exact(LANES)) {
        for lane in 0..LANES {
            products[lane] *= 1.0 + factors[lane] * amount;
        }
    }
}

fn add_logs(sums: &mut [f64], products: &mut [f64]) {
    with_vectors!(add_log_lanes(sums: &mut [f64], products: &mut [f64]))
}

#[inline(always)]
fn add_log_lanes(sums: &mut [f64], products: &mut [f64]) {
    for (sums, products) in sums.chunks_exact_mut(LANES).zip(products.chunks_exact_mut(LANES)) {
        for lane in 0..LANES {
            sums[lane] += ln(products[lane]);
            products[lane] = 1.0;
        }
    }
}
