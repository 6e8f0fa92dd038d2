//! Mutual information of word events and the class (Schneider 2004, eq. 4).

use super::{per_term, xlogy};
use crate::memory;
use crate::statistics::Statistics;

/// Mutual information of each term, in nats.
pub fn mutual_information(statistics: &Statistics) -> Vec<f64> {
    let total = statistics.all().values.value();
    if total == 0.0 {
        return memory::zeros(statistics.terms().len());
    }
    let of_class: Vec<f64> = statistics.classes().values().iter().map(|value| value / total).collect();
    let all_classes: f64 = of_class.iter().sum();
    let counts = statistics.pairs().totals().values();
    per_term(statistics, |term, pairs| {
        let present = term.values.value() / total;
        let absent = if present < 1.0 { (-present).ln_1p() } else { 0.0 };
        // What a class would add if it lacked the term, −p(c) log p(W_t = 0), is taken back where it does not.
        let mut sum = 0.0;
        for (class, place) in pairs {
            let (joint, share) = (counts[place] / total, of_class[class]);
            let product = present * share;
            let rest = (share - joint).max(0.0);
            let seen = if product > 0.0 { xlogy(joint, joint / product) } else { 0.0 };
            let unseen = if rest > 0.0 { rest * (rest / share).ln() } else { 0.0 };
            sum += seen + unseen - rest * absent + share * absent;
        }
        sum - all_classes * absent
    })
}
