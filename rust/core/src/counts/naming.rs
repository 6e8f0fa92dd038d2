//! Distinct tokens → terms → columns.

use std::borrow::Cow;

use super::columns::{Vocabulary, hashed_column};
use super::table::TokenTable;
use super::worker::Worker;
use crate::memory;
use crate::text::TermRules;
use crate::threads::on_threads;

type Term<'a> = Cow<'a, [u8]>;

/// What each token of a worker becomes, then each of its character n-grams; `None` when it is left out.
pub type WorkerTerms<'a> = Vec<Option<Term<'a>>>;

/// The column of each of these; `None` when it has none.
pub type ColumnMap = Vec<Option<u32>>;

/// The terms of a worker: what the rules make of its tokens, and its character n-grams.
pub fn worker_terms<'a>(worker: &'a Worker, rules: Option<&TermRules>) -> WorkerTerms<'a> {
    let mut terms = terms_of(worker.tokens(), rules);
    memory::extend(&mut terms, terms_of(worker.characters(), None));
    terms
}

/// What each token becomes by the rules; without rules, the token itself.
fn terms_of<'a>(tokens: &'a TokenTable, rules: Option<&TermRules>) -> WorkerTerms<'a> {
    let token = |number| tokens.token(number);
    let numbers = 0..tokens.len() as u32;
    match rules {
        None => memory::collected(numbers.map(|number| Some(Term::Borrowed(token(number))))),
        // Tokens are slices of a str, cut at characters.
        Some(rules) => memory::collected(numbers.map(|number| {
            std::str::from_utf8(token(number)).ok().and_then(|token| rules.term(token)).map(into_bytes)
        })),
    }
}

fn into_bytes(term: Cow<'_, str>) -> Term<'_> {
    match term {
        Cow::Borrowed(term) => Cow::Borrowed(term.as_bytes()),
        Cow::Owned(term) => Cow::Owned(term.into_bytes()),
    }
}

/// The distinct terms of all workers, in the order of their code points.
pub fn sorted_union<'a>(terms: &'a [WorkerTerms<'a>]) -> Vec<&'a [u8]> {
    let runs = on_threads(terms, |terms| {
        let terms = terms.iter().flatten();
        let mut run: Vec<(u128, &[u8])> =
            memory::collected(terms.map(|term| (leading_bytes(term), term.as_ref())));
        run.sort_unstable();
        run.dedup();
        run
    });
    let mut all = memory::with_capacity(runs.iter().map(Vec::len).sum());
    runs.into_iter().for_each(|run| all.extend(run));
    // The stable sort finds the sorted runs and merges them.
    memory::check_room::<(u128, &[u8])>(all.len());
    all.sort();
    all.dedup();
    memory::collected(all.into_iter().map(|(_, term)| term))
}

/// The first sixteen bytes as a number that sorts as they do: most comparisons need no more.
fn leading_bytes(term: &[u8]) -> u128 {
    let mut first = [0; 16];
    let length = term.len().min(16);
    first[..length].copy_from_slice(&term[..length]);
    u128::from_be_bytes(first)
}

/// The columns of each worker's terms in a vocabulary.
pub fn vocabulary_columns(terms: &[WorkerTerms], vocabulary: &Vocabulary) -> Vec<ColumnMap> {
    on_threads(terms, |terms| vocabulary.columns(terms))
}

/// The hashed columns of each worker's terms.
pub fn hashed_columns(terms: &[WorkerTerms], dimensions: u32) -> Vec<ColumnMap> {
    let column = |term: &Term| hashed_column(term, dimensions);
    on_threads(terms, |terms| memory::collected(terms.iter().map(|term| term.as_ref().map(column))))
}
