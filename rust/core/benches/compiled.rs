//! A compiled blend, in microseconds per row: `cargo bench -p textbayes-core --bench compiled`.
//!
//! Rows are made up, with the word frequencies of English and one rare term in three; eight tables, 20 classes.

use std::sync::Arc;
use std::time::Instant;

use textbayes_core::scores::CompiledScorer;
use textbayes_core::statistics::{LabelledRows, Labels, Rows, Statistics};
use textbayes_core::weights::compiled::{
    BlendColumns, ClassParts, CompiledWeights, CountedTable, Form, Idf, Length, Live, Precision, Rule,
};
use textbayes_core::weights::{Correction, Weights};

const TERMS: usize = 500_000;
const CLASSES: usize = 20;
const DOCUMENTS: usize = 5_000;
const ENTRIES: usize = 350;
const TABLES: usize = 8;

/// Columns of all documents, rising in each.
fn columns() -> Vec<i32> {
    let mut seed = 1_u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as f64 / f64::from(1_u32 << 31)
    };
    let mut column = move || {
        let share = random();
        // A Zipf-like rank, uniform in its logarithm; or any term.
        let rank = if random() < 0.33 { share * TERMS as f64 } else { (share * (TERMS as f64).ln()).exp() };
        (rank as u64 * 2_654_435_761 % TERMS as u64) as i32
    };
    let mut all = Vec::with_capacity(DOCUMENTS * ENTRIES);
    for _ in 0..DOCUMENTS {
        let mut own: Vec<i32> = (0..ENTRIES).map(|_| column()).collect();
        own.sort_unstable();
        all.append(&mut own);
    }
    all
}

fn live(statistics: &Arc<Statistics>) -> Live {
    let rule = |alpha: f64| Rule {
        factor: (1..=CLASSES).map(|class| class as f64 / alpha).collect(),
        weights: Weights { corrections: vec![Correction::Complement(alpha)], ..Default::default() },
        default: None,
    };
    let table = |at: usize| CountedTable {
        form: at % 2,
        statistics: Arc::clone(statistics),
        rules: vec![rule(0.5 + at as f64)],
        length_constant: 1.0,
    };
    let frequencies = statistics.terms().documents().iter().map(|&documents| documents.into()).collect();
    let columns = BlendColumns { documents: DOCUMENTS as f64, frequencies, maps: Vec::new() };
    let classes = ClassParts {
        order: (0..CLASSES as u32).collect(),
        bias: vec![0.0; CLASSES],
        slopes: vec![0.5; TABLES * CLASSES],
        default_factors: Vec::new(),
    };
    let counted = (0..TABLES).map(table).collect();
    Live { columns: Arc::new(columns), classes: Arc::new(classes), counted }
}

fn timed<T>(name: &str, rows: usize, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    println!("{name:32} {:10.1} µs", start.elapsed().as_secs_f64() * 1e6 / rows as f64);
    result
}

fn main() {
    let columns = columns();
    let values = vec![1.0; columns.len()];
    let starts: Vec<i64> = (0..=DOCUMENTS).map(|at| (at * ENTRIES) as i64).collect();
    let rows = Rows { starts: &starts, columns: &columns, values: &values };
    let label_starts: Vec<i64> = (0..=DOCUMENTS as i64).collect();
    let classes: Vec<u32> = (0..DOCUMENTS as u32).map(|at| at * at % CLASSES as u32).collect();
    let labels = Labels { starts: &label_starts, classes: &classes };
    let mut statistics = Statistics::new(TERMS);
    statistics.grow(TERMS, CLASSES);
    statistics.add(LabelledRows { rows, labels, weights: None });
    let live = live(&Arc::new(statistics));
    let form = |length| Form { log: true, idf: Idf::Smooth, length, columns: None };
    let forms = vec![form(Length::L2), form(Length::None)];
    let weights = timed("compile, per term", TERMS, || {
        CompiledWeights::compile((forms.clone(), Precision::Half), &live, &[], 2)
    })
    .expect("the parts fit");
    println!("{:32} {:10.1} MB, {} rows", "", weights.rows.bytes.len() as f64 / 1e6, weights.rows.len());
    let weights = Arc::new(weights);
    let scorer = CompiledScorer::new(Arc::clone(&weights), None).expect("the parts fit");
    let one = Rows { starts: &starts[..2], columns: &columns[..ENTRIES], values: &values[..ENTRIES] };
    for threads in [1, 2] {
        let name = format!("score, per row, {threads} thread(s)");
        timed(&name, DOCUMENTS, || scorer.scores(rows, threads).expect("sound rows"));
    }
    let live = timed("live scorer", 1, || CompiledScorer::new(weights, Some(live))).expect("the parts fit");
    timed("first row of a live scorer", 1, || live.scores(one, 1).expect("sound rows"));
    timed("the same row again", 1, || live.scores(one, 1).expect("sound rows"));
}
