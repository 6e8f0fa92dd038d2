//! Columns in the order of their terms, including terms added later.
//!
//! A vocabulary that was learned at once is sorted; terms that were added since stand behind. What is summed over
//! a row's terms must not depend on when a term was first seen, so rows are put in the order of the terms.

use std::sync::OnceLock;

use crate::memory;

/// Keys that sort columns as their terms sort.
#[derive(Clone, Default)]
pub struct TermOrder {
    sorted: OnceLock<usize>,
    late: OnceLock<Late>,
    /// The order of the late terms before the newest were added.
    before: Late,
}

/// Late columns in the order of their terms.
#[derive(Clone, Default)]
struct Late {
    columns: Vec<u32>,
    /// For each late column, how many of the sorted terms come before it.
    places: Vec<u32>,
    /// For each late column, its key.
    keys: Vec<u64>,
}

impl TermOrder {
    /// Note that there are more late terms.
    pub fn reset(&mut self) {
        if let Some(late) = self.late.take() {
            self.before = late;
        }
    }

    /// Note that only this many columns are left.
    pub fn truncate(&mut self, columns: usize) {
        self.reset();
        let Some(sorted) = self.sorted.get_mut() else { return };
        *sorted = columns.min(*sorted);
        self.before.columns.retain(|&column| (column as usize) < columns);
        self.before.places.truncate(columns - *sorted);
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
        let sorted = self.sorted(columns, &term);
        &self.late.get_or_init(|| self.before.extended(sorted, columns, term)).keys
    }
}

impl Late {
    /// The order with the newest columns, which are the only ones to be searched for.
    fn extended<'a>(&self, sorted: usize, columns: usize, term: impl Fn(u32) -> &'a [u8]) -> Self {
        let first = (sorted + self.columns.len()) as u32;
        let mut new: Vec<u32> = memory::collected(first..columns as u32);
        memory::check_room::<u32>(new.len());
        new.sort_by_key(|&column| term(column));
        let mut places = self.places.clone();
        places.resize(columns - sorted, 0);
        let (mut order, mut copied) = (memory::with_capacity(columns - sorted), 0);
        for &column in &new {
            let own = term(column);
            places[column as usize - sorted] = partition_point(sorted, |other| term(other) < own) as u32;
            let end = self.columns.partition_point(|&other| term(other) < own);
            order.extend_from_slice(&self.columns[copied..end]);
            order.push(column);
            copied = end;
        }
        order.extend_from_slice(&self.columns[copied..]);
        let mut keys = memory::zeros(order.len());
        for (rank, &column) in order.iter().enumerate() {
            let late = column as usize - sorted;
            keys[late] = u64::from(places[late]) << 33 | rank as u64;
        }
        Self { columns: order, places, keys }
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
