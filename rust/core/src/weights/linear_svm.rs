//! Weights of a linear support vector machine with squared hinge loss, by dual coordinate descent (Hsieh et al. 2008).
//!
//! Each class is separated from the rest: b_c + Σ_t w_ct x_t should be at least 1 for its rows and at most −1 for the
//! others. A row has a dual variable α ≥ 0 for each class, and w_c is the sum of α·x over the class's rows minus that over
//! the others. Rows are visited in turn, each visit solves for the row's α, until all satisfy the optimality
//! conditions. This is LIBLINEAR's solver for the L2-regularised, L2-loss dual.

use super::WeightedPairs;
use super::shared_terms::SharedTerms;
use crate::memory;
use crate::statistics::LabelledRows;
use crate::threads::queue_on_threads;

/// The number of classes learned side by side: their weights of a term fill a cache line.
const LANES: usize = 16;

/// A number for each class of a block.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Lanes([f32; LANES]);

impl Lanes {
    fn add(&mut self, factor: f32, other: &Lanes) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, value)| *own += factor * value);
    }

    fn times(&self, other: &Lanes) -> Lanes {
        let mut product = *self;
        product.0.iter_mut().zip(&other.0).for_each(|(own, value)| *own *= value);
        product
    }
}

/// How to learn.
#[derive(Clone, Copy)]
pub struct SvmSettings<'a> {
    /// The cost C of squared margin violations, for a row of weight 1.
    pub c: f64,
    /// Stop when the projected gradients differ by at most this much.
    pub tolerance: f64,
    /// The classes with documents, in order.
    pub classes: &'a [u32],
    /// The length of the array of biases.
    pub slots: usize,
}

/// Visit rows in `rounds`, each an order of all of them, until converged; `None` when `watch` returns false.
///
/// Also returned: the rounds that the slowest class needed, one more than given if it did not converge.
pub fn svm_weights(
    documents: LabelledRows,
    terms: usize,
    rounds: &[&[u32]],
    settings: SvmSettings,
    threads: usize,
    watch: impl FnMut(usize) -> bool,
) -> Option<(WeightedPairs, usize)> {
    let blocks: Vec<&[u32]> = settings.classes.chunks(LANES).collect();
    let shared = SharedTerms::new(documents, terms);
    let learn = |classes: &&[u32], stop: &dyn Fn() -> bool| {
        let mut block = Block::new(documents, &shared, classes, settings.c as f32);
        let needed = block.learn(rounds, settings.tolerance as f32, stop);
        (block.learned(), needed)
    };
    let found = queue_on_threads(&blocks, threads, learn, watch)?;
    let needed = found.iter().map(|(_, needed)| *needed).max().unwrap_or(0);
    let parts: Vec<Part> = found.into_iter().map(|(part, _)| part).collect();
    Some((side_by_side(&parts, terms, settings.slots), needed))
}

/// Term, class and weight.
type WeightedPair = (u32, u32, f32);

/// The weights of a block of classes.
struct Part {
    /// Those of one term in the order of their classes.
    pairs: Vec<WeightedPair>,
    /// Class and bias.
    biases: Vec<(u32, f32)>,
}

/// Join the pairs of blocks of classes, which are in order.
fn side_by_side(parts: &[Part], terms: usize, slots: usize) -> WeightedPairs {
    let mut starts = memory::zeros(terms + 1);
    for (term, _, _) in parts.iter().flat_map(|part| &part.pairs) {
        starts[*term as usize + 1] += 1;
    }
    for term in 0..terms {
        starts[term + 1] += starts[term];
    }
    let (mut next, pairs) = (starts.clone(), starts[terms] as usize);
    let mut found = WeightedPairs {
        starts,
        classes: memory::zeros(pairs),
        weights: memory::zeros(pairs),
        biases: memory::filled(slots, f64::NEG_INFINITY),
    };
    for part in parts {
        for &(term, class, weight) in &part.pairs {
            let place = next[term as usize] as usize;
            next[term as usize] += 1;
            (found.classes[place], found.weights[place]) = (class, f64::from(weight));
        }
        for &(class, bias) in &part.biases {
            found.biases[class as usize] = f64::from(bias);
        }
    }
    found
}

