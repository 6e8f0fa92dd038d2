//! Sums per class, per term and per pair, which add, subtract and merge.

use super::batch::Batch;
use super::changes::Changes;
use super::pairs::Pairs;
use super::rows::LabelledRows;
use super::totals::{Total, Totals};
use super::values::Value;
use crate::memory;

/// Documents to be forgotten that were never learned: the class, and the term whose sum is too small, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotLearned {
    /// The class.
    pub class: Option<u32>,
    /// The term.
    pub term: Option<u32>,
}

/// Sums of labelled documents.
///
/// A document counts once in the totals and once in each of its classes.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    pub(super) pairs: Pairs,
    pub(super) terms: Totals,
    pub(super) classes: Totals,
    pub(super) all: Total,
    pub(super) changes: Changes,
}

impl Statistics {
    /// Sums of no documents over `terms` terms.
    pub fn new(terms: usize) -> Self {
        let mut empty = Self { pairs: Pairs::new(terms), terms: Totals::zeros(terms), ..Self::default() };
        empty.changes.grow(terms);
        empty
    }

    /// From their parts; `None` if these are inconsistent.
    pub fn from_parts(pairs: Pairs, terms: Totals, classes: Totals, all: Total) -> Option<Self> {
        let fit = pairs.terms() == terms.len()
            && terms.are_sound(0..terms.len())
            && classes.are_sound(0..classes.len());
        let changes = Changes::of(terms.len());
        fit.then_some(Self { pairs, terms, classes, all, changes })
    }

    /// The same terms and classes with other pairs, whose values need not be sums, for a scorer; `None` if they are
    /// inconsistent.
    pub fn with_pair_values(&self, starts: &[i64], classes: Vec<u32>, values: Vec<f64>) -> Option<Self> {
        let fit = starts.len() == self.terms.len() + 1
            && classes.iter().all(|&class| (class as usize) < self.classes.len());
        let pairs = fit.then(|| Pairs::of_values(starts, classes, values)).flatten()?;
        let mut changes = Changes::default();
        changes.grow(self.terms.len());
        changes.note(0..self.terms.len());
        Some(Self { pairs, terms: self.terms.clone(), classes: self.classes.clone(), all: self.all, changes })
    }

    /// True when pairs that were read are inconsistent; they count as absent.
    pub fn is_damaged(&self) -> bool {
        self.pairs.is_damaged()
    }

    /// Check all pairs; false when some are inconsistent.
    pub fn are_pairs_sound(&self) -> bool {
        self.pairs.are_sound()
    }

    /// Check all pairs and copy them from the file, which is needed before they change; false when they are damaged.
    pub fn own(&mut self) -> bool {
        self.pairs.own()
    }

    /// The (term, class) pairs seen.
    pub fn pairs(&self) -> &Pairs {
        &self.pairs
    }

    /// The total of each term, over documents once.
    pub fn terms(&self) -> &Totals {
        &self.terms
    }

    /// The total of each class.
    pub fn classes(&self) -> &Totals {
        &self.classes
    }

    /// The total of everything, over documents once.
    pub fn all(&self) -> &Total {
        &self.all
    }

    /// How many terms and classes there are.
    pub fn shape(&self) -> (usize, usize) {
        (self.terms.len(), self.classes.len())
    }

    /// When each term changed.
    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    /// Grow to this many terms and classes.
    pub fn grow(&mut self, terms: usize, classes: usize) {
        self.pairs.grow(terms);
        self.changes.grow(terms);
        self.terms.resize(terms.max(self.terms.len()));
        self.classes.resize(classes.max(self.classes.len()));
    }

    /// Add documents. Every column and class must exist.
    pub fn add<V: Value>(&mut self, documents: LabelledRows<V>) {
        self.add_batch(Batch::new(documents, self.terms.len()));
    }

    /// Subtract documents; if they were not added, return what is missing and change nothing.
    pub fn subtract<V: Value>(&mut self, documents: LabelledRows<V>) -> Result<(), NotLearned> {
        let batch = Batch::new(documents, self.terms.len());
        self.check(&batch)?;
        self.subtract_batch(&batch);
        Ok(())
    }

    /// Subtract documents that were checked.
    pub(super) fn subtract_batch(&mut self, batch: &Batch) {
        self.changes.note(batch.terms().map(|(_, term)| term));
        for (number, term) in batch.terms() {
            subtract_at(&mut self.terms, term, &batch.term_totals.get(number));
            for pair in batch.starts[number]..batch.starts[number + 1] {
                self.pairs.subtract(term, batch.classes[pair], &batch.pair_totals.get(pair));
            }
        }
        for (class, total) in &batch.class_totals {
            subtract_at(&mut self.classes, *class as usize, total);
        }
        self.all.subtract(&batch.all);
    }

