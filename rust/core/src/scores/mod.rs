//! Rows × weights → scores.

mod by_class;
mod discriminative;
mod evidence;
mod kept;
mod leave_one_out;
mod lengths;
mod logarithm;
mod margins;
mod opposed;
mod poisson;
mod prepared;
mod rough;
mod scorer;
mod shared_terms;
mod vectors;
mod weights;

pub use discriminative::{Estimate, Lessons, discriminative_counts};
pub use evidence::{Means, Moving, evidence_sums};
pub use kept::KeptCorrections;
pub use leave_one_out::{Falling, Falls, other_changes, own_changes};
pub use lengths::{Comparison, length_changes};
pub use margins::{Margins, margin_weights};
pub use opposed::{Opposing, WeighedPairs, opposed_weights};
pub use poisson::{Mixing, PoissonScorer, PoissonSums};
pub use scorer::Scorer;
pub(crate) use scorer::{push_best, split_rows};
pub use weights::{Correction, Weights};
