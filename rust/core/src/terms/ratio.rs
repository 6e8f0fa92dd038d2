//! Probability ratios from Poisson means (Kim 2003, eqs. 7–9 and 13).

use crate::memory;
use crate::statistics::{Labels, Rows, Value, WeightedSums};
use crate::threads::{available_threads, fill_columns, split_evenly};

/// What a set of documents gives a term: uniform · A_t + by_length · E_t + floor.
#[derive(Debug, Clone, Copy)]
pub struct Mixing {
    /// The factor of A_t, a sum of x/D.
    pub uniform: f64,
    /// The factor of E_t, a sum of x·dl/D.
    pub by_length: f64,
    /// What every term gets.
    pub floor: f64,
}

impl Mixing {
    #[inline]
    fn mean(self, uniform: f64, by_length: f64) -> f64 {
        self.uniform * uniform + self.by_length * by_length + self.floor
    }
}

/// λ/μ + μ/λ.
#[inline]
fn both_ways(of_class: f64, of_complement: f64) -> f64 {
    let ratio = of_class / of_complement;
    ratio + 1.0 / ratio
}

/// λ/μ + μ/λ of each class and term, class by class. `weights` are 1/D and dl/D of each row, `mixing` that of each
/// class and of its complement.
pub fn probability_ratios<V: Value>(
    rows: Rows<V>,
    labels: Labels,
    weights: [&[f64]; 2],
    mixing: &[[Mixing; 2]],
    columns: usize,
) -> Vec<f64> {
    let [uniform, by_length] = weights.map(|weights| WeightedSums::new(rows, labels, weights, columns));
    let mut table = memory::zeros(mixing.len() * columns);
    let ranges = split_evenly(columns, uniform.pairs.len(), available_threads());
    fill_columns(&mut table, columns, ranges, |range, mut rows| {
        for (row, [own, rest]) in rows.iter_mut().zip(mixing) {
            let totals = uniform.terms[range.clone()].iter().zip(&by_length.terms[range.clone()]);
            for (cell, (&uniform, &by_length)) in row.iter_mut().zip(totals) {
                *cell = both_ways(own.floor, rest.mean(uniform, by_length));
            }
        }
        for (at, term) in range.enumerate() {
            for place in uniform.starts[term]..uniform.starts[term + 1] {
                let class = uniform.classes[place] as usize;
                let [own, rest] = mixing[class];
                let (a, e) = (uniform.pairs[place], by_length.pairs[place]);
                let others = ((uniform.terms[term] - a).max(0.0), (by_length.terms[term] - e).max(0.0));
                rows[class][at] = both_ways(own.mean(a, e), rest.mean(others.0, others.1));
            }
        }
    });
    table
}
