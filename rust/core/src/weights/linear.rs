//! Weights of a linear model: a default for every term and class, and a correction on the pairs seen.
//!
//! score(x, c) = bias_c + scale_c · ( slope_c · Σ x_t + Σ x_t · default_t + Σ_{seen} x_t · correction_ct )
//!
//! No part of it is a table of classes × terms.

use crate::memory;
use crate::statistics::{PairCache, Statistics, Value, gather_by_class};

/// One summand of a pair's correction, from the pair's sum n_ct and the term's sum n_t.
#[derive(Debug, Clone)]
pub enum Correction {
    /// log(1 + n_ct · f_c): what a class's own counts add to its smoothing.
    Class(Vec<f64>),
    /// log(n_t + a) − log(n_t − n_ct + a): what a class's counts take from its complement.
    Complement(f64),
    /// n_ct · f_c.
    Linear(Vec<f64>),
}

impl Correction {
    /// True if it has a factor for each of `classes` classes, or needs none.
    pub fn fits(&self, classes: usize) -> bool {
        match self {
            Self::Class(factors) | Self::Linear(factors) => factors.len() == classes,
            Self::Complement(_) => true,
        }
    }

    /// True if both give every pair of the classes known before the same correction.
    pub fn extends(&self, before: &Self) -> bool {
        match (self, before) {
            (Self::Class(now), Self::Class(then)) | (Self::Linear(now), Self::Linear(then)) => {
                now.starts_with(then)
            }
            (Self::Complement(now), Self::Complement(then)) => now == then,
            _ => false,
        }
    }
}

/// Weights of a linear model. Vectors over classes are by class number, over terms by column.
#[derive(Debug, Clone, Default)]
pub struct Weights {
    /// Added to each class's score.
    pub bias: Vec<f64>,
    /// Each class's weight of the sum of a row; empty for none.
    pub slope: Vec<f64>,
    /// Each term's weight in every class; empty for none.
    pub default: Vec<f64>,
    /// The factor of each class's weights; empty for 1.
    pub scale: Vec<f64>,
    /// The summands of a pair's correction.
    pub corrections: Vec<Correction>,
}

impl Weights {
    /// The correction of one pair.
    #[inline]
    pub fn correction(&self, class: usize, pair: f64, term: f64) -> f64 {
        let summand = |correction: &Correction| match correction {
            Correction::Class(factors) => (pair * factors[class]).ln_1p(),
            // The subtraction comes first: it is exact for counts, and the quotient loses nothing.
            Correction::Complement(alpha) => -(((term - pair).max(0.0) + alpha) / (term + alpha)).ln(),
            Correction::Linear(factors) => pair * factors[class],
        };
        self.corrections.iter().map(summand).sum()
    }

    /// A class's slope.
    #[inline]
    pub fn slope(&self, class: usize) -> f64 {
        self.slope.get(class).copied().unwrap_or(0.0)
    }

    /// A term's default.
    #[inline]
    pub fn default(&self, term: usize) -> f64 {
        self.default.get(term).copied().unwrap_or(0.0)
    }

    /// What the defaults give a row.
    #[inline]
    pub fn default_sum<V: Value>(&self, columns: &[i32], values: &[V]) -> f64 {
        if self.default.is_empty() {
            return 0.0;
        }
        columns.iter().zip(values).map(|(&term, &value)| value.real() * self.default[term as usize]).sum()
    }

    /// A class's scale.
    #[inline]
    pub fn scale(&self, class: usize) -> f64 {
        self.scale.get(class).copied().unwrap_or(1.0)
    }

    /// For each class, how much the pairs seen change Σ_t |weight_ct| over what the defaults alone give.
    pub fn absolute_excess(&self, statistics: &Statistics, cache: &mut CorrectionCache) -> Vec<f64> {
        let (pairs, corrections) = (statistics.pairs(), cache.corrections(self, statistics));
        let slopes: Vec<f64> = (0..statistics.classes().len()).map(|class| self.slope(class)).collect();
        let add_terms = |terms: std::ops::Range<usize>, excess: &mut [f64]| {
            for term in terms {
                let (range, default) = (pairs.range(term), self.default(term));
                for (&class, correction) in pairs.classes()[range.clone()].iter().zip(&corrections[range]) {
                    let base = slopes[class as usize] + default;
                    excess[class as usize] += (base + correction).abs() - base.abs();
                }
            }
        };
        gather_by_class(pairs, &memory::zeros(slopes.len()), add_terms, |sum, more| *sum += more)
    }
}

/// Corrections of the pairs seen, reused from one set of weights to the next.
#[derive(Debug, Clone, Default)]
pub struct CorrectionCache {
    summands: Vec<Correction>,
    values: PairCache<f64>,
}

impl CorrectionCache {
    /// The corrections of these weights; only those of terms that changed are recomputed.
    pub fn corrections(&mut self, weights: &Weights, statistics: &Statistics) -> &[f64] {
        let mut now_and_before = weights.corrections.iter().zip(&self.summands);
        let agree = weights.corrections.len() == self.summands.len();
        if !agree || !now_and_before.all(|(now, before)| now.extends(before)) {
            self.values = PairCache::default();
        }
        self.summands.clone_from(&weights.corrections);
        let (pairs, totals) = (statistics.pairs(), statistics.terms().values());
        self.values.refresh(pairs, statistics.changes(), |term, corrections| {
            let range = pairs.range(term);
            let own = pairs.classes()[range.clone()].iter().zip(&pairs.totals().values()[range]);
            for (correction, (&class, &pair)) in corrections.iter_mut().zip(own) {
                *correction = weights.correction(class as usize, pair, totals[term]);
            }
        });
        self.values.values()
    }
}