/// Some classes, side by side.
struct Block<'a> {
    documents: LabelledRows<'a>,
    shared: &'a SharedTerms,
    classes: &'a [u32],
    cost: f32,
    /// Of the terms by their place.
    weights: Vec<Lanes>,
    biases: Lanes,
    /// The dual variables α of each row.
    duals: Vec<Lanes>,
}

/// The least and the greatest projected gradient of the dual problem.
#[derive(Clone, Copy)]
struct Gradients {
    least: f32,
    greatest: f32,
}

impl Gradients {
    const NONE: Self = Self { least: 0.0, greatest: 0.0 };

    fn and(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), greatest: self.greatest.max(other.greatest) }
    }
}

impl<'a> Block<'a> {
    fn new(documents: LabelledRows<'a>, shared: &'a SharedTerms, classes: &'a [u32], cost: f32) -> Self {
        let weights = memory::filled(shared.terms.len(), Lanes::default());
        let duals = memory::filled(documents.rows.len(), Lanes::default());
        Self { documents, shared, classes, cost, weights, biases: Lanes::default(), duals }
    }

    /// Return the rounds needed, one more than given if they did not suffice.
    fn learn(&mut self, rounds: &[&[u32]], tolerance: f32, stop: &dyn Fn() -> bool) -> usize {
        // Shrinking: rows far beyond every margin are skipped until all others have converged.
        let mut skipped = memory::filled(self.documents.rows.len(), false);
        let mut far = f32::INFINITY;
        for (number, round) in (1..).zip(rounds) {
            let mut gradients = Gradients::NONE;
            for &row in *round {
                if !skipped[row as usize] {
                    match self.visit(row as usize, far) {
                        Some(own) => gradients = gradients.and(own),
                        None => skipped[row as usize] = true,
                    }
                }
            }
            if stop() {
                break;
            }
            far = if gradients.greatest > 0.0 { gradients.greatest } else { f32::INFINITY };
            if gradients.greatest - gradients.least <= tolerance {
                if !skipped.contains(&true) {
                    return number;
                }
                skipped.fill(false);
                far = f32::INFINITY;
            }
        }
        rounds.len() + 1
    }

    /// Solve for one row's duals. Return its gradients; `None` if all duals are 0 and it is `far` beyond every margin.
    fn visit(&mut self, row: usize, far: f32) -> Option<Gradients> {
        let ridge = 0.5 / (self.cost * self.documents.weight(row) as f32);
        if !ridge.is_finite() {
            // A row with a weight of zero, or nearly zero, keeps its duals at 0 and never delays convergence.
            return Some(Gradients::NONE);
        }
        let signs = self.signs(row);
        let scores = self.scores(row, &signs);
        let (mut gradients, mut near, mut steps) = (Gradients::NONE, false, Lanes::default());
        for lane in 0..self.classes.len() {
            let dual = &mut self.duals[row].0[lane];
            let gradient = signs.0[lane] * scores.0[lane] - 1.0 + ridge * *dual;
            near |= *dual > 0.0 || gradient <= far;
            if *dual > 0.0 || gradient < 0.0 {
                gradients = gradients.and(Gradients { least: gradient, greatest: gradient });
                let new = (*dual - gradient / (self.shared.squares[row] + ridge)).max(0.0);
                steps.0[lane] = signs.0[lane] * (new - *dual);
                *dual = new;
            }
        }
        if steps.0.iter().any(|step| *step != 0.0) {
            self.add(row, &steps);
        }
        near.then_some(gradients)
    }

    fn scores(&self, row: usize, signs: &Lanes) -> Lanes {
        let mut scores = self.biases;
        for (place, value) in self.shared.row(row) {
            scores.add(value, &self.weights[place]);
        }
        scores.add(self.shared.rests[row], &signs.times(&self.duals[row]));
        scores
    }

    /// 1 for a class of the row, −1 for another.
    fn signs(&self, row: usize) -> Lanes {
        let mut signs = Lanes([-1.0; LANES]);
        for label in self.documents.labels.of(row) {
            if let Ok(lane) = self.classes.binary_search(label) {
                signs.0[lane] = 1.0;
            }
        }
        signs
    }

