//! What changes in a row's scores when the row itself is taken out of the sums, model by model.
//!
//! Taking row x of weight s out takes y = s·x from the sums of its terms and of the pairs of its classes. Two
//! things follow, and each is a loop over the row's entries:
//!
//! - in its own classes, the sum of a pair falls: [`own_changes`];
//! - in all other classes, what is left of a term outside the class falls: [`other_changes`].
//!
//! See docs/theory/leave_one_out.md.

mod complement;
mod falls;
mod mixture;
mod multinomial;
mod poisson;

pub use complement::{Comparison, ComplementFalls, length_changes};
pub use falls::{Falling, Falls, other_changes};
pub use mixture::mixture_scores;
pub use multinomial::{FactorFalls, own_changes};
pub use poisson::{Means, Moving, evidence_sums};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{LabelledRows, Labels, Rows, Statistics};

    /// Rows of 4 entries over 30 terms, of classes in turn.
    fn learned(classes: u32, rows: Rows, labels: Labels) -> Statistics {
        let mut statistics = Statistics::new(30);
        statistics.grow(30, classes as usize);
        statistics.add(LabelledRows { rows, labels, weights: None });
        statistics
    }

    fn entries() -> (Vec<i64>, Vec<i32>, Vec<f64>) {
        let columns = (0..60).flat_map(|row| (0..4).map(move |at| (row * 3 + at * 7 + row * row % 5) % 30));
        let values = (0..240).map(|at| 1.0 + f64::from(at % 7) / 3.0).collect();
        ((0..=60).map(|row| row * 4).collect(), columns.collect(), values)
    }

    #[test]
    fn falls_are_logarithms_of_what_is_left() {
        let (starts, columns, values) = entries();
        let rows = Rows { starts: &starts, columns: &columns, values: &values };
        // Few classes give every term a row of cells, many give it pairs.
        for (count, alpha) in [(3, 1.0), (3, 1e-3), (40, 0.5)] {
            let classes: Vec<u32> = (0..60).map(|row| row * row % count).collect();
            let label_starts: Vec<i64> = (0..=60).collect();
            let labels = Labels { starts: &label_starts, classes: &classes };
            let statistics = learned(count, rows, labels);
            let falls = other_changes(&statistics, &ComplementFalls { alpha, weights: None }, rows, true, 2);
            for (row, &own) in classes.iter().enumerate() {
                for class in (0..count).filter(|&class| class != own) {
                    let (mut weighted, mut plain) = (0.0, 0.0);
                    for (term, value) in rows.row(row) {
                        let total = statistics.terms().values()[term as usize];
                        let pair = statistics.pairs().get(term as usize, class).values.value();
                        let fall = ((total - pair + alpha) / (total - pair - value + alpha)).ln();
                        weighted += value * fall;
                        plain += fall;
                    }
                    let at = row * count as usize + class as usize;
                    assert!((falls.weighted[at] - weighted).abs() < 1e-11, "{count} {alpha} {row} {class}");
                    assert!((falls.plain[at] - plain).abs() < 1e-11);
                }
            }
        }
    }

    #[test]
    fn own_changes_are_logarithms_of_what_is_left() {
        let (starts, columns, values) = entries();
        let rows = Rows { starts: &starts, columns: &columns, values: &values };
        let classes: Vec<u32> = (0..60).map(|row| row % 3).collect();
        let label_starts: Vec<i64> = (0..=60).collect();
        let labels = Labels { starts: &label_starts, classes: &classes };
        let statistics = learned(3, rows, labels);
        let (before, after) = ([0.5, 1.0, 2.0], (0..60).map(|at| 0.1 * f64::from(at)).collect::<Vec<f64>>());
        let changes =
            own_changes(&statistics, LabelledRows { rows, labels, weights: None }, &before, &after, 3);
        for (row, &class) in classes.iter().enumerate() {
            let change: f64 = rows
                .row(row)
                .map(|(term, value)| {
                    let pair = statistics.pairs().get(term as usize, class).values.value();
                    let left = 1.0 + (pair - value) * after[row];
                    value * (left / (1.0 + pair * before[class as usize])).ln()
                })
                .sum();
            assert!((changes[row] - change).abs() < 1e-11, "{row}");
        }
    }
}
