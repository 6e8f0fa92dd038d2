//! Weights from counts for and against: the discriminative frequency estimate, on both sides.
//!
//! A row adds its counts for its own class, times the error 1 − P(class | row) of the model so far, and against every
//! other class, times P(other | row). A weight is log((a + for) / (a + against)).

use super::WeightedPairs;
use crate::memory;
use crate::statistics::LabelledRows;
use crate::threads::queue_on_threads;

/// Smaller errors hardly change a model, and would make a pair of every term and class.
const LEAST_ERROR: f64 = 1e-2;
/// The initial count for and against of a class's bias, in rows.
const BIAS_COUNT: f64 = 1.0;

/// How to learn.
#[derive(Clone, Copy)]
pub struct OneVsRestSettings<'a> {
    /// The initial count for and against of every pair.
    pub alpha: f64,
    /// The number of consecutive visits judged by the same model.
    pub block_size: usize,
    /// The bias of each class at the start; −∞ for a class without documents.
    pub biases: &'a [f64],
    /// Whether errors change the biases.
    pub learn_biases: bool,
    /// Whether a row may have several classes: each is then judged independently.
    pub multilabel: bool,
}

/// Learn once for each order of visits, and take the mean of the weights; `None` when `watch` returns false.
pub fn one_vs_rest_weights(
    documents: LabelledRows,
    terms: usize,
    orders: &[&[u32]],
    settings: OneVsRestSettings,
    threads: usize,
    watch: impl FnMut(usize) -> bool,
) -> Option<WeightedPairs> {
    let learn =
        |visits: &&[u32], stop: &dyn Fn() -> bool| Model::learned(documents, terms, visits, settings, stop);
    let models = queue_on_threads(orders, threads, learn, watch)?;
    Some(mean(&models, terms))
}

/// The mean of several models' weights, where a missing pair has the weight 0.
fn mean(models: &[Model], terms: usize) -> WeightedPairs {
    let share = 1.0 / models.len().max(1) as f64;
    let mut found = WeightedPairs { starts: vec![0], ..WeightedPairs::default() };
    let mut own: Vec<(u32, f64)> = Vec::new();
    for term in 0..terms {
        own.clear();
        memory::extend(
            &mut own,
            models.iter().flat_map(|model| model.pairs.of(term)).map(|pair| (pair.class, pair.weight)),
        );
        own.sort_by_key(|(class, _)| *class);
        for same in own.chunk_by(|left, right| left.0 == right.0) {
            memory::push(&mut found.classes, same[0].0);
            memory::push(&mut found.weights, share * same.iter().map(|(_, weight)| weight).sum::<f64>());
        }
        memory::push(&mut found.starts, found.classes.len() as i64);
    }
    let classes = models.first().map_or(0, |model| model.biases.len());
    found.biases = (0..classes)
        .map(|class| share * models.iter().map(|model| model.biases[class]).sum::<f64>())
        .collect();
    found
}

/// The model learned from one order of visits.
struct Model {
    pairs: Pairs,
    biases: Vec<f64>,
    /// The errors for and against each class, in rows.
    errors: Vec<[f64; 2]>,
}

/// The error of the model on a row and a class.
struct Error {
    /// The place of the row in its block.
    visit: usize,
    class: u32,
    /// 0 for counts for the class, 1 for counts against it.
    side: usize,
    size: f64,
}

impl Model {
    fn learned(
        documents: LabelledRows,
        terms: usize,
        visits: &[u32],
        settings: OneVsRestSettings,
        stop: &dyn Fn() -> bool,
    ) -> Self {
        let biases = settings.biases.to_vec();
        let errors = memory::filled(biases.len(), [BIAS_COUNT; 2]);
        let mut model = Self { pairs: Pairs::new(terms), biases, errors };
        let (mut scores, mut found) = (memory::zeros(settings.biases.len()), Vec::new());
        for block in visits.chunks(settings.block_size.max(1)) {
            if stop() {
                break;
            }
            found.clear();
            for (visit, &row) in block.iter().enumerate() {
                model.judge(documents, (visit, row), settings.multilabel, &mut scores, &mut found);
            }
            // A block may hold the end of one round and the start of the next, and so a row twice.
            for errors in found.chunk_by(|left, right| left.visit == right.visit) {
                model.correct(documents, block[errors[0].visit] as usize, errors, settings.alpha);
            }
            if settings.learn_biases {
                model.move_biases(settings.biases);
            }
        }
        model
    }

