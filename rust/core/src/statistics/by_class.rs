//! A pass over all pairs seen that gathers something for each class.

use std::ops::Range;

use super::pairs::Pairs;
use crate::threads::on_threads;

/// Gather something for each class: `gather` goes over the pairs of some terms, `join` adds a later part.
///
/// The terms are cut in two by their pairs alone, never by the machine, so that any machine gives the same bits.
pub fn gather_by_class<T: Clone + Send + Sync>(
    pairs: &Pairs,
    nothing: &[T],
    gather: impl Fn(Range<usize>, &mut [T]) + Sync,
    join: impl Fn(&mut T, T),
) -> Vec<T> {
    let mut parts = on_threads(halves(pairs), |terms| {
        let mut found = nothing.to_vec();
        gather(terms, &mut found);
        found
    })
    .into_iter();
    let mut all = parts.next().unwrap_or_else(|| nothing.to_vec());
    for part in parts {
        all.iter_mut().zip(part).for_each(|(sum, more)| join(sum, more));
    }
    all
}

/// Below this many pairs a pass takes 2 ms, less than a thread may wait on a busy machine. It decides the order of the
/// sums, and so their last bits: it must not follow the machine.
const PAIRS_IN_TWO: usize = 1 << 21;

/// Terms in two ranges with about as many pairs, or in one when there are few.
fn halves(pairs: &Pairs) -> Vec<Range<usize>> {
    let terms = pairs.terms();
    if pairs.len() < PAIRS_IN_TWO {
        return std::iter::once(0..terms).collect();
    }
    let mut seen = 0;
    let reaches_half = |term: &usize| {
        seen += pairs.range(*term).len();
        2 * seen >= pairs.len()
    };
    let middle = (0..terms).find(reaches_half).map_or(terms, |term| term + 1);
    vec![0..middle, middle..terms]
}
