//! Terms in a file, found by bisection: no table has to be built before the first term is looked up.

use std::cmp::Ordering;

use crate::column::Column;

/// Concatenated terms, where each ends, and their columns in the order of the terms.
pub struct MappedTerms {
    bytes: Column<u8>,
    ends: Column<i64>,
    /// Empty when the columns are in that order themselves.
    order: Column<u32>,
}

impl MappedTerms {
    /// Terms in a file, unless the arrays do not fit each other or some term is not UTF-8.
    pub fn new(bytes: Column<u8>, ends: Column<i64>, order: Column<u32>) -> Option<Self> {
        let text = std::str::from_utf8(&bytes).ok()?;
        let rising =
            ends.first().is_none_or(|&first| first >= 0) && ends.windows(2).all(|two| two[0] <= two[1]);
        let fit = ends.last().map_or(bytes.is_empty(), |&last| last == bytes.len() as i64)
            && ends.iter().all(|&end| text.is_char_boundary(end as usize))
            && (order.is_empty() || order.len() == ends.len())
            && order.iter().all(|&column| (column as usize) < ends.len());
        (rising && fit && ends.len() <= i32::MAX as usize).then_some(Self { bytes, ends, order })
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True when there is no term.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The term of a column.
    pub fn term(&self, column: u32) -> &[u8] {
        let column = column as usize;
        let start = if column == 0 { 0 } else { self.ends[column - 1] as usize };
        &self.bytes[start..self.ends[column] as usize]
    }

    /// The column of a term.
    pub fn column(&self, term: &[u8]) -> Option<u32> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let column = self.order.get(middle).copied().unwrap_or(middle as u32);
            match self.term(column).cmp(term) {
                Ordering::Equal => return Some(column),
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
            }
        }
        None
    }
}
