//! Rows × weights → scores.

mod evidence;
mod leave_one_out;
mod lengths;
mod logarithm;
mod mixture;
mod poisson;
mod prepared;
mod rough;
mod scorer;
mod vectors;

pub use evidence::{Means, Moving, evidence_sums};
pub use leave_one_out::{Falling, Falls, other_changes, own_changes};
pub use lengths::{Comparison, length_changes};
pub use mixture::MixtureScorer;
pub use poisson::{Mixing, PoissonScorer};
pub use scorer::Scorer;
