//! Any sequence of copies, changes and drops over several versions gives what deep copies give, to the bit.

#![allow(missing_docs)]

use std::sync::Arc;

use proptest::prelude::*;
use textbayes_core::counts::Vocabulary;
use textbayes_core::statistics::{LabelledRows, Labels, PairCache, Rows, Statistics, Totals};
use textbayes_core::weights::compiled::{BlendColumns, CompiledWeights, TableChange};
use textbayes_core::{Undoable, Versioned};

/// What is done, to which version, and with which numbers.
type Step = (u8, usize, u64);

fn steps() -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec((0..9_u8, 0..6_usize, any::<u64>()), 1..60)
}

/// Random numbers of a step.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    /// Some numbers below an end, rising.
    fn some(&mut self, most: u64, end: usize) -> Vec<u32> {
        let mut found: Vec<u32> = (0..self.below(most)).map(|_| self.below(end as u64) as u32).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Labelled rows of a few documents.
#[derive(Default)]
struct Documents {
    starts: Vec<i64>,
    columns: Vec<i32>,
    values: Vec<f64>,
    label_starts: Vec<i64>,
    classes: Vec<u32>,
    weights: Option<Vec<f64>>,
}

impl Documents {
    fn new(seed: u64, (terms, classes): (usize, usize)) -> Self {
        let mut numbers = Numbers(seed);
        let mut made = Self { starts: vec![0], label_starts: vec![0], ..Self::default() };
        let (weighted, divisor) = (numbers.below(4) == 0, if numbers.below(4) == 0 { 3.0 } else { 1.0 });
        let count = 1 + numbers.below(3);
        for _ in 0..count {
            for column in numbers.some(6, terms) {
                made.columns.push(column as i32);
                made.values.push((1 + numbers.below(5)) as f64 / divisor);
            }
            made.starts.push(made.columns.len() as i64);
            made.classes.extend(numbers.some(3, classes));
            made.label_starts.push(made.classes.len() as i64);
        }
        made.weights = weighted.then(|| (0..count).map(|_| numbers.below(4) as f64 / 3.0).collect());
        made
    }

    fn rows(&self) -> LabelledRows<'_, f64> {
        LabelledRows {
            rows: Rows { starts: &self.starts, columns: &self.columns, values: &self.values },
            labels: Labels { starts: &self.label_starts, classes: &self.classes },
            weights: self.weights.as_deref(),
        }
    }
}

type Bits = Vec<Vec<u64>>;

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn totals_state(totals: &Totals, places: &[usize]) -> Bits {
    let at = |column: &[f64]| -> Vec<u64> {
        if column.is_empty() { vec![] } else { places.iter().map(|&place| column[place].to_bits()).collect() }
    };
    let (values, weights) = totals.sums();
    let mut state = vec![at(values.parts().0), at(values.parts().1)];
    state.push(places.iter().map(|&place| totals.documents()[place].into()).collect());
    if let Some(weights) = weights {
        state.extend([at(weights.parts().0), at(weights.parts().1)]);
    }
    state
}

/// Everything that a file has of the sums.
fn state(sums: &Statistics) -> Bits {
    let (pairs, classes) = (sums.pairs(), sums.pairs().classes());
    let places: Vec<usize> = pairs.iter().map(|(_, place)| place).collect();
    let mut state: Bits =
        vec![pairs.iter().map(|(term, place)| u64::from(term) << 32 | u64::from(classes[place])).collect()];
    state.extend(totals_state(pairs.totals(), &places));
    state.extend(totals_state(sums.terms(), &(0..sums.terms().len()).collect::<Vec<_>>()));
    state.extend(totals_state(sums.classes(), &(0..sums.classes().len()).collect::<Vec<_>>()));
    let (values, weight) = (sums.all().values.parts(), sums.all().weight.parts());
    state.push(bits(&[values.0, values.1, weight.0, weight.1, f64::from(sums.all().documents)]));
    state.push(vec![pairs.len() as u64, sums.changes().stamps().len() as u64]);
    state
}

