//! Scores of rows by compiled weights, or by their live tables.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::adding::Entry;
use super::cache::RowCache;
use super::reading::{RowReader, Scratch};
use crate::memory;
use crate::scores::scorer::push_best;
use crate::statistics::{Rows, Value};
use crate::threads::{fill_rows, on_threads, take_front};
use crate::weights::compiled::{
    Base, ClassParts, CompiledWeights, Damaged, Encoder, Layout, Live, Measuring, Sources,
};

/// Compiled weights made ready to score rows.
///
/// With live tables, the row of a term is computed from them when it is first needed, in the form of a stored row. So
/// stored and computed rows are read by the same code, and give the same bits.
///
/// A scorer shares ownership of its weights and statistics: drop it before these change, or they are copied.
pub struct CompiledScorer {
    weights: Arc<CompiledWeights>,
    live: Option<Live>,
    layout: Layout,
    measuring: Measuring,
    cache: RowCache,
    width: usize,
    /// The tables with slopes.
    sloped: Vec<usize>,
}

/// The columns and values of a row.
type Entries<'a, V> = (&'a [i32], &'a [V]);

impl CompiledScorer {
    /// Score with these weights; `None` if the live tables do not fit them.
    pub fn new(weights: Arc<CompiledWeights>, live: Option<Live>) -> Option<Self> {
        if live.as_ref().is_some_and(|live| !weights.takes(live)) {
            return None;
        }
        let columns = live.as_ref().map(|live| &live.columns);
        let width = columns.map_or(weights.width(), |columns| columns.width());
        let documents = columns.map_or(weights.documents, |columns| columns.documents);
        let is_computed = live.is_some() || !weights.overlay.is_empty();
        let mut scorer = Self {
            layout: weights.live_layout(live.as_ref()),
            measuring: Measuring::new(&weights.forms, documents),
            cache: RowCache::new(if is_computed { width } else { 0 }),
            width,
            sloped: Vec::new(),
            weights,
            live,
        };
        let has_slope = |&table: &usize| scorer.classes().slopes_of(table).iter().any(|&slope| slope != 0.0);
        scorer.sloped = (0..scorer.weights.table_forms.len()).filter(has_slope).collect();
        Some(scorer)
    }

    /// How many columns rows may have.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many classes are scored.
    pub fn len(&self) -> usize {
        self.classes().len()
    }

    /// True when no class is scored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The biases of the classes at some positions; `None` if there is no such class.
    pub fn biases(&self, classes: &[u32]) -> Option<Vec<f64>> {
        classes.iter().map(|&class| self.classes().bias.get(class as usize).copied()).collect()
    }

    /// The weights.
    pub fn weights(&self) -> &Arc<CompiledWeights> {
        &self.weights
    }

    /// The scores of every row and class, row by row.
    pub fn scores<V: Value>(&self, rows: Rows<V>, threads: usize) -> Result<Vec<f64>, Damaged> {
        let width = self.len();
        let (mut scores, damaged) = (memory::zeros(rows.len() * width), AtomicBool::new(false));
        fill_rows(&mut scores, width, rows.split(threads), |range, mut part| {
            let (reader, mut scratch) = self.scratch();
            for row in range {
                let out = take_front(&mut part, width);
                if self.score_row(rows.entries(row), &reader, &mut scratch, out).is_err() {
                    damaged.store(true, Ordering::Relaxed);
                    return;
                }
            }
        });
        if damaged.into_inner() { Err(Damaged) } else { Ok(scores) }
    }

    /// The `k` best positions of each row and their scores, best first; of equal ones the first comes first.
    pub fn best<V: Value>(
        &self,
        rows: Rows<V>,
        k: usize,
        threads: usize,
    ) -> Result<(Vec<u32>, Vec<f64>), Damaged> {
        let k = k.min(self.len());
        let found = on_threads(rows.split(threads), |range| {
            let (reader, mut scratch) = self.scratch();
            let mut scores = memory::zeros(self.len());
            let mut best = memory::with_capacity(range.len() * k);
            for row in range {
                self.score_row(rows.entries(row), &reader, &mut scratch, &mut scores)?;
                push_best(&scores, k, &mut best);
            }
            Ok(best)
        });
        let found: Result<Vec<_>, Damaged> = found.into_iter().collect();
        Ok(found?.into_iter().flatten().unzip())
    }

