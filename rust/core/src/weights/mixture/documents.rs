//! The documents of one class, on the columns they have.

use super::Background;
use crate::memory;
use crate::statistics::Rows;

/// Documents whose columns are numbered by the terms that occur in them.
pub struct Documents {
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    /// |x| of each document.
    pub lengths: Vec<f64>,
    /// How many documents each counts as.
    pub weights: Vec<f64>,
    /// The term of each column, rising.
    pub terms: Vec<u32>,
    /// θ_0 of each column.
    pub background: Vec<f64>,
}

impl Documents {
    /// Select rows; those of weight 0 are ignored.
    pub fn gather(rows: Rows, weights: Option<&[f64]>, members: &[u32], background: &Background) -> Self {
        let weight_of = |row: u32| weights.map_or(1.0, |weights| weights[row as usize]);
        let members: Vec<u32> = members.iter().copied().filter(|&row| weight_of(row) > 0.0).collect();
        let mut column_of = memory::filled(background.theta().len(), u32::MAX);
        for (term, _) in members.iter().flat_map(|&row| rows.row(row as usize)) {
            column_of[term as usize] = 0;
        }
        let terms: Vec<u32> =
            (0..column_of.len() as u32).filter(|&term| column_of[term as usize] == 0).collect();
        for (column, &term) in terms.iter().enumerate() {
            column_of[term as usize] = column as u32;
        }
        let mut documents = Self {
            starts: vec![0],
            columns: Vec::new(),
            values: Vec::new(),
            lengths: memory::with_capacity(members.len()),
            weights: members.iter().map(|&row| weight_of(row)).collect(),
            background: terms.iter().map(|&term| background.theta()[term as usize]).collect(),
            terms,
        };
        for row in members {
            documents.push(rows.row(row as usize).map(|(term, value)| (column_of[term as usize], value)));
        }
        documents
    }

    fn push(&mut self, entries: impl Iterator<Item = (u32, f64)>) {
        let mut length = 0.0;
        for (column, value) in entries {
            memory::push(&mut self.columns, column);
            memory::push(&mut self.values, value);
            length += value;
        }
        memory::push(&mut self.starts, self.columns.len());
        memory::push(&mut self.lengths, length);
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// The columns and values of a document.
    #[inline]
    pub fn entries(&self, document: u32) -> (&[u32], &[f64]) {
        let range = self.starts[document as usize]..self.starts[document as usize + 1];
        (&self.columns[range.clone()], &self.values[range])
    }
}

/// The terms that the documents of a class lack, from the most frequent to the rarest.
///
/// A component's gain for them is one factor times θ_0, so those it keeps are the first of them.
pub struct Unseen {
    /// Their places in the background's order.
    pub ranks: Vec<u32>,
    /// Their θ_0, falling.
    pub theta: Vec<f64>,
    /// `sums[k]` is the sum of θ_0 of the first k.
    pub sums: Vec<f64>,
}

impl Unseen {
    /// The terms of the background that the documents lack.
    pub fn of(documents: &Documents, background: &Background) -> Self {
        let mut is_seen = memory::filled(background.theta().len(), false);
        documents.terms.iter().for_each(|&term| is_seen[term as usize] = true);
        let left = background.order().iter().enumerate().filter(|(_, term)| !is_seen[**term as usize]);
        let (ranks, theta): (Vec<u32>, Vec<f64>) =
            left.map(|(rank, &term)| (rank as u32, background.theta()[term as usize])).unzip();
        let mut sums = vec![0.0];
        let mut sum = 0.0;
        memory::extend(
            &mut sums,
            theta.iter().map(|share| {
                sum += share;
                sum
            }),
        );
        Self { ranks, theta, sums }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    /// How many have a gain of at least, or above, a bound when a component's gain is `factor` · θ_0.
    pub fn count(&self, factor: f64, passes: impl Fn(f64) -> bool) -> usize {
        self.theta.partition_point(|&share| passes(factor * share))
    }
}
