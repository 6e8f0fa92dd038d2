//! Labelled rows, as they come in.

use std::ops::Range;

use super::values::Value;
use crate::threads::part_count;

/// Rows in compressed sparse row form.
#[derive(Clone, Copy)]
pub struct Rows<'a, V = f64> {
    /// Where each row starts; one more than there are rows.
    pub starts: &'a [i64],
    /// The column of each entry.
    pub columns: &'a [i32],
    /// The value of each entry.
    pub values: &'a [V],
}

impl<'a, V: Value> Rows<'a, V> {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// True when the starts rise and every column is one of `columns`.
    pub fn are_sound(&self, columns: usize) -> bool {
        let ends =
            self.starts.first() == Some(&0) && self.starts.last() == Some(&(self.columns.len() as i64));
        ends && self.columns.len() == self.values.len()
            && self.starts.windows(2).all(|ends| ends[0] <= ends[1])
            && (self.columns.is_empty() || self.last_column() < columns)
    }

    /// The largest column. A negative one is larger than any.
    fn last_column(&self) -> usize {
        // Without an early end, so that the compiler compares many at a time.
        self.columns.iter().fold(0, |last, &column| last.max(column as u32)) as usize
    }

    /// True when there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Split the rows into ranges of about equal work, one for each of at most `threads` threads.
    pub fn split(&self, threads: usize) -> Vec<Range<usize>> {
        let entries = self.values.len() + self.len();
        let parts = part_count(entries, threads);
        let mut cuts = vec![0];
        for part in 1..parts {
            let goal = (entries / parts * part) as i64;
            let at = self.starts.partition_point(|&start| start < goal).min(self.len());
            cuts.push(at.max(*cuts.last().unwrap_or(&0)));
        }
        cuts.push(self.len());
        cuts.windows(2).map(|ends| ends[0]..ends[1]).collect()
    }

    /// How many entries a row has.
    #[inline]
    pub fn row_len(&self, row: usize) -> usize {
        (self.starts[row + 1] - self.starts[row]) as usize
    }

    /// The columns and values of a row's entries.
    #[inline]
    pub fn entries(&self, row: usize) -> (&'a [i32], &'a [V]) {
        let range = self.starts[row] as usize..self.starts[row + 1] as usize;
        (&self.columns[range.clone()], &self.values[range])
    }

    /// The (column, value) entries of a row that are not zero.
    #[inline]
    pub fn row(&self, row: usize) -> impl Iterator<Item = (u32, V)> + 'a {
        let (columns, values) = self.entries(row);
        let entries = columns.iter().zip(values);
        entries.map(|(&column, &value)| (column as u32, value)).filter(|(_, value)| *value != V::default())
    }
}

/// Rows with the classes and the weight of each.
#[derive(Clone, Copy)]
pub struct LabelledRows<'a, V = f64> {
    /// The rows.
    pub rows: Rows<'a, V>,
    /// Their classes.
    pub labels: Labels<'a>,
    /// The weight of each row; `None` when every weight is 1.
    pub weights: Option<&'a [f64]>,
}

impl<V> LabelledRows<'_, V> {
    /// The weight of a row.
    #[inline]
    pub fn weight(&self, row: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row])
    }
}

/// The classes of each row: none, one or several.
#[derive(Clone, Copy)]
pub struct Labels<'a> {
    /// Where each row's classes start; one more than there are rows.
    pub starts: &'a [i64],
    /// Classes, by their number.
    pub classes: &'a [u32],
}

impl<'a> Labels<'a> {
    /// The classes of a row.
    #[inline]
    pub fn of(&self, row: usize) -> &'a [u32] {
        &self.classes[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// True when there are labels for `rows` rows, each below `classes`.
    pub fn are_sound(&self, rows: usize, classes: usize) -> bool {
        let ends =
            self.starts.first() == Some(&0) && self.starts.last() == Some(&(self.classes.len() as i64));
        ends && self.starts.len() == rows + 1
            && self.starts.windows(2).all(|ends| ends[0] <= ends[1])
            && self.classes.iter().all(|&class| (class as usize) < classes)
    }

    /// True when every row has just one class.
    pub fn are_single(&self) -> bool {
        self.starts.windows(2).all(|ends| ends[1] - ends[0] == 1)
    }
}
