//! Versions of statistics: how a change of the sums is undone.

use super::batch::Batch;
use super::rows::LabelledRows;
use super::statistics::{NotLearned, Statistics};
use super::totals::{Extras, Total};
use super::values::Value;
use crate::versioned::{Undoable, Versioned};

/// What the sums were where a change touches them.
#[derive(Debug)]
pub struct Undo {
    terms: Vec<(u32, Total)>,
    classes: Vec<(u32, Total)>,
    /// `None` for a pair that was not there.
    pairs: Vec<(u32, u32, Option<Total>)>,
    all: Total,
    shape: (usize, usize),
    extras: [Extras; 3],
}

/// Why sums did not change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Pairs of their file are inconsistent.
    Damaged,
    /// What is to be subtracted was never added.
    NotLearned(NotLearned),
}

impl Undoable for Statistics {
    type Undo = Undo;

    fn weight(&self) -> usize {
        self.pairs.len() + self.terms.len() + self.classes.len()
    }

    fn undo_weight(undo: &Undo) -> usize {
        undo.pairs.len() + undo.terms.len() + undo.classes.len()
    }

    fn undo(&mut self, undo: &Undo) {
        let pair_terms = undo.pairs.iter().map(|pair| pair.0 as usize);
        self.changes.note(undo.terms.iter().map(|term| term.0 as usize).chain(pair_terms));
        for (term, class, total) in &undo.pairs {
            self.pairs.put(*term as usize, *class, total.as_ref());
        }
        undo.terms.iter().for_each(|(term, total)| self.terms.set(*term as usize, total));
        undo.classes.iter().for_each(|(class, total)| self.classes.set(*class as usize, total));
        self.all = undo.all;
        let (terms, classes) = undo.shape;
        self.pairs.shrink(terms);
        self.changes.shrink(terms);
        self.terms.resize(terms);
        self.classes.resize(classes);
        let [pairs, of_terms, of_classes] = undo.extras;
        self.pairs.set_extras(pairs);
        self.terms.set_extras(of_terms);
        self.classes.set_extras(of_classes);
    }
}

impl Statistics {
    /// What undoes a change that touches no sum.
    fn undo_nothing(&self) -> Undo {
        Undo {
            terms: Vec::new(),
            classes: Vec::new(),
            pairs: Vec::new(),
            all: self.all,
            shape: self.shape(),
            extras: [self.pairs.extras(), self.terms.extras(), self.classes.extras()],
        }
    }

    /// True when a copy of everything is not much more than what is touched. Empty sums take a batch's columns as they are.
    fn is_much(&self, pairs: usize) -> bool {
        self.all.documents == 0 || self.pairs.is_empty() || pairs > self.pairs.len() / 4
    }

    /// What undoes adding or subtracting a batch; `None` when it is much.
    fn undo_batch(&self, batch: &Batch) -> Option<Undo> {
        if self.is_much(batch.classes.len()) {
            return None;
        }
        let mut undo = self.undo_nothing();
        for (number, term) in batch.terms() {
            undo.terms.push((term as u32, self.terms.get(term)));
            let classes = &batch.classes[batch.starts[number]..batch.starts[number + 1]];
            let pairs = classes.iter().map(|&class| (term as u32, class, self.pairs.find_total(term, class)));
            undo.pairs.extend(pairs);
        }
        let classes = batch.class_totals.iter().map(|(class, _)| *class);
        undo.classes.extend(classes.map(|class| (class, self.classes.get(class as usize))));
        Some(undo)
    }

    /// What undoes merging other sums; `None` when they are much.
    fn undo_merge(&self, other: &Self, class_of: &[u32], term_of: impl Fn(usize) -> usize) -> Option<Undo> {
        if self.is_much(other.pairs.len()) {
            return None;
        }
        let mut undo = self.undo_nothing();
        for term in 0..other.terms.len() {
            let (here, places) = (term_of(term), other.pairs.range(term));
            if other.terms.documents()[term] > 0 {
                undo.terms.push((here as u32, self.terms.get(here)));
            }
            for place in places {
                let class = class_of[other.pairs.classes()[place] as usize];
                undo.pairs.push((here as u32, class, self.pairs.find_total(here, class)));
            }
        }
        undo.classes.extend(class_of.iter().map(|&class| (class, self.classes.get(class as usize))));
        Some(undo)
    }

    fn sound(&self) -> Result<(), Refusal> {
        if self.are_pairs_sound() { Ok(()) } else { Err(Refusal::Damaged) }
    }
}

impl Versioned<Statistics> {
    /// Grow to this many terms and classes.
    pub fn grow(&self, terms: usize, classes: usize) -> Result<(), Refusal> {
        let (own_terms, own_classes) = self.get().shape();
        if terms <= own_terms && classes <= own_classes {
            return Ok(());
        }
        let grow = |sums: &mut Statistics, ()| {
            sums.own();
            sums.grow(terms, classes);
        };
        self.change(Statistics::sound, |sums, ()| Some(sums.undo_nothing()), grow)
    }

    /// Add documents. Every column and class must exist.
    pub fn add<V: Value>(&self, documents: LabelledRows<V>) -> Result<(), Refusal> {
        let batch = self.batch(documents);
        let plan = |sums: &Statistics| sums.sound().map(|()| batch);
        self.change(plan, Statistics::undo_batch, |sums, batch| {
            sums.own();
            sums.add_batch(batch);
        })
    }

    /// Subtract documents. If they were not added, nothing changes.
    pub fn subtract<V: Value>(&self, documents: LabelledRows<V>) -> Result<(), Refusal> {
        let batch = self.batch(documents);
        let plan = |sums: &Statistics| {
            sums.sound()?;
            sums.check(&batch).map(|()| batch).map_err(Refusal::NotLearned)
        };
        self.change(plan, Statistics::undo_batch, |sums, batch| {
            sums.own();
            sums.subtract_batch(&batch);
        })
    }

    /// Add another's sums; `class_of[class]` and `term_of(term)` are the numbers that its classes and terms have here.
    pub fn merge(
        &self,
        other: &Statistics,
        class_of: &[u32],
        term_of: impl Fn(usize) -> usize,
    ) -> Result<(), Refusal> {
        let undo = |sums: &Statistics, _: &()| sums.undo_merge(other, class_of, &term_of);
        self.change(Statistics::sound, undo, |sums, ()| {
            sums.own();
            sums.merge(other, class_of, &term_of);
        })
    }

    /// The sums of documents, before anybody has to wait for the change.
    fn batch<V: Value>(&self, documents: LabelledRows<V>) -> Batch {
        let terms = self.get().shape().0;
        Batch::new(documents, terms)
    }
}
