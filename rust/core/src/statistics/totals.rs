//! Columns of sums: values, document weights, documents.

use super::sum::Sum;
use crate::column::Column;
use crate::memory;
use crate::threads::take_front;

/// True for a number that the sum of a model's values can be: none is negative, and none is so large or so
/// small that a square or a quotient of two has no number.
pub fn is_sound(sum: f64) -> bool {
    sum == 0.0 || (1e-150..=1e150).contains(&sum)
}

/// Many sums. The low parts take memory only once one of them is not zero.
#[derive(Debug, Clone, Default)]
pub struct Sums {
    high: Column<f64>,
    low: Column<f64>,
}

impl Sums {
    /// `length` zeros.
    pub fn zeros(length: usize) -> Self {
        Self::from_values(memory::zeros(length))
    }

    /// Sums that are exact as they are.
    pub fn from_values(high: Vec<f64>) -> Self {
        Self { high: high.into(), ..Self::default() }
    }

    /// The nearest doubles.
    pub fn values(&self) -> &[f64] {
        &self.high
    }

    /// The high and the low parts; no low parts when all are zero.
    pub fn parts(&self) -> (&[f64], &[f64]) {
        (&self.high, &self.low)
    }

    /// From their parts; `None` if these are inconsistent.
    pub fn from_parts(high: Column<f64>, low: Column<f64>) -> Option<Self> {
        let fit = low.is_empty() || low.len() == high.len();
        fit.then_some(Self { high, low })
    }

    /// True when sums are in range, and no low part shows in its high part.
    fn are_sound(&self, range: std::ops::Range<usize>) -> bool {
        let high = &self.high[range.clone()];
        high.iter().all(|&part| is_sound(part))
            && (self.low.is_empty()
                || high.iter().zip(&self.low[range]).all(|(high, low)| high + low == *high))
    }

    /// One sum.
    #[inline]
    pub fn get(&self, at: usize) -> Sum {
        Sum::from_parts(self.high[at], self.low.get(at).copied().unwrap_or(0.0))
    }

    /// Replace one sum.
    #[inline]
    pub fn set(&mut self, at: usize, sum: Sum) {
        let (high, low) = sum.parts();
        self.high[at] = high;
        if low != 0.0 && self.low.is_empty() {
            self.low = memory::zeros(self.high.len()).into();
        }
        if let Some(place) = self.low.get_mut(at) {
            *place = low;
        }
    }

    /// `length` zeros, with low parts.
    fn full(length: usize) -> Self {
        Self { high: memory::zeros(length).into(), low: memory::zeros(length).into() }
    }

    /// Have low parts or not. Without them before, all are zero; those that are dropped must be.
    fn set_low(&mut self, has_low: bool) {
        if !has_low {
            self.low = Column::default();
        } else if self.low.is_empty() {
            self.low = vec![0.0; self.high.len()].into();
        }
    }

    /// Drop the low parts when all are zero.
    fn tidy(&mut self) {
        if self.low.iter().all(|&low| low == 0.0) {
            self.low = Column::default();
        }
    }

    fn rest(&mut self) -> SumsCut<'_> {
        SumsCut { high: &mut self.high, low: &mut self.low }
    }

    /// Grow with zeros, or truncate.
    pub fn resize(&mut self, length: usize) {
        self.high.resize(length, 0.0);
        if !self.low.is_empty() {
            self.low.resize(length, 0.0);
        }
    }

    /// Move `length` sums from one place to another.
    pub fn copy_within(&mut self, from: usize, to: usize, length: usize) {
        self.high.copy_within(from..from + length, to);
        if !self.low.is_empty() {
            self.low.copy_within(from..from + length, to);
        }
    }
}

/// A piece of [`Sums`], with or without low parts.
#[derive(Debug)]
struct SumsCut<'a> {
    high: &'a mut [f64],
    low: &'a mut [f64],
}

impl<'a> SumsCut<'a> {
    /// Take `size` sums off the front.
    fn take(&mut self, size: usize) -> SumsCut<'a> {
        let low = size.min(self.low.len());
        let low = take_front(&mut self.low, low);
        SumsCut { high: take_front(&mut self.high, size), low }
    }

    fn set(&mut self, at: usize, sum: Sum) {
        let (high, low) = sum.parts();
        self.high[at] = high;
        // Not written unless it must be: memory that stays zero is not touched.
        if low != 0.0 {
            self.low[at] = low;
        }
    }
}

