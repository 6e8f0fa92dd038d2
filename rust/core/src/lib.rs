//! The hot loops of textbayes, with no Python in them.
//!
//! Modules as in the Python package, each reading only those before it: `text` turns characters into tokens and tokens
//! into terms, `counts` turns them into sparse rows, `statistics` sums labelled rows per class, `terms` scores terms,
//! `weights` learns weights from statistics or rows, `scores` multiplies rows by weights.

mod column;
pub mod counts;
pub mod memory;
pub mod scores;
pub mod statistics;
pub mod terms;
pub mod text;
mod threads;
mod varint;
mod versioned;
pub mod weights;

pub use column::Column;
pub use threads::{available_threads, limit_threads};
pub use versioned::{Undoable, Versioned};
