//! Terms and their column numbers.

use std::borrow::Cow;
use std::convert::Infallible;
use std::hash::Hasher;
use std::sync::Arc;

use twox_hash::XxHash64;

use super::mapped::MappedTerms;
use super::order::{TermOrder, sorted_key};
use super::table::TokenTable;
use crate::memory;
use crate::versioned::{Undoable, Versioned};

/// The column of a term among `dimensions` hashed ones: XXH64 of its UTF-8 bytes, seed 0, modulo.
pub fn hashed_column(term: &[u8], dimensions: u32) -> u32 {
    (XxHash64::oneshot(0, term) % u64::from(dimensions)) as u32
}

/// XXH64 of bytes in several parts, with seed 0.
pub fn digest(parts: &[&[u8]]) -> u64 {
    let mut hasher = XxHash64::with_seed(0);
    parts.iter().for_each(|part| hasher.write(part));
    hasher.finish()
}

/// Sums of each column.
pub struct Columns {
    /// How many documents have the term.
    pub documents: Vec<u64>,
    /// How often the term occurs.
    pub occurrences: Vec<u64>,
}

impl Columns {
    /// Empty sums.
    pub fn zeros(columns: usize) -> Self {
        Self { documents: memory::zeros(columns), occurrences: memory::zeros(columns) }
    }

    /// Add another's sums.
    pub fn add(&mut self, other: &Self) {
        for (sum, value) in self.documents.iter_mut().zip(&other.documents) {
            *sum += value;
        }
        for (sum, value) in self.occurrences.iter_mut().zip(&other.occurrences) {
            *sum += value;
        }
    }
}

/// A vocabulary grows at its end, so that its length says what it was.
impl Undoable for Vocabulary {
    type Undo = usize;

    fn weight(&self) -> usize {
        self.len()
    }

    fn undo_weight(_undo: &usize) -> usize {
        1
    }

    fn undo(&mut self, length: &usize) {
        self.truncate(*length);
    }
}

impl Versioned<Vocabulary> {
    /// Change a vocabulary by giving more terms columns behind the last.
    pub fn grow<R>(&self, work: impl FnOnce(&mut Vocabulary) -> R) -> R {
        let done: Result<R, Infallible> =
            self.change(|_| Ok(()), |own, ()| Some(own.len()), |own, ()| work(own));
        match done {
            Ok(done) => done,
        }
    }
}

/// Terms in the order of their columns: first those in a file, if any, then those added since.
#[derive(Clone, Default)]
pub struct Vocabulary {
    mapped: Option<Arc<MappedTerms>>,
    terms: TokenTable,
    order: TermOrder,
}

