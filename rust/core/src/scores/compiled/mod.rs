//! Scores of rows by a compiled blend.

mod adding;
mod cache;
mod reading;
mod scorer;

pub use scorer::CompiledScorer;