    /// Add another's sums; `class_of[class]` and `term_of(term)` are the numbers that its classes and terms have here.
    pub fn merge(&mut self, other: &Self, class_of: &[u32], term_of: impl Fn(usize) -> usize) {
        self.changes
            .note((0..other.terms.len()).filter(|&term| other.terms.documents()[term] > 0).map(&term_of));
        for term in 0..other.terms.len() {
            let (here, total) = (term_of(term), other.terms.get(term));
            if total.documents > 0 {
                add_at(&mut self.terms, here, &total);
            }
            for place in other.pairs.range(term) {
                let class = class_of[other.pairs.classes()[place] as usize];
                self.pairs.add(here, class, &other.pairs.totals().get(place));
            }
        }
        for (class, &here) in class_of.iter().enumerate() {
            add_at(&mut self.classes, here as usize, &other.classes.get(class));
        }
        self.all.add(&other.all);
    }

    /// The same sums with the terms in this order, and the classes in this order; `None` unless each is there once.
    pub fn renumbered(&self, terms: &[u32], classes: &[u32]) -> Option<Self> {
        inverse(terms, self.terms.len())?;
        let class_of = inverse(classes, self.classes.len())?;
        Some(Self {
            pairs: self.pairs.renumbered(terms, &class_of),
            terms: self.terms.at(terms.iter().map(|&term| term as usize)),
            classes: self.classes.at(classes.iter().map(|&class| class as usize)),
            all: self.all,
            changes: Changes::of(terms.len()),
        })
    }

    pub(super) fn add_batch(&mut self, mut batch: Batch) {
        self.changes.note(batch.terms().map(|(_, term)| term));
        for (class, total) in &batch.class_totals {
            add_at(&mut self.classes, *class as usize, total);
        }
        let first = self.all.documents == 0;
        self.all.add(&batch.all);
        if self.pairs.is_empty() {
            self.pairs.adopt(&mut batch);
        }
        // Terms may have been added after the batch was summed.
        if first && batch.is_by_column() && batch.term_totals.len() == self.terms.len() {
            self.terms = batch.term_totals;
            return;
        }
        for (number, term) in batch.terms() {
            add_at(&mut self.terms, term, &batch.term_totals.get(number));
            // None are left when the batch was adopted.
            if batch.classes.is_empty() {
                continue;
            }
            for pair in batch.starts[number]..batch.starts[number + 1] {
                self.pairs.add(term, batch.classes[pair], &batch.pair_totals.get(pair));
            }
        }
    }

    /// Check that documents can be subtracted.
    pub(super) fn check(&self, batch: &Batch) -> Result<(), NotLearned> {
        for (class, total) in &batch.class_totals {
            if !self.classes.get(*class as usize).contains(total) {
                return Err(NotLearned { class: Some(*class), term: None });
            }
        }
        for (number, term) in batch.terms() {
            for pair in batch.starts[number]..batch.starts[number + 1] {
                let class = batch.classes[pair];
                if !self.pairs.get(term, class).contains(&batch.pair_totals.get(pair)) {
                    return Err(NotLearned { class: Some(class), term: Some(term as u32) });
                }
            }
            if !self.terms.get(term).contains(&batch.term_totals.get(number)) {
                return Err(NotLearned { class: None, term: Some(term as u32) });
            }
        }
        if self.all.contains(&batch.all) { Ok(()) } else { Err(NotLearned { class: None, term: None }) }
    }
}

/// The place of each number below `length` in an order of them; `None` unless each is there once.
fn inverse(order: &[u32], length: usize) -> Option<Vec<u32>> {
    let mut place_of = memory::filled(length, u32::MAX);
    for (place, &number) in order.iter().enumerate() {
        let own = place_of.get_mut(number as usize).filter(|own| **own == u32::MAX)?;
        *own = place as u32;
    }
    (order.len() == length).then_some(place_of)
}

fn add_at(totals: &mut Totals, at: usize, total: &Total) {
    let mut sum = totals.get(at);
    sum.add(total);
    totals.set(at, &sum);
}

