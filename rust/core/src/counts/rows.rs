//! Finished rows, in compressed sparse row form.

/// Rows whose columns are sorted.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// Where each row starts; one more than there are rows.
    pub starts: Vec<i64>,
    /// The column of each entry.
    pub columns: Vec<i32>,
    /// The count of each entry.
    pub counts: Vec<i64>,
}
