//! Fuzzing: what a text or a file can hold makes no function panic, and answers that must agree agree.
//!
//! Every input is a file of `corpus`, changed at random. `cargo test` tries some hundreds from a fixed seed;
//! `make fuzz FUZZ_SECONDS=600` goes on with other seeds for that long. An input that fails is printed: keep it in `corpus`.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use textbayes_core::counts::{Counting, MappedTerms, Vocabulary, count_text, count_text_hashed};
use textbayes_core::scores::Scorer;
use textbayes_core::statistics::{
    LabelledRows, Labels, Pairs, Rows, Statistics, Sums, Total, Totals, pack_rows, split_packed, unpack_rows,
};
use textbayes_core::text::Rules;
use textbayes_core::weights::{Correction, Weights};
use textbayes_core::{Column, Versioned};

/// XorShift64*.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

/// The files of the corpus.
fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the corpus").flatten().map(|file| file.path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a file of the corpus")).collect()
}

/// A file of the corpus with some bytes changed, removed, repeated or put in from another one.
fn changed(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..random.below(8) {
        let at = random.below(bytes.len() + 1);
        match random.below(4) {
            0 if at < bytes.len() => bytes[at] = random.next() as u8,
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 => bytes.insert(at, [0, 0x7f, 0x80, 0xff, b' ', b'a'][random.below(6)]),
            _ => {
                let other = &seeds[random.below(seeds.len())];
                let from = random.below(other.len() + 1);
                let part = other[from..(from + random.below(20)).min(other.len())].to_vec();
                bytes.splice(at..at, part);
            }
        }
    }
    bytes
}

fn fuzz(target: fn(&[u8])) {
    let seconds = std::env::var("FUZZ_SECONDS").ok().and_then(|text| text.parse::<u64>().ok());
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
    let mut random = Random(if seconds.is_some() { now | 1 } else { 42 });
    let end = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let (seeds, tries) = (seeds(), if cfg!(miri) { 5 } else { 300 });
    let mut done = 0;
    while end.map_or(done < tries, |end| Instant::now() < end) {
        let input = if done < seeds.len() { seeds[done].clone() } else { changed(&seeds, &mut random) };
        let outcome = catch_unwind(AssertUnwindSafe(|| target(&input)));
        assert!(outcome.is_ok(), "this input fails: {input:?}");
        done += 1;
    }
}

fn all_rules() -> Vec<Arc<Rules>> {
    let mut found = Vec::new();
    for tokens in ["words", "letters", "unicode", "symbols", r"(?u)\b\w\w+\b"] {
        for (unit, grams) in [("word", (1, 2)), ("char", (1, 3)), ("char_wb", (2, 4))] {
            for (numbers, stemmer) in [("keep", None), ("mark", Some("english"))] {
                let stop_words = HashSet::from(["the".to_owned(), "of".to_owned()]);
                let rules = Rules::new(unit == "word", tokens, unit, numbers, stop_words, stemmer, grams);
                let characters = (unit == "word" && stemmer.is_none()).then_some((3, 5));
                found.push(Arc::new(rules.expect("these rules exist").with_characters(characters)));
            }
        }
    }
    found
}

#[test]
fn texts() {
    let rules = all_rules();
    thread_local!(static RULES: std::cell::RefCell<Vec<Arc<Rules>>> = const { std::cell::RefCell::new(Vec::new()) });
    RULES.with(|own| *own.borrow_mut() = rules);
    fuzz(|bytes| {
        let text = String::from_utf8_lossy(bytes);
        RULES.with(|rules| rules.borrow().iter().for_each(|rules| tokenise_and_count(rules, &text)));
    });
}

/// Terms, their places in the text, and counts in one way and in another.
fn tokenise_and_count(rules: &Arc<Rules>, text: &str) {
    let terms = rules.terms_of(text);
    let length = text.chars().count();
    for span in rules.spans_of(text) {
        assert!(span.start <= span.end && span.end <= length, "{:?}", (span.start, span.end));
    }
    let mut expected: HashMap<&[u8], f64> = HashMap::new();
    terms.iter().for_each(|term| *expected.entry(term.as_bytes()).or_default() += 1.0);
    let mut counting = Counting::new(Arc::clone(rules), 2);
    counting.add(&[text, "", text]);
    let vocabulary = Versioned::new(Vocabulary::default());
    counting.name_and_grow(&vocabulary);
    let vocabulary = vocabulary.get();
    let rows = counting.into_rows();
    assert_eq!((rows.starts.len(), rows.starts[1], rows.starts[2]), (4, rows.starts[2], rows.starts[1]));
    let entries = 0..rows.starts[1] as usize;
    let found: HashMap<&[u8], f64> =
        entries.map(|at| (vocabulary.term(rows.columns[at] as u32), rows.counts[at] as f64)).collect();
    assert_eq!(found, expected);
    let (columns, counts) = count_text(rules, text, &vocabulary);
    assert_eq!(counts.iter().sum::<f64>(), terms.len() as f64);
    assert!(columns.iter().all(|&column| (column as usize) < vocabulary.len()));
    let (columns, _) = count_text_hashed(rules, text, 7);
    assert!(columns.iter().all(|column| (0..7).contains(column)));
}

