//! The mixtures of many groups of documents, on every core.

use super::documents::{Documents, Unseen};
use super::em::Em;
use super::random::Random;
use super::{Background, Components, Settings, Size};
use crate::memory;
use crate::statistics::Rows;
use crate::threads::queue_on_threads;

/// Groups of documents, each with a mixture of its own.
#[derive(Clone, Copy)]
pub struct Groups<'a> {
    /// Where each group's rows start; one more than there are groups.
    pub starts: &'a [i64],
    /// The rows of the groups.
    pub members: &'a [u32],
    /// The number of components of each.
    pub sizes: &'a [Size],
    /// The seed of each.
    pub seeds: &'a [u64],
}

impl Groups<'_> {
    /// True when the groups are consistent and every member is below `rows`.
    pub fn are_sound(&self, rows: usize) -> bool {
        self.starts.first() == Some(&0)
            && self.starts.last() == Some(&(self.members.len() as i64))
            && self.starts.windows(2).all(|ends| ends[0] <= ends[1])
            && self.starts.len() == self.sizes.len() + 1
            && self.sizes.len() == self.seeds.len()
            && self.members.iter().all(|&row| (row as usize) < rows)
    }
}

/// The fitted mixtures of all groups.
#[derive(Debug, Default)]
pub struct Fitted {
    /// The components, group by group.
    pub components: Components,
    /// How many components each group was given.
    pub given: Vec<u32>,
    /// How many criteria each group has.
    pub iterations: Vec<u32>,
    /// The criterion at each group's start and after every iteration.
    pub criteria: Vec<f64>,
    /// The number of parameters at the same times.
    pub parameters: Vec<u64>,
}

/// The number of folds by which the number of components is chosen.
const FOLDS: usize = 3;

/// Fit the mixture of every group; `None` when `watch`, called with the number done, returns false.
///
/// Each group is worked on by one thread from its own seed, so the number of threads changes no bit.
pub fn fit(
    rows: Rows,
    weights: Option<&[f64]>,
    groups: Groups,
    background: &Background,
    settings: &Settings,
    threads: usize,
    watch: impl FnMut(usize) -> bool,
) -> Option<Fitted> {
    let work = |&group: &usize, stop: &dyn Fn() -> bool| {
        let members = &groups.members[groups.starts[group] as usize..groups.starts[group + 1] as usize];
        let documents = Documents::gather(rows, weights, members, background);
        fit_group(&documents, background, settings, groups.sizes[group], groups.seeds[group], stop)
    };
    // The largest first, so that no thread starts a large group last.
    let mut order: Vec<usize> = (0..groups.sizes.len()).collect();
    order.sort_by_key(|&group| groups.starts[group] - groups.starts[group + 1]);
    let results = queue_on_threads(&order, threads, work, watch)?;
    let mut found: Vec<Option<Fitted>> = (0..order.len()).map(|_| None).collect();
    for (group, result) in order.into_iter().zip(results) {
        found[group] = result;
    }
    let mut all = Fitted::default();
    for one in found {
        all.append(one?);
    }
    Some(all)
}

fn fit_group(
    documents: &Documents,
    background: &Background,
    settings: &Settings,
    size: Size,
    seed: u64,
    stop: &dyn Fn() -> bool,
) -> Option<Fitted> {
    if documents.len() == 0 {
        let components = Components::background();
        return Some(Fitted {
            components,
            given: vec![1],
            iterations: vec![1],
            criteria: vec![0.0],
            parameters: vec![0],
        });
    }
    let unseen = Unseen::of(documents, background);
    let mut random = Random::new(seed);
    let members: Vec<u32> = (0..documents.len() as u32).collect();
    let em = Em { documents, unseen: &unseen, settings, members: &members };
    let count = match size {
        Size::Fixed(count) => count.max(1),
        Size::HeldOut(most) => em.held_out_size(most, &mut random, stop)?,
    };
    let run = em.best_run(count, &mut random, stop)?;
    Some(Fitted {
        components: Components::of_run(&run, documents, &unseen, background, settings.smoothing),
        given: vec![count as u32],
        iterations: vec![run.history.len() as u32],
        criteria: run.history.iter().map(|&(criterion, _)| criterion).collect(),
        parameters: run.history.iter().map(|&(_, parameters)| parameters as u64).collect(),
    })
}

impl Em<'_> {
    /// The number of components that held-out documents support: one more as long as their likelihood rises by more
    /// than the standard error of the mean difference.
    fn held_out_size(&self, most: usize, random: &mut Random, stop: &dyn Fn() -> bool) -> Option<usize> {
        if most < 2 {
            return Some(1);
        }
        let mut order = self.members.to_vec();
        random.shuffle(&mut order);
        let mut before = self.held_out(&order, 1, random, stop)?;
        for count in 2..=most {
            let now = self.held_out(&order, count, random, stop)?;
            if !is_better(&before, &now) {
                return Some(count - 1);
            }
            before = now;
        }
        Some(most)
    }

    /// The weight and the log-likelihood of each document, by a mixture of the documents of the other parts.
    fn held_out(
        &self,
        order: &[u32],
        count: usize,
        random: &mut Random,
        stop: &dyn Fn() -> bool,
    ) -> Option<Vec<(f64, f64)>> {
        let mut found = memory::with_capacity(order.len());
        for fold in 0..FOLDS.min(order.len()) {
            let part = |held: bool| {
                let places =
                    order.iter().enumerate().filter(move |(place, _)| (place % FOLDS == fold) == held);
                places.map(|(_, &document)| document).collect::<Vec<u32>>()
            };
            let (held, learned) = (part(true), part(false));
            let em = Em { members: &learned, ..*self };
            let run = em.best_run(count, random, stop)?;
            let mut scores = memory::zeros(run.expected.stride);
            memory::extend(
                &mut found,
                held.iter().map(|&document| {
                    let likelihood = run.parameters.responsibilities(self.documents, document, &mut scores);
                    (self.documents.weights[document as usize], likelihood)
                }),
            );
        }
        Some(found)
    }
}

/// True when the mean of the paired differences exceeds its standard error.
fn is_better(before: &[(f64, f64)], now: &[(f64, f64)]) -> bool {
    let differences = before.iter().zip(now).map(|(before, now)| (before.0, now.1 - before.1));
    let (mut total, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for (weight, difference) in differences {
        total += weight;
        sum += weight * difference;
        squares += weight * difference * difference;
    }
    let mean = sum / total;
    let variance = (squares / total - mean * mean).max(0.0);
    mean > (variance / total).sqrt()
}

impl Fitted {
    fn append(&mut self, other: Self) {
        self.components.append(other.components);
        memory::extend(&mut self.given, other.given);
        memory::extend(&mut self.iterations, other.iterations);
        memory::extend(&mut self.criteria, other.criteria);
        memory::extend(&mut self.parameters, other.parameters);
    }
}
