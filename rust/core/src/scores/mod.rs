//! Rows × weights → scores.

mod approximate;
mod compiled;
mod leave_one_out;
mod logarithm;
mod mixture;
mod poisson;
mod prepared;
mod scorer;
mod vectors;

pub use compiled::CompiledScorer;
pub use leave_one_out::{
    Comparison, ComplementFalls, FactorFalls, Falling, Falls, Means, Moving, evidence_sums, length_changes,
    mixture_scores, other_changes, own_changes,
};
pub use mixture::MixtureScorer;
pub use poisson::{Mixing, PoissonScorer};
pub use scorer::Scorer;