    fn add(&mut self, row: usize, steps: &Lanes) {
        for (place, value) in self.shared.row(row) {
            self.weights[place].add(value, steps);
        }
        self.biases.add(1.0, steps);
    }

    /// The weights, summed again from the final duals, so that rounding errors of the updates do not remain.
    fn learned(mut self) -> Part {
        self.weights.fill(Lanes::default());
        self.biases = Lanes::default();
        let mut pairs = Vec::new();
        for row in 0..self.duals.len() {
            let steps = self.signs(row).times(&self.duals[row]);
            if steps.0.iter().any(|step| *step != 0.0) {
                self.add(row, &steps);
                self.push_rest(row, &steps, &mut pairs);
            }
        }
        for (&term, weights) in self.shared.terms.iter().zip(&self.weights) {
            self.push(term, weights, 1.0, &mut pairs);
        }
        Part { pairs, biases: self.classes.iter().copied().zip(self.biases.0).collect() }
    }

    /// The weights of terms that no other row has.
    fn push_rest(&self, row: usize, steps: &Lanes, pairs: &mut Vec<WeightedPair>) {
        let mut shared = self.shared.row(row).map(|(place, _)| self.shared.terms[place]).peekable();
        for (term, value) in self.documents.rows.row(row) {
            if shared.next_if_eq(&term).is_none() {
                self.push(term, steps, value as f32, pairs);
            }
        }
    }