#[test]
fn packed_rows() {
    fuzz(|bytes| {
        let (index, entries) = bytes.split_at(bytes.len() / 2);
        for rows in 0..6 {
            let Some(found) = unpack_rows(index, entries, rows, 50) else { continue };
            assert!(found.columns.iter().all(|column| (0..50).contains(column)));
            let packed = pack_rows(&found.starts, &found.columns, &found.counts);
            let again = packed.and_then(|packed| unpack_rows(&packed.index, &packed.entries, rows, 50));
            assert_eq!(again, Some(found));
        }
        for size in [0, 1, 3, usize::MAX] {
            let _ = split_packed(bytes, size);
        }
    });
}

#[test]
fn vocabularies() {
    fuzz(|bytes| {
        let (terms, numbers) = bytes.split_at(bytes.len() * 3 / 4);
        let ends: Vec<i64> = numbers.iter().map(|&byte| i64::from(byte as i8)).collect();
        for order in [Vec::new(), (0..ends.len() as u32).rev().collect()] {
            let terms: Column<u8> = terms.to_vec().into();
            let Some(mapped) = MappedTerms::new(terms, ends.clone().into(), order.into()) else { continue };
            let mut vocabulary = Vocabulary::from_mapped(mapped);
            for column in 0..vocabulary.len() as u32 {
                let _ = vocabulary.column(vocabulary.term(column));
            }
            let _ = (vocabulary.sorted(), vocabulary.arena(), vocabulary.kinds(0));
            let copy = vocabulary.select(&[]);
            vocabulary.join(&copy);
        }
    });
}

/// Totals whose numbers are bytes.
fn totals(bytes: &[u8], length: usize) -> Option<Totals> {
    let value = |at: usize| f64::from(bytes.get(at % bytes.len().max(1)).copied().unwrap_or(1));
    let high: Vec<f64> = (0..length).map(value).collect();
    let documents: Vec<u32> = (0..length).map(|at| value(at + 1) as u32).collect();
    Totals::from_parts(Sums::from_parts(high.into(), Column::default())?, documents.into(), None)
}

#[test]
fn statistics_and_scores() {
    fuzz(|bytes| {
        let (numbers, classes) = bytes.split_at(bytes.len() / 2);
        let mut starts: Vec<i64> = numbers.iter().map(|&byte| i64::from(byte as i8)).collect();
        starts.insert(0, 0);
        let classes: Vec<u32> = classes.iter().map(|&byte| u32::from(byte % 7)).collect();
        let made = || {
            let pair_totals = totals(bytes, classes.len())?;
            let pairs = Pairs::from_parts(starts.clone().into(), classes.clone().into(), pair_totals, 6)?;
            let terms = totals(bytes, starts.len() - 1)?;
            Statistics::from_parts(pairs, terms, totals(bytes, 6)?, Total::default())
        };
        let Some(mut statistics) = made() else { return };
        let _ = statistics.are_pairs_sound();
        score(&statistics, bytes);
        if statistics.own() {
            score(&statistics, bytes);
        }
    });
    fuzz(|bytes| {
        let mut statistics = Statistics::new(16);
        statistics.grow(16, 4);
        score(&statistics, bytes);
        let columns: Vec<i32> = (0..16)
            .filter(|at| bytes.get(*at).is_some_and(|byte| byte % 2 == 1))
            .map(|at| at as i32)
            .collect();
        let values: Vec<f64> = columns.iter().map(|&at| f64::from(bytes[at as usize])).collect();
        let starts = [0, columns.len() as i64];
        let rows = Rows { starts: &starts, columns: &columns, values: &values };
        let labels = Labels { starts: &[0, 1], classes: &[u32::from(bytes.len() as u8 % 4)] };
        let documents = LabelledRows { rows, labels, weights: None };
        statistics.add(documents);
        score(&statistics, bytes);
        assert!(statistics.subtract(documents).is_ok());
        assert!(statistics.pairs().is_empty());
    });
}

/// Score a row of some columns.
fn score(statistics: &Statistics, bytes: &[u8]) {
    let (terms, classes) = statistics.shape();
    let columns: Vec<i32> =
        (0..terms as i32).filter(|at| bytes.get(*at as usize).is_none_or(|byte| byte % 3 > 0)).collect();
    let values = vec![1.5; columns.len()];
    let starts = [0, columns.len() as i64];
    let rows = Rows { starts: &starts, columns: &columns, values: &values };
    assert!(rows.are_sound(terms));
    let weights = Weights {
        bias: vec![0.5; classes],
        corrections: vec![Correction::Class(vec![0.1; classes])],
        ..Default::default()
    };
    let scorer = Scorer::new(Arc::new(statistics.clone()), weights, (0..classes as u32).collect());
    let scores = scorer.scores(rows, 2);
    assert!(scores.len() == classes && scores.iter().all(|score| score.is_finite()));
    assert_eq!(scorer.first(rows, 1).len(), 1);
}
