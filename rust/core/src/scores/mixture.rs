//! Scores of rows by mixtures: log p(c) + log Σ f(m) G(x|m), the numerator of eq. 13.

use super::scorer::push_best;
use crate::memory;
use crate::statistics::Rows;
use crate::threads::on_threads;
use crate::weights::mixture::{Background, Components, log_sum_exp};

/// Components made ready to score rows: the weights of a term are adjacent.
pub struct MixtureScorer {
    /// log p(c) of each group.
    biases: Vec<f64>,
    /// Where each group's components start; one more than there are groups.
    groups: Vec<usize>,
    log_weights: Vec<f64>,
    slopes: Vec<f64>,
    defaults: Vec<Default>,
    /// Where each term's entries start; one more than there are terms.
    starts: Vec<usize>,
    /// The component of each entry, and what an occurrence adds to its score beyond the default.
    entries: Vec<(u32, f64)>,
    background: Background,
    /// True when there is a default that is zero: its terms make a document impossible.
    has_zeros: bool,
}

/// What an occurrence of a term without an entry adds.
#[derive(Clone, Copy)]
struct Default {
    /// log θ/θ_0; 0 where θ is 0, which is handled apart.
    weight: f64,
    /// The number of most frequent terms that it applies to.
    reach: u32,
    is_zero: bool,
}

/// Buffers for the work on one row, reused for the next.
#[derive(Clone)]
struct Scratch {
    scores: Vec<f64>,
    hits: Vec<u32>,
    /// Ranks and values of the row's terms, by rank, then their running sums.
    ranked: Vec<(u32, f64)>,
}

impl MixtureScorer {
    /// From components of groups whose log priors are `biases`.
    pub fn new(components: &Components, background: Background, biases: Vec<f64>) -> Self {
        let defaults: Vec<Default> = components
            .unseen_ratios
            .iter()
            .zip(&components.unseen_terms)
            .map(|(&ratio, &reach)| {
                let is_zero = ratio == 0.0 && reach > 0;
                Default { weight: if is_zero || reach == 0 { 0.0 } else { ratio.ln() }, reach, is_zero }
            })
            .collect();
        let (starts, entries) = by_term(components, &background, &defaults);
        let mut groups = vec![0];
        memory::extend(
            &mut groups,
            components.sizes.iter().scan(0, |end, &size| {
                *end += size as usize;
                Some(*end)
            }),
        );
        Self {
            biases,
            groups,
            log_weights: components.weights.iter().map(|weight| weight.ln()).collect(),
            slopes: components.slopes.clone(),
            has_zeros: defaults.iter().any(|default| default.is_zero),
            defaults,
            starts,
            entries,
            background,
        }
    }

    /// How many groups are scored.
    pub fn len(&self) -> usize {
        self.biases.len()
    }

    /// True when no group is scored.
    pub fn is_empty(&self) -> bool {
        self.biases.is_empty()
    }

    /// How many components a group has.
    pub fn size(&self, group: usize) -> usize {
        self.groups[group + 1] - self.groups[group]
    }

    /// The score of every row and group, row by row.
    pub fn scores(&self, rows: Rows, threads: usize) -> Vec<f64> {
        self.each_row(rows, threads, |scores, found| memory::extend(found, self.group_scores(scores)))
    }

    /// log f(m) G(x|m) of every row and component of a group, or of all groups, row by row.
    pub fn component_scores(&self, rows: Rows, group: Option<usize>, threads: usize) -> Vec<f64> {
        let own = group.map_or(0..self.slopes.len(), |group| self.groups[group]..self.groups[group + 1]);
        self.each_row(rows, threads, |scores, found| memory::append(found, &scores[own.clone()]))
    }

    /// The `k` best groups of each row and their scores, best first; of equal ones the first comes first.
    pub fn best(&self, rows: Rows, k: usize, threads: usize) -> (Vec<u32>, Vec<f64>) {
        let k = k.min(self.len());
        let best = self.each_row(rows, threads, |scores, found| {
            let of_groups: Vec<f64> = self.group_scores(scores).collect();
            push_best(&of_groups, k, found);
        });
        best.into_iter().unzip()
    }

    fn group_scores(&self, scores: &[f64]) -> impl Iterator<Item = f64> {
        self.biases
            .iter()
            .zip(self.groups.windows(2))
            .map(|(bias, ends)| bias + log_sum_exp(&scores[ends[0]..ends[1]]))
    }

