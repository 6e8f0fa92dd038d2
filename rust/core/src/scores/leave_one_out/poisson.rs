//! Poisson naive Bayes: sums over all terms of the evidence, when the mean of one side moves.

use crate::memory;
use crate::scores::logarithm::ln;
use crate::scores::vectors::with_vectors;
use crate::threads::{on_threads, split_evenly};

/// Means of some classes, as tables of classes × terms.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// How many terms there are.
    pub terms: usize,
    /// Σ x/D and Σ x·dl/D of the side that moves.
    pub uniform: &'a [f64],
    /// See `uniform`.
    pub by_length: &'a [f64],
    /// The mean of the side that stays.
    pub fixed: &'a [f64],
    /// The weight of each term; empty for 1.
    pub weights: &'a [f64],
    /// Weigh by the ratio of the two means instead, r + 1/r.
    pub ratio: bool,
}

/// What a mean is made of: uniform · Σ x/D + by_length · Σ x·dl/D + floor.
#[derive(Clone, Copy)]
pub struct Moving {
    /// The row of the tables.
    pub row: usize,
    /// The factor of `uniform`.
    pub uniform: f64,
    /// The factor of `by_length`.
    pub by_length: f64,
    /// What every term has.
    pub floor: f64,
}

/// For each mixing, Σ over all terms of w · log(fixed / moving).
pub fn evidence_sums(means: Means, mixings: &[Moving], threads: usize) -> Vec<f64> {
    let ranges = split_evenly(mixings.len(), mixings.len() * means.terms, threads);
    let parts = on_threads(ranges, |range| {
        let mut sums = memory::zeros(range.len());
        mixings[range].iter().zip(&mut sums).for_each(|(mixing, sum)| sum_row(&means, mixing, sum));
        sums
    });
    parts.concat()
}

fn sum_row(means: &Means, mixing: &Moving, sum: &mut f64) {
    with_vectors!(sum_terms(means: &Means, mixing: &Moving, sum: &mut f64))
}

/// Sums are kept in this many parts, so that additions do not wait for each other.
const PARTS: usize = 8;

#[inline(always)]
fn sum_terms(means: &Means, mixing: &Moving, sum: &mut f64) {
    let range = mixing.row * means.terms..(mixing.row + 1) * means.terms;
    let (uniform, by_length) = (&means.uniform[range.clone()], &means.by_length[range.clone()]);
    let fixed = &means.fixed[range.clone()];
    let quotient = |at: usize| {
        let moving = mixing.uniform * uniform[at] + mixing.by_length * by_length[at] + mixing.floor;
        fixed[at] / moving
    };
    *sum = if means.ratio {
        in_parts(means.terms, |at| {
            let r = quotient(at);
            (r + 1.0 / r) * ln(r)
        })
    } else if means.weights.is_empty() {
        in_parts(means.terms, |at| ln(quotient(at)))
    } else {
        let weights = &means.weights[range];
        in_parts(means.terms, |at| weights[at] * ln(quotient(at)))
    };
}

#[inline(always)]
fn in_parts(terms: usize, term: impl Fn(usize) -> f64) -> f64 {
    let mut parts = [0.0; PARTS];
    let whole = terms / PARTS * PARTS;
    for at in (0..whole).step_by(PARTS) {
        parts.iter_mut().enumerate().for_each(|(part, sum)| *sum += term(at + part));
    }
    parts.iter().sum::<f64>() + (whole..terms).map(term).sum::<f64>()
}
