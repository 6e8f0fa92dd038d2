//! Statistics → a number per term, or per class and term: loops over the pairs seen, on every core.
//!
//! The equations are documented in Python's package `terms`, by the same names.

mod contingency;
mod divergence;
mod information;
mod poisson_sums;
mod ratio;
mod table;

pub use contingency::{Event, chi_square, information_gain};
pub use divergence::divergence;
pub use information::mutual_information;
pub use poisson_sums::{PoissonSums, TermSums};
pub use ratio::{Mixing, probability_ratios};
pub use table::document_events;

use crate::memory;
use crate::statistics::{Statistics, Total, Totals};
use crate::threads::{available_threads, fill_rows, split_evenly};

/// x log y; 0 if x is 0.
#[inline]
fn xlogy(x: f64, y: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x * y.ln() }
}

/// The total weight of the documents of a total.
#[inline]
fn weight(totals: &Totals, at: usize) -> f64 {
    totals.weights().map_or_else(|| f64::from(totals.documents()[at]), |weights| weights[at])
}

/// A number for each term, from its total and the (class, place) of its pairs.
fn per_term(
    statistics: &Statistics,
    score: impl Fn(Total, &mut dyn Iterator<Item = (usize, usize)>) -> f64 + Sync,
) -> Vec<f64> {
    let pairs = statistics.pairs();
    let mut scores = memory::zeros(pairs.terms());
    let ranges = split_evenly(pairs.terms(), pairs.len(), available_threads());
    fill_rows(&mut scores, 1, ranges, |range, part| {
        for (place, term) in part.iter_mut().zip(range) {
            let mut own = pairs.range(term).map(|place| (pairs.classes()[place] as usize, place));
            *place = score(statistics.terms().get(term), &mut own);
        }
    });
    scores
}
