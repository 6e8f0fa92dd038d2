//! What a blend is compiled from: columns, classes, and the tables of its members.

use std::sync::Arc;

use super::form::Form;
use super::row::MOST_FORMS;
use crate::memory;
use crate::statistics::Statistics;
use crate::versioned::{Undoable, Versioned};
use crate::weights::Weights;

/// More classes than any model has; a file that names a larger one is damaged.
pub const MOST_SLOTS: u32 = 1 << 24;

/// The columns of a blend: document frequencies, and the columns that forms use.
#[derive(Debug, Clone, Default)]
pub struct BlendColumns {
    /// The number of documents, or the sum of their weights.
    pub documents: f64,
    /// The document frequency of each column; a new term's, where it is not positive, counts as 1.
    pub frequencies: Vec<f64>,
    /// For each group of forms, the number of each column in the group's own statistics, or −1.
    pub maps: Vec<Vec<i32>>,
}

impl BlendColumns {
    /// How many columns there are.
    pub fn width(&self) -> usize {
        self.frequencies.len()
    }

    /// True when every map has all columns.
    pub fn are_sound(&self) -> bool {
        self.maps.iter().all(|map| map.len() == self.width())
    }

    /// Append columns.
    pub fn append(&mut self, mut more: Self) {
        self.frequencies.append(&mut more.frequencies);
        for (map, more) in self.maps.iter_mut().zip(&mut more.maps) {
            map.append(more);
        }
    }

    /// Keep only the first columns.
    pub fn truncate(&mut self, width: usize) {
        self.frequencies.truncate(width);
        self.maps.iter_mut().for_each(|map| map.truncate(width));
    }

    /// The document frequency of a column.
    pub fn documents_with(&self, column: usize) -> f64 {
        self.frequencies.get(column).copied().filter(|&documents| documents > 0.0).unwrap_or(1.0)
    }

    /// The number of a column in the statistics of a form; `None` when the form does not use it.
    #[inline]
    pub fn own_column(&self, form: &Form, column: usize) -> Option<usize> {
        let Some(map) = form.columns else { return Some(column) };
        self.maps.get(map)?.get(column).and_then(|&own| usize::try_from(own).ok())
    }

    /// The forms that use a column, one bit each.
    pub fn forms_with(&self, forms: &[Form], column: usize) -> u32 {
        let uses = |form: &Form| self.own_column(form, column).is_some();
        forms.iter().enumerate().fold(0, |used, (number, form)| used | u32::from(uses(form)) << number)
    }
}

/// Columns are appended, so that their number says what was there.
impl Undoable for BlendColumns {
    type Undo = usize;

    fn weight(&self) -> usize {
        self.width()
    }

    fn undo_weight(_undo: &usize) -> usize {
        1
    }

    fn undo(&mut self, width: &usize) {
        self.truncate(*width);
    }
}

impl Versioned<BlendColumns> {
    /// Append columns; false if they have another number of maps, and nothing changed.
    pub fn append(&self, more: BlendColumns) -> bool {
        let fit = |own: &BlendColumns| if own.maps.len() == more.maps.len() { Ok(more) } else { Err(()) };
        self.change(fit, |own, _| Some(own.width()), BlendColumns::append).is_ok()
    }
}

/// What a score has that depends on its class alone. Vectors are in the order of the scores.
#[derive(Debug, Clone, Default)]
pub struct ClassParts {
    /// The number of each class in cells.
    pub order: Vec<u32>,
    /// Added to each class's score.
    pub bias: Vec<f64>,
    /// For each table, the weight of a row's sum in each class.
    pub slopes: Vec<f64>,
    /// For each default column, its weight in each class.
    pub default_factors: Vec<f64>,
}