    /// Score the components for every row, and gather the results.
    fn each_row<R: Send>(
        &self,
        rows: Rows,
        threads: usize,
        gather: impl Fn(&[f64], &mut Vec<R>) + Sync,
    ) -> Vec<R> {
        let parts = on_threads(rows.split(threads), |range| {
            let mut scratch = Scratch {
                scores: memory::zeros(self.slopes.len()),
                hits: memory::zeros(self.slopes.len()),
                ranked: Vec::new(),
            };
            let mut found = Vec::new();
            for row in range {
                self.score_row(rows, row, &mut scratch);
                gather(&scratch.scores, &mut found);
            }
            found
        });
        memory::joined(parts)
    }

    fn score_row(&self, rows: Rows, row: usize, scratch: &mut Scratch) {
        let Scratch { scores, hits, ranked } = scratch;
        let length: f64 = rows.row(row).map(|(_, value)| value).sum();
        for ((score, log_weight), slope) in scores.iter_mut().zip(&self.log_weights).zip(&self.slopes) {
            *score = log_weight + slope * length;
        }
        for (term, value) in rows.row(row) {
            for &(component, weight) in self.entries_of(term) {
                scores[component as usize] += value * weight;
            }
        }
        ranked.clear();
        ranked.extend(rows.row(row).map(|(term, value)| (self.background.rank(term), value)));
        ranked.retain(|&(rank, _)| rank != u32::MAX);
        self.add_defaults(scores, ranked);
        if self.has_zeros {
            self.rule_out(rows, row, scores, hits, ranked);
        }
    }

    fn entries_of(&self, term: u32) -> &[(u32, f64)] {
        &self.entries[self.starts[term as usize]..self.starts[term as usize + 1]]
    }

    /// Add what the occurrences of the terms within each default's reach bring.
    fn add_defaults(&self, scores: &mut [f64], ranked: &mut [(u32, f64)]) {
        let everything = self.background.order().len() as u32;
        if self.defaults.iter().any(|default| default.reach > 0 && default.reach < everything)
            || self.has_zeros
        {
            ranked.sort_unstable_by_key(|&(rank, _)| rank);
        }
        let mut sum = 0.0;
        for (_, value) in ranked.iter_mut() {
            sum += *value;
            *value = sum;
        }
        for (score, default) in scores.iter_mut().zip(&self.defaults) {
            let within = within(ranked, default.reach, everything);
            if within > 0 {
                *score += default.weight * ranked[within - 1].1;
            }
        }
    }

    /// Rule out the components in which a term of the row has the probability 0 by default. Occurrences are
    /// counted, not added up: the sums of real values are never quite equal.
    fn rule_out(&self, rows: Rows, row: usize, scores: &mut [f64], hits: &mut [u32], ranked: &[(u32, f64)]) {
        hits.fill(0);
        for (term, _) in rows.row(row) {
            let rank = self.background.rank(term);
            for &(component, _) in self.entries_of(term) {
                hits[component as usize] += u32::from(rank < self.defaults[component as usize].reach);
            }
        }
        let everything = self.background.order().len() as u32;
        for ((score, default), &hits) in scores.iter_mut().zip(&self.defaults).zip(&*hits) {
            if default.is_zero && within(ranked, default.reach, everything) > hits as usize {
                *score = f64::NEG_INFINITY;
            }
        }
    }
}

/// How many of a row's terms, sorted by rank, are within reach.
fn within(ranked: &[(u32, f64)], reach: u32, everything: u32) -> usize {
    match reach {
        0 => 0,
        reach if reach >= everything => ranked.len(),
        reach => ranked.partition_point(|&(rank, _)| rank < reach),
    }
}

/// Turn the lists of components into lists of terms.
fn by_term(
    components: &Components,
    background: &Background,
    defaults: &[Default],
) -> (Vec<usize>, Vec<(u32, f64)>) {
    let mut starts = memory::zeros(background.theta().len() + 1);
    for &term in components.terms.iter().chain(&components.bare_terms) {
        starts[term as usize + 1] += 1;
    }
    for term in 1..starts.len() {
        starts[term] += starts[term - 1];
    }
    let mut places = starts.clone();
    let mut entries = memory::filled(components.terms.len() + components.bare_terms.len(), (0, 0.0));
    let (mut listed, mut bare) = (0, 0);
    for (component, default) in defaults.iter().enumerate() {
        let mut put = |term: u32, weight: f64| {
            let beyond = if background.rank(term) < default.reach { default.weight } else { 0.0 };
            let place = &mut places[term as usize];
            entries[*place] = (component as u32, weight - beyond);
            *place += 1;
        };
        for _ in 0..components.listed[component] {
            let term = components.terms[listed];
            put(term, (components.theta[listed] / background.theta()[term as usize]).ln());
            listed += 1;
        }
        for _ in 0..components.bares[component] {
            put(components.bare_terms[bare], 0.0);
            bare += 1;
        }
    }
    (starts, entries)
}
