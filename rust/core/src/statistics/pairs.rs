//! The (term, class) pairs seen, term by term, each with its total.
//!
//! All pairs share common columns; each term has a stretch of them, with capacity to grow at its end. A term that
//! exceeds its capacity moves to the end of the columns; when three quarters of the places are unused, all are compacted.

use std::sync::Arc;

use super::batch::Batch;
use super::mapped::MappedStarts;
use super::totals::{Extras, Total, Totals};
use crate::column::Column;
use crate::memory;

/// A term's stretch of pairs.
#[derive(Debug, Clone, Copy, Default)]
struct Stretch {
    start: usize,
    length: u32,
    capacity: u32,
}

/// The pairs seen.
#[derive(Debug, Clone, Default)]
pub struct Pairs {
    stretches: Vec<Stretch>,
    /// In place of stretches, while the pairs are in a file.
    mapped: Option<Arc<MappedStarts>>,
    classes: Column<u32>,
    totals: Totals,
    seen: usize,
}

impl Pairs {
    /// No pairs yet, of `terms` terms.
    pub fn new(terms: usize) -> Self {
        Self { stretches: memory::filled(terms, Stretch::default()), ..Self::default() }
    }

    /// From where each term's pairs start and the pairs in order; `None` if they are inconsistent.
    ///
    /// The pairs of a term are checked when they are first read: see [`Pairs::is_damaged`].
    pub fn from_parts(
        starts: Column<i64>,
        classes: Column<u32>,
        totals: Totals,
        class_count: usize,
    ) -> Option<Self> {
        let ends = (starts.first().copied(), starts.last().copied());
        let fit = ends == (Some(0), Some(classes.len() as i64)) && totals.len() == classes.len();
        let mapped = fit.then(|| MappedStarts::new(starts, class_count)).flatten()?;
        let seen = classes.len();
        Some(Self { stretches: Vec::new(), mapped: Some(Arc::new(mapped)), classes, totals, seen })
    }

    /// Pairs in order, and where each term's start, with values that need not be sums; `None` if they are inconsistent.
    pub fn of_values(starts: &[i64], classes: Vec<u32>, values: Vec<f64>) -> Option<Self> {
        let fit = classes.len() == values.len()
            && (starts.first(), starts.last()) == (Some(&0), Some(&(classes.len() as i64)))
            && starts.windows(2).all(|ends| ends[0] <= ends[1])
            && starts.windows(2).all(|ends| {
                classes[ends[0] as usize..ends[1] as usize].windows(2).all(|pair| pair[0] < pair[1])
            });
        let stretch = |ends: &[i64]| {
            let length = (ends[1] - ends[0]) as u32;
            Stretch { start: ends[0] as usize, length, capacity: length }
        };
        fit.then(|| Self {
            stretches: memory::collected(starts.windows(2).map(stretch)),
            mapped: None,
            seen: classes.len(),
            totals: Totals::of_values(values),
            classes: classes.into(),
        })
    }

    /// True when pairs that were read are inconsistent; they count as absent.
    pub fn is_damaged(&self) -> bool {
        self.mapped.as_ref().is_some_and(|mapped| mapped.is_damaged())
    }

    /// True when all pairs are sound.
    pub fn are_sound(&self) -> bool {
        let Some(mapped) = &self.mapped else { return true };
        for term in 0..mapped.terms() {
            self.range(term);
        }
        !mapped.is_damaged()
    }

    /// Check all pairs and copy them from the file, which is needed before they change; false when they are damaged.
    pub fn own(&mut self) -> bool {
        let Some(mapped) = &self.mapped else { return true };
        let stretches: Vec<Stretch> = memory::collected((0..mapped.terms()).map(|term| {
            let range = self.range(term);
            let length = range.len() as u32;
            Stretch { start: range.start, length, capacity: length }
        }));
        if mapped.is_damaged() {
            return false;
        }
        self.stretches = stretches;
        self.mapped = None;
        true
    }

