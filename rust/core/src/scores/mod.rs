//! Rows × weights → scores.

mod by_class;
mod kept;
mod poisson;
mod prepared;
mod rough;
mod scorer;
mod weights;

pub use kept::KeptCorrections;
pub use poisson::{Mixing, PoissonScorer, PoissonSums};
pub use scorer::Scorer;
pub(crate) use scorer::{push_best, split_rows};
pub use weights::{Correction, Weights};
