//! Our hand-written parts beside crates that offer the same: see benchmarks/README.md, "Alternatives".
//!
//! `counts/` of the core is compiled twice, with our token table and with one on hashbrown; `threads` is a switch
//! between our splitter and rayon's.

#![allow(clippy::duplicate_mod)]

mod measure;
mod merge;
mod table;
mod threads;

use std::cell::OnceCell;
use std::collections::HashSet;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use measure::{contestant, count_instructions, time};
use merge::Counted;
use textbayes_core::text::{self, Rules, Scratch};
use threads::{SPLITTER, on_threads};

/// Text of each document, lower-cased, and where its tokens stand.
type Tokens = Vec<(Vec<u8>, Vec<(usize, usize)>)>;

/// Where rows start, their columns and their counts.
type Csr = (Vec<i64>, Vec<i32>, Vec<i64>);

mod column {
    pub use textbayes_core::Column;
}

macro_rules! counts_with {
    ($name:ident, $table:ident) => {
        #[allow(dead_code)]
        #[path = "../../rust/core/src/counts"]
        mod $name {
            pub mod columns;
            pub mod counting;
            mod mapped;
            pub mod naming;
            mod order;
            mod rows;
            pub mod worker;
            pub(crate) use crate::$table as table;

            /// From texts to sorted terms and rows.
            pub fn fit(texts: &[&str], pairs: bool, threads: usize) -> (Vec<u8>, Vec<i64>, super::Csr) {
                let mut counting = counting::Counting::new(super::rules(pairs), threads);
                counting.add(texts);
                let mut vocabulary = columns::Vocabulary::default();
                counting.name_and_grow(&mut vocabulary);
                let (bytes, ends) = vocabulary.arena();
                let rows = counting.into_rows();
                (bytes.into_owned(), ends, (rows.starts, rows.columns, rows.counts))
            }

            /// Count tokens that were found before, as `Worker::count` does.
            pub fn look_up(documents: &super::Tokens) -> (usize, Vec<u64>) {
                let (mut table, mut entries) = (table::TokenTable::default(), Vec::new());
                for (row, (buffer, tokens)) in documents.iter().enumerate() {
                    let (row, start) = (row as u32, entries.len());
                    table.visit(buffer, tokens, |number, record| {
                        if record.row == row {
                            entries[start + record.place as usize] += 1;
                        } else {
                            record.row = row;
                            record.place = (entries.len() - start) as u32;
                            entries.push(u64::from(number) << 32 | 1);
                        }
                    });
                }
                (table.len(), entries)
            }
        }
    };
}

#[path = "../../rust/core/src/counts/table.rs"]
mod our_table;
counts_with!(ours, our_table);
counts_with!(hashed, table);

#[allow(dead_code)]
#[path = "../../rust/core/src/threads.rs"]
mod our_threads;

fn rules(pairs: bool) -> Arc<Rules> {
    let grams = if pairs { (1, 2) } else { (1, 1) };
    Arc::new(Rules::new(true, "words", "word", "keep", HashSet::new(), None, grams).expect("rules"))
}

fn tokens(texts: &[&str], pairs: bool) -> Tokens {
    let (rules, mut scratch) = (rules(pairs), Scratch::default());
    let mut documents = Vec::new();
    for text in texts {
        rules.each_batch(text, &mut scratch, |_, buffer, tokens| {
            let last = tokens.iter().map(|&(_, end)| end).max().unwrap_or(0);
            documents.push((buffer[..last + text::PADDING.len()].to_vec(), tokens.to_vec()));
        });
    }
    documents
}

/// Rows that two threads counted and named, not yet merged.
fn counting(texts: &[&str]) -> ours::counting::Counting {
    SPLITTER.store(0, Relaxed);
    let mut counting = ours::counting::Counting::new(rules(false), 2);
    counting.add(texts);
    counting.name_and_grow(&mut Default::default());
    counting
}

