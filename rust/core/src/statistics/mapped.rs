//! Pairs in a file: checked term by term, when they are first read.
//!
//! Checking all pairs of a large model takes longer than one prediction with it. So a term's pairs are checked
//! before their first use and never again; pairs that are not sound count as absent, and the damage is remembered.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::totals::Totals;
use crate::column::Column;
use crate::memory;

/// Where each term's pairs start in a file, and which of them were found sound.
#[derive(Debug)]
pub struct MappedStarts {
    starts: Column<i64>,
    classes: usize,
    /// One bit per term.
    sound: Vec<AtomicU64>,
    damaged: AtomicBool,
}

impl MappedStarts {
    /// Starts of pairs, one more than there are terms, of `classes` classes.
    pub fn new(starts: Column<i64>, classes: usize) -> Option<Self> {
        let terms = starts.len().checked_sub(1)?;
        let sound = memory::collected(std::iter::repeat_with(AtomicU64::default).take(terms.div_ceil(64)));
        Some(Self { starts, classes, sound, damaged: AtomicBool::new(false) })
    }

    /// How many terms there are.
    pub fn terms(&self) -> usize {
        self.starts.len() - 1
    }

    /// True when some pairs that were read are not sound.
    pub fn is_damaged(&self) -> bool {
        self.damaged.load(Ordering::Relaxed)
    }

    /// The places of a term's pairs; none when they are not sound.
    #[inline]
    pub fn range(&self, term: usize, classes: &[u32], totals: &Totals) -> Range<usize> {
        let (word, bit) = (&self.sound[term / 64], 1 << (term % 64));
        let range = self.starts[term] as usize..self.starts[term + 1] as usize;
        if word.load(Ordering::Relaxed) & bit != 0 {
            return range;
        }
        if self.are_sound(range.clone(), classes, totals) {
            word.fetch_or(bit, Ordering::Relaxed);
            return range;
        }
        self.damaged.store(true, Ordering::Relaxed);
        0..0
    }

    #[cold]
    fn are_sound(&self, range: Range<usize>, classes: &[u32], totals: &Totals) -> bool {
        // A negative start is a very large number here, and no place.
        let Some(own) = classes.get(range.clone()) else { return false };
        own.windows(2).all(|pair| pair[0] < pair[1])
            && own.last().is_none_or(|&last| (last as usize) < self.classes)
            && totals.are_sound(range)
    }
}