    /// The best position of each row; of equal ones the first.
    pub fn first<V: Value>(&self, rows: Rows<V>, threads: usize) -> Result<Vec<u32>, Damaged> {
        self.best(rows, 1, threads).map(|(best, _)| best)
    }

    /// What each entry of a row adds to the scores of the classes at some positions, entry by entry.
    pub fn contributions<V: Value>(&self, row: Entries<V>, classes: &[u32]) -> Result<Vec<f64>, Damaged> {
        let (reader, mut scratch) = self.scratch();
        self.read(row, &reader, &mut scratch)?;
        let mut all = memory::zeros(row.0.len() * classes.len());
        for number in 0..scratch.row.entries.len() {
            scratch.set_to_entry(number, self.layout)?;
            let entry = scratch.row.entries[number];
            let own = &mut all[entry.place * classes.len()..][..classes.len()];
            for (sum, &class) in own.iter_mut().zip(classes) {
                *sum = scratch.sums[self.classes().order[class as usize] as usize];
            }
            let value =
                |form: u32| scratch.row.factors[form as usize] * entry.value(reader.forms, form as usize);
            for &table in &self.sloped {
                let value = value(self.weights.table_forms[table]);
                add_picked(own, classes, value, self.classes().slopes_of(table));
            }
            let defaults = self.weights.default_forms.iter().zip(entry.weights.defaults());
            for (number, (&form, default)) in defaults.enumerate() {
                let value = value(form) * f64::from(default);
                add_picked(own, classes, value, self.classes().default_factors_of(number));
            }
        }
        Ok(all)
    }

    /// What one table adds to the scores of a row: ρ · (slope · Σ v + Σ v · cell).
    pub fn table_scores<V: Value>(&self, row: Entries<V>, table: usize) -> Result<Vec<f64>, Damaged> {
        let (reader, mut scratch) = self.scratch();
        self.read(row, &reader, &mut scratch)?;
        let form = self.weights.table_forms[table] as usize;
        let (factor, sum) = (scratch.row.factors[form], scratch.row.sums[form]);
        scratch.factors.iter_mut().enumerate().for_each(|(at, factor)| {
            if at != table {
                *factor = 0.0;
            }
        });
        scratch.sums.fill(0.0);
        scratch.add_cells(self.layout)?;
        let slopes = self.classes().slopes_of(table);
        let score = |(&slot, slope): (&u32, &f64)| factor * sum * slope + scratch.sums[slot as usize];
        Ok(self.classes().order.iter().zip(slopes).map(score).collect())
    }

    /// A row in one form, divided by its length: the value of each entry, 0 where the form does not use the term.
    pub fn form_values<V: Value>(&self, row: Entries<V>, form: usize) -> Result<Vec<f64>, Damaged> {
        let (reader, mut scratch) = self.scratch();
        self.read(row, &reader, &mut scratch)?;
        let mut values = memory::zeros(row.0.len());
        for entry in &scratch.row.entries {
            values[entry.place] = scratch.row.factors[form] * entry.value(reader.forms, form);
        }
        Ok(values)
    }

    fn classes(&self) -> &ClassParts {
        self.live.as_ref().map_or(&self.weights.classes, |live| &live.classes)
    }

    fn scratch(&self) -> (RowReader<'_>, Scratch<'_>) {
        let weights = &*self.weights;
        let reader = RowReader { forms: &weights.forms, layout: self.layout, measuring: self.measuring };
        let sources = Sources { blend: weights, base: Base::Compiled(weights), live: self.live.as_ref() };
        let scratch = Scratch::new(&reader, &weights.table_forms, Encoder::new(sources, self.layout));
        (reader, scratch)
    }

