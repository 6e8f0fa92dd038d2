//! Which parameters a class keeps (eq. 21, and the thresholding of section 5).

use super::documents::Unseen;
use crate::memory;

/// With at most this many cells left, the range of bits is halved instead.
const FEW: usize = 32;

/// The gains γ of a class: one per cell of columns × components, and a factor per component for the unseen terms.
pub struct Gains<'a> {
    /// By column, then component; `stride` to a column.
    pub cells: &'a [f64],
    pub stride: usize,
    /// A component's gain for an unseen term is this times θ_0; `None` for a component that is not there.
    pub factors: &'a [Option<f64>],
    pub unseen: &'a Unseen,
}

/// The parameters kept: cells, and for each component how many of the unseen terms.
#[derive(Debug, PartialEq)]
pub struct Kept {
    pub cells: Vec<bool>,
    pub unseen: Vec<usize>,
}

impl Gains<'_> {
    fn live(&self) -> impl Iterator<Item = (usize, f64)> {
        self.factors.iter().enumerate().filter_map(|(component, factor)| Some((component, (*factor)?)))
    }

    /// All parameters.
    pub fn everything(&self) -> usize {
        self.live().count() * (self.cells.len() / self.stride + self.unseen.len())
    }

    /// Those above a threshold.
    pub fn above(&self, threshold: f64) -> Kept {
        let mut kept = Kept {
            cells: memory::filled(self.cells.len(), false),
            unseen: memory::zeros(self.factors.len()),
        };
        for (component, factor) in self.live() {
            for at in self.cells_of(component) {
                kept.cells[at] = self.cells[at] > threshold;
            }
            kept.unseen[component] = self.unseen.count(factor, |gain| gain > threshold);
        }
        kept
    }

    /// The `budget` largest. Of equal gains the earlier component comes first, in it the terms of the class's
    /// documents by column, then the others by falling frequency.
    pub fn largest(&self, budget: usize) -> Kept {
        if budget >= self.everything() {
            return self.above(f64::NEG_INFINITY);
        }
        if budget == 0 {
            return self.above(f64::INFINITY);
        }
        let last = self.nth_largest(budget);
        let mut kept = self.above(last);
        let above = kept.cells.iter().filter(|&&is_kept| is_kept).count() + kept.unseen.iter().sum::<usize>();
        let mut left = budget - above;
        for (component, factor) in self.live() {
            for at in self.cells_of(component) {
                if left > 0 && self.cells[at] == last {
                    kept.cells[at] = true;
                    left -= 1;
                }
            }
            let equal = self.unseen.count(factor, |gain| gain >= last) - kept.unseen[component];
            kept.unseen[component] += equal.min(left);
            left -= equal.min(left);
        }
        kept
    }

    fn cells_of(&self, component: usize) -> impl Iterator<Item = usize> {
        (component..self.cells.len()).step_by(self.stride)
    }

    /// The gain at a place of the falling order. Gains are not negative, so their bits order as they do: cut
    /// the range of bits at one of the cells in it, or in half when few are left, and keep what still matters.
    fn nth_largest(&self, place: usize) -> f64 {
        let mut active: Vec<u64> = memory::with_capacity(self.cells.len());
        for column in self.cells.chunks_exact(self.stride) {
            active.extend(self.live().map(|(component, _)| column[component].to_bits()));
        }
        let (mut low, mut high, mut above) = (0, f64::INFINITY.to_bits(), 0);
        while high - low > 1 {
            let some = active.get(active.len() / 2).copied().filter(|_| active.len() > FEW);
            let middle = some.filter(|&bits| low < bits && bits < high).unwrap_or(low + (high - low) / 2);
            let bound = f64::from_bits(middle);
            let cells = active.iter().filter(|&&bits| bits >= middle).count();
            let unseen: usize =
                self.live().map(|(_, factor)| self.unseen.count(factor, |gain| gain >= bound)).sum();
            if above + cells + unseen >= place {
                low = middle;
                active.retain(|&bits| bits >= middle);
            } else {
                high = middle;
                above += cells;
                active.retain(|&bits| bits < middle);
            }
        }
        f64::from_bits(low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unseen(theta: &[f64]) -> Unseen {
        Unseen { ranks: (0..theta.len() as u32).collect(), theta: theta.to_vec(), sums: vec![] }
    }

    #[test]
    fn the_largest_of_both_kinds() {
        let unseen = unseen(&[0.4, 0.2, 0.1]);
        let gains = Gains {
            cells: &[3.0, 0.5, 1.0, 0.0],
            stride: 2,
            factors: &[Some(10.0), Some(1.0)],
            unseen: &unseen,
        };
        assert_eq!(gains.everything(), 10);
        // 4 3 2 | 1 1 .5 .4 .2 .1 0: the tie at 1 goes to the cell.
        let kept = gains.largest(4);
        assert_eq!(kept, Kept { cells: vec![true, false, true, false], unseen: vec![2, 0] });
        assert_eq!(gains.largest(5).unseen, [3, 0]);
        assert_eq!(gains.largest(0), Kept { cells: vec![false; 4], unseen: vec![0, 0] });
        assert_eq!(gains.largest(99).unseen, [3, 3]);
        assert_eq!(gains.above(0.4), Kept { cells: vec![true, true, true, false], unseen: vec![3, 0] });
    }

    #[test]
    fn many_cells_are_chosen_as_by_sorting() {
        let unseen = unseen(&[0.9, 0.5, 0.1]);
        let cells: Vec<f64> = (0..3000_u32).map(|i| f64::from(i * 7919 % 1009) / 64.0).collect();
        let gains = Gains { cells: &cells, stride: 2, factors: &[Some(8.0), Some(2.0)], unseen: &unseen };
        let mut sorted = cells.clone();
        sorted.extend([7.2, 4.0, 0.8, 1.8, 1.0, 0.2]);
        sorted.sort_by(|a, b| b.total_cmp(a));
        for place in [1, 2, 700, 1503, 2999, 3006] {
            assert_eq!(gains.nth_largest(place).to_bits(), sorted[place - 1].to_bits());
        }
    }

    #[test]
    fn budgets_are_spent_to_the_last_parameter() {
        let unseen = unseen(&[0.25, 0.25, 0.25, 0.125]);
        let cells: Vec<f64> = (0..30).map(|i| f64::from(i * 7 % 5) / 4.0).collect();
        let gains =
            Gains { cells: &cells, stride: 3, factors: &[Some(1.0), None, Some(2.0)], unseen: &unseen };
        for budget in 0..=28 {
            let kept = gains.largest(budget);
            let cells = kept.cells.iter().filter(|&&kept| kept).count();
            assert_eq!(cells + kept.unseen.iter().sum::<usize>(), budget);
            assert!(kept.cells.iter().skip(1).step_by(3).all(|kept| !kept));
        }
    }
}
