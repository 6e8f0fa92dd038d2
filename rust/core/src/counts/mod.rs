//! Tokens → sparse rows.

mod columns;
mod counting;
mod keys;
mod kinds;
mod mapped;
mod naming;
mod order;
mod rows;
mod single;
mod table;
mod worker;

pub use columns::{Columns, Vocabulary, digest, hashed_column};
pub use counting::Counting;
pub use keys::row_keys;
pub use kinds::TermKind;
pub use mapped::MappedTerms;
pub use rows::Rows;
pub use single::{count_text, count_text_hashed};
