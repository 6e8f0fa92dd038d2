//! Kinds of terms: words, runs of words, characters beside words.

use super::columns::Vocabulary;
use crate::memory;
use crate::text::CHARACTERS_MARK;

/// What a term is, as far as the term itself shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum TermKind {
    /// One word.
    Word = 0,
    /// Several words, with spaces between.
    Words = 1,
    /// Characters beside words, behind [`CHARACTERS_MARK`].
    Characters = 2,
}

impl TermKind {
    /// The kind of a term.
    pub fn of(term: &[u8]) -> Self {
        if term.starts_with(CHARACTERS_MARK.as_bytes()) {
            Self::Characters
        } else if term.contains(&b' ') {
            Self::Words
        } else {
            Self::Word
        }
    }
}

impl Vocabulary {
    /// The kind of each column from `first` on, as numbers.
    pub fn kinds(&self, first: u32) -> Vec<u8> {
        memory::collected((first..self.len() as u32).map(|column| TermKind::of(self.term(column)) as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_columns() {
        let terms = ["oil", "crude oil", "\0oi", "\0 o", "a b c", "\0\0", ""];
        let vocabulary = Vocabulary::new(terms.iter().map(|term| term.as_bytes()));
        assert_eq!(vocabulary.kinds(0), [0, 1, 2, 2, 1, 2, 0]);
        assert_eq!(vocabulary.kinds(5), [2, 0]);
        assert_eq!(vocabulary.kinds(9), [0_u8; 0]);
    }
}