impl Vocabulary {
    /// A vocabulary of these terms, in this order.
    pub fn new<'a>(terms: impl ExactSizeIterator<Item = &'a [u8]>) -> Self {
        let mut table = TokenTable::with_room_for(terms.len());
        terms.for_each(|term| {
            table.insert(term);
        });
        Self { terms: table, ..Self::default() }
    }

    /// A vocabulary whose terms are in a file.
    pub fn from_mapped(terms: MappedTerms) -> Self {
        Self { mapped: Some(Arc::new(terms)), ..Self::default() }
    }

    /// How many of the terms are in a file.
    fn mapped_len(&self) -> usize {
        self.mapped.as_ref().map_or(0, |mapped| mapped.len())
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.mapped_len() + self.terms.len()
    }

    /// True when there is no term.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The column of a term.
    pub fn column(&self, term: &[u8]) -> Option<u32> {
        match &self.mapped {
            None => self.terms.number(term),
            Some(mapped) => mapped
                .column(term)
                .or_else(|| self.terms.number(term).map(|number| number + mapped.len() as u32)),
        }
    }

    /// The column of each term; `None` for one without a column, or for none.
    pub fn columns<T: AsRef<[u8]>>(&self, terms: &[Option<T>]) -> Vec<Option<u32>> {
        match self.mapped {
            None => self.terms.numbers(terms),
            Some(_) => memory::collected(terms.iter().map(|term| self.column(term.as_ref()?.as_ref()))),
        }
    }

    /// The term of a column.
    pub fn term(&self, column: u32) -> &[u8] {
        match &self.mapped {
            Some(mapped) if (column as usize) < mapped.len() => mapped.term(column),
            _ => self.terms.token(column - self.mapped_len() as u32),
        }
    }

    /// Give each term the next column, unless it has one.
    pub fn extend<'a>(&mut self, terms: impl ExactSizeIterator<Item = &'a [u8]>) {
        if self.is_empty() {
            *self = Self::new(terms);
        } else {
            for term in terms {
                if self.mapped.as_ref().is_none_or(|mapped| mapped.column(term).is_none()) {
                    self.terms.insert(term);
                }
            }
            self.order.reset();
        }
    }

    /// Forget the newest terms, so that `length` are left. Terms in a file stay.
    pub fn truncate(&mut self, length: usize) {
        if length < self.len() {
            self.terms.truncate(length.saturating_sub(self.mapped_len()));
            self.order.truncate(self.len());
        }
    }

    /// How many terms come after the sorted ones.
    pub fn late_terms(&self) -> usize {
        self.len() - self.order.sorted(self.len(), |column| self.term(column))
    }

    /// What sorts columns in the order of their terms.
    pub fn key(&self, column: u32) -> u64 {
        let term = |column| self.term(column);
        let place = (column as usize).checked_sub(self.order.sorted(self.len(), term));
        place.map_or_else(|| sorted_key(column), |place| self.order.late(self.len(), term)[place])
    }

    /// Put the entries of each row, sorted by column, in the order of their terms.
    pub fn order_rows<T: Copy>(&self, starts: &[i64], columns: &mut [i32], counts: &mut [T]) {
        let sorted = self.len() - self.late_terms();
        let mut entries: Vec<(u64, i32, T)> = Vec::new();
        for ends in starts.windows(2) {
            let range = ends[0] as usize..ends[1] as usize;
            let (columns, counts) = (&mut columns[range.clone()], &mut counts[range]);
            if columns.last().is_none_or(|&last| (last as usize) < sorted) {
                continue;
            }
            let found = columns.iter().zip(&*counts);
            memory::extend(
                &mut entries,
                found.map(|(&column, &count)| (self.key(column as u32), column, count)),
            );
            entries.sort_unstable_by_key(|entry| entry.0);
            for ((_, column, count), place) in entries.drain(..).zip(0..) {
                (columns[place], counts[place]) = (column, count);
            }
        }
    }

    /// The concatenated terms, and where each ends.
    pub fn arena(&self) -> (Cow<'_, [u8]>, Vec<i64>) {
        if self.mapped.is_none() {
            let (bytes, ends) = self.terms.arena();
            return (Cow::Borrowed(bytes), memory::collected(ends.iter().map(|&end| end as i64)));
        }
        let (mut bytes, mut ends) = (Vec::new(), memory::with_capacity(self.len()));
        for column in 0..self.len() as u32 {
            memory::append(&mut bytes, self.term(column));
            memory::push(&mut ends, bytes.len() as i64);
        }
        (Cow::Owned(bytes), ends)
    }

    /// The columns in the order of their terms.
    pub fn sorted(&self) -> Vec<u32> {
        let mut columns: Vec<u32> = memory::collected(0..self.len() as u32);
        memory::check_room::<u32>(columns.len());
        columns.sort_by(|&left, &right| self.term(left).cmp(self.term(right)));
        columns
    }

    /// A vocabulary of the terms of these columns, in this order.
    pub fn select(&self, columns: &[u32]) -> Self {
        Self::new(columns.iter().map(|&column| self.term(column)))
    }

    /// Give the terms of another vocabulary columns behind the last, unless they have one; return their columns.
    pub fn join(&mut self, other: &Self) -> Vec<u32> {
        let mut columns = memory::with_capacity(other.len());
        for column in 0..other.len() as u32 {
            let term = other.term(column);
            self.extend(std::iter::once(term));
            memory::push(&mut columns, self.column(term).unwrap_or_default());
        }
        columns
    }

    /// The hashed column of each term, among `dimensions`.
    pub fn hashed(&self, dimensions: u32) -> Vec<u32> {
        let columns = 0..self.len() as u32;
        memory::collected(columns.map(|column| hashed_column(self.term(column), dimensions)))
    }

    /// The terms whose column is kept, and each column's new number.
    pub fn keep(&self, keep: &[bool]) -> (Self, Vec<Option<u32>>) {
        let mut next = 0;
        let column_of: Vec<Option<u32>> = memory::collected(keep.iter().map(|&kept| {
            kept.then(|| {
                next += 1;
                next - 1
            })
        }));
        let kept = (0..self.len() as u32).filter(|&column| keep[column as usize]);
        let kept: Vec<&[u8]> = memory::collected(kept.map(|column| self.term(column)));
        (Self::new(kept.into_iter()), column_of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashing_is_the_published_function() {
        // XXH64 test vectors: the empty input, and "a", with seed 0.
        assert_eq!(XxHash64::oneshot(0, b""), 0xef46_db37_51d8_e999);
        assert_eq!(XxHash64::oneshot(0, b"a"), 0xd24e_c4f1_a98c_6e5b);
        assert_eq!(hashed_column(b"a", 1000), (0xd24e_c4f1_a98c_6e5b_u64 % 1000) as u32);
    }

    #[test]
    fn terms_are_hashed_one_by_one() {
        let vocabulary = Vocabulary::new([b"a".as_slice(), b""].into_iter());
        assert_eq!(vocabulary.hashed(64), [hashed_column(b"a", 64), hashed_column(b"", 64)]);
    }

    #[test]
    fn keeping_renumbers() {
        let vocabulary = Vocabulary::new([b"a".as_slice(), b"b", b"c"].into_iter());
        let (kept, column_of) = vocabulary.keep(&[true, false, true]);
        assert_eq!(column_of, [Some(0), None, Some(1)]);
        assert_eq!(kept.column(b"c"), Some(1));
    }

    fn mapped(bytes: &[u8], ends: &[i64], order: &[u32]) -> Option<MappedTerms> {
        MappedTerms::new(bytes.to_vec().into(), ends.to_vec().into(), order.to_vec().into())
    }

    #[test]
    fn terms_of_a_file_come_first() {
        let terms = mapped("bäa".as_bytes(), &[1, 3, 4], &[2, 0, 1]).expect("sound");
        let mut vocabulary = Vocabulary::from_mapped(terms);
        vocabulary.extend([b"a".as_slice(), b"zz", b"b"].into_iter());
        assert_eq!(vocabulary.len(), 4);
        for (column, term) in ["b", "ä", "a", "zz"].into_iter().enumerate() {
            assert_eq!(vocabulary.column(term.as_bytes()), Some(column as u32));
            assert_eq!(vocabulary.term(column as u32), term.as_bytes());
        }
        assert_eq!(vocabulary.sorted(), [2, 0, 3, 1]);
        assert_eq!(vocabulary.arena(), (Cow::Borrowed("bäazz".as_bytes()), vec![1, 3, 4, 6]));
        assert_eq!(vocabulary.column(b"q"), None);
    }

    #[test]
    fn late_terms_sort_as_terms() {
        let mut vocabulary = Vocabulary::new([b"b".as_slice(), b"d", b"f"].into_iter());
        assert_eq!(vocabulary.late_terms(), 0);
        vocabulary.extend([b"c".as_slice(), b"a"].into_iter());
        // Asked for in between, the order is extended, not found again.
        let mut columns: Vec<u32> = (0..5).collect();
        columns.sort_by_key(|&column| vocabulary.key(column));
        assert_eq!(columns, [4, 0, 3, 1, 2]);
        vocabulary.extend([b"g".as_slice(), b"ca", b"0"].into_iter());
        vocabulary.extend([b"cab".as_slice()].into_iter());
        assert_eq!(vocabulary.late_terms(), 6);
        let mut columns: Vec<u32> = (0..9).collect();
        columns.sort_by_key(|&column| vocabulary.key(column));
        assert_eq!(columns, vocabulary.sorted());
        let (mut columns, mut counts) = ([0, 1, 1, 3, 4], [1, 2, 3, 4, 5]);
        vocabulary.order_rows(&[0, 2, 2, 5], &mut columns, &mut counts);
        assert_eq!((columns, counts), ([0, 1, 4, 3, 1], [1, 2, 5, 4, 3]));
    }

    #[test]
    fn truncated_vocabularies_are_as_before() {
        let words = [b"b".as_slice(), b"d", b"f", b"c", b"a", b"g", b"ca", b"0", b"h", b"i"];
        let sorted = |vocabulary: &Vocabulary| {
            let mut columns: Vec<u32> = (0..vocabulary.len() as u32).collect();
            columns.sort_by_key(|&column| vocabulary.key(column));
            (columns, vocabulary.late_terms())
        };
        // The order is asked for at some of the lengths, in any combination.
        for asked in 0..64 {
            for length in 1..words.len() {
                let mut vocabulary = Vocabulary::new(words[..1].iter().copied());
                let mut expected = Vocabulary::new(words[..1].iter().copied());
                for end in 2..=words.len() {
                    vocabulary.extend(words[end - 1..end].iter().copied());
                    if end <= length {
                        expected.extend(words[end - 1..end].iter().copied());
                    }
                    if asked >> (end % 6) & 1 == 1 {
                        vocabulary.key(end as u32 - 1);
                    }
                }
                vocabulary.truncate(length);
                assert_eq!(vocabulary.arena(), expected.arena());
                assert_eq!(sorted(&vocabulary).0, expected.sorted());
                vocabulary.extend(words[7..].iter().copied());
                expected.extend(words[7..].iter().copied());
                assert_eq!(vocabulary.arena(), expected.arena());
                assert_eq!(sorted(&vocabulary).0, expected.sorted());
                vocabulary.truncate(0);
                assert!(vocabulary.is_empty() && vocabulary.column(b"b").is_none());
            }
        }
    }

    #[test]
    fn arrays_that_do_not_fit_are_refused() {
        for (ends, order) in [
            (&[1, 2, 4][..], &[][..]),
            (&[1, 3], &[]),
            (&[3, 1, 4], &[]),
            (&[-1, 4], &[]),
            (&[1, 3, 4], &[3, 0, 1]),
        ] {
            assert!(mapped("bäa".as_bytes(), ends, order).is_none(), "{ends:?} {order:?}");
        }
        assert!(mapped(&[0xff], &[1], &[]).is_none());
    }
}
