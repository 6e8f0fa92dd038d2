//! The pairs of a batch, put in the order of their terms.

use super::cells::Cell;
use super::gathering::Gathered;
use super::totals::{Total, Totals, TotalsCut};
use crate::memory;
use crate::threads::{available_threads, on_threads, split_evenly, take_front};

/// Pairs by term, then class; and the total of each class that occurs.
#[derive(Default)]
pub struct Sorted {
    /// The terms that occur, rising; `None` for all columns, of which some may have no pairs.
    pub terms: Option<Vec<u32>>,
    /// Where each term's pairs start; one more than there are terms.
    pub starts: Vec<usize>,
    /// The class of each pair.
    pub classes: Vec<u32>,
    /// The total of each pair.
    pub totals: Totals,
    /// The sum of each term's pairs.
    pub term_sums: Totals,
    /// The total of each class.
    pub class_totals: Vec<(u32, Total)>,
}

/// Put the pairs in the order of their terms; within a term their classes rise, as they do in the parts.
pub fn sort_pairs<C: Cell>(parts: &[Gathered<C>], columns: usize) -> Sorted {
    let pairs: usize = parts.iter().map(|part| part.terms.len()).sum();
    let mut sorted =
        if pairs * 16 > columns { by_counting(parts, columns) } else { by_sorting(parts, pairs) };
    sorted.class_totals =
        parts.iter().flat_map(|part| part.classes.iter().map(|&(class, _, total)| (class, total))).collect();
    sorted
}

/// The pairs of one class: their terms, rising, and their cells.
#[derive(Clone, Copy)]
struct ClassPairs<'a, C> {
    class: u32,
    terms: &'a [u32],
    cells: &'a [C],
}

impl<C> ClassPairs<'_, C> {
    /// Take off those before a term.
    fn split_off(&mut self, end: usize) -> Self {
        let at = self.terms.partition_point(|&term| (term as usize) < end);
        let ((terms, later_terms), (cells, later_cells)) = (self.terms.split_at(at), self.cells.split_at(at));
        (self.terms, self.cells) = (later_terms, later_cells);
        Self { class: self.class, terms, cells }
    }
}

fn each_class<C>(parts: &[Gathered<C>]) -> Vec<ClassPairs<'_, C>> {
    let mut classes = Vec::new();
    for part in parts {
        let mut start = 0;
        for &(class, end, _) in &part.classes {
            memory::push(
                &mut classes,
                ClassPairs { class, terms: &part.terms[start..end], cells: &part.cells[start..end] },
            );
            start = end;
        }
    }
    classes
}

/// Sort by counting the pairs of each term, on several threads, each with terms of its own.
fn by_counting<C: Cell>(parts: &[Gathered<C>], columns: usize) -> Sorted {
    let mut rest = each_class(parts);
    let pairs: usize = rest.iter().map(|pairs| pairs.terms.len()).sum();
    // Moving a pair takes a quarter of the time of scoring an entry.
    let ranges = split_evenly(columns, pairs / 4, available_threads());
    let shares: Vec<Vec<ClassPairs<C>>> = ranges
        .iter()
        .map(|range| rest.iter_mut().map(|pairs| pairs.split_off(range.end)).collect())
        .collect();
    let sizes: Vec<usize> =
        shares.iter().map(|share| share.iter().map(|pairs| pairs.terms.len()).sum()).collect();
    let mut sorted = Sorted {
        terms: None,
        starts: memory::zeros(columns + 1),
        classes: memory::zeros(pairs),
        totals: C::totals(pairs),
        term_sums: C::totals(columns),
        class_totals: Vec::new(),
    };
    let widths: Vec<usize> = ranges.iter().map(ExactSizeIterator::len).collect();
    let (mut classes, mut starts) = (sorted.classes.as_mut_slice(), &mut sorted.starts[1..]);
    let totals = sorted.totals.cut(&sizes).into_iter().zip(sorted.term_sums.cut(&widths));
    let mut work = Vec::new();
    let mut first = (0, 0);
    for (share, (totals, term_sums)) in shares.into_iter().zip(totals) {
        let (size, width) = (totals.len(), term_sums.len());
        let place = Place {
            first_term: first.0,
            first_pair: first.1,
            ends: take_front(&mut starts, width),
            classes: take_front(&mut classes, size),
            totals,
            term_sums,
        };
        memory::push(&mut work, (share, place));
        first = (first.0 + width, first.1 + size);
    }
    on_threads(work, |(share, place)| place.fill(share));
    sorted.totals.tidy();
    sorted.term_sums.tidy();
    sorted
}

