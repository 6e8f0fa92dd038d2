//! Rows of bytes, equal ones once.

use twox_hash::XxHash64;

use super::row::Damaged;
use crate::column::Column;
use crate::memory;

/// Rows one after another, and where each starts.
#[derive(Debug, Clone, Default)]
pub struct StoredRows {
    /// One more than there are rows.
    pub starts: Column<i64>,
    /// The bytes of all rows.
    pub bytes: Column<u8>,
}

impl StoredRows {
    /// True when the first row starts at 0 and the last one ends with the bytes.
    pub fn are_sound(&self) -> bool {
        (self.starts.first(), self.starts.last()) == (Some(&0), Some(&(self.bytes.len() as i64)))
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// True when there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A row.
    #[inline]
    pub fn get(&self, row: usize) -> Result<&[u8], Damaged> {
        let (Some(&start), Some(&end)) = (self.starts.get(row), self.starts.get(row + 1)) else {
            return Err(Damaged);
        };
        // A negative number is a very large one here, and no place.
        self.bytes.get(start as usize..end as usize).ok_or(Damaged)
    }
}

/// Rows that are collected; a row that was there before gets its number.
#[derive(Debug)]
pub struct RowStore {
    starts: Vec<i64>,
    bytes: Vec<u8>,
    hashes: Vec<u64>,
    /// Row numbers plus 1, by hash; at least half are 0, for no row.
    places: Vec<u32>,
}

impl Default for RowStore {
    fn default() -> Self {
        Self { starts: vec![0], bytes: Vec::new(), hashes: Vec::new(), places: memory::zeros(1 << 10) }
    }
}

impl RowStore {
    /// The number of a row, which is added when it is new.
    pub fn insert(&mut self, row: &[u8]) -> u32 {
        self.insert_hashed(row, XxHash64::oneshot(0, row))
    }

    /// Add all rows of another store; return their numbers here.
    pub fn merge(&mut self, other: &Self) -> Vec<u32> {
        let numbers = 0..other.hashes.len();
        numbers.map(|number| self.insert_hashed(other.get(number), other.hashes[number])).collect()
    }

    /// The rows.
    pub fn into_rows(mut self) -> StoredRows {
        self.bytes.shrink_to_fit();
        StoredRows { starts: Column::from(self.starts).frozen(), bytes: Column::from(self.bytes).frozen() }
    }

    fn get(&self, number: usize) -> &[u8] {
        &self.bytes[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    fn insert_hashed(&mut self, row: &[u8], hash: u64) -> u32 {
        let mask = self.places.len() - 1;
        let mut place = hash as usize & mask;
        while let Some(number) = self.places[place].checked_sub(1) {
            if self.hashes[number as usize] == hash && self.get(number as usize) == row {
                return number;
            }
            place = (place + 1) & mask;
        }
        let number = self.hashes.len() as u32;
        self.places[place] = number + 1;
        memory::push(&mut self.hashes, hash);
        memory::append(&mut self.bytes, row);
        memory::push(&mut self.starts, self.bytes.len() as i64);
        if self.hashes.len() * 2 > self.places.len() {
            self.grow();
        }
        number
    }

    fn grow(&mut self) {
        let mask = self.places.len() * 2 - 1;
        self.places = memory::zeros(mask + 1);
        for (number, &hash) in self.hashes.iter().enumerate() {
            let mut place = hash as usize & mask;
            while self.places[place] != 0 {
                place = (place + 1) & mask;
            }
            self.places[place] = number as u32 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_have_one_number() {
        let mut store = RowStore::default();
        let rows: Vec<Vec<u8>> = (0..5000_u32).map(|at| (at * 7 % 1900).to_le_bytes().to_vec()).collect();
        let numbers: Vec<u32> = rows.iter().map(|row| store.insert(row)).collect();
        assert!(numbers[..1900].iter().copied().eq(0..1900));
        assert_eq!(store.insert(&[]), 1900);
        let mut all = RowStore::default();
        all.insert(&rows[3]);
        let merged = all.merge(&store);
        assert_eq!((merged[3], merged[0], merged[1900]), (0, 1, 1900));
        let stored = all.into_rows();
        assert!(stored.are_sound());
        assert_eq!(stored.len(), 1901);
        for (row, &number) in rows.iter().zip(&numbers) {
            assert_eq!(stored.get(merged[number as usize] as usize), Ok(&row[..]));
        }
        assert_eq!(stored.get(1901), Err(Damaged));
    }

    #[test]
    fn starts_out_of_bounds_are_damaged() {
        for starts in [vec![0, -1, 3], vec![0, 9, 3], vec![0, 2, 1, 3]] {
            let rows = StoredRows { starts: starts.into(), bytes: vec![1, 2, 3].into() };
            assert!(rows.are_sound());
            assert!((0..3).any(|row| rows.get(row) == Err(Damaged)));
        }
    }
}
