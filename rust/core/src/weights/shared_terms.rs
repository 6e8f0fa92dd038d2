//! Terms that several rows have.

use std::cmp::Reverse;

use crate::memory;
use crate::statistics::LabelledRows;

/// The terms that several rows have, frequent ones first.
///
/// The weight of a term that no other row has follows from the row's dual variable: it needs no place in a table, and many
/// word pairs of a text are such terms.
pub(super) struct SharedTerms {
    /// The terms by their place.
    pub terms: Vec<u32>,
    starts: Vec<usize>,
    places: Vec<u32>,
    values: Vec<f32>,
    /// The squared length of each row's other terms.
    pub rests: Vec<f32>,
    /// The squared length of each row, with the constant 1 of the bias.
    pub squares: Vec<f32>,
}

impl SharedTerms {
    pub fn new(documents: LabelledRows, terms: usize) -> Self {
        let rows = documents.rows.len();
        let mut rows_with = memory::zeros::<u32>(terms);
        for (term, _) in (0..rows).flat_map(|row| documents.rows.row(row)) {
            rows_with[term as usize] += 1;
        }
        let mut several: Vec<u32> =
            memory::collected((0..terms as u32).filter(|&term| rows_with[term as usize] > 1));
        memory::check_room::<u32>(several.len());
        several.sort_by_key(|&term| Reverse(rows_with[term as usize]));
        let mut place_of = memory::filled(terms, u32::MAX);
        for (place, &term) in (0..).zip(&several) {
            place_of[term as usize] = place;
        }
        let mut shared = Self {
            terms: several,
            starts: vec![0],
            places: Vec::new(),
            values: Vec::new(),
            rests: memory::zeros(rows),
            squares: memory::filled(rows, 1.0),
        };
        for row in 0..rows {
            for (term, value) in documents.rows.row(row) {
                let (place, value) = (place_of[term as usize], value as f32);
                shared.squares[row] += value * value;
                if place == u32::MAX {
                    shared.rests[row] += value * value;
                } else {
                    memory::push(&mut shared.places, place);
                    memory::push(&mut shared.values, value);
                }
            }
            memory::push(&mut shared.starts, shared.places.len());
        }
        shared
    }

    /// The places and values of a row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
        let entries = self.starts[row]..self.starts[row + 1];
        let places = &self.places[entries.clone()];
        places.iter().zip(&self.values[entries]).map(|(&place, &value)| (place as usize, value))
    }
}