/// A piece of [`Totals`], to be filled once.
#[derive(Debug)]
pub struct TotalsCut<'a> {
    values: SumsCut<'a>,
    documents: &'a mut [u32],
    weights: Option<SumsCut<'a>>,
}

impl TotalsCut<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Set one total, of [`Totals::full`].
    pub fn set(&mut self, at: usize, total: &Total) {
        self.values.set(at, total.values);
        self.documents[at] = total.documents;
        if let Some(weights) = &mut self.weights {
            weights.set(at, total.weight);
        }
    }

    /// Set one total to whole numbers, of documents that all weigh 1.
    #[inline]
    pub fn set_whole(&mut self, at: usize, value: f64, documents: u32) {
        self.values.high[at] = value;
        self.documents[at] = documents;
    }
}

/// One row of [`Totals`].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Total {
    /// The sum of the values.
    pub values: Sum,
    /// The sum of the weights of the documents.
    pub weight: Sum,
    /// How many documents there are.
    pub documents: u32,
}

impl Total {
    /// Add another.
    #[inline]
    pub fn add(&mut self, other: &Self) {
        if self.documents == 0 {
            *self = *other;
            return;
        }
        self.values.add_sum(other.values, 1.0);
        self.weight.add_sum(other.weight, 1.0);
        self.documents += other.documents;
    }

    /// Subtract another. A total without documents is exactly 0, without rounding errors.
    pub fn subtract(&mut self, other: &Self) {
        self.documents -= other.documents;
        if self.documents == 0 {
            *self = Self::default();
        } else {
            self.values.subtract(other.values);
            self.weight.subtract(other.weight);
        }
    }

    /// True when the other can be a part of this one.
    pub fn contains(&self, other: &Self) -> bool {
        self.documents >= other.documents
            && self.leaves(self.values, other.values, other.documents)
            && self.leaves(self.weight, other.weight, other.documents)
    }

    /// True when taking a part away leaves nothing below zero, and exactly 0 without documents.
    fn leaves(&self, whole: Sum, part: Sum, documents: u32) -> bool {
        let mut rest = whole;
        rest.add_sum(part, -1.0);
        // Whole numbers are exact. Real ones may contain the rounding errors of larger sums that were subtracted.
        let exact = whole.is_whole() && part.is_whole();
        let slack = if exact { 0.0 } else { 1e-12 * (whole.value() + part.value()) };
        rest.value() >= -slack && (self.documents > documents || rest.value() <= slack)
    }
}

/// Which of the columns that totals need not have are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extras {
    low: bool,
    weights: bool,
    weights_low: bool,
}

/// Many totals, column by column. Weights take memory only once a document has a weight other than 1.
#[derive(Debug, Clone, Default)]
pub struct Totals {
    values: Sums,
    documents: Column<u32>,
    weights: Option<Sums>,
}

impl Totals {
    /// `length` empty totals.
    pub fn zeros(length: usize) -> Self {
        Self { values: Sums::zeros(length), documents: memory::zeros(length).into(), weights: None }
    }

    /// Values without documents.
    pub fn of_values(values: Vec<f64>) -> Self {
        let documents = memory::zeros(values.len()).into();
        Self { values: Sums { high: values.into(), low: Column::default() }, documents, weights: None }
    }

