//! Labelled rows → sums per class: add, subtract, merge.

mod batch;
mod by_class;
mod cells;
mod changes;
mod gathering;
mod mapped;
mod packed;
mod pair_cache;
mod pairs;
mod rows;
mod sorting;
#[allow(clippy::module_inception)]
mod statistics;
mod sum;
mod totals;
mod touched;
mod values;
mod versions;
mod weighted;

pub(crate) use by_class::gather_by_class;
pub use changes::Changes;
pub use packed::{PackedPart, PackedRows, UnpackedRows, pack_rows, split_packed, unpack_rows};
pub use pair_cache::PairCache;
pub use pairs::Pairs;
pub use rows::{LabelledRows, Labels, Rows};
pub use statistics::{NotLearned, Statistics};
pub use sum::Sum;
pub use totals::{Sums, Total, Totals, is_sound};
pub use values::Value;
pub use versions::{Refusal, Undo};
pub use weighted::WeightedSums;
