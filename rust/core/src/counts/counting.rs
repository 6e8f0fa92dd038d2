//! Texts → rows, on every core, with the same result for any number of threads.
//!
//! Threads take pieces of the texts from a common list; each numbers tokens in its own table. When all is
//! counted the distinct tokens become terms, terms get columns in their sorted order, and the rows are
//! renamed: what a thread happened to see first leaves no trace.

use std::sync::Arc;

use super::columns::{Columns, Vocabulary};
use super::naming::{ColumnMap, WorkerTerms, hashed_columns, sorted_union, vocabulary_columns, worker_terms};
use super::rows::Rows;
use super::worker::{Worker, unpack};
use crate::memory;
use crate::text::Rules;
use crate::threads::{Queue, on_threads, take_front};
use crate::versioned::Versioned;

/// The bytes of text that are worth starting a thread for, and that a thread takes at a time.
const PIECE_BYTES: usize = 1 << 17;

/// Consecutive rows, in the order of the texts, that one worker counted.
struct Piece {
    worker: usize,
    first: usize,
    last: usize,
}

/// Counting under way.
pub struct Counting {
    rules: Arc<Rules>,
    threads: usize,
    /// As many as there was work for: a short text starts no thread.
    workers: Vec<Worker>,
    pieces: Vec<Piece>,
}

impl Counting {
    /// Count by these rules on at most `threads` threads.
    pub fn new(rules: Arc<Rules>, threads: usize) -> Self {
        Self { rules, threads: threads.max(1), workers: Vec::new(), pieces: Vec::new() }
    }

    /// How many texts were counted.
    pub fn len(&self) -> usize {
        self.pieces.iter().map(|piece| piece.last - piece.first).sum()
    }

    /// True when no text was counted.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Count more texts.
    pub fn add(&mut self, texts: &[&str]) {
        let cuts = cut(texts);
        let queue = Queue::new(&cuts);
        let rules = &*self.rules;
        let work = |worker: &mut Worker| {
            let mut done = Vec::new();
            while let Some((_, &(from, to))) = queue.take() {
                let first = worker.len();
                texts[from..to].iter().for_each(|text| worker.count(rules, text));
                done.push((from, first, worker.len()));
            }
            done
        };
        let threads = self.threads.min(cuts.len());
        if self.workers.len() < threads {
            self.workers.resize_with(threads, Worker::default);
        }
        let done = on_threads(self.workers[..threads].iter_mut(), work);
        let mut pieces: Vec<(usize, Piece)> = done
            .into_iter()
            .enumerate()
            .flat_map(|(worker, done)| {
                done.into_iter().map(move |(from, first, last)| (from, Piece { worker, first, last }))
            })
            .collect();
        pieces.sort_unstable_by_key(|(from, _)| *from);
        self.pieces.extend(pieces.into_iter().map(|(_, piece)| piece));
    }

    /// Give every term that is not in the vocabulary a column behind the last, in sorted order; name the rows.
    ///
    /// Other threads that read the vocabulary wait for no more than the growth itself.
    pub fn name_and_grow(&mut self, vocabulary: &Versioned<Vocabulary>) {
        let terms = self.terms();
        let mut new = sorted_union(&terms);
        let own = vocabulary.get();
        if !own.is_empty() {
            new.retain(|term| own.column(term).is_none());
        }
        drop(own);
        if !new.is_empty() {
            vocabulary.grow(|own| own.extend(new.into_iter()));
        }
        let columns = vocabulary_columns(&terms, &vocabulary.get());
        self.rename(columns);
    }

    /// Name the rows by a vocabulary that stays as it is; terms it lacks are left out.
    pub fn name_by(&mut self, vocabulary: &Vocabulary) {
        let columns = vocabulary_columns(&self.terms(), vocabulary);
        self.rename(columns);
    }

    /// Name the rows by hashed columns.
    pub fn name_hashed(&mut self, dimensions: u32) {
        let columns = hashed_columns(&self.terms(), dimensions);
        self.rename(columns);
    }

    /// The sums of every column of named rows.
    pub fn sums(&self, columns: usize) -> Columns {
        let mut sums = Columns::zeros(columns);
        self.workers.iter().for_each(|worker| worker.add_sums(&mut sums));
        sums
    }

    /// Keep some columns of named rows, under new numbers that rise with the old ones.
    pub fn keep(&mut self, column_of: &[Option<u32>]) {
        on_threads(self.workers.iter_mut(), |worker| worker.keep(column_of));
    }

    /// The named rows, in the order of the texts.
    pub fn into_rows(self) -> Rows {
        let starts = self.starts();
        let entries = starts.last().copied().unwrap_or(0) as usize;
        let mut rows = Rows { starts, columns: memory::zeros(entries), counts: memory::zeros(entries) };
        let (mut columns, mut counts) = (rows.columns.as_mut_slice(), rows.counts.as_mut_slice());
        let mut shares: Vec<(&Worker, Vec<Share>)> =
            self.workers.iter().map(|worker| (worker, Vec::new())).collect();
        for piece in &self.pieces {
            let (worker, share) = &mut shares[piece.worker];
            let length = worker.entries(piece.first, piece.last).len();
            let here = (take_front(&mut columns, length), take_front(&mut counts, length));
            share.push((piece.first, piece.last, here.0, here.1));
        }
        on_threads(shares, |(worker, shares)| shares.into_iter().for_each(|share| fill(worker, share)));
        rows
    }