    fn push(&self, term: u32, weights: &Lanes, factor: f32, pairs: &mut Vec<WeightedPair>) {
        let own = self.classes.iter().zip(&weights.0).filter(|(_, weight)| **weight != 0.0);
        memory::extend(pairs, own.map(|(&class, weight)| (term, class, factor * weight)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Labels, Rows};

    const ROUNDS: [[u32; 4]; 60] = [[0, 1, 2, 3]; 60];

    /// (1), (1, 1), (0, 1), (0, 2), with these labels, one each.
    fn documents<'a>(classes: &'a [u32; 4], weights: Option<&'a [f64]>) -> LabelledRows<'a> {
        let rows =
            Rows { starts: &[0, 1, 3, 4, 5], columns: &[0, 0, 1, 1, 1], values: &[1.0, 1.0, 1.0, 1.0, 2.0] };
        LabelledRows { rows, labels: Labels { starts: &[0, 1, 2, 3, 4], classes }, weights }
    }

    fn learned(
        documents: LabelledRows,
        rounds: usize,
        classes: &[u32],
        tolerance: f64,
    ) -> (WeightedPairs, usize) {
        let rounds: Vec<&[u32]> = ROUNDS[..rounds].iter().map(<[u32; 4]>::as_slice).collect();
        let slots = classes.iter().max().map_or(0, |&class| class as usize + 1);
        let settings = SvmSettings { c: 1.0, tolerance, classes, slots };
        svm_weights(documents, 2, &rounds, settings, 2, |_| true).expect("not stopped")
    }

    /// The score of a row for a class that all terms have a pair with.
    fn score(documents: LabelledRows, row: usize, found: &WeightedPairs, class: u32) -> f64 {
        let weight = |term: u32| {
            let mut places = found.starts[term as usize] as usize..found.starts[term as usize + 1] as usize;
            places.find(|&place| found.classes[place] == class).map_or(0.0, |place| found.weights[place])
        };
        found.biases[class as usize]
            + documents.rows.row(row).map(|(term, value)| value * weight(term)).sum::<f64>()
    }

    #[test]
    fn duals_are_margin_violations() {
        let weights = [1.0, 0.5, 2.0, 1.0];
        let given = documents(&[0, 1, 0, 1], Some(&weights));
        let (found, needed) = learned(given, 60, &[0, 1], 1e-5);
        assert!(needed <= 60);
        for class in 0..2 {
            let mut sums = [0.0; 3];
            for (row, weight) in weights.iter().enumerate() {
                let sign = if (row % 2) as u32 == class { 1.0 } else { -1.0 };
                let short = (1.0 - sign * score(given, row, &found, class)).max(0.0);
                let counts = sign * 2.0 * weight * short;
                given.rows.row(row).for_each(|(term, value)| sums[term as usize] += counts * value);
                sums[2] += counts;
            }
            let own = [found.weights[class as usize], found.weights[2 + class as usize]];
            for (sum, weight) in sums.iter().zip(own.iter().chain([&found.biases[class as usize]])) {
                assert!((sum - weight).abs() < 1e-4, "{sum} {weight}");
            }
        }
    }

    #[test]
    fn two_rows_apart_by_hand() {
        // w = 2 (s₀, −s₁) and b = 2 (s₀ − s₁) with s = 1 − f: by symmetry b = 0, w = ± 2/3, s = 1/3.
        let rows = Rows { starts: &[0, 1, 2], columns: &[0, 1], values: &[1.0, 1.0] };
        let documents =
            LabelledRows { rows, labels: Labels { starts: &[0, 1, 2], classes: &[0, 1] }, weights: None };
        let settings = SvmSettings { c: 1.0, tolerance: 1e-6, classes: &[0, 1], slots: 2 };
        let rounds = [[0, 1].as_slice(); 100];
        let (found, needed) = svm_weights(documents, 2, &rounds, settings, 1, |_| true).expect("not stopped");
        assert!((3..100).contains(&needed));
        assert_eq!((found.starts, found.classes), (vec![0, 2, 4], vec![0, 1, 0, 1]));
        for (weight, sign) in found.weights.iter().zip([1.0, -1.0, -1.0, 1.0]) {
            assert!((weight - sign * 2.0 / 3.0).abs() < 1e-5, "{weight}");
        }
        assert!(found.biases.iter().all(|bias| bias.abs() < 1e-5));
    }

    #[test]
    fn too_few_rounds_are_reported() {
        let given = documents(&[0, 1, 0, 1], None);
        let (_, needed) = learned(given, 60, &[0, 1], 1e-4);
        assert_eq!(learned(given, needed, &[0, 1], 1e-4).1, needed);
        assert_eq!(learned(given, needed - 1, &[0, 1], 1e-4).1, needed);
        assert_eq!(learned(given, 2, &[0, 1], 1e-4).1, 3);
        assert_eq!(learned(given, 60, &[], 1e-4).1, 0);
    }

    #[test]
    fn a_row_of_weight_zero_changes_nothing() {
        for none in [0.0, 1e-60] {
            let weights = [1.0, none, 1.0, 1.0];
            let (found, needed) = learned(documents(&[0, 1, 0, 1], Some(&weights)), 60, &[0, 1], 1e-3);
            assert!(needed <= 60);
            let (other, _) = learned(documents(&[0, 0, 0, 1], Some(&weights)), 60, &[0, 1], 1e-3);
            assert_eq!(found.weights, other.weights);
        }
    }

    #[test]
    fn classes_of_several_blocks_are_in_order() {
        let classes: Vec<u32> = (3..40).collect();
        let (found, _) = learned(documents(&[3, 18, 19, 39], None), 60, &classes, 1e-4);
        for term in found.starts.windows(2) {
            let own = &found.classes[term[0] as usize..term[1] as usize];
            assert!(own.is_sorted_by(|one, next| one < next));
        }
        assert!(found.biases[..3].iter().all(|bias| *bias == f64::NEG_INFINITY));
        assert!(found.biases[3..].iter().all(|bias| bias.is_finite()));
        let (alone, _) = learned(documents(&[9, 9, 19, 9], None), 60, &[19], 1e-4);
        let own = |found: &WeightedPairs| -> Vec<f64> {
            let pairs = found.classes.iter().zip(&found.weights);
            pairs.filter(|(class, _)| **class == 19).map(|(_, weight)| *weight).collect()
        };
        let (some, alone) = (own(&found), own(&alone));
        assert!(!alone.is_empty() && some.iter().zip(&alone).all(|(one, other)| (one - other).abs() < 1e-3));
    }

    #[test]
    fn stopping_returns_nothing() {
        let rounds = vec![[0, 1, 2, 3].as_slice(); 10_000_000];
        let settings = SvmSettings { c: 1.0, tolerance: -1.0, classes: &[0, 1], slots: 2 };
        assert!(svm_weights(documents(&[0, 1, 0, 1], None), 2, &rounds, settings, 1, |_| false).is_none());
    }
}
