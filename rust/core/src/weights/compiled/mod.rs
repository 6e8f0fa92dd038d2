//! The compiled table of a blend: the weights of all its members, one row per term.

mod encoder;
mod form;
mod half;
mod overlay;
mod row;
mod selecting;
mod store;
mod table;
mod tables;
mod writer;

pub use encoder::{Base, Encoder, Sources};
pub use form::{Form, Idf, Length, Measures, Measuring};
pub use half::from_half;
pub use overlay::TableChange;
pub use row::{Bits, CellReader, Cells, Damaged, Layout, Precision, Row};
pub use selecting::Selection;
pub use store::StoredRows;
pub use table::CompiledWeights;
pub use tables::{
    BlendColumns, ClassParts, CountedTable, FittedPairs, LearnedTable, Live, MOST_SLOTS, Rule, TermDefault,
};
