//! z* of eq. 15 for every row and class.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::product::Quotient;
use super::series::Series;
use crate::memory;
use crate::statistics::{Pairs, Rows, Statistics, Value, gather_by_class};
use crate::terms::{PoissonSums, TermSums};
use crate::threads::{fill_rows, take_front};

/// How a set of documents gives a term its mean: uniform · Σ x/D + by_length · Σ x·dl/D + floor.
#[derive(Debug, Clone, Copy)]
pub struct Mixing {
    /// α/|D|.
    pub uniform: f64,
    /// (1 − α)/Σ dl.
    pub by_length: f64,
    /// The mean of a term that none of the documents has.
    pub floor: f64,
}

impl Mixing {
    /// (P, Q): the mean is floor · (1 + P · Σ x/D + Q · Σ x·dl/D).
    fn factors(&self) -> TermSums {
        [self.uniform / self.floor, self.by_length / self.floor]
    }
}

/// The factors of a class's scores.
#[derive(Debug, Clone, Copy)]
struct Class {
    /// (P, Q) of the class and of its complement.
    own: TermSums,
    rest: TermSums,
}

impl Class {
    /// λ′/μ′ of a pair seen, over that of a pair not seen: two numbers from 1 up, over another.
    #[inline]
    fn excess(&self, [a, e]: TermSums, [all_a, all_e]: TermSums) -> ([f64; 2], f64) {
        let own = 1.0 + self.own[0] * a + self.own[1] * e;
        let rest = self.rest_mean([(all_a - a).max(0.0), (all_e - e).max(0.0)]);
        ([own, self.rest_mean([all_a, all_e])], rest)
    }

    /// The logarithm of that.
    #[inline]
    fn log_excess(&self, own: TermSums, all: TermSums) -> f64 {
        let ([own, unseen], rest) = self.excess(own, all);
        let quotient = own * unseen / rest;
        // A tiny θ makes numbers whose product no double holds.
        if quotient < f64::MAX { quotient.ln() } else { own.ln() + (unseen / rest).ln() }
    }

    #[inline]
    fn rest_mean(&self, [a, e]: TermSums) -> f64 {
        1.0 + self.rest[0] * a + self.rest[1] * e
    }
}

/// A class and the product of its pairs: one cache line, because classes come at random.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Seen {
    class: Class,
    product: Quotient,
}

/// Scores of a Poisson model. Like a linear scorer, it shares ownership of its statistics and sums.
pub struct PoissonScorer {
    statistics: Arc<Statistics>,
    sums: Arc<PoissonSums>,
    theta: f64,
    terms: usize,
    order: Vec<u32>,
    classes: Vec<Class>,
    series: Series,
    /// Each class's parts of the series, and whether it has any: else its logarithms are computed one by one.
    parts: Vec<f64>,
    has_parts: Vec<bool>,
    /// log(λ′/μ′) of a term that no document has.
    floor: Vec<f64>,
    /// Σ log(λ′/μ′) over all terms: B_c is θ times that.
    lead: Vec<f64>,
    progress: Mutex<Progress>,
}

/// The logarithms of pairs seen, once enough were needed, and how many were computed before.
#[derive(Default)]
struct Progress {
    prepared: Option<Arc<Vec<f64>>>,
    spent: usize,
}

impl PoissonScorer {
    /// Score the classes of `order`; `mixing` has each class's own and its complement's, `all` that of everything.
    pub fn new(
        statistics: Arc<Statistics>,
        sums: Arc<PoissonSums>,
        (mixing, all): (&[(Mixing, Mixing)], Mixing),
        order: Vec<u32>,
        theta: f64,
    ) -> Self {
        let classes: Vec<Class> =
            mixing.iter().map(|(own, rest)| Class { own: own.factors(), rest: rest.factors() }).collect();
        let scored: Vec<TermSums> = order.iter().map(|&class| classes[class as usize].rest).collect();
        let series = Series::new(all.factors(), &scored);
        let mut parts = memory::zeros(classes.len() * series.len());
        let mut rest = parts.as_mut_slice();
        let has_parts = classes.iter().map(|class| {
            let (own, others) = std::mem::take(&mut rest).split_at_mut(series.len());
            rest = others;
            series.set_class(class.rest, own)
        });
        let has_parts = has_parts.collect();
        let floor = mixing.iter().map(|(own, rest)| (own.floor / rest.floor).ln()).collect();
        let terms = statistics.pairs().terms();
        let progress = Mutex::default();
        let lead = Vec::new();
        let mut scorer = Self {
            statistics,
            sums,
            theta,
            terms,
            order,
            classes,
            series,
            parts,
            has_parts,
            floor,
            lead,
            progress,
        };
        scorer.lead = scorer.leads();
        scorer
    }

