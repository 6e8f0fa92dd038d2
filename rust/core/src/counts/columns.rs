//! Terms and their column numbers.

use twox_hash::XxHash64;

use super::table::TokenTable;

/// The column of a term among `dimensions` hashed ones: XXH64 of its UTF-8 bytes, seed 0, modulo.
pub fn hashed_column(term: &[u8], dimensions: u32) -> u32 {
    (XxHash64::oneshot(0, term) % u64::from(dimensions)) as u32
}

/// Sums of each column.
pub struct Columns {
    /// How many documents have the term.
    pub documents: Vec<u64>,
    /// How often the term occurs.
    pub occurrences: Vec<u64>,
}

impl Columns {
    /// Sums of nothing.
    pub fn zeros(columns: usize) -> Self {
        Self { documents: vec![0; columns], occurrences: vec![0; columns] }
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

/// Terms in the order of their columns.
#[derive(Default)]
pub struct Vocabulary {
    terms: TokenTable,
}

impl Vocabulary {
    /// A vocabulary of these terms, in this order.
    pub fn new<'a>(terms: impl ExactSizeIterator<Item = &'a [u8]>) -> Self {
        let mut table = TokenTable::with_room_for(terms.len());
        terms.for_each(|term| {
            table.insert(term);
        });
        Self { terms: table }
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// True when there is no term.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The column of a term.
    pub fn column(&self, term: &[u8]) -> Option<u32> {
        self.terms.number(term)
    }

    /// The term of a column.
    pub fn term(&self, column: u32) -> &[u8] {
        self.terms.token(column)
    }

    /// Give each term the next column, unless it has one.
    pub fn extend<'a>(&mut self, terms: impl ExactSizeIterator<Item = &'a [u8]>) {
        if self.is_empty() {
            *self = Self::new(terms);
        } else {
            terms.for_each(|term| {
                self.terms.insert(term);
            });
        }
    }

    /// The terms, one behind the other, and where each ends.
    pub fn arena(&self) -> (&[u8], &[usize]) {
        self.terms.arena()
    }

    /// The terms whose column is kept, and each column's new number.
    pub fn keep(&self, keep: &[bool]) -> (Self, Vec<Option<u32>>) {
        let mut next = 0;
        let column_of: Vec<Option<u32>> = keep
            .iter()
            .map(|&kept| {
                kept.then(|| {
                    next += 1;
                    next - 1
                })
            })
            .collect();
        let kept: Vec<&[u8]> = (0..self.len() as u32)
            .filter(|&column| keep[column as usize])
            .map(|column| self.term(column))
            .collect();
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
    fn keeping_renumbers() {
        let vocabulary = Vocabulary::new([b"a".as_slice(), b"b", b"c"].into_iter());
        let (kept, column_of) = vocabulary.keep(&[true, false, true]);
        assert_eq!(column_of, [Some(0), None, Some(1)]);
        assert_eq!(kept.column(b"c"), Some(1));
    }
}