    /// Every pair in order: its term and its place.
    pub fn iter(&self) -> impl Iterator<Item = (u32, usize)> + '_ {
        (0..self.terms()).flat_map(|term| self.range(term).map(move |place| (term as u32, place)))
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.seen
    }

    /// True when there is no pair.
    pub fn is_empty(&self) -> bool {
        self.seen == 0
    }

    /// How many terms there are.
    pub fn terms(&self) -> usize {
        self.mapped.as_ref().map_or(self.stretches.len(), |mapped| mapped.terms())
    }

    /// Grow to this many terms.
    pub fn grow(&mut self, terms: usize) {
        let terms = terms.max(self.stretches.len());
        memory::resize(&mut self.stretches, terms, Stretch::default());
    }

    /// Shrink to this many terms; the others must have no pairs.
    pub fn shrink(&mut self, terms: usize) {
        self.stretches.truncate(terms);
    }

    /// The places of a term's pairs in the columns.
    #[inline]
    pub fn range(&self, term: usize) -> std::ops::Range<usize> {
        if let Some(mapped) = &self.mapped {
            return mapped.range(term, &self.classes, &self.totals);
        }
        let stretch = self.stretches[term];
        stretch.start..stretch.start + stretch.length as usize
    }

    /// The class at each place; places outside every term's range mean nothing.
    #[inline]
    pub fn classes(&self) -> &[u32] {
        &self.classes
    }

    /// The total at each place.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Adopt a batch's pairs; there must be none yet.
    pub fn adopt(&mut self, batch: &mut Batch) {
        // Terms that had pairs before have no capacity in columns that are replaced.
        self.stretches.fill(Stretch::default());
        for (number, term) in batch.terms() {
            let (start, end) = (batch.starts[number], batch.starts[number + 1]);
            let length = (end - start) as u32;
            self.stretches[term] = Stretch { start, length, capacity: length };
        }
        self.classes = std::mem::take(&mut batch.classes).into();
        self.totals = std::mem::take(&mut batch.pair_totals);
        self.seen = self.classes.len();
    }

    /// The place of a pair, or where it would be inserted.
    fn find(&self, term: usize, class: u32) -> Result<usize, usize> {
        let range = self.range(term);
        let start = range.start;
        self.classes[range].binary_search(&class).map(|at| at + start).map_err(|at| at + start)
    }

    /// The total of a pair.
    pub fn get(&self, term: usize, class: u32) -> Total {
        self.find(term, class).map_or_else(|_| Total::default(), |place| self.totals.get(place))
    }

    /// Add to a pair, which is made when it is new.
    pub fn add(&mut self, term: usize, class: u32, total: &Total) {
        let place = match self.find(term, class) {
            Ok(place) => place,
            Err(place) => self.insert(term, class, place),
        };
        let mut sum = self.totals.get(place);
        sum.add(total);
        self.totals.set(place, &sum);
    }

    /// Subtract from a pair, which is removed when no document is left. The pair must contain the total.
    pub fn subtract(&mut self, term: usize, class: u32, total: &Total) {
        let Ok(place) = self.find(term, class) else { return };
        let mut sum = self.totals.get(place);
        sum.subtract(total);
        self.totals.set(place, &sum);
        if sum.documents == 0 {
            self.remove(term, place);
        }
    }

    /// The total of a pair; `None` if it is not there.
    pub fn find_total(&self, term: usize, class: u32) -> Option<Total> {
        self.find(term, class).ok().map(|place| self.totals.get(place))
    }

    /// Put a pair there with this total, or take it away.
    pub fn put(&mut self, term: usize, class: u32, total: Option<&Total>) {
        match (self.find(term, class), total) {
            (Ok(place), Some(total)) => self.totals.set(place, total),
            (Ok(place), None) => self.remove(term, place),
            (Err(place), Some(total)) => {
                let place = self.insert(term, class, place);
                self.totals.set(place, total);
            }
            (Err(_), None) => {}
        }
    }

    /// Which columns the totals have beside those that they always have.
    pub fn extras(&self) -> Extras {
        self.totals.extras()
    }

    /// Have these columns beside those that are always there.
    pub fn set_extras(&mut self, extras: Extras) {
        self.totals.set_extras(extras);
    }

    /// The same pairs, without gaps, of the terms in this order; `class_of[class]` is the new number of a class.
    pub fn renumbered(&self, terms: &[u32], class_of: &[u32]) -> Self {
        let mut stretches = memory::with_capacity(terms.len());
        let (mut classes, mut totals) = (memory::with_capacity(self.seen), Totals::zeros(self.seen));
        let mut own = Vec::new();
        for &term in terms {
            own.clear();
            memory::extend(
                &mut own,
                self.range(term as usize).map(|place| (class_of[self.classes[place] as usize], place)),
            );
            own.sort_unstable();
            let length = own.len() as u32;
            memory::push(&mut stretches, Stretch { start: classes.len(), length, capacity: length });
            for &(class, place) in &own {
                totals.set(classes.len(), &self.totals.get(place));
                memory::push(&mut classes, class);
            }
        }
        Self { stretches, mapped: None, seen: classes.len(), classes: classes.into(), totals }
    }

    fn insert(&mut self, term: usize, class: u32, mut place: usize) -> usize {
        let stretch = self.stretches[term];
        if stretch.length == stretch.capacity {
            self.move_to_end(term);
            place = place - stretch.start + self.stretches[term].start;
        }
        let end = self.range(term).end;
        self.classes.copy_within(place..end, place + 1);
        self.totals.copy_within(place, place + 1, end - place);
        self.classes[place] = class;
        self.totals.set(place, &Total::default());
        self.stretches[term].length += 1;
        self.seen += 1;
        place
    }

    fn remove(&mut self, term: usize, place: usize) {
        let end = self.range(term).end;
        self.classes.copy_within(place + 1..end, place);
        self.totals.copy_within(place + 1, place, end - place - 1);
        self.stretches[term].length -= 1;
        self.seen -= 1;
    }

    fn move_to_end(&mut self, term: usize) {
        if self.classes.len() > 1024 && self.classes.len() > 4 * self.seen {
            self.compact();
        }
        let old = self.range(term);
        let capacity = (old.len() + old.len() / 2 + 2) as u32;
        let start = self.classes.len();
        self.classes.resize(start + capacity as usize, 0);
        self.totals.resize(start + capacity as usize);
        self.classes.copy_within(old.clone(), start);
        self.totals.copy_within(old.start, start, old.len());
        self.stretches[term] = Stretch { start, length: old.len() as u32, capacity };
    }

    /// Move all pairs together, in the order of their terms.
    fn compact(&mut self) {
        let mut classes = memory::with_capacity(self.seen);
        let mut totals = Totals::zeros(self.seen);
        let mut stretches = Vec::with_capacity(self.stretches.len());
        for stretch in &self.stretches {
            stretches.push(Stretch {
                start: classes.len(),
                length: stretch.length,
                capacity: stretch.length,
            });
            for place in stretch.start..stretch.start + stretch.length as usize {
                totals.set(classes.len(), &self.totals.get(place));
                memory::push(&mut classes, self.classes[place]);
            }
        }
        // The same columns as before: what is stored must not depend on when the pairs were moved.
        totals.set_extras(self.totals.extras());
        (self.stretches, self.classes, self.totals) = (stretches, classes.into(), totals);
    }
}