fn subtract_at(totals: &mut Totals, at: usize, total: &Total) {
    let mut sum = totals.get(at);
    sum.subtract(total);
    totals.set(at, &sum);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Labels, Rows};

    /// (class, [(term, value)]) documents.
    type Documents<'a> = &'a [(&'a [u32], &'a [(i32, f64)])];

    fn with<T>(documents: Documents, work: impl FnOnce(LabelledRows) -> T) -> T {
        let (mut starts, mut label_starts) = (vec![0], vec![0]);
        let (mut columns, mut values, mut classes) = (vec![], vec![], vec![]);
        for (labels, entries) in documents {
            classes.extend_from_slice(labels);
            columns.extend(entries.iter().map(|entry| entry.0));
            values.extend(entries.iter().map(|entry| entry.1));
            starts.push(columns.len() as i64);
            label_starts.push(classes.len() as i64);
        }
        let rows = Rows { starts: &starts, columns: &columns, values: &values };
        let labels = Labels { starts: &label_starts, classes: &classes };
        work(LabelledRows { rows, labels, weights: None })
    }

    fn learned(documents: Documents) -> Statistics {
        let mut statistics = Statistics::new(40);
        statistics.grow(40, 5);
        with(documents, |rows| statistics.add(rows));
        statistics
    }

    fn dump(statistics: &Statistics) -> Vec<(usize, u32, f64, u32)> {
        let mut found = vec![];
        for term in 0..statistics.pairs.terms() {
            for place in statistics.pairs.range(term) {
                let total = statistics.pairs.totals().get(place);
                found.push((term, statistics.pairs.classes()[place], total.values.value(), total.documents));
            }
        }
        found
    }

    const A: Documents = &[(&[0], &[(3, 2.0), (7, 1.0)]), (&[1, 2], &[(3, 1.0)]), (&[], &[(9, 4.0)])];
    const B: Documents = &[(&[2], &[(1, 1.0), (3, 5.0)]), (&[0], &[(7, 0.0), (8, 1.0)])];

    #[test]
    fn pairs_are_the_sums() {
        assert_eq!(dump(&learned(A)), [(3, 0, 2.0, 1), (3, 1, 1.0, 1), (3, 2, 1.0, 1), (7, 0, 1.0, 1)]);
        let statistics = learned(A);
        assert_eq!(statistics.terms.get(3).values.value(), 3.0);
        assert_eq!(statistics.terms.get(9).documents, 1);
        assert_eq!(statistics.all.documents, 3);
    }

    #[test]
    fn adding_then_subtracting_leaves_what_was() {
        let mut statistics = learned(A);
        with(B, |rows| statistics.add(rows));
        assert_eq!(dump(&statistics).len(), 6);
        with(B, |rows| statistics.subtract(rows).expect("learned"));
        assert_eq!(dump(&statistics), dump(&learned(A)));
        let missing = with(B, |rows| statistics.subtract(rows));
        assert!(missing.is_err());
        assert_eq!(dump(&statistics), dump(&learned(A)));
    }

    #[test]
    fn nothing_is_taken_out_of_a_sum_that_lacks_it() {
        const LEARNED: Documents = &[(&[0], &[(0, 1.0), (1, 1.0)]), (&[1], &[(2, 1.0)]), (&[1], &[(2, 1.0)])];
        let cases: [(Documents, Option<u32>, Option<u32>); 4] = [
            (&[(&[0], &[(0, 1.0)]), (&[0], &[(1, 1.0)])], Some(0), None),
            (&[(&[1], &[(0, 1.0)])], Some(1), Some(0)),
            (&[(&[], &[(2, 3.0)])], None, Some(2)),
            (&[(&[], &[]), (&[], &[]), (&[], &[]), (&[], &[])], None, None),
        ];
        for (documents, class, term) in cases {
            let mut statistics = learned(LEARNED);
            let missing = with(documents, |rows| statistics.subtract(rows));
            assert_eq!(missing, Err(NotLearned { class, term }));
            assert_eq!(dump(&statistics), dump(&learned(LEARNED)));
        }
    }

    #[test]
    fn learning_goes_on_after_everything_was_forgotten() {
        const ALL: Documents = &[(&[0], &[(0, 1.0), (1, 1.0), (2, 1.0)])];
        const LESS: Documents = &[(&[0], &[(0, 3.0)]), (&[1], &[(0, 4.0)])];
        const MORE: Documents = &[(&[2], &[(2, 5.0)])];
        let mut statistics = learned(ALL);
        with(ALL, |rows| statistics.subtract(rows).expect("learned"));
        with(LESS, |rows| statistics.add(rows));
        with(MORE, |rows| statistics.add(rows));
        assert_eq!(dump(&statistics), [(0, 0, 3.0, 1), (0, 1, 4.0, 1), (2, 2, 5.0, 1)]);
    }

    #[test]
    fn renumbered_sums_are_those_of_renumbered_documents() {
        const RENUMBERED: Documents =
            &[(&[4], &[(36, 2.0), (32, 1.0)]), (&[2, 3], &[(36, 1.0)]), (&[], &[(30, 4.0)])];
        let terms: Vec<u32> = (0..40).rev().collect();
        let sums = learned(A).renumbered(&terms, &[4, 3, 2, 1, 0]).expect("permutations");
        let expected = learned(RENUMBERED);
        assert_eq!(dump(&sums).len(), 4);
        assert_eq!(dump(&sums)[0], (32, 4, 1.0, 1));
        assert_eq!(dump(&sums)[3], (36, 4, 2.0, 1));
        assert_eq!(sums.terms.get(30), expected.terms.get(30));
        assert_eq!(sums.classes.get(4), expected.classes.get(4));
        assert_eq!(sums.all, expected.all);
        let mut more = sums;
        with(B, |rows| more.add(rows));
        assert_eq!(more.terms.get(3).documents, 1);
        for (terms, classes) in [(&terms[1..], &[0, 1, 2, 3, 4][..]), (&terms[..], &[0, 1, 2, 3, 3])] {
            assert!(learned(A).renumbered(terms, classes).is_none());
        }
        assert!(learned(A).renumbered(&terms, &[0, 1, 2, 3, 5]).is_none());
    }

    #[test]
    fn merging_is_adding() {
        let mut merged = learned(A);
        merged.merge(&learned(B), &[0, 1, 2, 3, 4], |term| term);
        let mut added = learned(A);
        with(B, |rows| added.add(rows));
        assert_eq!(dump(&merged), dump(&added));
    }
}
