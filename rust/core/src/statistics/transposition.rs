//! Rows → columns: the entries of each term, by class.

use super::rows::Rows;

/// One (class, row).
pub type Event = (u32, u32);

/// For each term that occurs, in order, its entries in the order of the events.
pub struct Entries {
    pub terms: Vec<u32>,
    /// Where each term's entries start; one more than there are terms.
    pub starts: Vec<usize>,
    pub classes: Vec<u32>,
    /// The values, times their document's weight.
    pub values: Vec<f64>,
    /// The documents' weights; `None` when every one is 1.
    pub weights: Option<Vec<f64>>,
}

/// The entries of the events' rows, by term.
pub fn transpose(rows: Rows, events: &[Event], weights: Option<&[f64]>, columns: usize) -> Entries {
    // Counting over all columns is quicker than sorting, unless there are few entries.
    if rows.values.len() * 16 > columns {
        by_counting(rows, events, weights, columns)
    } else {
        by_sorting(rows, events, weights)
    }
}

fn by_counting(rows: Rows, events: &[Event], weights: Option<&[f64]>, columns: usize) -> Entries {
    let mut next = vec![0_usize; columns + 1];
    for &(_, row) in events {
        rows.row(row as usize).for_each(|(term, _)| next[term as usize + 1] += 1);
    }
    let terms: Vec<u32> = (0..columns as u32).filter(|&term| next[term as usize + 1] > 0).collect();
    for term in 0..columns {
        next[term + 1] += next[term];
    }
    let total = next[columns];
    let mut starts: Vec<usize> = terms.iter().map(|&term| next[term as usize]).collect();
    starts.push(total);
    let mut entries = Entries {
        terms,
        starts,
        classes: vec![0; total],
        values: vec![0.0; total],
        weights: weights.map(|_| vec![0.0; total]),
    };
    for &(class, row) in events {
        let weight = weights.map_or(1.0, |weights| weights[row as usize]);
        for (term, value) in rows.row(row as usize) {
            let place = &mut next[term as usize];
            entries.classes[*place] = class;
            entries.values[*place] = weight * value;
            if let Some(weights) = &mut entries.weights {
                weights[*place] = weight;
            }
            *place += 1;
        }
    }
    entries
}

fn by_sorting(rows: Rows, events: &[Event], weights: Option<&[f64]>) -> Entries {
    let mut found: Vec<(u32, u32, f64, f64)> = Vec::new();
    for &(class, row) in events {
        let weight = weights.map_or(1.0, |weights| weights[row as usize]);
        found.extend(rows.row(row as usize).map(|(term, value)| (term, class, weight * value, weight)));
    }
    // Stable, so that a class's documents keep their order, as they do when counting.
    found.sort_by_key(|&(term, class, ..)| (term, class));
    let mut entries = Entries {
        terms: Vec::new(),
        starts: vec![],
        classes: found.iter().map(|entry| entry.1).collect(),
        values: found.iter().map(|entry| entry.2).collect(),
        weights: weights.map(|_| found.iter().map(|entry| entry.3).collect()),
    };
    for (at, entry) in found.iter().enumerate() {
        if entries.terms.last() != Some(&entry.0) {
            entries.terms.push(entry.0);
            entries.starts.push(at);
        }
    }
    entries.starts.push(found.len());
    entries
}
