//! Rows × weights → scores.

mod scorer;
mod weights;

pub use scorer::Scorer;
pub use weights::{Correction, Weights};
