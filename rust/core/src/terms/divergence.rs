//! Schneider's divergence scores (2004, eqs. 11–14).

use super::{per_term, weight, xlogy};
use crate::statistics::Statistics;

/// K̃_t(S) − K̃L_t(S) of each term, with p(w) counted, or the mean of p(w|c) over the classes.
pub fn divergence(statistics: &Statistics, mean_of_classes: bool) -> Vec<f64> {
    let (terms, classes) = (statistics.terms().len() as f64, statistics.classes());
    let (total, documents) = (statistics.all().values.value(), statistics.all().weight.value());
    let denominators: Vec<f64> = classes.values().iter().map(|value| terms + value).collect();
    let of_class: Vec<f64> = (0..classes.len()).map(|class| weight(classes, class)).collect();
    let prior: Vec<f64> = of_class.iter().map(|weight| weight / documents).collect();
    let unseen: f64 = prior.iter().zip(&denominators).map(|(prior, denominator)| prior / denominator).sum();
    let totals = statistics.pairs().totals();
    per_term(statistics, |term, pairs| {
        let spread = term.weight.value() / documents;
        if term.documents == 0 {
            return 0.0;
        }
        let (mut homogeneous, mut mean) = (0.0, unseen);
        for (class, place) in pairs {
            let count = totals.values()[place];
            let weighted = prior[class] / denominators[class];
            // A class without the word adds nothing: its q is 0, its p̃ set to 0 (after eq. 9).
            homogeneous -= weighted * (1.0 + count) * (weight(totals, place) / of_class[class]).ln();
            mean += weighted * count;
        }
        let counted = if total > 0.0 { term.values.value() / total } else { 0.0 };
        let share = if mean_of_classes { mean } else { counted };
        -xlogy(share, spread) - homogeneous
    })
}
