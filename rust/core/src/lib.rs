//! The hot loops of textbayes, with no Python in them.
//!
//! Rooms as in the Python package: `text` turns characters into tokens and tokens into terms, `counts` turns
//! them into sparse rows, `statistics` sums labelled rows per class, `terms` says how much a term tells, `scores`
//! multiplies rows by weights. `mixture` is a model of its own: its EM goes over the documents again and again.

mod column;
pub mod counts;
pub mod mixture;
pub mod scores;
pub mod statistics;
pub mod terms;
pub mod text;
mod threads;

pub use column::Column;
pub use threads::available_threads;
