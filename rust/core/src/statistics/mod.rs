//! Labelled rows → sums per class: add, subtract, merge.

mod batch;
mod gathering;
mod mapped;
mod pairs;
mod rows;
#[allow(clippy::module_inception)]
mod statistics;
mod sum;
mod totals;

pub use pairs::Pairs;
pub use rows::{Labels, Rows};
pub use statistics::{NotLearned, Statistics};
pub use sum::Sum;
pub use totals::{Sums, Total, Totals, is_sound};