/// What a cache that goes from version to version says of each pair, and what is true.
fn cached(sums: &Statistics, cache: &mut PairCache<u64>) -> (Vec<u64>, Vec<u64>) {
    let values = sums.pairs().totals().values();
    cache.refresh(sums.pairs(), sums.changes(), |term, own| {
        own.iter_mut().zip(sums.pairs().range(term)).for_each(|(own, place)| *own = values[place].to_bits());
    });
    sums.pairs().iter().map(|(_, place)| (cache.values()[place], values[place].to_bits())).unzip()
}

/// Compare some versions with the deep copies beside them.
fn check<T: Undoable, S: PartialEq + std::fmt::Debug>(
    versions: &[(Versioned<T>, T)],
    state: impl Fn(&T) -> S,
    which: impl Fn(usize) -> bool,
) {
    for (at, (version, expected)) in versions.iter().enumerate().filter(|(at, _)| which(*at)) {
        assert_eq!(state(&version.get()), state(expected), "version {at}");
    }
}

/// Some versions are read at once, some only later.
fn is_read_now(seed: u64) -> impl Fn(usize) -> bool {
    move |at| seed >> (at % 8) & 3 == 0
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn statistics(first in 0..60_u64, steps in steps()) {
        let mut start = Statistics::new(30);
        start.grow(30, 4);
        // With many pairs changes are recorded, with few everything is copied.
        (0..first).for_each(|seed| start.add(Documents::new(seed, (30, 4)).rows()));
        let mut versions = vec![(Versioned::new(start.clone()), start)];
        let mut readers: Vec<(Arc<Statistics>, Bits)> = vec![];
        let mut cache = PairCache::default();
        for (what, which, seed) in steps {
            let (at, several) = (which % versions.len(), versions.len() > 1);
            let (version, expected) = &mut versions[at];
            let shape = expected.shape();
            match what {
                0 | 1 => {
                    let twin = (version.copy(), expected.clone());
                    versions.push(twin);
                }
                2 | 3 => {
                    let documents = Documents::new(seed, shape);
                    version.add(documents.rows()).expect("sound");
                    expected.add(documents.rows());
                }
                4 => {
                    // Documents of the beginning, or others that were never added.
                    let documents = Documents::new(seed % 80, (30, 4));
                    let done = version.subtract(documents.rows());
                    prop_assert_eq!(done.is_ok(), expected.subtract(documents.rows()).is_ok());
                }
                5 => {
                    let (terms, classes) = (shape.0 + seed as usize % 3 * 17, shape.1 + seed as usize % 2);
                    version.grow(terms, classes).expect("sound");
                    expected.grow(terms, classes);
                }
                6 => {
                    let mut other = Statistics::new(9);
                    other.grow(9, 2);
                    other.add(Documents::new(seed, (9, 2)).rows());
                    let here = |term: usize| (term + seed as usize % 3) % shape.0;
                    version.merge(&other, &[1, 0], here).expect("sound");
                    expected.merge(&other, &[1, 0], here);
                }
                7 if several => drop(versions.swap_remove(at)),
                _ => {
                    readers.truncate(1);
                    readers.push((version.get(), state(expected)));
                }
            }
            check(&versions, state, is_read_now(seed));
            let (version, _) = &versions[seed as usize % versions.len()];
            let (found, expected) = cached(&version.get(), &mut cache);
            prop_assert_eq!(found, expected);
        }
        check(&versions, state, |_| true);
        for (reader, expected) in readers {
            prop_assert_eq!(state(&reader), expected);
        }
    }

    #[test]
    fn vocabularies(steps in steps()) {
        let words: Vec<String> = (0..40).map(|at| format!("{}{at}", "long ".repeat(at % 7))).collect();
        let words = |seed: u64| {
            let mut numbers = Numbers(seed);
            (0..numbers.below(6)).map(|_| words[numbers.below(40) as usize].as_bytes()).collect::<Vec<_>>()
        };
        let state = |own: &Vocabulary| {
            let mut columns: Vec<u32> = (0..own.len() as u32).collect();
            columns.sort_by_key(|&column| own.key(column));
            let found: Vec<_> = (0..own.len() as u32).map(|column| own.column(own.term(column))).collect();
            (own.arena().0.to_vec(), own.arena().1, columns, own.sorted(), found)
        };
        let deep = |own: &Vocabulary| {
            let terms: Vec<&[u8]> = (0..own.len() as u32).map(|column| own.term(column)).collect();
            Vocabulary::new(terms.into_iter())
        };
        let mut versions = vec![(Versioned::new(Vocabulary::default()), Vocabulary::default())];
        for (what, which, seed) in steps {
            let (at, several) = (which % versions.len(), versions.len() > 1);
            let (version, expected) = &mut versions[at];
            match what {
                0 | 1 => {
                    let twin = (version.copy(), deep(expected));
                    versions.push(twin);
                }
                2..=4 => {
                    version.grow(|own| own.extend(words(seed).into_iter()));
                    expected.extend(words(seed).into_iter());
                }
                5 => {
                    let other = Vocabulary::new(words(seed).into_iter());
                    prop_assert_eq!(version.grow(|own| own.join(&other)), expected.join(&other));
                }
                7 if several => drop(versions.swap_remove(at)),
                _ => prop_assert_eq!(state(&version.get()), state(expected)),
            }
            check(&versions, state, is_read_now(seed));
        }
        check(&versions, state, |_| true);
    }

    #[test]
    fn columns_of_blends(steps in steps()) {
        let state = |own: &BlendColumns| (bits(&own.frequencies), own.maps.clone());
        let more = |seed: u64, maps: usize| {
            let width = seed as usize % 4;
            let maps = vec![vec![seed as i32; width]; maps];
            BlendColumns { documents: 0.0, frequencies: vec![seed as f64; width], maps }
        };
        let mut versions = vec![(Versioned::new(more(1, 2)), more(1, 2))];
        for (what, which, seed) in steps {
            let (at, several) = (which % versions.len(), versions.len() > 1);
            let (version, expected) = &mut versions[at];
            match what {
                0..=2 => {
                    let twin = (version.copy(), expected.clone());
                    versions.push(twin);
                }
                3..=5 => {
                    prop_assert!(version.append(more(seed, 2)));
                    expected.append(more(seed, 2));
                }
                6 => prop_assert!(!version.append(more(seed, 3))),
                7 if several => drop(versions.swap_remove(at)),
                _ => prop_assert_eq!(state(&version.get()), state(expected)),
            }
            check(&versions, state, is_read_now(seed));
        }
        check(&versions, state, |_| true);
    }

    #[test]
    fn compiled_weights(steps in steps()) {
        let state = |own: &CompiledWeights| {
            let (columns, rows) = own.changed_rows();
            (columns, rows.starts.to_vec(), rows.bytes.to_vec())
        };
        let first = || CompiledWeights { table_forms: vec![0, 0], ..CompiledWeights::default() };
        let mut versions = vec![(Versioned::new(first()), first())];
        for (what, which, seed) in steps {
            let (at, several) = (which % versions.len(), versions.len() > 1);
            let (version, expected) = &mut versions[at];
            match what {
                0..=2 => {
                    let twin = (version.copy(), expected.clone());
                    versions.push(twin);
                }
                3..=6 => {
                    let mut numbers = Numbers(seed);
                    // A column may be there twice.
                    let columns: Vec<i32> = (0..numbers.below(5)).map(|_| numbers.below(9) as i32).collect();
                    let values: Vec<f64> = columns.iter().map(|_| numbers.below(4) as f64).collect();
                    let steps = vec![(1, 0.5), (3 + numbers.below(3) as u32, -1.5)];
                    let changes = [TableChange { table: numbers.below(2) as usize, values: &values, steps }];
                    version.add_outer(&columns, &changes).expect("sound");
                    expected.add_outer(&columns, &changes).expect("sound");
                }
                7 if several => drop(versions.swap_remove(at)),
                _ => prop_assert_eq!(state(&version.get()), state(expected)),
            }
            check(&versions, state, is_read_now(seed));
        }
        check(&versions, state, |_| true);
    }
}
