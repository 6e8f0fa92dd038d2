//! Columns in the order of their terms, including terms added later.
//!
//! A vocabulary that was learned at once is sorted; terms that were added since stand behind. What is summed over
//! a row's terms must not depend on when a term was first seen, so rows are put in the order of the terms.

use std::sync::OnceLock;

/// Keys that sort columns as their terms sort.
#[derive(Default)]
pub struct TermOrder {
    sorted: OnceLock<usize>,
    late: OnceLock<Vec<u64>>,
}

impl TermOrder {
    /// Forget the order of late terms, because there are more of them.
    pub fn reset(&mut self) {
        self.late = OnceLock::new();
    }

    /// How many of the first columns are in the order of their terms.
    pub fn sorted<'a>(&self, columns: usize, term: impl Fn(u32) -> &'a [u8]) -> usize {
        *self.sorted.get_or_init(|| {
            let falls = (1..columns as u32).find(|&column| term(column - 1) >= term(column));
            falls.map_or(columns, |column| column as usize)
        })
    }

    /// The key of each late column: between those of the sorted terms that surround it.
    pub fn late<'a>(&self, columns: usize, term: impl Fn(u32) -> &'a [u8]) -> &[u64] {
        self.late.get_or_init(|| {
            let sorted = self.sorted(columns, &term);
            let mut late: Vec<u32> = (sorted as u32..columns as u32).collect();
            late.sort_by_key(|&column| term(column));
            let mut keys = vec![0; late.len()];
            for (rank, &column) in late.iter().enumerate() {
                let before = partition_point(sorted, |other| term(other) < term(column));
                keys[column as usize - sorted] = (before as u64) << 33 | rank as u64;
            }
            keys
        })
    }
}

/// The key of one of the sorted columns.
#[inline]
pub fn sorted_key(column: u32) -> u64 {
    (u64::from(column) << 1 | 1) << 32
}

fn partition_point(length: usize, is_before: impl Fn(u32) -> bool) -> usize {
    let (mut low, mut high) = (0, length);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle as u32) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
