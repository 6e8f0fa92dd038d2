//! A sum from which values can be subtracted without a trace.

/// A sum in two doubles: about 32 digits, so that adding and subtracting in any order leaves no trace that
/// shows in a double. For whole numbers the second one stays zero, and the sum is exact.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sum {
    high: f64,
    low: f64,
}

impl Sum {
    /// The sum of one number.
    pub fn new(value: f64) -> Self {
        Self { high: value, low: 0.0 }
    }

    /// A whole number, exactly.
    pub fn whole(value: u64) -> Self {
        let high = value as f64;
        // The nearest double may be larger; the rest has at most eleven bits.
        Self { high, low: (i128::from(value) - high as i128) as f64 }
    }

    /// From its two parts.
    pub fn from_parts(high: f64, low: f64) -> Self {
        Self { high, low }
    }

    /// Its two parts: the nearest double, and the rest.
    pub fn parts(self) -> (f64, f64) {
        (self.high, self.low)
    }

    /// The nearest double.
    #[inline]
    pub fn value(self) -> f64 {
        self.high
    }

    /// Add a number.
    #[inline]
    pub fn add(&mut self, value: f64) {
        let (high, error) = two_sum(self.high, value);
        let low = self.low + error;
        (self.high, self.low) = two_sum(high, low);
    }

    /// True for a whole number that is exact.
    pub fn is_whole(self) -> bool {
        self.low == 0.0 && self.high.fract() == 0.0
    }

    /// Subtract another sum; a negative rounding error becomes zero.
    pub fn subtract(&mut self, other: Self) {
        self.add_sum(other, -1.0);
        if self.high < 0.0 {
            *self = Self::default();
        }
    }

    /// Add another sum, `sign` times.
    #[inline]
    pub fn add_sum(&mut self, other: Self, sign: f64) {
        self.add(sign * other.high);
        if other.low != 0.0 {
            self.add(sign * other.low);
        }
    }
}

/// The rounded sum and its error, exactly (Knuth).
#[inline]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let shadow = sum - a;
    (sum, (a - (sum - shadow)) + (b - shadow))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forgets_large_among_small() {
        let mut sum = Sum::default();
        for value in [0.1, 1e12, 0.2, -1e12, 3e-9, 7e15, -7e15, -0.2] {
            sum.add(value);
        }
        assert!((sum.value() - (0.1 + 3e-9)).abs() < 1e-15);
    }
}
