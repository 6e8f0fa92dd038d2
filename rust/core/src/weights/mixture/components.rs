//! Fitted components as columns of plain numbers, to be saved and scored.

use super::documents::{Documents, Unseen};
use super::em::Run;
use super::{Background, Smoothing};
use crate::memory;

/// The components of some groups of documents.
///
/// A component's parameters are those listed for it and, without a list, those of the `unseen_terms` most
/// frequent terms: θ = `unseen_ratios` · θ_0 for each of these that is neither listed nor bare. That default is
/// used where it is shorter, so there are never more entries than parameters, nor more than pairs seen.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Components {
    /// How many components each group has.
    pub sizes: Vec<u32>,
    /// f(m).
    pub weights: Vec<f64>,
    /// Σ q.
    pub documents: Vec<f64>,
    /// Σ (θ_0 − θ) over the parameters.
    pub slopes: Vec<f64>,
    /// How many parameters each component has.
    pub parameters: Vec<u32>,
    /// θ / θ_0 of the parameters that are not listed.
    pub unseen_ratios: Vec<f64>,
    /// How many of the most frequent terms have a parameter without a list.
    pub unseen_terms: Vec<u32>,
    /// How many parameters are listed.
    pub listed: Vec<u32>,
    /// The terms of those, rising in each component.
    pub terms: Vec<u32>,
    /// Their θ.
    pub theta: Vec<f64>,
    /// How many of the most frequent terms are bare: they have no parameter.
    pub bares: Vec<u32>,
    /// Those terms, rising in each component.
    pub bare_terms: Vec<u32>,
}

impl Components {
    /// One component, equal to the background, for a group without documents.
    pub fn background() -> Self {
        Self {
            sizes: vec![1],
            weights: vec![1.0],
            documents: vec![0.0],
            slopes: vec![0.0],
            parameters: vec![0],
            unseen_ratios: vec![1.0],
            unseen_terms: vec![0],
            listed: vec![0],
            bares: vec![0],
            ..Self::default()
        }
    }

    /// The result of EM, without dead components.
    pub fn of_run(
        run: &Run,
        documents: &Documents,
        unseen: &Unseen,
        background: &Background,
        smoothing: Smoothing,
    ) -> Self {
        let mut components = Self::default();
        let living =
            run.parameters.log_weights.iter().enumerate().filter(|(_, weight)| **weight > f64::NEG_INFINITY);
        for (component, log_weight) in living {
            memory::push(&mut components.weights, log_weight.exp());
            memory::push(&mut components.documents, run.expected.documents[component]);
            memory::push(&mut components.slopes, run.parameters.slopes[component]);
            components.push_terms(run, component, documents, unseen, background, smoothing);
        }
        memory::push(&mut components.sizes, components.weights.len() as u32);
        components
    }

    fn push_terms(
        &mut self,
        run: &Run,
        component: usize,
        documents: &Documents,
        unseen: &Unseen,
        background: &Background,
        smoothing: Smoothing,
    ) {
        let (expected, kept) = (&run.expected, run.parameters.kept.as_ref());
        let estimate = smoothing.estimate(expected.lengths[component]);
        let (mut listed, mut bare) = (Vec::new(), Vec::new());
        for (column, (&term, &share)) in documents.terms.iter().zip(&documents.background).enumerate() {
            let at = column * expected.stride + component;
            if kept.is_none_or(|kept| kept.cells[at]) {
                memory::push(&mut listed, (term, estimate.theta(expected.sums[at], share)));
            } else {
                memory::push(&mut bare, term);
            }
        }
        let unseen_kept = kept.map_or(unseen.len(), |kept| kept.unseen[component]);
        let ratio = estimate.unseen_ratio();
        memory::push(&mut self.parameters, (listed.len() + unseen_kept) as u32);
        let reach = if unseen_kept == 0 { 0 } else { unseen.ranks[unseen_kept - 1] + 1 };
        bare.retain(|&term| background.rank(term) < reach);
        let by_default = bare.len() < unseen_kept;
        if !by_default {
            memory::extend(
                &mut listed,
                unseen.ranks[..unseen_kept]
                    .iter()
                    .zip(&unseen.theta)
                    .map(|(&rank, &share)| (background.order()[rank as usize], estimate.theta(0.0, share))),
            );
            listed.sort_unstable_by_key(|&(term, _)| term);
            bare.clear();
        }
        memory::push(&mut self.unseen_ratios, ratio);
        memory::push(&mut self.unseen_terms, if by_default { reach } else { 0 });
        memory::push(&mut self.listed, listed.len() as u32);
        memory::push(&mut self.bares, bare.len() as u32);
        memory::extend(&mut self.terms, listed.iter().map(|&(term, _)| term));
        memory::extend(&mut self.theta, listed.iter().map(|&(_, theta)| theta));
        self.bare_terms.append(&mut bare);
    }

    /// Append the groups of another.
    pub fn append(&mut self, other: Self) {
        memory::extend(&mut self.sizes, other.sizes);
        memory::extend(&mut self.weights, other.weights);
        memory::extend(&mut self.documents, other.documents);
        memory::extend(&mut self.slopes, other.slopes);
        memory::extend(&mut self.parameters, other.parameters);
        memory::extend(&mut self.unseen_ratios, other.unseen_ratios);
        memory::extend(&mut self.unseen_terms, other.unseen_terms);
        memory::extend(&mut self.listed, other.listed);
        memory::extend(&mut self.terms, other.terms);
        memory::extend(&mut self.theta, other.theta);
        memory::extend(&mut self.bares, other.bares);
        memory::extend(&mut self.bare_terms, other.bare_terms);
    }

    /// True when the columns are consistent and every term is below `terms`.
    pub fn are_sound(&self, terms: usize) -> bool {
        let count = self.weights.len();
        let total = |sizes: &[u32]| sizes.iter().map(|&size| size as usize).sum::<usize>();
        let lengths = [
            self.documents.len(),
            self.slopes.len(),
            self.parameters.len(),
            self.unseen_ratios.len(),
            self.unseen_terms.len(),
            self.listed.len(),
            self.bares.len(),
        ];
        total(&self.sizes) == count
            && self.sizes.iter().all(|&size| size > 0)
            && lengths.iter().all(|&length| length == count)
            && total(&self.listed) == self.terms.len()
            && self.terms.len() == self.theta.len()
            && total(&self.bares) == self.bare_terms.len()
            && self.terms.iter().chain(&self.bare_terms).all(|&term| (term as usize) < terms)
    }
}