/// Where the pairs of some terms go.
struct Place<'a> {
    first_term: usize,
    first_pair: usize,
    /// Where each term's pairs end.
    ends: &'a mut [usize],
    classes: &'a mut [u32],
    totals: TotalsCut<'a>,
    term_sums: TotalsCut<'a>,
}

impl Place<'_> {
    /// Fill it, some terms at a time, so that the output stays in a cache.
    fn fill<C: Cell>(mut self, mut share: Vec<ClassPairs<C>>) {
        const TERMS: usize = 1 << 12;
        // Each block visits every class, so a class should have some pairs in it.
        const PAIRS_OF_CLASS: usize = 8;
        share.retain(|pairs| !pairs.terms.is_empty());
        let width = self.ends.len();
        let most = width.div_ceil(TERMS).max(1);
        let blocks = (self.classes.len() / PAIRS_OF_CLASS / share.len().max(1)).clamp(1, most);
        let mut sums = Vec::new();
        let mut before = 0;
        for block in 0..blocks {
            let range = width * block / blocks..width * (block + 1) / blocks;
            let end = self.first_term + range.end;
            let here: Vec<_> = share.iter_mut().map(|pairs| pairs.split_off(end)).collect();
            sums.clear();
            memory::resize(&mut sums, range.len(), C::default());
            before = self.fill_block(&here, range, before, &mut sums);
        }
    }

    /// Fill in the pairs of a block of terms; return where they end.
    fn fill_block<C: Cell>(
        &mut self,
        share: &[ClassPairs<C>],
        range: std::ops::Range<usize>,
        before: usize,
        sums: &mut [C],
    ) -> usize {
        let first = self.first_term + range.start;
        let next = &mut self.ends[range.clone()];
        share.iter().flat_map(|pairs| pairs.terms).for_each(|&term| next[term as usize - first] += 1);
        // From numbers of pairs to where they start; filling moves each start to the end.
        let mut end = before;
        next.iter_mut().for_each(|place| end += std::mem::replace(place, end));
        for pairs in share {
            for (&term, cell) in pairs.terms.iter().zip(pairs.cells) {
                let term = term as usize - first;
                let place = &mut next[term];
                self.classes[*place] = pairs.class;
                cell.store(&mut self.totals, *place);
                sums[term].join(cell);
                *place += 1;
            }
        }
        next.iter_mut().for_each(|place| *place += self.first_pair);
        sums.iter().zip(range).for_each(|(sum, term)| sum.store(&mut self.term_sums, term));
        end
    }
}

fn by_sorting<C: Cell>(parts: &[Gathered<C>], pairs: usize) -> Sorted {
    let mut found: Vec<(u32, u32, C)> = memory::with_capacity(pairs);
    for pairs in each_class(parts) {
        memory::extend(
            &mut found,
            pairs.terms.iter().zip(pairs.cells).map(|(&term, cell)| (term, pairs.class, *cell)),
        );
    }
    found.sort_unstable_by_key(|&(term, class, _)| (term, class));
    let mut sorted = Sorted { starts: vec![0], ..Sorted::default() };
    let (mut terms, mut sums): (Vec<u32>, Vec<C>) = (Vec::new(), Vec::new());
    for of_term in found.chunk_by(|left, right| left.0 == right.0) {
        let mut sum = C::default();
        of_term.iter().for_each(|(_, _, cell)| sum.join(cell));
        memory::extend(&mut sorted.classes, of_term.iter().map(|pair| pair.1));
        memory::push(&mut sorted.starts, sorted.classes.len());
        memory::push(&mut terms, of_term[0].0);
        memory::push(&mut sums, sum);
    }
    sorted.terms = Some(terms);
    sorted.totals = stored(found.iter().map(|pair| pair.2));
    sorted.term_sums = stored(sums.into_iter());
    sorted
}

fn stored<C: Cell>(cells: impl ExactSizeIterator<Item = C>) -> Totals {
    let mut totals = C::totals(cells.len());
    let length = totals.len();
    if let [all] = totals.cut(&[length]).as_mut_slice() {
        cells.enumerate().for_each(|(at, cell)| cell.store(all, at));
    }
    totals.tidy();
    totals
}
