//! Rows × weights → scores.

mod prepared;
mod rough;
mod scorer;
mod weights;

pub use scorer::Scorer;
pub use weights::{Correction, Weights};