/// Check that all contestants give the same terms and rows.
fn check(texts: &[&str]) {
    for pairs in [false, true] {
        let expected = ours::fit(texts, pairs, 1);
        let (starts, columns, _) = &expected.2;
        println!("{} texts, {} terms, {} entries", starts.len() - 1, expected.1.len(), columns.len());
        assert!(hashed::fit(texts, pairs, 2) == expected, "hashbrown");
        for splitter in [1, 2, 0] {
            SPLITTER.store(splitter, Relaxed);
            assert!(ours::fit(texts, pairs, 2) == expected, "{}", threads::NAMES[splitter]);
        }
        if !pairs {
            let counted = Counted::new(texts);
            assert!(counted.distinct() == expected.0 && counted.distinct_by_arrow() == expected.0, "terms");
            let (starts, columns, counts) = counted.named().rows_by_arrow();
            let (columns, counts) = (columns.as_primitive::<Int32Type>(), counts.as_primitive::<Int64Type>());
            assert!((starts, columns.values().to_vec(), counts.values().to_vec()) == expected.2, "rows");
        }
    }
}

fn main() {
    let path =
        std::env::var_os("TEXTBAYES_BENCH").expect("TEXTBAYES_BENCH: a file of texts separated by NUL");
    let file = std::fs::read_to_string(path).expect("TEXTBAYES_BENCH is readable text");
    let texts: &[&str] = &file.split('\0').collect::<Vec<_>>();
    // As little as is worth two threads: two pieces of 128 kB.
    let mut bytes = 0;
    let more = texts.iter().position(|text| {
        bytes += text.len();
        bytes >= 1 << 18
    });
    let few = &texts[..more.unwrap_or(texts.len())];
    let (words, pairs, counted, named) =
        <(OnceCell<Tokens>, OnceCell<Tokens>, OnceCell<Counted>, OnceCell<Counted>)>::default();
    let words = || words.get_or_init(|| tokens(texts, false));
    let pairs = || pairs.get_or_init(|| tokens(texts, true));
    let counted = || counted.get_or_init(|| Counted::new(texts));
    let named = || named.get_or_init(|| Counted::new(texts).named());
    let mut contestants = vec![
        contestant("table: words", "ours", words, ours::look_up),
        contestant("table: words", "hashbrown", words, hashed::look_up),
        contestant("table: words and pairs", "ours", pairs, ours::look_up),
        contestant("table: words and pairs", "hashbrown", pairs, hashed::look_up),
        contestant("table: fit", "ours", || (), |()| ours::fit(texts, false, 1)),
        contestant("table: fit", "hashbrown", || (), |()| hashed::fit(texts, false, 1)),
        contestant("merge: distinct terms", "ours", counted, Counted::distinct),
        contestant("merge: distinct terms", "arrow", counted, Counted::distinct_by_arrow),
        contestant("merge: rows", "ours", || counting(texts), ours::counting::Counting::into_rows),
        contestant("merge: rows", "arrow", named, Counted::rows_by_arrow),
    ];
    let empty = |()| (0..100).for_each(|_| drop(black_box(on_threads([1, 2], black_box))));
    for (splitter, name) in threads::NAMES.into_iter().enumerate() {
        let choose = move || {
            // The threads of rayon's global pool spin for a while after the run before.
            std::thread::sleep(Duration::from_millis(20));
            SPLITTER.store(splitter, Relaxed);
        };
        contestants.push(contestant("threads: 100 calls without work", name, choose, empty));
        contestants
            .push(contestant("threads: fit of 256 kB", name, choose, move |()| ours::fit(few, false, 2)));
        contestants.push(contestant("threads: fit", name, choose, move |()| ours::fit(texts, false, 2)));
    }
    contestants.sort_by_key(|contestant| contestant.group);
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["once", place, runs] => {
            let run = (contestants[place.parse::<usize>().expect("a place")].prepare)();
            if runs == "1" {
                run();
            }
        }
        ["instructions"] => count_instructions(&contestants),
        ["forks"] => {
            for (splitter, name) in threads::NAMES.into_iter().enumerate() {
                let answer = if threads::works_after_fork(splitter) { "works" } else { "hangs" };
                println!("{name:<28}{answer} in a forked child");
            }
        }
        _ => {
            check(texts);
            let rounds = arguments.first().and_then(|rounds| rounds.parse().ok());
            let wanted = arguments.get(1).map_or("", String::as_str);
            contestants.retain(|contestant| contestant.group.contains(wanted));
            time(&contestants, rounds.unwrap_or(31));
        }
    }
}
