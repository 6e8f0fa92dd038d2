//! Which terms changed, so that numbers computed from unchanged sums can be reused.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::memory;

/// A stamp for each term, renewed whenever one of its sums changes; 0 for a term never seen.
///
/// No two changes in a process share a stamp, so equal stamps mean equal sums, also between copies. The sums of a
/// file share one stamp: the column is only made when it is read, so that processes which share a model do not each
/// have one.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    stamps: OnceLock<Vec<u64>>,
    terms: usize,
    first: u64,
}

impl Changes {
    /// Terms whose sums came all at once.
    pub fn of(terms: usize) -> Self {
        Self { stamps: OnceLock::new(), terms, first: next() }
    }

    /// The stamps of the terms.
    pub fn stamps(&self) -> &[u64] {
        self.stamps.get_or_init(|| memory::filled(self.terms, self.first))
    }

    /// Grow to this many terms.
    pub fn grow(&mut self, terms: usize) {
        if terms > self.terms {
            memory::resize(self.written(), terms, 0);
            self.terms = terms;
        }
    }

    /// Shrink to this many terms.
    pub fn shrink(&mut self, terms: usize) {
        self.terms = self.terms.min(terms);
        if let Some(stamps) = self.stamps.get_mut() {
            stamps.truncate(terms);
        }
    }

    /// Note that the sums of these terms change.
    pub fn note(&mut self, terms: impl IntoIterator<Item = usize>) {
        let now = next();
        let stamps = self.written();
        terms.into_iter().for_each(|term| stamps[term] = now);
    }

    /// The stamps, written down.
    fn written(&mut self) -> &mut Vec<u64> {
        self.stamps();
        self.stamps.get_mut().expect("written down above")
    }
}

fn next() -> u64 {
    static CLOCK: AtomicU64 = AtomicU64::new(1);
    CLOCK.fetch_add(1, Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_are_written_down_when_looked_at() {
        let mut changes = Changes::of(3);
        let twin = changes.clone();
        assert!(changes.stamps.get().is_none());
        assert_eq!(changes.stamps(), twin.stamps());
        assert!(changes.stamps().iter().all(|&stamp| stamp > 0));
        changes.note([1]);
        changes.grow(4);
        assert_eq!(changes.stamps()[3], 0);
        assert_eq!(changes.stamps()[0], twin.stamps()[0]);
        assert!(changes.stamps()[1] > twin.stamps()[1]);
        changes.shrink(1);
        changes.grow(2);
        assert_eq!(changes.stamps(), [twin.stamps()[0], 0]);
        assert_ne!(Changes::of(1).stamps(), Changes::of(1).stamps());
    }
}