impl ClassParts {
    /// How many classes are scored.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// True when no class is scored.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// True when the vectors are for this many tables and default columns, and no class is there twice.
    pub fn are_sound(&self, tables: usize, defaults: usize) -> bool {
        let classes = self.len();
        let fit = self.bias.len() == classes
            && self.slopes.len() == tables * classes
            && self.default_factors.len() == defaults * classes;
        let mut slots = self.order.clone();
        slots.sort_unstable();
        fit && slots.windows(2).all(|pair| pair[0] < pair[1])
            && slots.last().is_none_or(|&last| last < MOST_SLOTS)
    }

    /// One more than the largest number of a class.
    pub fn slots(&self) -> usize {
        self.order.iter().max().map_or(0, |&last| last as usize + 1)
    }

    /// For each number, whether its class is scored.
    pub fn scored(&self) -> Vec<bool> {
        let mut scored = memory::filled(self.slots(), false);
        self.order.iter().for_each(|&slot| scored[slot as usize] = true);
        scored
    }

    /// The slopes of a table.
    pub fn slopes_of(&self, table: usize) -> &[f64] {
        &self.slopes[table * self.len()..][..self.len()]
    }

    /// The weights of a default column.
    pub fn default_factors_of(&self, default: usize) -> &[f64] {
        &self.default_factors[default * self.len()..][..self.len()]
    }
}

/// A default of every term, from the term's sum n_t.
#[derive(Debug, Clone, Copy)]
pub enum TermDefault {
    /// −ln(n_t + a).
    Total(f64),
    /// −ln(1 + n_t / a).
    Ratio(f64),
}

impl TermDefault {
    /// The default of a term with this sum.
    fn value(self, total: f64) -> f64 {
        match self {
            Self::Total(alpha) => -(total + alpha).ln(),
            Self::Ratio(alpha) => -(total / alpha).ln_1p(),
        }
    }
}

/// How a member's cells come from its sums.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The factor of each class, by its number.
    pub factor: Vec<f64>,
    /// Only their corrections are used.
    pub weights: Weights,
    /// The default of a term, and the number of its column.
    pub default: Option<(TermDefault, usize)>,
}

/// A table whose cells are computed from sums.
#[derive(Debug, Clone)]
pub struct CountedTable {
    /// The number of its form.
    pub form: usize,
    /// The sums, over the columns that the form uses.
    pub statistics: Arc<Statistics>,
    /// Its members.
    pub rules: Vec<Rule>,
    /// The factor of all cells.
    pub length_constant: f64,
}

impl CountedTable {
    /// Append the (class, cell) pairs of a term; a cell is the sum over the rules of factor × correction.
    pub fn append_cells(&self, column: usize, scored: &[bool], cells: &mut Vec<(u32, f64)>) {
        let (pairs, total) = (self.statistics.pairs(), self.total(column));
        if column >= pairs.terms() {
            return;
        }
        let range = pairs.range(column);
        let own = pairs.classes()[range.clone()].iter().zip(&pairs.totals().values()[range]);
        let own = own.filter(|(class, _)| scored.get(**class as usize) == Some(&true));
        cells.extend(own.map(|(&class, &pair)| {
            let at = class as usize;
            let summand = |rule: &Rule| rule.factor[at] * rule.weights.correction(at, pair, total);
            (class, self.rules.iter().map(summand).sum::<f64>() * self.length_constant)
        }));
    }

    /// Add the defaults of a term to those of the default columns.
    pub fn add_defaults(&self, column: usize, defaults: &mut [f32]) {
        for (default, number) in self.rules.iter().filter_map(|rule| rule.default) {
            defaults[number] += default.value(self.total(column)) as f32;
        }
    }

    fn total(&self, column: usize) -> f64 {
        self.statistics.terms().values().get(column).copied().unwrap_or(0.0)
    }
}

/// The fitted weights of a member: pairs by term of its form's own columns, then class.
#[derive(Debug, Clone, Default)]
pub struct FittedPairs {
    /// The factor of each class, by its number.
    pub factor: Vec<f64>,
    /// Where each term's pairs start; one more than there are terms.
    pub starts: Vec<i64>,
    /// The class of each pair.
    pub classes: Vec<u32>,
    /// The weight of each pair.
    pub values: Vec<f64>,
}