    /// Read a row, with its factor in each table.
    fn read<'a, V: Value>(
        &'a self,
        row: Entries<V>,
        reader: &RowReader<'a>,
        scratch: &mut Scratch<'a>,
    ) -> Result<(), Damaged> {
        let weights = &*self.weights;
        let Scratch { row: read, encoder, factors, .. } = scratch;
        read.read(row, reader, |columns, found| {
            if self.live.is_none() && weights.overlay.is_empty() {
                return weights.append_rows(columns, found);
            }
            for &column in columns {
                let is_stored = self.live.is_none() && !weights.overlay.contains_key(&(column as u32));
                let column = column as usize;
                found.push(if is_stored {
                    weights.row_bytes(column)?
                } else {
                    self.cache.get(column, || encoder.encode(column))?
                });
            }
            Ok(())
        })?;
        for (table, (factor, &form)) in factors.iter_mut().zip(&weights.table_forms).enumerate() {
            *factor = read.factors[form as usize] * weights.scale(table);
        }
        Ok(())
    }

    fn score_row<'a, V: Value>(
        &'a self,
        row: Entries<V>,
        reader: &RowReader<'a>,
        scratch: &mut Scratch<'a>,
        out: &mut [f64],
    ) -> Result<(), Damaged> {
        self.read(row, reader, scratch)?;
        let (weights, classes) = (&*self.weights, self.classes());
        out.copy_from_slice(&classes.bias);
        for &table in &self.sloped {
            let form = weights.table_forms[table] as usize;
            let mass = scratch.row.factors[form] * scratch.row.sums[form];
            out.iter_mut().zip(classes.slopes_of(table)).for_each(|(score, slope)| *score += mass * slope);
        }
        for (number, &form) in weights.default_forms.iter().enumerate() {
            let form = form as usize;
            let default = |entry: &Entry| f64::from(entry.weights.defaults().nth(number).unwrap_or(0.0));
            let entries = scratch.row.entries.iter();
            let sum: f64 = entries.map(|entry| entry.value(reader.forms, form) * default(entry)).sum();
            let sum = scratch.row.factors[form] * sum;
            let factors = classes.default_factors_of(number);
            out.iter_mut().zip(factors).for_each(|(score, factor)| *score += sum * factor);
        }
        scratch.sums.fill(0.0);
        for (&slot, &score) in classes.order.iter().zip(&*out) {
            scratch.sums[slot as usize] = score;
        }
        scratch.add_cells(self.layout)?;
        for (score, &slot) in out.iter_mut().zip(&classes.order) {
            *score = scratch.sums[slot as usize];
        }
        Ok(())
    }
}