    /// Find the errors of the model so far on one row.
    fn judge(
        &self,
        documents: LabelledRows,
        (visit, row): (usize, u32),
        multilabel: bool,
        scores: &mut [f64],
        found: &mut Vec<Error>,
    ) {
        scores.copy_from_slice(&self.biases);
        for (term, value) in documents.rows.row(row as usize) {
            for pair in self.pairs.of(term as usize) {
                scores[pair.class as usize] += value * pair.weight;
            }
        }
        if multilabel {
            logistic(scores)
        } else {
            softmax(scores)
        }
        let labels = documents.labels.of(row as usize);
        let weight = documents.weight(row as usize);
        for (class, share) in (0..).zip(scores.iter()) {
            let own = labels.contains(&class);
            let size = if own { 1.0 - share } else { *share };
            if size >= LEAST_ERROR {
                memory::push(found, Error { visit, class, side: usize::from(!own), size: size * weight });
            }
        }
    }

    /// Learn from the errors on one row, which are in the order of their classes.
    fn correct(&mut self, documents: LabelledRows, row: usize, errors: &[Error], alpha: f64) {
        for error in errors {
            self.errors[error.class as usize][error.side] += error.size;
        }
        for (term, value) in documents.rows.row(row) {
            self.pairs.make(term as usize, errors);
            let mut pairs = self.pairs.of_mut(term as usize).iter_mut();
            for error in errors {
                let Some(pair) = pairs.find(|pair| pair.class == error.class) else { break };
                pair.counts[error.side] += error.size * value;
                pair.weight = ((alpha + pair.counts[0]) / (alpha + pair.counts[1])).ln();
            }
        }
    }

    fn move_biases(&mut self, starts: &[f64]) {
        for ((bias, start), [own, other]) in self.biases.iter_mut().zip(starts).zip(&self.errors) {
            *bias = start + (own / other).ln();
        }
    }
}

/// Scores → shares of one.
fn softmax(scores: &mut [f64]) {
    let best = scores.iter().copied().fold(f64::MIN, f64::max);
    scores.iter_mut().for_each(|score| *score = (*score - best).exp());
    let total: f64 = scores.iter().sum();
    scores.iter_mut().for_each(|score| *score /= total);
}

/// Scores → probabilities, each on its own.
fn logistic(scores: &mut [f64]) {
    scores.iter_mut().for_each(|score| *score = 1.0 / (1.0 + (-*score).exp()));
}

/// Counts for and against a class that a term has, and its weight.
#[derive(Clone, Copy, Default)]
struct Pair {
    class: u32,
    counts: [f64; 2],
    weight: f64,
}

/// A term's stretch of pairs.
#[derive(Clone, Copy, Default)]
struct Stretch {
    start: usize,
    length: u32,
    capacity: u32,
}

/// Pairs in the order of their classes, term by term; a term that exceeds its capacity moves to the end.
struct Pairs {
    stretches: Vec<Stretch>,
    pairs: Vec<Pair>,
}

impl Pairs {
    fn new(terms: usize) -> Self {
        Self { stretches: memory::filled(terms, Stretch::default()), pairs: Vec::new() }
    }

    #[inline]
    fn of(&self, term: usize) -> &[Pair] {
        let stretch = self.stretches[term];
        &self.pairs[stretch.start..stretch.start + stretch.length as usize]
    }

    fn of_mut(&mut self, term: usize) -> &mut [Pair] {
        let stretch = self.stretches[term];
        &mut self.pairs[stretch.start..stretch.start + stretch.length as usize]
    }

    /// Add the missing pairs of a term and the classes of some errors, which are in order.
    fn make(&mut self, term: usize, errors: &[Error]) {
        let new = errors.len() - shared(self.of(term), errors);
        if new == 0 {
            return;
        }
        let (old, needed) = (self.stretches[term], self.stretches[term].length + new as u32);
        if needed > old.capacity {
            let (end, capacity) = (self.pairs.len(), needed + needed / 2);
            self.pairs.extend_from_within(old.start..old.start + old.length as usize);
            memory::resize(&mut self.pairs, end + capacity as usize, Pair::default());
            self.stretches[term] = Stretch { start: end, length: old.length, capacity };
        }
        self.stretches[term].length = needed;
        // From the end, so that nothing is overwritten before it has moved.
        let pairs = self.of_mut(term);
        let (mut left, mut errors) = (old.length as usize, errors.iter().rev().peekable());
        for place in (0..pairs.len()).rev() {
            let class = errors.peek().map(|error| error.class);
            if left > 0 && class.is_none_or(|class| pairs[left - 1].class >= class) {
                if class == Some(pairs[left - 1].class) {
                    errors.next();
                }
                left -= 1;
                pairs[place] = pairs[left];
            } else if let Some(error) = errors.next() {
                pairs[place] = Pair { class: error.class, ..Pair::default() };
            }
        }
    }
}

/// How many classes pairs and errors have in common.
fn shared(pairs: &[Pair], errors: &[Error]) -> usize {
    let mut pairs = pairs.iter().peekable();
    errors
        .iter()
        .filter(|error| {
            while pairs.next_if(|pair| pair.class < error.class).is_some() {}
            pairs.peek().is_some_and(|pair| pair.class == error.class)
        })
        .count()
}
