//! Kim's sums over the documents of a class: Σ x/D and Σ x·dl/D of a term, with D = dl + θ|V|.

use std::convert::Infallible;

use crate::memory;
use crate::statistics::{PairCache, Statistics, Sum};
use crate::versioned::{Undoable, Versioned};

/// The class that stands for all documents.
pub const EVERYTHING: u32 = u32::MAX;

/// (Σ x/D, Σ x·dl/D) of a term, over the documents of a class or over all.
pub type TermSums = [f64; 2];

/// One group of documents whose sums are kept: those of a class that have one length.
#[derive(Debug, Clone, Copy)]
struct Group {
    class: u32,
    length: f64,
}

/// Sums of each pair seen and each term, for one θ|V|, recomputed only where documents came or went.
///
/// They are summed in two doubles, so that the order in which groups were first seen leaves no trace.
#[derive(Debug, Clone, Default)]
pub struct PoissonSums {
    added: f64,
    groups: Vec<Group>,
    pairs: PairCache<TermSums>,
    terms: Vec<TermSums>,
}

/// Each refresh may touch all sums, so that a copy that is still needed is made at once.
impl Undoable for PoissonSums {
    type Undo = Infallible;

    fn weight(&self) -> usize {
        self.terms.len()
    }

    fn undo_weight(undo: &Infallible) -> usize {
        match *undo {}
    }

    fn undo(&mut self, undo: &Infallible) {
        match *undo {}
    }
}

impl Versioned<PoissonSums> {
    /// Make groups known and bring the sums up to date; false if there are not as many groups as in `by_length`, and nothing
    /// changed.
    pub fn refresh(
        &self,
        (classes, lengths): (&[u32], &[f64]),
        statistics: &Statistics,
        by_length: &Statistics,
    ) -> bool {
        let fit = |own: &PoissonSums| {
            let fit = own.groups() + classes.len() == by_length.classes().len();
            if fit { Ok(()) } else { Err(()) }
        };
        let refresh = |own: &mut PoissonSums, ()| {
            own.add_groups(classes, lengths);
            own.refresh(statistics, by_length);
        };
        self.change(fit, |_, ()| None, refresh).is_ok()
    }
}

impl PoissonSums {
    /// No sums yet; `added` is θ|V|.
    pub fn new(added: f64) -> Self {
        Self { added, ..Self::default() }
    }

    /// How many groups are known.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// Make known groups that were not there before, by their class and length.
    pub fn add_groups(&mut self, classes: &[u32], lengths: &[f64]) {
        let groups = classes.iter().zip(lengths);
        memory::extend(&mut self.groups, groups.map(|(&class, &length)| Group { class, length }));
    }

    /// The sums of each pair, at its place.
    pub fn pairs(&self) -> &[TermSums] {
        self.pairs.values()
    }

    /// The sums of each term over all documents.
    pub fn terms(&self) -> &[TermSums] {
        &self.terms
    }

    /// Bring the sums up to date; `by_length` has the same documents by their groups.
    pub fn refresh(&mut self, statistics: &Statistics, by_length: &Statistics) {
        let (pairs, groups) = (statistics.pairs(), &self.groups);
        let (places, values) = (by_length.pairs(), by_length.pairs().totals().values());
        let scales: Vec<f64> = groups.iter().map(|group| 1.0 / (group.length + self.added)).collect();
        let mut found = memory::filled(statistics.classes().len(), [Sum::default(); 2]);
        let terms = &mut self.terms;
        memory::resize(terms, pairs.terms(), [0.0; 2]);
        self.pairs.refresh(pairs, by_length.changes(), |term, own| {
            let mut everything = [Sum::default(); 2];
            for place in places.range(term) {
                let at = places.classes()[place] as usize;
                let scaled = values[place] * scales[at];
                let [uniform, by_length] = match groups[at].class {
                    EVERYTHING => &mut everything,
                    class => &mut found[class as usize],
                };
                uniform.add(scaled);
                by_length.add(scaled * groups[at].length);
            }
            terms[term] = everything.map(Sum::value);
            for (sums, &class) in own.iter_mut().zip(&pairs.classes()[pairs.range(term)]) {
                *sums = std::mem::take(&mut found[class as usize]).map(Sum::value);
            }
        });
    }

    /// Σ 1, Σ dl, Σ 1/D and Σ dl/D over the documents of each class, and last over all.
    pub fn of_classes(&self, by_length: &Statistics, classes: usize) -> [Vec<f64>; 4] {
        let mut sums = memory::filled(classes + 1, [Sum::default(); 4]);
        for (at, group) in self.groups.iter().enumerate() {
            let documents = by_length.classes().get(at).weight.value();
            let scaled = documents / (group.length + self.added);
            let parts = [documents, documents * group.length, scaled, scaled * group.length];
            let own = &mut sums[(group.class as usize).min(classes)];
            own.iter_mut().zip(parts).for_each(|(sum, part)| sum.add(part));
        }
        std::array::from_fn(|part| sums.iter().map(|own| own[part].value()).collect())
    }
}
