//! The row of one text, without threads or tables: what one prediction needs.

use std::borrow::Cow;

use super::columns::{Vocabulary, hashed_column};
use crate::text::{CHARACTERS_MARK, Kind, Rules, Scratch};

/// The columns of a text's terms, in the order of the terms, and their counts; unknown terms are left out.
pub fn count_text(rules: &Rules, text: &str, vocabulary: &Vocabulary) -> (Vec<i32>, Vec<f64>) {
    let mut columns = columns_of(rules, text, |term| vocabulary.column(term));
    if vocabulary.late_terms() == 0 {
        columns.sort_unstable();
    } else {
        columns.sort_unstable_by_key(|&column| vocabulary.key(column));
    }
    count_runs(&columns)
}

/// The hashed columns of a text's terms, and their counts.
pub fn count_text_hashed(rules: &Rules, text: &str, dimensions: u32) -> (Vec<i32>, Vec<f64>) {
    let mut columns = columns_of(rules, text, |term| Some(hashed_column(term, dimensions)));
    columns.sort_unstable();
    count_runs(&columns)
}

fn columns_of(rules: &Rules, text: &str, column: impl Fn(&[u8]) -> Option<u32>) -> Vec<u32> {
    let mut columns = Vec::new();
    let mut term = CHARACTERS_MARK.as_bytes().to_vec();
    let deferred = rules.deferred_terms();
    rules.each_batch(text, &mut Scratch::default(), |kind, buffer, tokens| {
        let tokens = tokens.iter().map(|&(start, end)| &buffer[start..end]);
        match (kind, deferred) {
            (Kind::Characters, _) => columns.extend(tokens.filter_map(|token| {
                term.truncate(CHARACTERS_MARK.len());
                term.extend_from_slice(token);
                column(&term)
            })),
            (Kind::Token, None) => columns.extend(tokens.filter_map(&column)),
            // Tokens are slices of a str, cut at characters.
            (Kind::Token, Some(rules)) => columns.extend(
                tokens
                    .filter_map(|token| std::str::from_utf8(token).ok())
                    .filter_map(|token| rules.term(token).map(Cow::into_owned))
                    .filter_map(|term| column(term.as_bytes())),
            ),
        }
    });
    columns
}

fn count_runs(columns: &[u32]) -> (Vec<i32>, Vec<f64>) {
    columns.chunk_by(|left, right| left == right).map(|run| (run[0] as i32, run.len() as f64)).unzip()
}