impl FittedPairs {
    /// True when the starts rise to the end of the pairs and every class has a factor.
    pub fn are_sound(&self) -> bool {
        let ends = (self.starts.first(), self.starts.last());
        ends == (Some(&0), Some(&(self.classes.len() as i64)))
            && self.starts.windows(2).all(|ends| ends[0] <= ends[1])
            && self.classes.len() == self.values.len()
            && self.classes.iter().all(|&class| (class as usize) < self.factor.len())
    }
}

/// A table whose cells were fitted, such as those of a support vector machine.
#[derive(Debug, Clone)]
pub struct LearnedTable {
    /// The number of its form.
    pub form: usize,
    /// The factor of all cells.
    pub length_constant: f64,
    /// Its members.
    pub members: Vec<FittedPairs>,
}

impl LearnedTable {
    /// Append the (class, cell) pairs of a term; a cell is the sum over the members of factor × weight.
    pub fn append_cells(&self, column: usize, scored: &[bool], cells: &mut Vec<(u32, f64)>) {
        let first = cells.len();
        for member in &self.members {
            let Some(&[start, end]) = member.starts.get(column..column + 2) else { continue };
            let range = start as usize..end as usize;
            let own = member.classes[range.clone()].iter().zip(&member.values[range]);
            let own = own.filter(|(class, _)| scored.get(**class as usize) == Some(&true));
            cells.extend(own.map(|(&class, value)| (class, member.factor[class as usize] * value)));
        }
        // Members of one class are added in their order: the sort is stable.
        cells[first..].sort_by_key(|&(class, _)| class);
        let mut last = first;
        for at in first + 1..cells.len() {
            if cells[at].0 == cells[last].0 {
                cells[last].1 += cells[at].1;
            } else {
                last += 1;
                cells[last] = cells[at];
            }
        }
        cells.truncate(cells.len().min(last + 1));
        cells[first..].iter_mut().for_each(|cell| cell.1 *= self.length_constant);
    }
}

/// The part of a blend that changes with every document learned: its columns, its classes and its sums.
#[derive(Debug, Clone)]
pub struct Live {
    /// The columns.
    pub columns: Arc<BlendColumns>,
    /// The classes.
    pub classes: Arc<ClassParts>,
    /// The tables computed from sums, all of the blend's or none.
    pub counted: Vec<CountedTable>,
}

impl Live {
    /// True when the forms' columns, the rules' classes and their default columns exist.
    pub fn is_sound(&self, forms: &[Form]) -> bool {
        let mapped = |form: &Form| form.columns.is_none_or(|map| map < self.columns.maps.len());
        let slots = self.classes.slots();
        let fits = |table: &CountedTable| {
            let classes = table.statistics.classes().len();
            let rule_fits = |rule: &Rule| {
                rule.factor.len() == classes
                    && rule.weights.corrections.iter().all(|correction| correction.fits(classes))
            };
            table.form < forms.len() && classes >= slots && table.rules.iter().all(rule_fits)
        };
        forms.len() <= MOST_FORMS
            && self.columns.are_sound()
            && forms.iter().all(mapped)
            && self.counted.iter().all(fits)
    }

    /// The form of each default column, which is that of the table with its rule; `None` if a number is missing, or
    /// there twice with different forms.
    pub fn default_forms(&self) -> Option<Vec<u32>> {
        let rules = self.counted.iter().flat_map(|table| table.rules.iter().map(move |rule| (table, rule)));
        let mut used: Vec<(usize, u32)> =
            rules.filter_map(|(table, rule)| Some((rule.default?.1, table.form as u32))).collect();
        used.sort_unstable();
        used.dedup();
        used.iter().enumerate().map(|(at, &(number, form))| (number == at).then_some(form)).collect()
    }
}
