//! The distribution common to all classes (eq. 11).

use crate::memory;
use crate::statistics::Rows;

/// The share of each term in all documents, and the terms from the most frequent to the rarest.
///
/// A term without documents has no share, and no parameter in any component.
#[derive(Debug, Clone)]
pub struct Background {
    theta: Vec<f64>,
    /// The terms that occur, by falling share, then by column.
    order: Vec<u32>,
    /// The place of each term in `order`; `u32::MAX` for one that does not occur.
    ranks: Vec<u32>,
}

impl Background {
    /// From shares.
    pub fn new(theta: Vec<f64>) -> Self {
        let mut order: Vec<u32> =
            memory::collected((0..theta.len() as u32).filter(|&term| theta[term as usize] > 0.0));
        memory::check_room::<u32>(order.len());
        order.sort_by(|&a, &b| theta[b as usize].total_cmp(&theta[a as usize]).then(a.cmp(&b)));
        let mut ranks = memory::filled(theta.len(), u32::MAX);
        for (rank, &term) in order.iter().enumerate() {
            ranks[term as usize] = rank as u32;
        }
        Self { theta, order, ranks }
    }

    /// The estimates of section 3: the sum of each term over the sum of all lengths.
    pub fn of_rows(rows: Rows, weights: Option<&[f64]>, terms: usize) -> Self {
        let mut sums = memory::zeros(terms);
        let mut length = 0.0;
        for row in 0..rows.len() {
            let weight = weights.map_or(1.0, |weights| weights[row]);
            for (term, value) in rows.row(row) {
                sums[term as usize] += weight * value;
                length += weight * value;
            }
        }
        if length > 0.0 {
            sums.iter_mut().for_each(|sum| *sum /= length);
        }
        Self::new(sums)
    }

    /// The share of every term.
    pub fn theta(&self) -> &[f64] {
        &self.theta
    }

    /// The terms that occur, from the most frequent to the rarest.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The place of a term among those; `u32::MAX` for one that does not occur.
    #[inline]
    pub fn rank(&self, term: u32) -> u32 {
        self.ranks[term as usize]
    }
}
