//! The sums of one class and column.

use super::sum::Sum;
use super::totals::{Total, Totals, TotalsCut};
use super::values::Value;

/// Sums of one class and column.
pub trait Cell: Copy + Default + Send + Sync {
    /// Add one document's value; return the bits that the sum must hold.
    fn add<V: Value>(&mut self, value: V, weight: f64) -> u64;
    /// Add another cell.
    fn join(&mut self, other: &Self);
    /// True when cells hold the sums of this many documents with values of these bits exactly.
    fn hold(bits: u64, documents: usize) -> bool;
    /// The sum of the values of many cells.
    fn sum(cells: &[Self]) -> Sum;
    /// Empty totals with the columns that cells store.
    fn totals(length: usize) -> Totals;
    /// Store the sum in its place.
    fn store(&self, totals: &mut TotalsCut, at: usize);
}

/// Whole numbers, in one word: documents in the high 24 bits, the sum of values in the low 40.
#[derive(Clone, Copy, Default)]
pub struct Whole(u64);

const VALUE_BITS: u32 = 40;

// Sums that do not fit wrap around; all values are checked together at the end.
impl Cell for Whole {
    #[inline]
    fn add<V: Value>(&mut self, value: V, _weight: f64) -> u64 {
        let whole = value.whole();
        self.0 = self.0.wrapping_add(whole).wrapping_add(1 << VALUE_BITS);
        whole
    }

    #[inline]
    fn join(&mut self, other: &Self) {
        self.0 = self.0.wrapping_add(other.0);
    }

    fn hold(bits: u64, documents: usize) -> bool {
        let most = (1 << VALUE_BITS) / (documents as u64 + 1);
        documents < 1 << (64 - VALUE_BITS) && bits < most
    }

    fn sum(cells: &[Self]) -> Sum {
        Sum::whole(cells.iter().map(|cell| cell.value()).sum())
    }

    fn totals(length: usize) -> Totals {
        Totals::zeros(length)
    }

    #[inline]
    fn store(&self, totals: &mut TotalsCut, at: usize) {
        totals.set_whole(at, self.value() as f64, (self.0 >> VALUE_BITS) as u32);
    }
}

impl Whole {
    #[inline]
    fn value(self) -> u64 {
        self.0 & ((1 << VALUE_BITS) - 1)
    }
}

/// Real numbers, or weighted documents.
#[derive(Clone, Copy, Default)]
pub struct Real(Total);

impl Cell for Real {
    #[inline]
    fn add<V: Value>(&mut self, value: V, weight: f64) -> u64 {
        self.0.values.add(weight * value.real());
        self.0.weight.add(weight);
        self.0.documents += 1;
        0
    }

    fn join(&mut self, other: &Self) {
        self.0.add(&other.0);
    }

    fn hold(_bits: u64, _documents: usize) -> bool {
        true
    }

    fn sum(cells: &[Self]) -> Sum {
        let mut sum = Sum::default();
        cells.iter().for_each(|cell| sum.add_sum(cell.0.values, 1.0));
        sum
    }

    fn totals(length: usize) -> Totals {
        Totals::full(length)
    }

    fn store(&self, totals: &mut TotalsCut, at: usize) {
        totals.set(at, &self.0);
    }
}

/// A sum of weighted values in one double, for results that are computed once and never subtracted from.
#[derive(Clone, Copy, Default)]
pub struct Plain(f64);

impl Cell for Plain {
    #[inline]
    fn add<V: Value>(&mut self, value: V, weight: f64) -> u64 {
        self.0 += weight * value.real();
        0
    }

    #[inline]
    fn join(&mut self, other: &Self) {
        self.0 += other.0;
    }

    fn hold(_bits: u64, _documents: usize) -> bool {
        true
    }

    fn sum(cells: &[Self]) -> Sum {
        Sum::new(cells.iter().map(|cell| cell.0).sum())
    }

    fn totals(length: usize) -> Totals {
        Totals::zeros(length)
    }

    #[inline]
    fn store(&self, totals: &mut TotalsCut, at: usize) {
        totals.set_whole(at, self.0, 1);
    }
}
