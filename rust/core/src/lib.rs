//! The hot loops of textbayes, with no Python in them.
//!
//! Rooms as in the Python package: `text` turns characters into tokens and tokens into terms, `counts`
//! turns them into sparse rows.

pub mod counts;
pub mod text;
