//! Stages of counting, in milliseconds: `TEXTBAYES_BENCH=file cargo bench -p textbayes-core`.
//!
//! The file holds texts separated by NUL; without one, made-up texts with the word frequencies of English.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use textbayes_core::counts::{Counting, Vocabulary};
use textbayes_core::text::{Rules, Scratch};
use textbayes_core::{Versioned, available_threads};

fn texts() -> Vec<String> {
    if let Some(path) = std::env::var_os("TEXTBAYES_BENCH") {
        let text = std::fs::read_to_string(path).expect("TEXTBAYES_BENCH names a readable file");
        return text.split('\0').map(str::to_owned).collect();
    }
    let mut seed = 1_u64;
    let mut word = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        // A Zipf-like rank: uniform in its logarithm.
        let rank = (((seed >> 33) as f64 / f64::from(1_u32 << 31)) * 12.0).exp() as u64;
        format!("w{rank}ord ")
    };
    (0..10_000).map(|i| (0..100 + i % 400).map(|_| word()).collect()).collect()
}

fn timed<T>(name: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    println!("{name:<24}{:>9.2} ms", start.elapsed().as_secs_f64() * 1e3);
    result
}

fn main() {
    let texts = texts();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let rules = Rules::new(true, "words", "word", "keep", HashSet::new(), None, (1, 1));
    let rules = Arc::new(rules.expect("rules"));
    println!("{} texts, {} bytes", texts.len(), texts.iter().map(|text| text.len()).sum::<usize>());
    for threads in [1, available_threads()] {
        println!("-- {threads} threads");
        let mut scratch = Scratch::default();
        let mut tokens = 0_usize;
        timed("tokens only, 1 thread", || {
            for text in &texts {
                rules.each_batch(text, &mut scratch, |_, _, batch| tokens += batch.len());
            }
        });
        println!("{tokens} tokens");
        let mut counting = Counting::new(rules.clone(), threads);
        let vocabulary = Versioned::new(Vocabulary::default());
        timed("count", || counting.add(&texts));
        timed("name", || counting.name_and_grow(&vocabulary));
        let rows = timed("rows", || counting.into_rows());
        println!("{} terms, {} entries", vocabulary.get().len(), rows.columns.len());
    }
}
