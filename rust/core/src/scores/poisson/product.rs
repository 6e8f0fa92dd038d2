//! The logarithm of a quotient of long products, for the price of the products.

/// A product of numbers from 1 up, over another.
#[derive(Debug, Clone, Copy)]
pub struct Quotient {
    above: f64,
    below: f64,
    log: f64,
}

impl Quotient {
    /// An empty product over an empty product.
    pub const ONE: Self = Self { above: 1.0, below: 1.0, log: 0.0 };

    /// Multiply by two numbers, and divide by one.
    #[inline]
    pub fn multiply(&mut self, [first, second]: [f64; 2], divisor: f64) {
        let (above, below) = (self.above * (first * second), self.below * divisor);
        if above + below < 1e150 {
            (self.above, self.below) = (above, below);
        } else {
            self.log += self.above.ln() + first.ln() + second.ln() - self.below.ln() - divisor.ln();
            (self.above, self.below) = (1.0, 1.0);
        }
    }

    /// Multiply by another quotient.
    pub fn join(&mut self, other: Self) {
        self.log += other.log;
        self.multiply([other.above, 1.0], other.below);
    }

    /// The logarithm.
    pub fn ln(self) -> f64 {
        self.log + self.above.ln() - self.below.ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_sum_of_logarithms_at_any_size() {
        let factors = [([1.0, 3.0], 2.5), ([1e250, 7.0], 1e300), ([1e200, 1e180], 4.0), ([2.0, 1.0], 1.0)];
        let (mut all, mut half) = (Quotient::ONE, Quotient::ONE);
        let mut expected = 0.0;
        for round in 0..100 {
            for (above, below) in factors {
                if round % 2 == 0 {
                    all.multiply(above, below)
                } else {
                    half.multiply(above, below)
                }
                expected += above[0].ln() + above[1].ln() - f64::ln(below);
            }
        }
        all.join(half);
        assert!((all.ln() - expected).abs() < 1e-12 * expected.abs());
    }
}
