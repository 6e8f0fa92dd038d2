//! Rows × weights → scores.

mod prepared;
mod scorer;
mod weights;

pub use scorer::Scorer;
pub(crate) use scorer::{push_best, split_rows};
pub use weights::{Correction, Weights};