    fn starts(&self) -> Vec<i64> {
        let mut starts = memory::with_capacity(self.len() + 1);
        starts.push(0);
        let mut start = 0;
        for piece in &self.pieces {
            let worker = &self.workers[piece.worker];
            let base = worker.row_start(piece.first);
            for row in piece.first..piece.last {
                starts.push(start + (worker.row_start(row + 1) - base) as i64);
            }
            start = starts.last().copied().unwrap_or(0);
        }
        starts
    }

    fn terms(&self) -> Vec<WorkerTerms<'_>> {
        let rules = self.rules.deferred_terms();
        on_threads(&self.workers, |worker| worker_terms(worker, rules))
    }

    fn rename(&mut self, columns: Vec<ColumnMap>) {
        on_threads(self.workers.iter_mut().zip(columns), |(worker, columns)| worker.rename(&columns));
    }
}

/// Split texts into ranges of about [`PIECE_BYTES`].
fn cut(texts: &[&str]) -> Vec<(usize, usize)> {
    let mut cuts = Vec::new();
    let (mut from, mut bytes) = (0, 0);
    for (at, text) in texts.iter().enumerate() {
        bytes += text.len();
        if bytes >= PIECE_BYTES {
            cuts.push((from, at + 1));
            (from, bytes) = (at + 1, 0);
        }
    }
    if from < texts.len() {
        cuts.push((from, texts.len()));
    }
    cuts
}

type Share<'a> = (usize, usize, &'a mut [i32], &'a mut [i64]);

fn fill(worker: &Worker, (first, last, columns, counts): Share) {
    let entries = worker.entries(first, last);
    for ((entry, column), count) in entries.iter().zip(columns.iter_mut()).zip(counts.iter_mut()) {
        let (entry_column, entry_count) = unpack(*entry);
        *column = entry_column as i32;
        *count = i64::from(entry_count);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn rules(stemmer: Option<&str>) -> Arc<Rules> {
        let rules = Rules::new(true, "words", "word", "drop", HashSet::new(), stemmer, (1, 1));
        Arc::new(rules.expect("rules"))
    }

    fn terms(vocabulary: &Vocabulary) -> Vec<&str> {
        let terms = (0..vocabulary.len() as u32).map(|column| vocabulary.term(column));
        terms.map(|term| std::str::from_utf8(term).expect("text")).collect()
    }

    #[test]
    fn rows_are_sorted_and_stems_fall_together() {
        let mut counting = Counting::new(rules(Some("porter")), 2);
        counting.add(&["running runs cat", "", "cat cats 12"]);
        let vocabulary = Versioned::new(Vocabulary::default());
        counting.name_and_grow(&vocabulary);
        assert_eq!(terms(&vocabulary.get()), ["cat", "run"]);
        let rows = counting.into_rows();
        assert_eq!(rows, Rows { starts: vec![0, 2, 2, 3], columns: vec![0, 1, 0], counts: vec![1, 2, 2] });
    }

    #[test]
    fn any_number_of_threads_gives_the_same_rows() {
        let texts: Vec<String> =
            (0..3000).map(|i| (0..i % 50).map(|j| format!("word{} ", i * j % 701)).collect()).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let counted = |threads, batch| {
            let mut counting = Counting::new(rules(None), threads);
            texts.chunks(batch).for_each(|texts| counting.add(texts));
            let vocabulary = Versioned::new(Vocabulary::default());
            counting.name_and_grow(&vocabulary);
            (counting.into_rows(), vocabulary.get().arena().0.to_vec())
        };
        let expected = counted(1, 3000);
        for (threads, batch) in [(2, 3000), (3, 700), (8, 1000)] {
            assert!(counted(threads, batch) == expected, "{threads} threads, batches of {batch}");
        }
    }

    #[test]
    fn characters_are_terms_of_their_own() {
        let rules = Rules::new(true, "words", "word", "keep", HashSet::new(), None, (1, 1)).expect("rules");
        let mut counting = Counting::new(Arc::new(rules.with_characters(Some((2, 2)))), 2);
        counting.add(&["an an", "na"]);
        let vocabulary = Versioned::new(Vocabulary::default());
        counting.name_and_grow(&vocabulary);
        let expected = ["\0 a", "\0 n", "\0a ", "\0an", "\0n ", "\0na", "an", "na"];
        assert_eq!(terms(&vocabulary.get()), expected);
        let rows = counting.into_rows();
        assert_eq!(rows.columns, [0, 3, 4, 6, 1, 2, 5, 7]);
        assert_eq!(rows.counts, [2, 2, 2, 2, 1, 1, 1, 1]);
    }

    #[test]
    fn growing_keeps_the_columns_there_are() {
        let vocabulary = Versioned::new(Vocabulary::default());
        for texts in [["mm zz"], ["aa zz"]] {
            let mut counting = Counting::new(rules(None), 1);
            counting.add(&texts);
            counting.name_and_grow(&vocabulary);
        }
        assert_eq!(terms(&vocabulary.get()), ["mm", "zz", "aa"]);
    }
}
