//! Tokens → sparse rows.

mod columns;
mod counting;
mod naming;
mod rows;
mod table;
mod worker;

pub use columns::{Columns, Vocabulary, hashed_column};
pub use counting::Counting;
pub use rows::Rows;
