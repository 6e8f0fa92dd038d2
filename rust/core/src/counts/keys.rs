//! Keys of documents: hashes of their terms and counts, the same wherever their columns are.

use twox_hash::XxHash64;

use super::columns::Vocabulary;
use crate::memory;

impl Vocabulary {
    /// A hash of each row's terms and counts, which does not depend on the order or the numbers of columns.
    ///
    /// Entries of 0 count as missing.
    pub fn row_keys(&self, starts: &[i64], columns: &[i32], values: &[f64]) -> Vec<u64> {
        let hash = |column: i32| XxHash64::oneshot(0, self.term(column as u32));
        if columns.len() < self.len() {
            return row_keys(starts, columns, values, hash);
        }
        // Most terms occur, so hash each of them once.
        let hashes: Vec<u64> = memory::collected((0..self.len() as i32).map(hash));
        row_keys(starts, columns, values, |column| hashes[column as usize])
    }
}

/// A hash of each row: of the hashes of its columns and its values.
pub fn row_keys(starts: &[i64], columns: &[i32], values: &[f64], hash: impl Fn(i32) -> u64) -> Vec<u64> {
    let entry = |at: usize| match values[at] {
        0.0 => 0,
        value => mixed(hash(columns[at]) ^ mixed(value.to_bits())),
    };
    let row = |ends: &[i64]| (ends[0] as usize..ends[1] as usize).map(entry).fold(0, u64::wrapping_add);
    // Mixed again, so that short rows do not have small keys.
    memory::collected(starts.windows(2).map(|ends| mixed(row(ends))))
}

/// SplitMix64's finaliser: changes about half of all bits when one bit changes.
fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(terms: &[&str], columns: &[i32], values: &[f64]) -> u64 {
        let vocabulary = Vocabulary::new(terms.iter().map(|term| term.as_bytes()));
        vocabulary.row_keys(&[0, columns.len() as i64], columns, values)[0]
    }

    #[test]
    fn the_order_of_columns_does_not_matter() {
        let one = keys(&["corn", "oil", "wheat"], &[0, 1], &[1.0, 2.0]);
        assert_eq!(one, keys(&["oil", "corn"], &[0, 1], &[2.0, 1.0]));
        assert_eq!(one, keys(&["oil", "corn", "a", "b", "c"], &[0, 1, 2], &[2.0, 1.0, 0.0]));
    }

    #[test]
    fn counts_and_terms_matter() {
        let one = keys(&["corn", "oil"], &[0, 1], &[1.0, 2.0]);
        assert_ne!(one, keys(&["corn", "oil"], &[0, 1], &[2.0, 1.0]));
        assert_ne!(one, keys(&["corn", "oils"], &[0, 1], &[1.0, 2.0]));
        assert_ne!(one, keys(&["corn", "oil"], &[0], &[1.0]));
    }
}