    /// `length` empty totals, with every column that totals can have.
    pub fn full(length: usize) -> Self {
        Self {
            values: Sums::full(length),
            documents: memory::zeros(length).into(),
            weights: Some(Sums::full(length)),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// From their columns; `None` if these are inconsistent.
    pub fn from_parts(values: Sums, documents: Column<u32>, weights: Option<Sums>) -> Option<Self> {
        let fit = values.high.len() == documents.len()
            && weights.as_ref().is_none_or(|weights| weights.high.len() == documents.len());
        fit.then_some(Self { values, documents, weights })
    }

    /// True when the sums of a range are in range themselves.
    pub fn are_sound(&self, range: std::ops::Range<usize>) -> bool {
        self.values.are_sound(range.clone())
            && self.weights.as_ref().is_none_or(|weights| weights.are_sound(range))
    }

    /// The sums of the values, and those of the weights unless every weight is 1.
    pub fn sums(&self) -> (&Sums, Option<&Sums>) {
        (&self.values, self.weights.as_ref())
    }

    /// The sums of the values.
    pub fn values(&self) -> &[f64] {
        self.values.values()
    }

    /// Only the sums of the values.
    pub fn into_values(mut self) -> Vec<f64> {
        std::mem::take(self.values.high.own())
    }

    /// How many documents each has.
    pub fn documents(&self) -> &[u32] {
        &self.documents
    }

    /// The sums of the documents' weights; `None` while every weight is 1.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_ref().map(Sums::values)
    }

    /// One total.
    #[inline]
    pub fn get(&self, at: usize) -> Total {
        let documents = self.documents[at];
        let weight = match &self.weights {
            Some(weights) => weights.get(at),
            None => Sum::new(f64::from(documents)),
        };
        Total { values: self.values.get(at), weight, documents }
    }

    /// Replace one total.
    #[inline]
    pub fn set(&mut self, at: usize, total: &Total) {
        self.values.set(at, total.values);
        self.documents[at] = total.documents;
        if self.weights.is_none() && total.weight != Sum::new(f64::from(total.documents)) {
            self.weights = Some(self.unit_weights());
        }
        if let Some(weights) = &mut self.weights {
            weights.set(at, total.weight);
        }
    }

    /// The totals at these places.
    pub fn at(&self, places: impl ExactSizeIterator<Item = usize>) -> Self {
        let mut chosen = Self::zeros(places.len());
        places.enumerate().for_each(|(at, place)| chosen.set(at, &self.get(place)));
        chosen
    }

    /// Cut into pieces of these sizes, which several threads can fill at once.
    pub fn cut(&mut self, sizes: &[usize]) -> Vec<TotalsCut<'_>> {
        let (mut values, mut documents) = (self.values.rest(), &mut *self.documents);
        let mut weights = self.weights.as_mut().map(Sums::rest);
        let mut pieces = memory::with_capacity(sizes.len());
        for &size in sizes {
            pieces.push(TotalsCut {
                values: values.take(size),
                documents: take_front(&mut documents, size),
                weights: weights.as_mut().map(|weights| weights.take(size)),
            });
        }
        pieces
    }

    /// Which columns are there beside those that always are.
    pub fn extras(&self) -> Extras {
        Extras {
            low: !self.values.low.is_empty(),
            weights: self.weights.is_some(),
            weights_low: self.weights.as_ref().is_some_and(|weights| !weights.low.is_empty()),
        }
    }

    /// Have these columns beside those that always are. Those that are dropped must say nothing.
    pub fn set_extras(&mut self, extras: Extras) {
        self.values.set_low(extras.low);
        if !extras.weights {
            self.weights = None;
        } else if self.weights.is_none() {
            self.weights = Some(self.unit_weights());
        }
        if let Some(weights) = &mut self.weights {
            weights.set_low(extras.weights_low);
        }
    }

    /// Drop the columns that turned out not to be needed.
    pub fn tidy(&mut self) {
        self.values.tidy();
        let unit = |weights: &Sums| {
            let ones = self.documents.iter().map(|&documents| f64::from(documents));
            weights.low.is_empty() && weights.high.iter().copied().eq(ones)
        };
        if let Some(weights) = &mut self.weights {
            weights.tidy();
        }
        if self.weights.as_ref().is_some_and(unit) {
            self.weights = None;
        }
    }

    /// The weights of documents that all weigh 1.
    fn unit_weights(&self) -> Sums {
        Sums::from_values(memory::collected(self.documents.iter().map(|&documents| f64::from(documents))))
    }

    /// Grow with empty totals, or truncate.
    pub fn resize(&mut self, length: usize) {
        self.values.resize(length);
        self.documents.resize(length, 0);
        if let Some(weights) = &mut self.weights {
            weights.resize(length);
        }
    }

    /// Move `length` totals from one place to another.
    pub fn copy_within(&mut self, from: usize, to: usize, length: usize) {
        self.values.copy_within(from, to, length);
        self.documents.copy_within(from..from + length, to);
        if let Some(weights) = &mut self.weights {
            weights.copy_within(from, to, length);
        }
    }
}
