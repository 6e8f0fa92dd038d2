//! The hot loops of textbayes, with no Python in them.
//!
//! Rooms as in the Python package: `text` turns characters into tokens and tokens into terms, `counts` turns
//! them into sparse rows, `statistics` sums labelled rows per class, `scores` multiplies rows by weights.

mod column;
pub mod counts;
pub mod scores;
pub mod statistics;
pub mod text;
mod threads;

pub use column::Column;
pub use threads::available_threads;
