//! Rows × weights → scores.

mod discriminative;
mod leave_one_out;
mod lengths;
mod logarithm;
mod poisson;
mod prepared;
mod scorer;
mod vectors;
mod weights;

pub use discriminative::{Estimate, Lessons, discriminative_counts};
pub use leave_one_out::{Falling, Falls, other_changes, own_changes};
pub use lengths::{Comparison, length_changes};
pub use poisson::{Means, Mixing, evidence_sums};
pub use scorer::Scorer;
pub(crate) use scorer::{push_best, split_rows};
pub use weights::{Correction, Weights};