/// Add value · weight to sums, for the weights of some classes.
fn add_picked(sums: &mut [f64], classes: &[u32], value: f64, weights: &[f64]) {
    sums.iter_mut().zip(classes).for_each(|(sum, &class)| *sum += value * weights[class as usize]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{LabelledRows, Labels, Statistics};
    use crate::weights::compiled::{
        BlendColumns, CountedTable, FittedPairs, Form, Idf, LearnedTable, Length, Precision, Rule,
        TableChange, TermDefault,
    };
    use crate::weights::{Correction, Weights};

    const ROWS: Rows<f64> =
        Rows { starts: &[0, 3, 3, 5], columns: &[0, 2, 3, 1, 3], values: &[1.0, 2.0, 1.0, 1.0, 4.0] };

    fn statistics(slots: usize, labels: &[u32]) -> Arc<Statistics> {
        let mut statistics = Statistics::new(4);
        statistics.grow(4, slots);
        let labels = Labels { starts: &[0, 1, 2, 3], classes: labels };
        statistics.add(LabelledRows { rows: ROWS, labels, weights: None });
        Arc::new(statistics)
    }

    fn live(statistics: &Arc<Statistics>) -> Live {
        let slots = statistics.classes().len();
        let rule = Rule {
            factor: (1..=slots).map(|slot| slot as f64).collect(),
            weights: Weights {
                corrections: vec![Correction::Complement(0.5), Correction::Class(vec![2.0; slots])],
                ..Default::default()
            },
            default: Some((TermDefault::Total(0.5), 0)),
        };
        let counted = CountedTable {
            form: 0,
            statistics: Arc::clone(statistics),
            rules: vec![rule],
            length_constant: 0.5,
        };
        let classes = ClassParts {
            order: (0..slots as u32).rev().collect(),
            bias: vec![0.5; slots],
            slopes: (0..2 * slots).map(|at| at as f64 / 8.0).collect(),
            default_factors: vec![-1.0; slots],
        };
        let columns = BlendColumns {
            documents: 3.0,
            frequencies: vec![1.0, 1.0, 1.0, 2.0],
            maps: vec![vec![-1, 0, 1, 2]],
        };
        Live { columns: Arc::new(columns), classes: Arc::new(classes), counted: vec![counted] }
    }

    fn compiled(live: &Live) -> Arc<CompiledWeights> {
        let form = |length, columns| Form { log: true, idf: Idf::Smooth, length, columns };
        let fitted = FittedPairs {
            factor: vec![1.0; live.classes.slots()],
            starts: vec![0, 1, 1, 3],
            classes: vec![0, 0, 1],
            values: vec![0.25, -1.5, 2.0],
        };
        let learned = LearnedTable { form: 1, length_constant: 1.0, members: vec![fitted] };
        let forms = vec![form(Length::None, None), form(Length::L2, Some(0))];
        Arc::new(CompiledWeights::compile((forms, Precision::Half), live, &[&learned], 1).expect("it fits"))
    }

    fn scores(weights: &Arc<CompiledWeights>, live: Option<Live>) -> Vec<f64> {
        let scorer = CompiledScorer::new(Arc::clone(weights), live).expect("it fits");
        scorer.scores(ROWS, 2).expect("sound")
    }

    #[test]
    fn stored_and_live_rows_give_the_same_bits() {
        let live = live(&statistics(2, &[0, 1, 1]));
        let weights = compiled(&live);
        let expected = scores(&weights, None);
        assert_eq!(scores(&weights, Some(live.clone())), expected);
        assert_eq!(scores(&Arc::new(weights.recompile(Some(&live), 2).expect("sound")), None), expected);
        // The second row is empty.
        assert_eq!(expected[2..4], [0.5, 0.5]);
    }

    #[test]
    fn changes_are_added_for_new_classes_too() {
        let mut weights = compiled(&live(&statistics(2, &[0, 1, 1])));
        let after = live(&statistics(3, &[0, 1, 2]));
        let before = scores(&weights, Some(after.clone()));
        let scorer = CompiledScorer::new(Arc::clone(&weights), Some(after.clone())).expect("it fits");
        let row = (&[1, 3][..], &[1.0, 4.0][..]);
        let values = scorer.form_values(row, 1).expect("sound");
        drop(scorer);
        let change = TableChange { table: 1, values: &values, steps: vec![(2, 3.0)] };
        Arc::make_mut(&mut weights).add_outer(row.0, &[change]).expect("sound");
        let found = scores(&weights, Some(after));
        // The last row has length 1, so a step of 3 moves its score by 3, up to rounding; class 2 comes first.
        assert!((found[6] - before[6] - 3.0).abs() < 0.01);
        assert_eq!(found[7..], before[7..]);
    }

    #[test]
    fn a_damaged_row_is_an_error() {
        let weights = compiled(&live(&statistics(2, &[0, 1, 1])));
        let mut broken = CompiledWeights::clone(&weights);
        broken.row_of[3] = 99;
        let scorer = CompiledScorer::new(Arc::new(broken), None).expect("it fits");
        assert_eq!(scorer.scores(ROWS, 1), Err(Damaged));
        assert_eq!(scorer.first(ROWS, 1), Err(Damaged));
        assert_eq!(scorer.contributions(ROWS.entries(0), &[0]), Err(Damaged));
    }
}
