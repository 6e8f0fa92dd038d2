//! Which cells were touched, in order.

use crate::memory;

/// A set of places, in bits: adding takes no branch, and the places come out sorted.
pub struct Touched {
    places: Vec<u64>,
    /// Which words of `places` are not zero, so that few places among many are found quickly.
    words: Vec<u64>,
}

impl Touched {
    /// None of `length` places.
    pub fn new(length: usize) -> Self {
        let words = length.div_ceil(64);
        Self { places: memory::zeros(words), words: memory::zeros(words.div_ceil(64)) }
    }

    /// Add a place.
    #[inline]
    pub fn add(&mut self, place: usize) {
        self.places[place / 64] |= 1 << (place % 64);
        self.words[place / 4096] |= 1 << (place / 64 % 64);
    }

    /// Visit the places, rising, and forget them.
    #[inline]
    pub fn drain(&mut self, mut visit: impl FnMut(u32)) {
        for (block, words) in self.words.iter_mut().enumerate() {
            each_bit(std::mem::take(words), |word| {
                let word = block * 64 + word;
                each_bit(std::mem::take(&mut self.places[word]), |bit| visit((word * 64 + bit) as u32));
            });
        }
    }
}

#[inline]
fn each_bit(mut bits: u64, mut visit: impl FnMut(usize)) {
    while bits != 0 {
        visit(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_out_sorted_once() {
        let mut touched = Touched::new(10_000);
        [9_999, 3, 64, 3, 4_096, 63].into_iter().for_each(|place| touched.add(place));
        let mut found = vec![];
        touched.drain(|place| found.push(place));
        assert_eq!(found, [3, 63, 64, 4_096, 9_999]);
        touched.drain(|_| panic!("nothing is left"));
    }
}