    /// How many classes are scored.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// True when no class is scored.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Σ log(λ′/μ′) over all terms, for each class.
    fn leads(&self) -> Vec<f64> {
        let (pairs, sums) = (self.statistics.pairs(), &*self.sums);
        let nothing: Vec<Seen> =
            self.classes.iter().map(|&class| Seen { class, product: Quotient::ONE }).collect();
        let multiply = |terms: Range<usize>, seen: &mut [Seen]| multiply_pairs(pairs, sums, terms, seen);
        let seen = gather_by_class(pairs, &nothing, multiply, |all, more| all.product.join(more.product));
        let mut of_terms = memory::zeros(self.series.len());
        let mut whole = Quotient::ONE;
        let present = sums.terms().iter().filter(|sums| sums[0] > 0.0);
        for &term in present.clone() {
            whole.multiply([self.series.add_term(term, 1.0, &mut of_terms), 1.0], 1.0);
        }
        let whole = whole.ln();
        let lead = |class: usize| {
            let of_complement = self.parts(class).map_or_else(
                || {
                    let mut product = Quotient::ONE;
                    let means = present.clone().map(|&term| self.classes[class].rest_mean(term));
                    means.for_each(|mean| product.multiply([mean, 1.0], 1.0));
                    product.ln()
                },
                |parts| whole + dot(parts, &of_terms),
            );
            self.terms as f64 * self.floor[class] + seen[class].product.ln() - of_complement
        };
        let mut leads = memory::zeros(self.classes.len());
        self.order.iter().for_each(|&class| leads[class as usize] = lead(class as usize));
        leads
    }

    /// A class's parts of the series, unless it is too far away for it.
    #[inline]
    fn parts(&self, class: usize) -> Option<&[f64]> {
        self.has_parts[class].then(|| &self.parts[class * self.series.len()..][..self.series.len()])
    }

    /// The scores of every row and class, row by row.
    pub fn scores<V: Value>(&self, rows: Rows<V>, threads: usize) -> Vec<f64> {
        let prepared = self.prepare(rows);
        let width = self.order.len();
        let mut scores = memory::zeros(rows.len() * width);
        fill_rows(&mut scores, width, rows.split(threads), |range, mut part| {
            let mut seen = memory::zeros(self.classes.len());
            for row in range {
                seen.fill(0.0);
                let entries = rows.entries(row);
                self.add_seen(prepared.as_deref(), entries, &mut seen);
                let out = take_front(&mut part, width);
                self.finish_row(entries, &seen, out);
            }
        });
        scores
    }

    /// Add what the pairs seen give each class.
    fn add_seen<V: Value>(
        &self,
        prepared: Option<&Vec<f64>>,
        (columns, values): (&[i32], &[V]),
        seen: &mut [f64],
    ) {
        let (pairs, sums) = (self.statistics.pairs(), &*self.sums);
        for (&term, &value) in columns.iter().zip(values) {
            let (range, all) = (pairs.range(term as usize), sums.terms()[term as usize]);
            for place in range {
                let class = pairs.classes()[place] as usize;
                let log = match prepared {
                    Some(logs) => logs[place],
                    None => self.classes[class].log_excess(sums.pairs()[place], all),
                };
                seen[class] += value.real() * log;
            }
        }
    }

    fn finish_row<V: Value>(&self, (columns, values): (&[i32], &[V]), seen: &[f64], out: &mut [f64]) {
        let sums = &*self.sums;
        let mut of_terms = memory::zeros(self.series.len());
        let (mut mass, mut whole) = (0.0, 0.0);
        let entries =
            || columns.iter().zip(values).map(|(&term, &value)| (sums.terms()[term as usize], value.real()));
        for (term, value) in entries() {
            mass += value;
            whole += value * self.series.add_term(term, value, &mut of_terms).ln();
        }
        let length = mass + self.theta * self.terms as f64;
        for (score, &class) in out.iter_mut().zip(&self.order) {
            let class = class as usize;
            let of_complement = self.parts(class).map_or_else(
                || entries().map(|(term, value)| value * self.classes[class].rest_mean(term).ln()).sum(),
                |parts| whole + dot(parts, &of_terms),
            );
            let evidence = mass * self.floor[class] + seen[class] - of_complement;
            *score = (self.theta * self.lead[class] + evidence) / length;
        }
    }

    /// Compute the logarithms of all pairs once that many were needed. The scores are the same to the bit.
    fn prepare<V: Value>(&self, rows: Rows<V>) -> Option<Arc<Vec<f64>>> {
        let (pairs, sums) = (self.statistics.pairs(), &*self.sums);
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        if progress.prepared.is_none() {
            progress.spent +=
                rows.columns.iter().map(|&term| pairs.range(term as usize).len()).sum::<usize>();
            if progress.spent > pairs.len() {
                let mut logs = memory::zeros(pairs.classes().len());
                for (term, place) in pairs.iter() {
                    let class = &self.classes[pairs.classes()[place] as usize];
                    logs[place] = class.log_excess(sums.pairs()[place], sums.terms()[term as usize]);
                }
                progress.prepared = Some(Arc::new(logs));
            }
        }
        progress.prepared.clone()
    }
}

/// Multiply together what the pairs of each class are over pairs not seen.
fn multiply_pairs(pairs: &Pairs, sums: &PoissonSums, terms: Range<usize>, seen: &mut [Seen]) {
    for term in terms {
        let (range, all) = (pairs.range(term), sums.terms()[term]);
        for (&class, &own) in pairs.classes()[range.clone()].iter().zip(&sums.pairs()[range]) {
            let seen = &mut seen[class as usize];
            let (above, below) = seen.class.excess(own, all);
            seen.product.multiply(above, below);
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
