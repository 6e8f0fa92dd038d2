//! Which terms changed: what lets others keep numbers worked out from sums that stay.

use std::sync::atomic::{AtomicU64, Ordering};

/// A stamp for each term, renewed whenever one of its sums changes; 0 for a term never seen.
///
/// No two changes in a process share a stamp, so that equal stamps mean equal sums, also between copies.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    stamps: Vec<u64>,
}

impl Changes {
    /// The stamps of the terms.
    pub fn stamps(&self) -> &[u64] {
        &self.stamps
    }

    /// Make room for so many terms.
    pub fn grow(&mut self, terms: usize) {
        self.stamps.resize(terms.max(self.stamps.len()), 0);
    }

    /// Note that the sums of these terms change.
    pub fn note(&mut self, terms: impl IntoIterator<Item = usize>) {
        static CLOCK: AtomicU64 = AtomicU64::new(1);
        let now = CLOCK.fetch_add(1, Ordering::Relaxed);
        terms.into_iter().for_each(|term| self.stamps[term] = now);
    }
}
